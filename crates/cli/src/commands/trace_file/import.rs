//! `numalab trace import`: a recording of what another tool measured.

use crate::failure::Failure;
use crate::flags::TraceImport;
use crate::output::{Destination, check_apart};
use numalab_imports::grains;

/// Reads the table and writes the recording.
pub fn run(flags: &TraceImport) -> Result<(), Failure> {
    let output = Destination::from(flags.output.clone());
    if output == Destination::Stdout {
        return Err(Failure::request("a recording goes to a file", "name one with -o FILE"));
    }
    check_apart(&[("the recording", &output)])?;
    let recording = grains(&flags.file)?;
    output.fill(|to| recording.write(to))
}
