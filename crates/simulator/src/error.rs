//! Progress of a run, and reasons for which it cannot be completed.

use numalab_base::NumberList;
use numalab_counts::EngineCounts;
use numalab_memory::MemoryFull;
use numalab_openmp::binding::ranges;
use std::fmt;

/// Receiver of progress. Called often, so it must be cheap, and possibly from several worker threads.
pub trait Progress: Sync {
    /// Reports `iterations` more finished iterations.
    fn advance(&self, iterations: u64);

    /// True if the run is to end now, with [`SimulationError::Stopped`]. Asked every few events, and once at the end
    /// of a run, where the answer no longer matters.
    fn stops(&self, work: Work) -> bool {
        let _ = work;
        false
    }
}

/// Work of the engine in a run so far. It depends on the run alone, not on the host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    pub events: u64,
    pub engine: EngineCounts,
}

impl Work {
    /// All work, in visits of the solver. An event, a visit of a cache or an operation counts as the visits that take
    /// about as long.
    pub fn units(&self) -> u64 {
        let EngineCounts { solver_visits, cache_visits, operations } = self.engine;
        solver_visits + 32 * self.events + 16 * cache_visits + 8 * operations
    }
}

/// Ignores progress.
impl Progress for () {
    fn advance(&self, _: u64) {}
}

/// Reason for which a run could not be completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SimulationError {
    /// The workload's regions do not fit into memory.
    MemoryFull {
        /// Phase in which a touch of pages exceeded memory.
        phase: String,
        /// Pages that did not fit.
        full: MemoryFull,
    },
    /// A placement, or an access that moves pages, names a node that the machine does not have.
    NoSuchNode {
        /// Region of the placement or of the access.
        region: String,
        node: u32,
        /// Number of nodes of the machine.
        nodes: u32,
    },
    /// A placement, or an access that moves pages, names a node without memory.
    NoMemory {
        /// Region of the placement or of the access.
        region: String,
        node: u32,
        /// Nodes that have memory.
        with_memory: NumberList,
    },
    /// One round of a weighted interleave has too many pages.
    LongRound {
        /// Region that is interleaved in this round.
        region: String,
        /// Number of pages in the round.
        pages: u64,
        /// Largest allowed number of pages in a round.
        most: u64,
    },
    /// A region with copies on all nodes is written after the copies are made.
    ReplicaWritten {
        region: String,
        /// First phase that writes the region.
        phase: String,
    },
    /// A region is to have copies on all nodes, and the machine's nodes share pages in software.
    CopiesOfSharedPages { region: String },
    /// The threads of a phase cannot be divided evenly among its inner teams.
    Teams {
        phase: String,
        /// Number of inner teams of the phase.
        teams: u32,
        threads: u32,
    },
    /// A phase needs coherent lines or a team of its own, but nodes share memory by pages.
    NotOverPages {
        phase: String,
        /// Construct or policy that needs coherent lines.
        needs: &'static str,
    },
    /// A phase that only sends messages to other nodes has no other node that shares memory by pages.
    NoPeerNode { phase: String },
    /// Threads wait for each other for ever.
    Stuck { phase: String },
    /// Threads repeat the same steps and make no progress.
    Livelock {
        phase: String,
        /// Number of events since a thread last made progress.
        events: u64,
        /// Things that are waited for, each with the numbers of its waiters.
        waits: Vec<(String, Vec<u32>)>,
    },
    /// The simulated time exceeds the longest time of a run.
    TooLong { phase: String },
    /// The listener ended the run: [`Progress::stops`].
    Stopped,
    /// The work of all threads together does not fit into a signed number of 64 bits.
    TooMuchWork {
        /// Number of threads whose times are summed.
        threads: u32,
    },
}

impl SimulationError {
    /// Phase that could not be completed; `None` if the error concerns no phase.
    pub fn phase(&self) -> Option<&str> {
        match self {
            SimulationError::MemoryFull { phase, .. }
            | SimulationError::Teams { phase, .. }
            | SimulationError::NotOverPages { phase, .. }
            | SimulationError::NoPeerNode { phase }
            | SimulationError::Stuck { phase }
            | SimulationError::Livelock { phase, .. }
            | SimulationError::TooLong { phase } => Some(phase),
            SimulationError::NoSuchNode { .. }
            | SimulationError::NoMemory { .. }
            | SimulationError::LongRound { .. }
            | SimulationError::ReplicaWritten { .. }
            | SimulationError::CopiesOfSharedPages { .. }
            | SimulationError::Stopped
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
            SimulationError::ReplicaWritten { region, phase } => write!(
                f,
                "region \"{region}\" has copies on all nodes, and phase \"{phase}\" writes it: only data that is read \
                 can have copies"
            ),
            SimulationError::CopiesOfSharedPages { region } => write!(
                f,
                "region \"{region}\" is to have copies on all nodes, whose pages are shared in software: each node has \
                 copies of the pages that it reads already"
            ),
            SimulationError::NoMemory { region, node, with_memory } => write!(
                f,
                "region \"{region}\" is placed on node {node}, which has no memory; nodes with memory: {with_memory}"
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
            SimulationError::NoPeerNode { phase } => write!(
                f,
                "phase \"{phase}\" sends messages to the nodes of other threads, and none shares memory by pages with \
                 the first one's; in the machine's file, sharing = \"dsm\" of the outermost level says that"
            ),
            SimulationError::Stuck { phase } => {
                write!(f, "phase \"{phase}\" does not end: all threads wait for others")
            }
            SimulationError::Livelock { phase, events, waits } => {
                /// Most things that are listed.
                const MOST: usize = 8;
                write!(
                    f,
                    "phase \"{phase}\" does not end: {events} events bring no thread forward; threads wait for"
                )?;
                for (at, (what, threads)) in waits.iter().take(MOST).enumerate() {
                    let comma = if at > 0 { "," } else { "" };
                    let s = if threads.len() > 1 { "s" } else { "" };
                    write!(f, "{comma} {what} (thread{s} {})", ranges(threads))?;
                }
                if waits.len() > MOST { write!(f, ", and {} others", waits.len() - MOST) } else { Ok(()) }
            }
            SimulationError::TooLong { phase } => {
                write!(f, "phase \"{phase}\" takes more than 50 days of simulated time")
            }
            SimulationError::Stopped => f.write_str("the run was stopped before its end"),
            SimulationError::TooMuchWork { threads } => {
                write!(f, "{threads} threads work for more than 106 days together, the most that is counted")
            }
        }
    }
}

impl std::error::Error for SimulationError {}
