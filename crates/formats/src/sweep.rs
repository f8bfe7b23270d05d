//! A sweep as its file describes it: which points, which of them, and what must hold.

mod axis;
mod condition;
mod filter;
mod gate;

pub use axis::{Axis, Threads};
pub use condition::Condition;
pub(crate) use filter::Words;
pub use filter::{Filter, matches};
pub use gate::{Gate, Rule};

use numalab_syntax::diagnostics::{Diagnostic, Diagnostics, Source};
use numalab_syntax::tree::Node;

/// The word for what would be without an axis.
pub(crate) const DEFAULT: &str = "default";

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

    /// An error about the value at `path`, such as `points.machine[1]`.
    pub fn wrong(&self, path: &str, message: impl Into<String>, label: impl Into<String>) -> Diagnostics {
        let diagnostic = Diagnostic::new(self.root.locate(path), message, label);
        Diagnostics::new(vec![self.source.clone()], vec![diagnostic])
    }
}
