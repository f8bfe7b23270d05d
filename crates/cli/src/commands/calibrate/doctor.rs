//! `numalab calibrate doctor`: problems of a file of measurements.

use super::fit::unsuited;
use crate::commands::load;
use crate::failure::Failure;
use crate::flags::CalibrateDoctor;
use crate::hints;
use crate::output::Destination;
use crate::progress::Bar;
use numalab_calibrate::doctor::{Kind, examine};
use numalab_calibrate::fit::{Inputs, fit, runtime_of};
use numalab_imports::Evidence;
use numalab_imports::measurements::measurements;
use numalab_study::Progress;
use std::fmt::Write;

/// Reads and fits the file, and lists its problems.
pub fn run(flags: &CalibrateDoctor) -> Result<(), Failure> {
    let measured = measurements(&flags.file)?;
    let evidence = [Evidence::Measurements(Box::new(measured.clone()))];
    let profile = load::runtime(runtime_of(&evidence), &[])?.value;
    let inputs = Inputs::new("host", &evidence, profile)
        .map_err(|error| unsuited(std::slice::from_ref(&flags.file), error))?;
    let bar = Bar::of_whole_work();
    let fitted = fit(&inputs, &|done, stages| bar.report(done as u64, stages as u64))?;
    drop(bar);
    let complaints = examine(&measured, &inputs, &fitted);
    let mut text = String::new();
    let mut kind: Option<Kind> = None;
    for complaint in &complaints {
        if kind != Some(complaint.kind) {
            let _ = writeln!(text, "{}{}", if kind.is_some() { "\n" } else { "" }, complaint.kind.name());
            kind = Some(complaint.kind);
        }
        let again = complaint.again.as_deref().map_or_else(String::new, hints::measured_by);
        let _ = writeln!(text, "  {}{again}", complaint.what);
    }
    if complaints.is_empty() {
        text += "no measurement is contradictory, disturbed, drifting or missing\n";
    }
    Destination::Stdout.write(text.as_bytes())
}
