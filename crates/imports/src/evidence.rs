//! Recognises any file with information about a machine by its text.

use crate::foreign::{self, Foreign};
use crate::measurements::{self, Measurements};
use crate::topology::{self, Topology};
use numalab_syntax::diagnostics::{Diagnostics, Source};
use numalab_syntax::text_file;
use std::path::Path;

/// Largest file that is read, in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// Beginnings of the first line of texts that programs print.
const MARKS: [&str; 7] = ["<", "{", "/sys/", "/proc/", "Architecture:", "CPU op-mode(s):", "Byte Order:"];

/// Contents of a file about a machine.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// Measurements of the calibration kernels.
    Measurements(Box<Measurements>),
    /// Composition of the machine: processors, nodes and caches.
    Topology(Box<Topology>),
    /// Output of other tools: measurements, and facts about the machine.
    Foreign(Box<Foreign>),
}

/// Reads a file of any of the kinds of `Evidence`.
pub fn evidence(path: &Path) -> Result<Evidence, Diagnostics> {
    evidence_in(source_of(path)?)
}

/// Reads the text of such a file, to show a line of it.
pub fn source_of(path: &Path) -> Result<Source, Diagnostics> {
    text_file::read(path, MOST_BYTES, "measurements, or what a tool said of a machine")
}

/// A file that a program or a person wrote.
#[derive(Clone, Debug)]
pub enum Printed {
    /// File that a program wrote.
    Evidence(Evidence),
    /// Text of a file that a person wrote; it is kept, since a pipe cannot be read again.
    Written(Source),
}

/// Reads a file that may be evidence or a file written by hand.
pub fn printed(path: &Path) -> Result<Printed, Diagnostics> {
    let source = text_file::read(path, MOST_BYTES, "a machine file, or what a tool said of a machine")?;
    let is_printed = match is_ours(path) {
        _ if text_file::is_results(&source.text) => false,
        true => names_itself(&source.text),
        false => is_evidence(&source.text),
    };
    match is_printed {
        true => Ok(Printed::Evidence(evidence_in(source)?)),
        false => Ok(Printed::Written(source)),
    }
}

fn evidence_in(source: Source) -> Result<Evidence, Diagnostics> {
    if text_file::is_results(&source.text) {
        let message = format!("{} holds results of runs, and nothing of a machine", source.name);
        return Err(Diagnostics::of_file(source, message, "numalab rank, compare and plot read them"));
    }
    let Source { name, text } = source;
    let first = first_line(&text);
    if first.starts_with('{') && first.contains("\"record\"") {
        return Ok(Evidence::Measurements(Box::new(measurements::measurements_from_text(&name, &text)?)));
    }
    if ["<", "/sys/", "/proc/"].iter().any(|mark| first.starts_with(mark)) {
        return Ok(Evidence::Topology(Box::new(topology::topology_from_text(&name, &text)?)));
    }
    Ok(Evidence::Foreign(Box::new(foreign::from_text(&name, &text, None)?)))
}

/// True if the file name has an ending of hand-written files.
pub fn is_ours(path: &Path) -> bool {
    let ours = |ending: &std::ffi::OsStr| ["toml", "yaml", "yml"].iter().any(|known| ending == *known);
    path.extension().is_some_and(ours)
}

/// True if the first line shows that a program printed the text.
fn names_itself(text: &str) -> bool {
    let first = first_line(text);
    let measured = first.starts_with('{') && first.contains("\"record\"");
    measured
        || first.starts_with("available:")
        || MARKS.iter().any(|mark| *mark != "{" && first.starts_with(mark))
}

/// True if a program printed the text: the first line that is no comment is not TOML, and the text begins like the
/// output of a program or holds output of a known tool.
fn is_evidence(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let is_toml = |line: &str| line.contains(" = ") || line.starts_with('[') && line.ends_with(']');
    if lines.next().is_none_or(is_toml) {
        return false;
    }
    let first = first_line(text);
    MARKS.iter().any(|mark| first.starts_with(mark)) || foreign::is_recognised(text)
}

fn first_line(text: &str) -> &str {
    text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim_start()
}
