//! Rows about the ratio of two runs. Either one parameter has two values, `threads=128/1`, or the row is the speed-up
//! over the sequential program. A saving is one minus the ratio. A value may also be a name of `variants.csv`.

use super::reference::Published;
use super::{RowContext, cases, workloads};
use numalab_study::StudyError;
use serde::Deserialize;

/// Relation between the runs of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// Names of runs by makespan, the fastest first.
    Order,
    /// Ratio of two runs.
    Ratio,
    /// Fraction of the second run's makespan that the first run saves.
    PartSaved,
    /// Fraction of the second run's page faults that the first run saves.
    FaultsSaved,
    /// Speed-up over the sequential program.
    OverSequential,
}

/// Parameters of the two runs of a row; `None` if the workload has a measure for the quantity, or the row names one
/// run.
pub fn sides(
    row: &Published,
    relation: Relation,
    context: &RowContext<'_>,
) -> Result<Option<(String, String)>, StudyError> {
    let sides = match relation {
        // A version that the translation of names leaves in place has no workload.
        Relation::OverSequential if row.param("version").is_some() => None,
        Relation::OverSequential => {
            cases::sequential(&row.experiment)?.map(|sequential| (sequential, row.params.clone()))
        }
        Relation::Order | Relation::Ratio | Relation::PartSaved | Relation::FaultsSaved => both(row),
    };
    match sides {
        Some(sides) if !workloads::has(row, &row.quantity, &context.files)? => Ok(Some(sides)),
        _ => Ok(None),
    }
}

/// Quotient of both runs, or one minus the quotient; `None` if no workload yields the measure. The row or its experiment
/// names the measure, `of=MEASURE`; the default is the number of page faults for `FaultsSaved`, otherwise the makespan.
/// A row with `of=MEASURE/MEASURE` compares two measures of one run.
pub fn simulate(
    row: &Published,
    relation: Relation,
    sides: (String, String),
    context: &RowContext<'_>,
) -> Result<Option<f64>, StudyError> {
    let usual = if relation == Relation::FaultsSaved { "faults" } else { "makespan" };
    let saved = matches!(relation, Relation::PartSaved | Relation::FaultsSaved);
    let (variants, percent) = (cases::variants()?, row.unit == "%");
    let unit = if percent { "1".to_owned() } else { row.unit.clone() };
    let value = |params: String| {
        let params = cases::translate(&variants, &row.experiment, &params);
        let side = Published { unit: unit.clone(), ..row.with(params) };
        let quantity = workloads::measure(&side)?.unwrap_or_else(|| usual.to_owned());
        workloads::simulate(&Published { quantity, ..side }, context)
    };
    let [Some(first), Some(second)] = [value(sides.0)?, value(sides.1)?] else { return Ok(None) };
    let ratio = first / second;
    let value = if saved { 1.0 - ratio } else { ratio };
    Ok(Some(if percent { 100.0 * value } else { value }))
}

/// Parameters of the two runs if parameters of the row have two values, `KEY=FIRST/SECOND`. All first values are of one
/// run.
pub fn both(row: &Published) -> Option<(String, String)> {
    row.params().find(|(_, value)| value.contains('/'))?;
    let with = |is_first: bool| {
        let pair = |(name, value): (&str, &str)| {
            let value = match value.split_once('/') {
                Some((first, second)) => {
                    if is_first {
                        first
                    } else {
                        second
                    }
                }
                None => value,
            };
            format!("{name}={value}")
        };
        row.params().map(pair).collect::<Vec<_>>().join(";")
    };
    Some((with(true), with(false)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::derivations::{Derivation, Derivations};
    use crate::published::reference::published_as;

    /// Value of a row about two runs, if workloads yield it.
    fn of_two(row: &Published) -> Option<f64> {
        let Some(Derivation::Runs(relation)) = Derivations::read().unwrap().of(row) else { return None };
        let context = RowContext::default();
        simulate(row, relation, sides(row, relation, &context).unwrap()?, &context).unwrap()
    }

    #[test]
    fn a_parameter_with_two_values_is_two_runs() {
        let one = |id: &str| workloads::simulate(&published_as(id), &RowContext::default()).unwrap().unwrap();
        let row = published_as("epcc.intel.128over1");
        let ratio = of_two(&row).unwrap();
        assert!((ratio / (one("epcc.intel.128") / one("epcc.intel.1")) - 1.0).abs() < 1e-12, "{ratio}");
        // The workload may have a measure of the quantity's name.
        assert!(of_two(&published_as("matvec.balancing.gain")).is_none());
    }

    /// One run has both measures; more bytes are read than written a second where each write fetches its line first.
    #[test]
    fn a_row_may_compare_two_measures() {
        let ratio = of_two(&published_as("bw.hp.write_over_read")).unwrap();
        assert!((0.3..0.8).contains(&ratio), "{ratio}");
    }

    #[test]
    fn each_parameter_takes_its_side() {
        let row = published_as("dsm.bta.gain")
            .with("threads=2;schedule=align/static;technique=final/none".to_owned());
        let first = "threads=2;schedule=align;technique=final".to_owned();
        let second = "threads=2;schedule=static;technique=none".to_owned();
        assert_eq!(both(&row), Some((first, second)));
    }

    /// A saving is one minus the ratio.
    #[test]
    fn what_is_saved_is_the_rest() {
        let row = |quantity: &str| Published {
            quantity: quantity.to_owned(),
            ..published_as("dsm.synth.speedup.presend")
                .with("threads=2;technique=presend/none;chops=100".to_owned())
        };
        let [saved, ratio] = ["time_saved", "ratio"].map(|quantity| of_two(&row(quantity)).unwrap());
        assert!((saved + ratio - 1.0).abs() < 1e-12 && (0.1..0.5).contains(&saved), "{saved} {ratio}");
    }

    /// Both runs are given by names of the source; the row's value is in per cent.
    #[test]
    fn a_decrease_in_per_cent_is_between_runs_by_name() {
        let one = |id: &str| {
            let row = published_as(id);
            let variants = cases::variants().unwrap();
            let params = cases::translate(&variants, &row.experiment, &row.params);
            workloads::simulate(&row.with(params), &RowContext::default()).unwrap().unwrap()
        };
        let row = published_as("ol.heat.decr.16");
        let expected = 100.0 * (1.0 - one("ol.heat.16.ql") / one("ol.heat.16.intel"));
        assert!((of_two(&row).unwrap() - expected).abs() < 1e-9, "{expected}");
    }

    #[test]
    fn a_speedup_is_over_the_sequential_program() {
        let row = published_as("dsm.synth.speedup.original").with("threads=8;schedule=static".to_owned());
        let time = |params: &str| {
            let (quantity, unit) = ("makespan".to_owned(), "s".to_owned());
            workloads::simulate(
                &Published { quantity, unit, ..row.with(params.to_owned()) },
                &RowContext::default(),
            )
            .unwrap()
            .unwrap()
        };
        let expected = time("threads=1;schedule=static") / time("threads=8;schedule=static");
        assert!((of_two(&row).unwrap() / expected - 1.0).abs() < 1e-12);
        // The program has no workload.
        assert!(of_two(&published_as("dsm.kandake.tmk.speedup.4")).is_none());
    }
}
