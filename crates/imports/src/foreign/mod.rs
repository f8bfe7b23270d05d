//! Other people's measurements: what Intel's Memory Latency Checker, `lscpu`, `numactl --hardware`, core-to-core
//! latency tools, STREAM and likwid-bench print, and the firmware's distances.
//!
//! A file is recognised by what stands in it (`recognise`). Each tool has a reader of its own; all of them add to one
//! [`Foreign`]. A file may hold what several tools printed, one below the other. What is not understood is an
//! error with its line; what is understood and of no use is a [`Note`].

mod core_to_core;
mod likwid_bench;
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
/// Most lines: a log of many tools has some thousands.
const MOST_LINES: usize = 1_000_000;

/// Measurements of a machine by other tools.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Foreign {
    /// Tools whose output it is.
    pub tools: Vec<Tool>,
    /// Measured values, in the words of the workloads that simulate them.
    pub rows: Vec<Row>,
    /// Processors, cores, packages, nodes and caches, as far as they are told.
    pub topology: Option<Topology>,
    /// Distances between nodes that the firmware claims.
    pub distances: Option<DistanceMatrix>,
    /// Idle latency from nodes to the memory of nodes, in nanoseconds.
    pub latency: Option<NodeMatrix>,
    /// Bandwidth from nodes to the memory of nodes, in GB/s.
    pub bandwidth: Option<NodeMatrix>,
    /// Latency of memory while others use it, in the order of the file.
    pub loaded_latency: Vec<LoadedLatency>,
    /// The same while they read and write as much.
    pub mixed_latency: Vec<LoadedLatency>,
    /// Notes about what was left out, assumed or doubtful.
    pub notes: Vec<Note>,
}

/// A point of a loaded-latency curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadedLatency {
    /// Wait of the load generators between requests, as the tool counts it.
    pub delay: u64,
    /// Bandwidth that all load generators together get, in GB/s.
    pub bandwidth: f64,
    /// Meanwhile, in nanoseconds.
    pub latency: f64,
}

/// A note for the reader of the results.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// Line number from 1; `None` for the whole file.
    pub line: Option<usize>,
    /// A sentence.
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

/// Reads a file; the tool is recognised by the text.
pub fn read(path: &Path) -> Result<Foreign, Diagnostics> {
    in_source(text_file::read(path, MOST_BYTES, EXPECTED)?, None)
}

/// Reads a file that is said to be the output of this tool. Other tools' output in it is left alone.
pub fn read_as(path: &Path, tool: Tool) -> Result<Foreign, Diagnostics> {
    in_source(text_file::read(path, MOST_BYTES, tool.output())?, Some(tool))
}

/// Reads a text; `name` is what errors and rows call it. Without a tool it is seen from what stands in the text.
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
        return Err(Diagnostics::plain(message, format!("expected {EXPECTED}; is it the right file?")));
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
    /// Adds a note about a line.
    fn note(&mut self, line: usize, text: impl Into<String>) {
        self.notes.push(Note { line: Some(line), text: text.into() });
    }

    /// Adds the topology that one tool states to what another one in this file said.
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
