//! Any file that says something about a machine: what it is shows in its text.

use crate::foreign::{self, Foreign};
use crate::measurements::{self, Measurements};
use crate::topology::{self, Topology};
use numalab_syntax::diagnostics::{Diagnostics, Source};
use numalab_syntax::text_file;
use std::path::Path;

/// Largest file that is read.
const MOST_BYTES: u64 = 64 << 20;

/// Statement of a file about a machine.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// Measurements of the calibration kernels.
    Measurements(Box<Measurements>),
    /// Composition of the machine.
    Topology(Box<Topology>),
    /// Measurements and output of other people's tools.
    Foreign(Box<Foreign>),
}

/// Reads a file, whichever it is.
pub fn evidence(path: &Path) -> Result<Evidence, Diagnostics> {
    let Source { name, text } =
        text_file::read(path, MOST_BYTES, "measurements, or what a tool said of a machine")?;
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim_start();
    if first.starts_with('{') && first.contains("\"record\"") {
        return Ok(Evidence::Measurements(Box::new(measurements::measurements_from_text(&name, &text)?)));
    }
    if first.starts_with('<') || first.starts_with("/sys/") {
        return Ok(Evidence::Topology(Box::new(topology::topology_from_text(&name, &text)?)));
    }
    Ok(Evidence::Foreign(Box::new(foreign::from_text(&name, &text, None)?)))
}
