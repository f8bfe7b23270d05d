//! A sweep as its file describes it: which points, which of them, and what must hold.

// Glossary: replica: A repetition of a sweep's point with another seed.

mod axis;
mod condition;
mod filter;
mod gate;
mod resolve;

pub use axis::{Axis, Threads};
pub use condition::Condition;
pub(crate) use filter::Words;
pub use filter::{Filter, matches};
pub use gate::{Gate, Rule};

use numalab_files::ReadFile;
use numalab_files::lookup::{self, Kind};
use numalab_files::sweep_file::SweepFile;
use numalab_syntax::diagnostics::{Diagnostic, Diagnostics, Source};
use numalab_syntax::report::Report;
use numalab_syntax::tree::Node;

/// The word for what would be without an axis.
pub(crate) const DEFAULT: &str = "default";

/// Loads the sweep that a name or a path means. What it names is only looked for, not read.
pub fn sweep(name: &str) -> Result<Sweep, Diagnostics> {
    let source = lookup::find(Kind::Sweep, name)?;
    let resolve = |file: &SweepFile, report: &mut Report<'_>| resolve::resolve(file, &source, report);
    ReadFile::sweep(source.clone()).load(&[], resolve).map(|loaded| loaded.value)
}

/// A grid of runs.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// Short name; the store is called after it.
    pub name: String,
    /// Description of its purpose.
    pub description: String,
    /// The axes in the order of the file. The last one changes fastest from point to point.
    pub axes: Vec<Axis>,
    /// Runs of each point, with this and the following seeds.
    pub replicas: u32,
    /// Whether values that a topology does not say are assumed.
    pub assume: bool,
    /// All named filters.
    pub filters: Vec<Filter>,
    /// Numbers of the filters that every point passes.
    pub keep: Vec<usize>,
    /// Gates that must hold.
    pub gates: Vec<Gate>,
    pub(crate) source: Source,
    pub(crate) root: Node,
}

impl Sweep {
    /// The file's name, as errors give it.
    pub fn file(&self) -> &str {
        &self.source.name
    }

    /// Its machines, as they are named.
    pub fn machines(&self) -> &[String] {
        let named = |axis: &'_ Axis| matches!(axis, Axis::Machine(_));
        match self.axes.iter().find(|axis| named(axis)) {
            Some(Axis::Machine(names)) => names,
            Some(_) | None => &[],
        }
    }

    /// Name that a machine, a workload or a runtime of the file has outside of it: paths are relative to the file.
    pub fn outside(&self, kind: Kind, name: &str) -> String {
        lookup::beside(kind, lookup::folder(&self.source), name)
    }

    /// An error about the value at `path`, such as `points.machine[1]`.
    pub fn wrong(&self, path: &str, message: impl Into<String>, label: impl Into<String>) -> Diagnostics {
        let diagnostic = Diagnostic::new(self.root.locate(path), message, label);
        Diagnostics::new(vec![self.source.clone()], vec![diagnostic])
    }
}
