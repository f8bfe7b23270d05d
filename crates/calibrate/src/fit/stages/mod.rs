//! Stages of the fit: parameters fitted together, with their rows. A stage follows the stages whose results it needs:
//! first those of `of_memory`, then `of_lines`, then `of_software`. `rows` classifies rows, `distances` has
//! substitutes for missing rows.

mod distances;
mod of_lines;
mod of_memory;
mod of_software;
mod rows;

use super::Finding;
use super::inputs::Inputs;
use super::observation::Observation;
use super::staged::Fit;
use super::subject::Subject;
use super::target::Target;

/// Sets the start values of a stage from its rows.
pub type Seed = fn(&mut Subject, &[&Observation]);

/// Additional relative error of the model, one value for each of a stage's rows.
pub type Doubt = fn(&[&Observation], &Subject) -> Vec<f64>;

/// Compares the fitted subject and the findings with all rows, and may correct both. Returns a warning for the user,
/// if there is one.
pub type Beside = fn(&mut Subject, &mut [Finding], &[Observation]) -> Option<String>;

/// Parameters that are fitted together, with the rows that show them.
pub struct Stage {
    pub name: &'static str,
    pub targets: fn(&Subject) -> Vec<Target>,
    /// True for a measured row on which the stage fits its parameters.
    pub admits: fn(&Observation, &Subject) -> bool,
    /// Two parameters that can explain the same rows, of which the stage fits one; `None` if the stage has no such
    /// choice.
    pub or: Option<(Target, Target)>,
    /// Sets values that are read off, before the stage; `None` for no such values.
    pub before: Option<fn(&mut Fit<'_>)>,
    /// Sets start values of the parameters; `None` to start from the subject's present values.
    pub seed: Option<Seed>,
    /// Additional relative error of the model for each row; `None` for no additional error.
    pub doubt: Option<Doubt>,
    /// Sets parameters of the rows' simulated loops, found from other rows, before the fit; `None` if there are none
    /// to set.
    pub prepares: Option<fn(&mut [Observation], &Subject)>,
    /// Rows that substitute measurements, used if no measured row belongs to the stage.
    pub derives: Option<fn(&Inputs, &Subject) -> Vec<Observation>>,
    /// True if the fitted values depend on latency under load.
    pub waits_under_load: bool,
    /// Correction of the fitted values by rows that the stage did not fit; `None` for no correction.
    pub beside: Option<Beside>,
    /// Name of the experiment that measures the parameters, for messages about missing measurements.
    pub experiment: &'static str,
}

impl Stage {
    /// All parameters that the stage can fit, including both alternatives of `or`.
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
    before: None,
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

/// Stage that can fit the value at a path of the machine or the runtime file.
pub fn measuring(subject: &Subject, path: &str, of_runtime: bool) -> Option<&'static Stage> {
    let is_it =
        |target: &Target| target.is_of_runtime() == of_runtime && target.path(&subject.machine) == path;
    all().find(|stage| stage.candidates(subject).iter().any(is_it))
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
