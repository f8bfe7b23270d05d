//! Measurements by other tools: output of Intel's Memory Latency Checker, `lscpu`, `numactl --hardware`, core-to-core
//! latency tools, STREAM, likwid-bench and likwid-topology, and the firmware's distances.
//!
//! A file is recognised by its content (`recognise`). Each tool has a reader of its own; all of them add to one
//! [`Foreign`]. A file may hold the output of several tools. Text that is not understood is an error with its line;
//! values without use are a [`Note`].

mod core_to_core;
mod likwid_bench;
mod likwid_topology;
mod lscpu;
mod mlc;
mod node_matrix;
mod numactl;
mod number;
mod page;
mod processors;
mod recognise;
mod slit;
mod stream;
mod tool;

pub use node_matrix::NodeMatrix;
pub use tool::{Tool, UnknownTool};

use crate::measurements::Row;
use crate::topology::Topology;
use numalab_files::DistanceMatrix;
use numalab_syntax::diagnostics::{Diagnostics, Source};
use numalab_syntax::text_file;
use page::Page;
use std::fmt;
use std::path::Path;

/// Largest file that is read, in bytes.
const MOST_BYTES: u64 = 32 << 20;
/// Largest number of lines: a log of many tools has some thousands.
const MOST_LINES: usize = 1_000_000;

/// Measurements of a machine by other tools.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Foreign {
    /// Tools whose output was read.
    pub tools: Vec<Tool>,
    /// Measured values, with the names of the workloads that simulate the measurements.
    pub rows: Vec<Row>,
    /// Processors, cores, packages, nodes and caches, as far as the output states them; `None` if it states none.
    pub topology: Option<Topology>,
    /// Distances between nodes, as the firmware claims; `None` if not printed.
    pub distances: Option<DistanceMatrix>,
    /// Idle latency from nodes to the memory of nodes, in nanoseconds.
    pub latency: Option<NodeMatrix>,
    /// Bandwidth from nodes to the memory of nodes, in GB/s.
    pub bandwidth: Option<NodeMatrix>,
    /// Latency of memory under load of reads, in the order of the file.
    pub loaded_latency: Vec<LoadedLatency>,
    /// Latency of memory under load with as many writes as reads.
    pub mixed_latency: Vec<LoadedLatency>,
    /// Notes about what was left out, assumed or doubtful.
    pub notes: Vec<Note>,
}

/// A point of a loaded-latency curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadedLatency {
    /// Pause of the load generators between requests, in the tool's unit.
    pub delay: u64,
    /// Bandwidth of all load generators together, in GB/s.
    pub bandwidth: f64,
    /// Latency at this bandwidth, in nanoseconds.
    pub latency: f64,
}

/// A note for the reader of the results.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// Line number from 1; `None` for the whole file.
    pub line: Option<usize>,
    /// A sentence for the user.
    pub text: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.text),
            None => f.write_str(&self.text),
        }
    }
}

/// Reads a file; the tool is recognised by its content.
pub fn read(path: &Path) -> Result<Foreign, Diagnostics> {
    in_source(text_file::read(path, MOST_BYTES, EXPECTED)?, None)
}

/// Reads a file as output of `tool`. Output of other tools is ignored.
pub fn read_as(path: &Path, tool: Tool) -> Result<Foreign, Diagnostics> {
    in_source(text_file::read(path, MOST_BYTES, tool.output())?, Some(tool))
}

/// Reads a text; `name` appears in errors and rows. Without a tool, it is recognised by the content.
pub fn from_text(name: &str, text: &str, tool: Option<Tool>) -> Result<Foreign, Diagnostics> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).to_owned();
    in_source(Source { name: name.to_owned(), text }, tool)
}

/// True if a tool's output is recognised in a text.
pub fn is_recognised(text: &str) -> bool {
    recognise::tools(&Page::new("", text)).is_ok()
}

const EXPECTED: &str = "what a benchmark or lscpu printed";

fn in_source(source: Source, tool: Option<Tool>) -> Result<Foreign, Diagnostics> {
    if source.text.bytes().filter(|&b| b == b'\n').count() > MOST_LINES {
        let message = format!("{} has more than {MOST_LINES} lines", source.name);
        let label = format!("expected {EXPECTED}; is it the right file?");
        return Err(Diagnostics::of_file(source, message, label));
    }
    let page = Page::new(&source.name, &source.text);
    let read = tool.map_or_else(|| recognise::tools(&page), |tool| Ok(vec![tool])).and_then(|tools| {
        let mut found = Foreign::default();
        for tool in tools {
            found.tools.push(tool);
            tool.read(&page, &mut found)?;
        }
        found.notes.sort();
        Ok(found)
    });
    read.map_err(|items| Diagnostics::new(vec![source.clone()], items))
}

impl Foreign {
    fn note(&mut self, line: usize, text: impl Into<String>) {
        self.notes.push(Note { line: Some(line), text: text.into() });
    }

    /// Adds the facts of a topology; facts that are already known stay.
    fn add_topology(&mut self, topology: Topology) {
        match &mut self.topology {
            None => self.topology = Some(topology),
            Some(known) => {
                if let Err(misfit) = known.fill_from(&topology) {
                    self.notes.push(Note { line: None, text: format!("two machines in one file: {misfit}") });
                }
            }
        }
    }
}
