//! A workload on a machine: one clock, one list of event sources, flows for bulk data, and one account per thread.
//!
//! | folder | contents |
//! |---|---|
//! | `engine/` | event loop of a phase; teams, threads, scripts of constructs; the world that outlives a phase |
//! | `work_source/`, `tasks/` | sources of work: loops, tasks |
//! | `plan/` | an iteration as steps: page operations, faults, computing, data by origin |
//! | `sync_state/` | teams and words of the runtime, and its programs |
//! | `flow/` | bulk data as flows: classes, rates without contention, origins, ideals |
//! | `os/` | page policies and costs, scans, reclaim, moves, processors, load balancing |
//! | `pages/` | memory that nodes share by pages |
//! | `repeat/` | equal repetitions, counted instead of simulated |
//! | `account/` | time and counts: books, observers, totals, outcome |

#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod account;
mod engine;
mod error;
mod flow;
mod os;
mod pages;
mod plan;
mod repeat;
mod sync_state;
mod tasks;
mod work_source;

pub use account::cause::{Activity, Cause};
pub use account::observer::{BookedSpan, GrantedWork, Observer, Portion, Served};
pub use account::outcome::{
    Loss, LostTime, PageSharing, Reach, ResourceDelay, ResourceUse, RunOutcome, ThreadOutcome,
};
pub use engine::run::{Prepared, observe, prepare};
pub use engine::setup::Setup;
pub use engine::team::{Member, ProcessorTopology, Team};
pub use error::{Progress, SimulationError, Work};
pub use flow::ideal::Ideal;
pub use numalab_counts::{
    ByNode, BytesByLevel, EngineCounts, Executed, NodeCounts, NodeTime, PageFaults, PhaseCounts,
    PhaseSharing, TaskCounts,
};
pub use numalab_dsm::{MessageKind, PageRow, Part, Stop};
pub use os::nodes::nearest_memory;
pub use repeat::alone::computing_alone;
