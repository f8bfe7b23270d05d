//! A machine file and a runtime file from measurements.
//!
//! | file | what |
//! |---|---|
//! | `inputs` | measurements of all kinds become rows and a shape |
//! | `observation` | a measured value, and its simulated counterpart |
//! | `target` | the parameters, and where their values are |
//! | `subject` | the machine and the runtime that are fitted |
//! | `stages` | what is fitted on what, in which order |
//! | `seeds` | where capacities begin |
//! | `solve` | least squares of one stage, and how sure each value is |
//! | `files` | the machine and the runtime as text, every value with its uncertainty and its rows |

mod files;
mod inputs;
mod observation;
mod seeds;
mod solve;
mod stages;
mod subject;
mod target;

pub use files::{machine_file, runtime_file};
pub use inputs::{Inputs, InputsError, runtime_of};
pub use observation::Observation;
pub use solve::Estimate;
pub use subject::Subject;
pub use target::{FittedTable, Target};

use numalab_study::StudyError;
use numalab_units::parameter::Value;
use solve::solve;

/// An estimate with a larger standard error says no more than where it started.
pub const IDENTIFIABLE: f64 = 0.10;

/// Result of a fit.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The machine and the runtime with the fitted values.
    pub subject: Subject,
    /// Every parameter that was fitted, in the order of the stages.
    pub estimates: Vec<Finding>,
    /// Paths of the machine file that nothing was measured for: defaults.
    pub assumed: Vec<String>,
    /// Oddities, for people.
    pub warnings: Vec<String>,
    /// The rows with how far the fitted machine is from them: by how much each is missed, if it is covered.
    pub rows: Vec<(Observation, Option<f64>)>,
}

/// A parameter, and what it rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The estimate.
    pub estimate: Estimate,
    /// Its path in the machine or runtime file.
    pub path: String,
    /// Its value, as its file says it.
    pub value: Value,
    /// For people: the stage.
    pub stage: &'static str,
    /// Numbers of the rows that it was fitted on.
    pub rows: Vec<usize>,
}

impl Finding {
    /// Whether the measurements say what the value is.
    pub fn is_identifiable(&self) -> bool {
        !self.rows.is_empty() && self.estimate.error <= IDENTIFIABLE
    }
}

/// Fits everything that the inputs say something about. Told how many stages are done, and of how many.
pub fn fit(inputs: &Inputs, progress: &dyn Fn(usize, usize)) -> Result<Fitted, StudyError> {
    let mut subject = inputs.subject.clone();
    let mut estimates = Vec::new();
    let mut warnings = inputs.warnings.clone();
    // A row that cannot be simulated now cannot be later: it would end the fit of all others.
    let possible: Vec<bool> = inputs
        .rows
        .iter()
        .map(|row| match row.simulate(&subject) {
            Ok(value) => value.is_some(),
            Err(error) => {
                warnings.push(format!("{}: left out: {error}", row.row.source));
                false
            }
        })
        .collect();
    for (done, stage) in stages::ALL.iter().enumerate() {
        progress(done, stages::ALL.len());
        let targets = (stage.targets)(&subject);
        let admitted: Vec<usize> = (0..inputs.rows.len())
            .filter(|row| possible[*row] && (stage.admits)(&inputs.rows[*row], &subject))
            .collect();
        if targets.is_empty() || admitted.is_empty() {
            continue;
        }
        let rows: Vec<&Observation> = admitted.iter().map(|row| &inputs.rows[*row]).collect();
        if let Some(seed) = stage.seed {
            seed(&mut subject, &rows);
            subject.settle();
        }
        for estimate in solve(&mut subject, &targets, &rows)? {
            let path = estimate.target.path(&subject.machine);
            let value = estimate.target.value(&subject).unwrap_or(Value::Absent);
            let finding = Finding { estimate, path, value, stage: stage.name, rows: admitted.clone() };
            if !finding.is_identifiable() {
                estimate.target.lift(&mut subject, &inputs.subject);
            }
            estimates.push(finding);
        }
    }
    let missed = |row: &Observation| Some(row.simulate(&subject).ok()?? / row.value - 1.0);
    let rows = inputs.rows.iter().map(|row| (row.clone(), missed(row))).collect();
    let found = |path: &String| estimates.iter().any(|finding: &Finding| finding.path == *path);
    let assumed = inputs.assumed.iter().filter(|path| !found(path)).cloned().collect();
    Ok(Fitted { subject, estimates, assumed, warnings, rows })
}
