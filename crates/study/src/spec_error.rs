//! Errors of a specification.

use numalab_machine::{NumberList, Problem};
use numalab_openmp::ProcListError;
use numalab_openmp::binding::BindingError;
use numalab_syntax::diagnostics::Diagnostics;
use numalab_workload::Schedule;
use std::fmt;

/// Largest mean number of threads per hardware thread. A larger number is taken for a typing error; it would fill the
/// memory.
pub const MOST_PER_PROCESSOR: u32 = 16;
/// Largest number of threads of a team.
pub const MOST_THREADS: u32 = 1_000_000;

/// Largest team on a machine with `processors` hardware threads.
pub fn most_threads(processors: u32) -> u32 {
    processors.saturating_mul(MOST_PER_PROCESSOR).min(MOST_THREADS)
}

#[derive(Clone, Debug)]
pub enum SpecError {
    /// A file or an override has errors.
    Input(Diagnostics),
    /// Parts of the machine contradict each other.
    Machine(Vec<Problem>),
    /// The list of processors does not fit the machine.
    Processors(ProcListError),
    /// There is no thread or no processor.
    Empty,
    /// The team is too large.
    TooMany {
        threads: u32,
        /// Number of processors that the threads may use.
        processors: u32,
        /// True if the user listed the processors.
        listed: bool,
    },
    /// The placement names a node number that the machine does not have.
    Placement {
        node: u32,
        machine: String,
        /// Number of nodes of the machine; valid node numbers are smaller.
        nodes: u32,
    },
    /// The machine shares pages in software, so that a placement on NUMA nodes has no effect.
    SharedPages {
        /// Placement as text.
        placement: String,
        machine: String,
    },
    /// The placement names a node without memory.
    NoMemory {
        node: u32,
        machine: String,
        /// Nodes that have memory.
        with_memory: NumberList,
    },
    /// The placement names a group of nodes that the machine does not have.
    NodeName {
        name: String,
        machine: String,
        /// Names of groups of nodes that the machine has.
        known: Vec<String>,
    },
    /// The policy needs to know which data each iteration accesses, but the workload does not state it.
    NoFootprints {
        policy: Schedule,
        /// Name of the workload as typed.
        workload: String,
    },
    /// A placement names a region that the workload does not have.
    Region {
        name: String,
        /// Names of the workload's regions.
        known: Vec<String>,
    },
    /// All regions are to have a copy on each node, and the measured phases write all of them.
    AllWritten {
        /// Name of the workload as typed.
        workload: String,
    },
    /// Places or binding policies are wrong, or do not fit the machine.
    Binding {
        /// Name of the workload that states the binding; `None` if the user typed it.
        workload: Option<String>,
        /// Text of the places or of the policy that is wrong.
        text: String,
        error: BindingError,
    },
}

impl SpecError {
    /// Combines two errors: all errors in files if both are such errors, otherwise only `self`.
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
                     ({MOST_PER_PROCESSOR} per processor, never more than {MOST_THREADS})",
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
            SpecError::SharedPages { placement, machine } => write!(
                f,
                "the placement {placement} has no effect on {machine}, whose pages move in software to where they are used"
            ),
            SpecError::NoMemory { node, machine, with_memory } => write!(
                f,
                "the placement names node {node}, which has no memory on {machine}; nodes with memory: {with_memory}"
            ),
            SpecError::NodeName { name, machine, known } => {
                write!(f, "the placement names nodes \"{name}\", but {machine} has ")?;
                match &known[..] {
                    [] => f.write_str("no nodes with names"),
                    known => write!(f, "only {}", known.join(", ")),
                }
            }
            SpecError::NoFootprints { policy, workload } => {
                write!(f, "{policy} places work by its data, but {workload} has no footprints")
            }
            SpecError::AllWritten { workload } => write!(
                f,
                "{workload} writes every region in its measured phases: only data that is read can have copies"
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
