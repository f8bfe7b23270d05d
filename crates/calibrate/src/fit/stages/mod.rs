//! Stages of the fit: parameters fitted together, with their rows. A stage follows the stages whose results it needs:
//! first those of `of_memory`, then `of_lines`, then `of_software`. `rows` classifies rows, `distances` has
//! substitutes for missing ones.

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

/// Sets the start values of a stage from its rows.
pub type Seed = fn(&mut Subject, &[&Observation]);

/// Relative error of the model for each row.
pub type Doubt = fn(&[&Observation], &Subject) -> Vec<f64>;

/// Compares a fitted subject and its findings with all rows; returns a warning for the user.
pub type Beside = fn(&mut Subject, &mut [Finding], &[Observation]) -> Option<String>;

/// Parameters that are fitted together, with the rows that show them.
pub struct Stage {
    pub name: &'static str,
    pub targets: fn(&Subject) -> Vec<Target>,
    /// True for rows of the stage.
    pub admits: fn(&Observation, &Subject) -> bool,
    /// Two parameters that can explain the same rows. One of them is fitted.
    pub or: Option<(Target, Target)>,
    /// Start values; the present ones if `None`.
    pub seed: Option<Seed>,
    /// Additional relative error of the model for each row.
    pub doubt: Option<Doubt>,
    /// Sets parameters of the simulated loops, found from other rows.
    pub prepares: Option<fn(&mut [Observation], &Subject)>,
    /// Substitutes for rows that were not measured.
    pub derives: Option<fn(&Inputs, &Subject) -> Vec<Observation>>,
    /// True if the fitted values depend on latency under load.
    pub waits_under_load: bool,
    /// Check of the result against evidence of another kind.
    pub beside: Option<Beside>,
    /// Name of the experiment that measures the parameters.
    pub experiment: &'static str,
}

impl Stage {
    /// All parameters that the stage can fit.
    pub fn candidates(&self, subject: &Subject) -> Vec<Target> {
        (self.targets)(subject).into_iter().chain(self.or.map(|(_, other)| other)).collect()
    }
}

/// Defaults of a `Stage`'s optional fields.
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
