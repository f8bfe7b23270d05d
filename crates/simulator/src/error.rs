//! Progress of a run, and the reasons for which it cannot be completed.

use numalab_memory::MemoryFull;
use std::fmt;

/// Told how far a run is. Called often; must be cheap. Runs of one comparison may call from several
/// worker threads.
pub trait Progress: Sync {
    /// Reports that so many more iterations are through.
    fn advance(&self, iterations: u64);
}

/// No interest in progress.
impl Progress for () {
    fn advance(&self, _: u64) {}
}

/// Why a run could not be completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SimulationError {
    /// The workload's regions do not fit in the machine.
    MemoryFull {
        /// The phase that touched one page too many.
        phase: String,
        /// Pages that did not fit.
        full: MemoryFull,
    },
    /// A placement names a node that the machine does not have.
    NoSuchNode {
        /// Region whose placement names the node.
        region: String,
        /// The node.
        node: u32,
        /// Number of nodes of the machine.
        nodes: u32,
    },
    /// A weighted interleave has a round that is too long to be listed.
    LongRound {
        /// Region that is placed so.
        region: String,
        /// Pages of a round.
        pages: u64,
        /// Most that there may be.
        most: u64,
    },
    /// A phase needs inner teams of equal size.
    Teams {
        /// Phase that needs them.
        phase: String,
        /// Inner teams.
        teams: u32,
        /// Threads in all.
        threads: u32,
    },
    /// A phase needs lines that all caches agree on, and nodes share memory by pages.
    NotOverPages {
        /// Phase that needs them.
        phase: String,
        /// Name of what needs them.
        needs: &'static str,
    },
    /// A phase sends messages to other nodes, and there are none that share memory by pages.
    NobodyElse {
        /// Phase that sends them.
        phase: String,
    },
    /// Threads wait for each other for ever.
    Stuck {
        /// Phase in which they wait.
        phase: String,
    },
    /// The simulated clock ran out.
    TooLong {
        /// The phase that did not end.
        phase: String,
    },
    /// The team works for longer than is counted.
    TooMuchWork {
        /// Threads of the team, whose times are added up.
        threads: u32,
    },
}

impl SimulationError {
    /// The phase that could not be completed, where it was one.
    pub fn phase(&self) -> Option<&str> {
        match self {
            SimulationError::MemoryFull { phase, .. }
            | SimulationError::Teams { phase, .. }
            | SimulationError::NotOverPages { phase, .. }
            | SimulationError::NobodyElse { phase }
            | SimulationError::Stuck { phase }
            | SimulationError::TooLong { phase } => Some(phase),
            SimulationError::NoSuchNode { .. }
            | SimulationError::LongRound { .. }
            | SimulationError::TooMuchWork { .. } => None,
        }
    }
}

impl fmt::Display for SimulationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SimulationError::MemoryFull { phase, full } => write!(f, "phase \"{phase}\": {full}"),
            SimulationError::NoSuchNode { region, node, nodes } => write!(
                f,
                "region \"{region}\" is placed on node {node}, and the machine has nodes 0 to {}",
                nodes - 1
            ),
            SimulationError::LongRound { region, pages, most } => {
                write!(
                    f,
                    "region \"{region}\" has {pages} pages in a round of its nodes; at most {most} are simulated"
                )
            }
            SimulationError::Teams { phase, teams, threads } => write!(
                f,
                "phase \"{phase}\" has {teams} inner teams, and {threads} threads cannot be divided among them \
                 evenly"
            ),
            SimulationError::NotOverPages { phase, needs } => write!(
                f,
                "phase \"{phase}\": {needs} is not simulated between nodes that share memory by pages; static loops, \
                 reductions, barriers, critical sections and serial parts are"
            ),
            SimulationError::NobodyElse { phase } => write!(
                f,
                "phase \"{phase}\" sends messages to the nodes of other threads, and none shares memory by pages with \
                 the first one's; in the machine's file, sharing = \"dsm\" of the outermost level says that"
            ),
            SimulationError::Stuck { phase } => {
                write!(f, "phase \"{phase}\" does not end: all threads wait for others")
            }
            SimulationError::TooLong { phase } => {
                write!(f, "phase \"{phase}\" takes more than 50 days of simulated time")
            }
            SimulationError::TooMuchWork { threads } => {
                write!(f, "{threads} threads work for more than 106 days together, the most that is counted")
            }
        }
    }
}

impl std::error::Error for SimulationError {}
