//! A workload on a machine: flows for bulk data, one clock, one ledger per thread.
//!
//! | file | contents |
//! |---|---|
//! | `actor`, `calendar` | owners of events, and the events that are due |
//! | `books`, `observer` | booking of every picosecond of every thread, and code that is told of it |
//! | `team` | processors that the threads are bound to |
//! | `world` | state that outlives a phase: page maps, lines, flows |
//! | `relocate` | moves of pages when the measured phases begin |
//! | `balancing` | the scanner of automatic balancing |
//! | `plan/` | an iteration as steps: page operations, faults, computing, data by origin |
//! | `origin` | one node, several at a time, another socket's cache |
//! | `flow_network` | routes as classes of flows |
//! | `loads` | waits of line transactions behind flows |
//! | `script` | a construct as the acts of each thread |
//! | `work_source/`, `tasks/` | the work of a team: loops, tasks |
//! | `sync_state/` | the runtime's teams and words, and the clock of its programs |
//! | `costs` | the cost of reading many counters |
//! | `system` | charges of the operating system for pages |
//! | `station` | a server in the order of arrival, such as the lock of the address space |
//! | `processors`, `service` | work of processors for others than their threads |
//! | `segment`, `resume` | the event loop of one phase; the acts of a thread in it |
//! | `worker`, `team_state` | a thread and a team in a phase |
//! | `run` | phases in order |
//! | `outcome/` | the result, as plain values |

mod actor;
mod balancing;
mod books;
mod calendar;
mod costs;
mod flow_network;
mod loads;
mod observer;
mod origin;
mod outcome;
mod plan;
mod processors;
mod relocate;
mod resume;
mod run;
mod script;
mod segment;
mod service;
mod station;
mod sync_state;
mod system;
mod tasks;
mod team;
mod team_state;
mod work_source;
mod worker;
mod world;

pub use books::{Activity, Cause};
pub use observer::{BookedSpan, Observer};
pub use outcome::{
    ByNode, BytesByLevel, EngineCounts, Executed, PhaseOutcome, ResourceUse, RunOutcome, TaskCounts,
    ThreadOutcome,
};
pub use run::{Prepared, Setup, observe, prepare};
pub use team::{Member, Seating, Team};

use numalab_memory::MemoryFull;
use std::fmt;

/// Told how far a run is. Called often; must be cheap. Runs of one comparison may call from several
/// worker threads.
pub trait Progress: Sync {
    /// Reports that so many more iterations were handed out.
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
    /// A phase needs inner teams of equal size.
    Teams {
        /// Phase that needs them.
        phase: String,
        /// Inner teams.
        teams: u32,
        /// Threads in all.
        threads: u32,
    },
    /// Threads wait for each other for ever.
    Stuck {
        /// Where.
        phase: String,
    },
    /// The simulated clock ran out.
    TooLong {
        /// The phase that did not end.
        phase: String,
    },
}

impl fmt::Display for SimulationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SimulationError::MemoryFull { phase, full } => write!(
                f,
                "phase \"{phase}\": {full}; use a smaller workload (--set workload.PARAMETER=…) or a machine \
                 with more memory (--set machine.memory.capacity=…)"
            ),
            SimulationError::NoSuchNode { region, node, nodes } => write!(
                f,
                "region \"{region}\" is placed on node {node}, and the machine has nodes 0 to {}",
                nodes - 1
            ),
            SimulationError::Teams { phase, teams, threads } => write!(
                f,
                "phase \"{phase}\" has {teams} inner teams, and {threads} threads cannot be divided among them \
                 evenly; use a multiple of {teams} (--threads)"
            ),
            SimulationError::Stuck { phase } => {
                write!(f, "phase \"{phase}\" does not end: all threads wait for others")
            }
            SimulationError::TooLong { phase } => {
                write!(f, "phase \"{phase}\" takes more than 50 days of simulated time")
            }
        }
    }
}

impl std::error::Error for SimulationError {}
