//! Fits a machine file and a runtime file to measurements.
//!
//! | file | what |
//! |---|---|
//! | `inputs` | measurements of all kinds become rows and a shape |
//! | `observation` | a measured value, and its simulated counterpart |
//! | `target` | the parameters, and where their values are |
//! | `subject` | the machine and the runtime that are fitted |
//! | `stages` | parameters and rows of each stage, and the order of the stages |
//! | `staged` | fit of one stage: its rows, values and findings |
//! | `measured_distances` | nearest nodes by measurement, in place of the firmware's |
//! | `memory_only` | memory-only nodes, by rows of other nodes |
//! | `limits` | limits that no row shows |
//! | `elsewhere` | other starts, if a search ended next to a discontinuity |
//! | `missed` | residuals of rows against a fitted machine |
//! | `finding` | a fitted parameter and its evidence |
//! | `paces` | instructions per cycle of loops, from the same loops in caches |
//! | `capacity` | capacity of a node's memory, from rows that fill the node |
//! | `curve` | sizes and latencies of caches from the curve of a chase |
//! | `streams` | size of the last cache from streams |
//! | `seeds` | start values of stages |
//! | `solve` | least squares of one stage, and the error of each value |
//! | `lines` | core-to-core latencies from the output of tools |
//! | `off` | rows that the fitted machine does not give back |
//! | `kinds` | rows by kind, measured and simulated |
//! | `read_off` | values that are read off rather than fitted |
//! | `load` | latency under load: measured, or equally likely curves |
//! | `origins` | origin of each value of the machine file |
//! | `errors` | errors of all values, for predictions |
//! | `files` | the machine and the runtime as text, every value with its uncertainty and its rows |
//!
//! A kernel has the name of the workload that simulates it, so what is fitted is what is simulated. Each stage fits a
//! few parameters on the rows that depend on them: instructions, cache latencies and sizes, bandwidths of core,
//! controllers and links, lines between cores, pages, allocation, constructs. A stage is a least-squares problem in
//! logarithms, with residuals in standard errors of their rows and outliers weighted less. The start of a parameter
//! is a weak row of its own, so a parameter that no measurement shows stays there with a large error.
//!
//! Limits start at the greatest value seen, since a limit that starts too high has no slope. Cache sizes start at the
//! steps of the chase's curve. Simulated values of rows about shared lines change in steps, and a search by slopes
//! ends in front of the first step; there, many values are tried (`elsewhere`). The error of a value includes its
//! change if earlier values were off by their errors (`solve::earlier`). Rows that no values meet are left out. An
//! optional limit that no row shows is removed. Of two limits that can explain the same rows, the second is taken
//! only if it meets all of them and fits clearly better than the first (`limits`).
//!
//! After the fit every row is simulated. A third file holds the errors (`errors`). Validation draws machines from it
//! and computes the costs of loops anew on each of them.

mod capacity;
mod curve;
mod elsewhere;
mod errors;
mod files;
mod finding;
mod inputs;
mod kinds;
mod limits;
mod lines;
mod load;
mod measured_by;
mod measured_distances;
mod memory_only;
mod missed;
mod observation;
mod off;
mod origins;
mod paces;
mod read_off;
mod seeds;
mod solve;
mod staged;
mod stages;
mod streams;
mod subject;
mod target;

pub(crate) use errors::normal;
pub use errors::{Errors, Mechanism, ParameterError};
pub use files::{machine_file, runtime_file};
pub use finding::{Checked, Finding, IDENTIFIABLE, Verdict};
pub use inputs::{Inputs, InputsError, runtime_of};
pub use kinds::RowKind;
pub use load::Otherwise;
pub(crate) use load::UNBOUNDED;
pub use load::as_asked;
pub use measured_by::measured_by;
pub use observation::Observation;
pub use off::Off;
pub use origins::Origin;
pub use solve::{Estimate, Sides};
pub use subject::Subject;
pub use target::{FittedTable, Target};

use crate::loops::LoopCost;
use numalab_study::StudyError;
use staged::Fit;

#[derive(Clone, Debug)]
pub struct Fitted {
    /// Machine and runtime with the fitted values.
    pub subject: Subject,
    /// Every fitted parameter, in the order of the stages.
    pub estimates: Vec<Finding>,
    /// Origin of each value of the machine file, in the order of the file.
    pub origins: Vec<(String, Origin)>,
    pub warnings: Vec<String>,
    /// Equally likely curves of latency under load, with the values fitted under them.
    pub otherwise: Vec<Otherwise>,
    /// Costs of the loops of predicted kernels.
    pub loops: Vec<LoopCost>,
    /// All measured rows, each with its residual, and after them rows that substitute measurements.
    pub rows: Vec<(Observation, Checked)>,
    /// Number of measured rows.
    pub measured: usize,
}

/// Fits everything that the inputs determine. `progress` receives the number of finished stages and of all stages.
pub fn fit(inputs: &Inputs, progress: &dyn Fn(usize, usize)) -> Result<Fitted, StudyError> {
    let mut fit = Fit::new(inputs);
    let read = lines::read_off(&mut fit.subject, &inputs.rows, &mut fit.warnings);
    read.into_iter().for_each(|finding| fit.keep(finding));
    for (done, stage) in stages::all().enumerate() {
        progress(done, stages::all().count());
        fit.stage(stage)?;
    }
    memory_only::fit(&mut fit);
    fit.give_lines_back();
    Ok(fit.finish())
}
