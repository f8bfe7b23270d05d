//! Why a spec describes no run.

use numalab_formats::Diagnostics;
use numalab_machine::Problem;
use numalab_openmp::ProcListError;
use numalab_openmp::binding::BindingError;
use numalab_workload::Schedule;
use std::fmt;

/// Threads that may share a hardware thread on average. More is a slip, and would fill the memory.
pub const MOST_PER_PROCESSOR: u32 = 16;
/// Threads of the largest team.
pub const MOST_THREADS: u32 = 1_000_000;

/// The most threads that so many processors take.
pub fn most_threads(processors: u32) -> u32 {
    processors.saturating_mul(MOST_PER_PROCESSOR).min(MOST_THREADS)
}

/// Why a spec describes no run.
#[derive(Clone, Debug)]
pub enum SpecError {
    /// Files or values that replace theirs are wrong.
    Input(Diagnostics),
    /// The machine is not sound.
    Machine(Vec<Problem>),
    /// The list of processors does not fit the machine.
    Processors(ProcListError),
    /// A team needs a thread and a processor.
    Empty,
    /// More threads than can be meant.
    TooMany {
        /// Threads asked for.
        threads: u32,
        /// Processors that they may run on.
        processors: u32,
        /// Whether these were listed.
        listed: bool,
    },
    /// The placement names a node that the machine does not have.
    Placement {
        /// The node.
        node: u32,
        /// The machine's name.
        machine: String,
        /// Number of nodes that it has.
        nodes: u32,
    },
    /// The placement names nodes that the machine does not have.
    NodeName {
        /// The name.
        name: String,
        /// The machine's name.
        machine: String,
        /// Names of the nodes that it has.
        known: Vec<String>,
    },
    /// The policy decides by where data are, and the workload does not know what it touches.
    NoFootprints {
        /// The policy.
        policy: Schedule,
        /// The workload, as it was named.
        workload: String,
    },
    /// A placement is of a region that the workload does not have.
    Region {
        /// The name.
        name: String,
        /// Names of its regions.
        known: Vec<String>,
    },
    /// Places or policies are wrong, or do not fit the machine.
    Binding {
        /// The workload that says them, as it was named; the spec does if none.
        workload: Option<String>,
        /// The text that is wrong.
        text: String,
        /// The mistake in it.
        error: BindingError,
    },
}

impl SpecError {
    /// Both errors where both are of files; the first one otherwise.
    pub(crate) fn and(self, other: SpecError) -> SpecError {
        match (self, other) {
            (SpecError::Input(first), SpecError::Input(second)) => SpecError::Input(first.and(second)),
            (first, _) => first,
        }
    }
}

impl From<Diagnostics> for SpecError {
    fn from(diagnostics: Diagnostics) -> SpecError {
        SpecError::Input(diagnostics)
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpecError::Input(diagnostics) => f.write_str(diagnostics.render(false).trim_end()),
            SpecError::Machine(problems) => {
                let lines: Vec<_> =
                    problems.iter().map(|problem| format!("{}: {}", problem.path, problem.message)).collect();
                f.write_str(&lines.join("\n"))
            }
            SpecError::Processors(error) => error.fmt(f),
            SpecError::Empty => f.write_str("a team needs at least one thread and one processor"),
            SpecError::TooMany { threads, processors, .. } => {
                let plural = if *processors == 1 { "" } else { "s" };
                write!(
                    f,
                    "a team of {threads} threads is too large for {processors} processor{plural}: at most {} \
                     ({MOST_PER_PROCESSOR} for each, never more than {MOST_THREADS})",
                    most_threads(*processors)
                )
            }
            SpecError::Placement { node, machine, nodes } => {
                let last = nodes.saturating_sub(1);
                write!(
                    f,
                    "the placement names node {node}, but {machine} has {nodes}; its nodes are 0-{last}"
                )
            }
            SpecError::NodeName { name, machine, known } => {
                write!(f, "the placement names nodes \"{name}\", and {machine} has ")?;
                match &known[..] {
                    [] => f.write_str("no nodes with names"),
                    known => write!(f, "only {}", known.join(", ")),
                }
            }
            SpecError::NoFootprints { policy, workload } => write!(
                f,
                "{policy} decides by where data are, and {workload} says nothing of what it touches"
            ),
            SpecError::Region { name, known } => {
                write!(f, "the workload has no region \"{}\"", name.escape_debug())?;
                if known.is_empty() { Ok(()) } else { write!(f, "; its regions are {}", known.join(", ")) }
            }
            SpecError::Binding { workload: Some(name), error, .. } => {
                write!(f, "binding of workload {name}: {error}")
            }
            SpecError::Binding { workload: None, error, .. } => error.fmt(f),
        }
    }
}

impl std::error::Error for SpecError {}
