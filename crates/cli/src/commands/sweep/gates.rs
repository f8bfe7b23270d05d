//! Evaluates the gates of a sweep, and writes the verdicts for CI.

use crate::failure::Failure;
use crate::flags::Sweep;
use crate::hints;
use crate::output::Destination;
use numalab_report as report;
use numalab_results::{Frame, GateReport};
use numalab_sweep::{Plan, gate};
use numalab_syntax::files_read;
use std::io::Write;
use std::path::Path;

pub fn evaluate(plan: &Plan<'_>, frame: &Frame, partial: bool) -> GateReport {
    let known = gate::Known {
        passes: &|row, filter| plan.passes(&plan.points()[row], filter),
        facts: &|row, name| plan.fact(&plan.points()[row], name),
        read: &|path: &Path| baseline(plan, path),
        partial,
    };
    gate::evaluate(plan.sweep(), frame, &known)
}

/// Rows of a baseline file, or the reason why the rows cannot be used.
fn baseline(plan: &Plan<'_>, path: &Path) -> Result<Frame, String> {
    if !path.exists() {
        let (sweep, path) = (plan.sweep().file(), path.display());
        return Err(format!("{path} does not exist yet; numalab sweep {sweep} -o {path} writes it"));
    }
    let frame = numalab_result_files::frame(path).map_err(|error| hints::frame(error).brief());
    // The rows of this run may overwrite the baseline.
    files_read::release(path);
    frame
}

/// Writes the verdicts for CI.
pub fn publish(flags: &Sweep, report: &GateReport) -> Result<(), Failure> {
    if let Some(path) = &flags.markdown {
        append(path, &report::markdown(report))?;
    }
    if let Some(path) = &flags.junit {
        Destination::from(path.clone()).write(report::gate_junit(report).as_bytes())?;
    }
    if flags.annotations {
        Destination::Stdout.write(report::gate_annotations(report).as_bytes())?;
    }
    Ok(())
}

/// Appends a text to a file, since a CI summary has parts from several commands.
fn append(path: &Path, text: &str) -> Result<(), Failure> {
    let destination = Destination::from(path.to_owned());
    match &destination {
        Destination::Stdout => destination.write(text.as_bytes()),
        Destination::File(path) => {
            destination.spare_inputs()?;
            let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
            let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
            written.map_err(|error| crate::output::cannot_write(path, &error))
        }
    }
}
