//! Content of a sweep file: axes, filters, gates.

// Glossary: replica: A repetition of a run with other random draws and with the noise of the machine (`os.noise`). The
//   nominal run has no noise.

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

use numalab_files::lookup::{self, Kind};
use numalab_files::sweep_file::SweepFile;
use numalab_files::{Origin, ReadFile};
use numalab_study::ReplicaCount;
use numalab_syntax::diagnostics::{Diagnostic, Diagnostics, Source};
use numalab_syntax::report::{Report, part};
use numalab_syntax::tree::Node;

/// Word for an axis value that leaves the machine's, workload's or runtime's own choice unchanged.
pub(crate) const DEFAULT: &str = "default";

/// Loads a sweep by name or path. The existence of the machines, workloads and runtimes is checked; their content is
/// not read.
pub fn sweep(name: &str) -> Result<Sweep, Diagnostics> {
    sweep_in(lookup::find(Kind::Sweep, name)?)
}

/// Reads a sweep from the text of its file.
pub fn sweep_in(source: Source) -> Result<Sweep, Diagnostics> {
    let resolve = |file: &SweepFile, report: &mut Report<'_>| resolve::resolve(file, &source, report);
    ReadFile::sweep(source.clone()).load(&[], resolve).map(|loaded| loaded.value)
}

/// A sweep file after parsing and checks: a grid of runs, filters and gates.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// Short name, also the name of the store.
    pub name: String,
    /// Purpose of the sweep.
    pub description: String,
    /// Axes in the order of the file. The last one changes fastest.
    pub axes: Vec<Axis>,
    /// Runs of each point.
    pub replicas: ReplicaCount,
    /// True to fill in values that a machine's topology does not state.
    pub assume: bool,
    pub filters: Vec<Filter>,
    /// Indices of the filters that every point of the sweep has to pass.
    pub keep: Vec<usize>,
    pub gates: Vec<Gate>,
    pub(crate) source: Source,
    pub(crate) root: Node,
}

impl Sweep {
    /// Name of the file in errors.
    pub fn file(&self) -> &str {
        &self.source.name
    }

    /// Machines as named in the file.
    pub fn machines(&self) -> &[String] {
        let named = |axis: &'_ Axis| matches!(axis, Axis::Machine(_));
        match self.axes.iter().find(|axis| named(axis)) {
            Some(Axis::Machine(names)) => names,
            Some(_) | None => &[],
        }
    }

    /// Name or path by which other code finds a machine, workload or runtime that this file names: a relative path
    /// starts at the file's folder.
    pub fn outside(&self, kind: Kind, name: &str) -> String {
        lookup::beside(kind, lookup::folder(&self.source), name)
    }

    /// Errors in values that this sweep sets, at their places in its file.
    pub(crate) fn placed(&self, errors: Diagnostics) -> Diagnostics {
        errors.placed(|source, span| {
            let (path, value) =
                source.text.split_once('=').filter(|_| source.name == Origin::Sweep.name())?;
            let at = self.axes.iter().find_map(|axis| match axis {
                Axis::Set { path: own, values } if own == path => values.iter().position(|one| one == value),
                _ => None,
            })?;
            let begin = path.len() + 1;
            let span = match span.start.checked_sub(begin) {
                None => self.root.locate_key(&format!("points.set.{path}")),
                Some(start) => {
                    let whole = self.root.locate(&format!("points.set.{path}[{at}]"));
                    part(whole, value, start..span.end.saturating_sub(begin))
                }
            };
            Some((self.source.clone(), span))
        })
    }

    /// Error about the value at `path`, such as `points.machine[1]`.
    pub fn wrong(&self, path: &str, message: impl Into<String>, label: impl Into<String>) -> Diagnostics {
        let diagnostic = Diagnostic::new(self.root.locate(path), message, label);
        Diagnostics::new(vec![self.source.clone()], vec![diagnostic])
    }
}
