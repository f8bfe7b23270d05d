//! Stages of the fit: the parameters fitted together, their rows, and the order: what a stage needs of others
//! has been fitted before. `of_memory`, `of_lines` and `of_software` follow each other in this order. Which rows are of what is said in
//! `rows`, what stands for rows that nobody measured in `distances`.

mod distances;
mod of_lines;
mod of_memory;
mod of_software;
mod rows;

use super::Finding;
use super::inputs::Inputs;
use super::observation::Observation;
use super::subject::Subject;
use super::target::Target;

/// Sets where a stage begins, from the rows that it is fitted on.
pub type Seed = fn(&mut Subject, &[&Observation]);

/// Errors that the model has with each row.
pub type Doubt = fn(&[&Observation], &Subject) -> Vec<f64>;

/// Compares a fitted subject and its findings with all rows; what they disagree about, for people.
pub type Beside = fn(&mut Subject, &mut [Finding], &[Observation]) -> Option<String>;

/// One step of the fit.
pub struct Stage {
    /// For people.
    pub name: &'static str,
    /// Parameters that are fitted.
    pub targets: fn(&Subject) -> Vec<Target>,
    /// On what.
    pub admits: fn(&Observation, &Subject) -> bool,
    /// One of these, and what may be the reason in its place for the same rows.
    pub or: Option<(Target, Target)>,
    /// Start of it, if not where it is.
    pub seed: Option<Seed>,
    /// Relative error that the model leaves open about a row, besides what it always does.
    pub doubt: Option<Doubt>,
    /// Sets what the rows are simulated with, found from others before any is looked at.
    pub prepares: Option<fn(&mut [Observation], &Subject)>,
    /// Rows in the place of those that nobody measured.
    pub derives: Option<fn(&Inputs, &Subject) -> Vec<Observation>>,
    /// Whether its values depend on how much longer lines wait under load.
    pub waits_under_load: bool,
    /// Evidence of another kind about what was fitted.
    pub beside: Option<Beside>,
    /// Experiment that measures it.
    pub experiment: &'static str,
}

impl Stage {
    /// Everything that may be fitted.
    pub fn candidates(&self, subject: &Subject) -> Vec<Target> {
        (self.targets)(subject).into_iter().chain(self.or.map(|(_, other)| other)).collect()
    }
}

/// A stage of which nothing is said: where it is, on rows as they are.
const STAGE: Stage = Stage {
    name: "",
    targets: |_| Vec::new(),
    admits: |_, _| false,
    or: None,
    seed: None,
    doubt: None,
    prepares: None,
    derives: None,
    waits_under_load: false,
    beside: None,
    experiment: "",
};

/// All steps in order.
pub fn all() -> impl Iterator<Item = &'static Stage> {
    [of_memory::STAGES, of_lines::STAGES, of_software::STAGES].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_runtime::Profile;

    /// Law: A parameter is declared once: reading, check, writing, reference and fit follow.
    #[test]
    fn every_stage_names_parameters_that_there_are() {
        let mut machine = numalab_machine::synthetic("board:2 socket:2 core:2").unwrap();
        for controller in machine.levels.iter_mut().filter_map(|level| level.controller.as_mut()) {
            controller.requests = Some(8.0);
        }
        let mut subject = Subject::new(machine, Profile::default());
        for target in all().flat_map(|stage| stage.candidates(&subject)).collect::<Vec<_>>() {
            subject.set(target, 32.0);
            assert_eq!(target.value(&subject).and_then(|value| value.number()), Some(32.0), "{target:?}");
            target.lift(&mut subject);
            assert!(subject.get(target) > 0.0, "{target:?} has no stand-in");
        }
    }
}
