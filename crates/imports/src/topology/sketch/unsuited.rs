//! Error: the model cannot express the topology, with the part that shows it and the part's line in the file.

use numalab_syntax::diagnostics::{Diagnostic, Diagnostics, Source};
use numalab_syntax::tree::TextRange;
use std::fmt;

/// Advice for a topology that the model cannot express.
const OTHERWISE: &str = "describe it in a machine file: numalab new machine NAME";

/// Error: the model cannot express the topology.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsuited {
    problem: String,
    /// Part that shows the problem; `None` if no single part does.
    part: Option<Part>,
}

/// Part of a topology, with the operating system's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Processor(u32),
    Node(u32),
}

impl Unsuited {
    pub(super) fn new(problem: impl Into<String>) -> Unsuited {
        Unsuited { problem: problem.into(), part: None }
    }

    pub(super) fn at(self, part: Part) -> Unsuited {
        Unsuited { part: Some(part), ..self }
    }

    /// The error at its line of `source`, from which the topology was read, with what to do.
    pub fn in_source(&self, source: Source) -> Diagnostics {
        match self.part.and_then(|part| part.line(&source.text)) {
            Some(span) => {
                Diagnostics::new(vec![source], vec![Diagnostic::new(span, &*self.problem, OTHERWISE)])
            }
            None => self.in_file(&source.name),
        }
    }

    /// The error of a file whose text is not at hand, with what to do.
    pub fn in_file(&self, name: &str) -> Diagnostics {
        Diagnostics::plain(format!("{name}: {self}"), OTHERWISE)
    }
}

impl fmt::Display for Unsuited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)
    }
}

impl std::error::Error for Unsuited {}

impl Part {
    /// First line about the part in the output of a tool: hwloc's XML, files of `/sys` in a dump or in measurements,
    /// the table of `lscpu -p`, the nodes of `lscpu` and `numactl -H`.
    fn line(self, text: &str) -> Option<TextRange> {
        let marks = match self {
            Part::Processor(number) => {
                [format!("/cpu{number}/"), format!("type=\"PU\" os_index=\"{number}\""), format!("{number},")]
            }
            Part::Node(number) => [
                format!("/node{number}/"),
                format!("type=\"NUMANode\" os_index=\"{number}\""),
                format!("node {number} cpus:"),
            ],
        };
        let of_lscpu = match self {
            Part::Node(number) => format!("NUMA node{number} CPU"),
            Part::Processor(number) => format!("CPU {number} "),
        };
        let [path, object, beginning] = &marks;
        let mut start = 0;
        text.split_inclusive('\n').find_map(|line| {
            let at = start + line.len() - line.trim_start().len();
            start += line.len();
            let line = line.trim();
            let begins = line.starts_with(beginning) || line.starts_with(&of_lscpu);
            (begins || line.contains(path) || line.contains(object)).then_some(TextRange {
                source: 0,
                start: at,
                end: at + line.len(),
            })
        })
    }
}
