//! Derivations of quantities that no single run or measure yields.

use super::models::Figure;
use super::ratios::Relation;
use super::reference::{Published, read};
use super::stated::Fact;
use super::teams::StatedTeam;
use crate::papers::TabulatedFigure;
use crate::papers::placement::Statistic;
use numalab_study::StudyError;
use serde::Deserialize;

/// `reference/quantities.csv`: a derivation for each published quantity that has one.
const QUANTITIES: &str = include_str!("../../../../reference/quantities.csv");

/// Derivation of a quantity. In the file it is a variant of `Relation`, `StatedTeam` or another type of a field
/// below, in kebab case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Derivation {
    /// Derived from several runs.
    Runs(Relation),
    /// Derived from runs of teams of several sizes.
    Teams(StatedTeam),
    /// Figure of an analytic model.
    Model(Figure),
    /// Fact that the machine file states.
    Machine(Fact),
    /// Read from a published table.
    Table(TabulatedFigure),
    /// Derived from placements of threads by region.
    Placement(Statistic),
}

#[derive(Deserialize)]
struct Quantity {
    /// Name of the experiment; empty for all experiments with this quantity.
    experiment: String,
    quantity: String,
    derivation: Derivation,
}

impl Quantity {
    /// True if this derivation applies to a row's quantity and experiment.
    fn is_of(&self, row: &Published) -> bool {
        self.quantity == row.quantity && (self.experiment.is_empty() || self.experiment == row.experiment)
    }
}

pub struct Derivations(Vec<Quantity>);

impl Derivations {
    /// Reads the built-in file of derivations.
    pub fn read() -> Result<Derivations, StudyError> {
        read("reference/quantities.csv", QUANTITIES).map(Derivations)
    }

    /// Derivation of a row's quantity; `None` if a run yields the quantity directly.
    pub fn of(&self, row: &Published) -> Option<Derivation> {
        self.0.iter().find(|known| known.is_of(row)).map(|known| known.derivation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::reference::published;
    use std::collections::BTreeSet;

    /// Law: Every derivation serves a published row, and no quantity of an experiment has two derivations.
    #[test]
    fn derivations_are_those_of_published_rows() {
        let known = Derivations::read().unwrap();
        let rows = published().unwrap();
        for quantity in &known.0 {
            assert!(
                rows.iter().any(|row| quantity.is_of(row)),
                "no row is a {} of {:?}",
                quantity.quantity,
                quantity.experiment
            );
        }
        let names: BTreeSet<_> = known.0.iter().map(|known| (&known.experiment, &known.quantity)).collect();
        assert_eq!(names.len(), known.0.len());
    }
}
