//! The result of a run, as plain values: what other crates make records, tables and pictures of.

// Glossary: outcome: Result of a run as plain values of the engine; compare *record*.

// Glossary: memory penalty: Work of a team less its ideal work: what remote data and contention cost.

// Glossary: ideal work: Time that a team's work takes at best: with what its caches delivered, all other
//   data local, and nobody else on the machine.

mod by_node;
mod losses;
mod pages;
mod tasks;

pub use by_node::ByNode;
pub(crate) use by_node::NodeSums;
pub use losses::{Loss, LostTime};
pub(crate) use losses::{Losses, lose};
pub use pages::{NodeTime, PageFaults, PageSharing, PhaseSharing};
pub use tasks::{Executed, TaskCounts};

use numalab_machine::{Closeness, ResourceId};
use numalab_workload::Schedule;

/// One schedule on one team: the measured phases.
#[derive(Clone, Debug, PartialEq)]
pub struct RunOutcome {
    /// The schedule of the phases that leave it open.
    pub schedule: Schedule,
    /// Time of the measured phases.
    pub makespan_ps: u64,
    /// Events of threads and of other actors that the engine processed.
    pub events: u64,
    /// Cache lines that moved for synchronisation.
    pub transactions: u64,
    /// Other work of the engine.
    pub engine: EngineCounts,
    /// Time that the team's work takes at best: with what its caches delivered, all other data local, and nobody else
    /// on the machine. `threads × makespan` is this, the memory penalty, the team's overhead and its idle time.
    pub ideal_work_ps: u64,
    /// Time by which the team computed and waited for memory longer than that: remote data and contention.
    pub memory_penalty_ps: i64,
    /// Time of all threads in the runtime and in the operating system.
    pub overhead_ps: u128,
    /// Time that all threads waited for others.
    pub idle_ps: u128,
    /// Tasks, where there were any.
    pub tasks: Option<TaskCounts>,
    /// Pages that nodes shared in software, where they did.
    pub pages: Option<PageSharing>,
    /// Bytes by the closest level that thread and data share.
    pub bytes_by_level: BytesByLevel,
    /// Bytes that the cores' own caches served; they appear by no node.
    pub cached_bytes: u64,
    /// The measured phases, each with all its repeats and rounds.
    pub phases: Vec<PhaseOutcome>,
    /// One for each thread, in thread order.
    pub team: Vec<ThreadOutcome>,
    /// Every resource that carried a byte, in the machine's order.
    pub resources: Vec<ResourceUse>,
    /// Every resource that delayed a stream, in the order in which they first did.
    pub delays: Vec<ResourceDelay>,
    /// Distance that data went, from the first phase on.
    pub reach: Reach,
}

/// Ways that data took: without any, nothing would be otherwise if they cost nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// Some went over links, controllers of nodes, or their requests.
    pub links: bool,
    /// Some came from elsewhere than the memory of the own node.
    pub far: bool,
}

/// Work of the engine in the measured phases, in units that no host changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EngineCounts {
    /// Resources, bundles and flows that the fluid solver looked at.
    pub solver_visits: u64,
    /// Segments of caches, and gaps between them, that accesses met.
    pub cache_visits: u64,
    /// Operations of programs that synchronise.
    pub operations: u64,
}

impl EngineCounts {
    /// Adds what happened between two readings.
    pub(crate) fn grow(&mut self, before: &EngineCounts, after: &EngineCounts) {
        self.solver_visits += after.solver_visits - before.solver_visits;
        self.cache_visits += after.cache_visits - before.cache_visits;
        self.operations += after.operations - before.operations;
    }
}

/// One measured phase, all its repeats and rounds together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PhaseOutcome {
    /// Its name.
    pub name: String,
    /// Its time.
    pub time_ps: u64,
    /// Bytes accessed.
    pub bytes: u64,
    /// Bytes among these from another node than the thread's.
    pub remote_bytes: u64,
    /// Bytes among these from the cores' own caches.
    pub cached_bytes: u64,
    /// Pages placed at their first touch.
    pub pages_faulted: u64,
    /// Pages moved to another node.
    pub pages_moved: u64,
    /// Pages among these from slower memory to faster.
    pub pages_promoted: u64,
    /// Pages among these from faster memory to slower.
    pub pages_demoted: u64,
    /// Moves of threads to other processors.
    pub threads_moved: u64,
    /// Faults over pages that nodes share in software.
    pub page_faults: PageFaults,
    /// Activity of nodes meanwhile, where they share pages in software.
    pub sharing: PhaseSharing,
    /// Losses of the team's time. With computing they sum to the time of all threads, but for rounding.
    pub lost: Vec<LostTime>,
}

impl PhaseOutcome {
    /// The same so often, but for what is lost, which has a place in time.
    pub(crate) fn times(&self, times: u64) -> PhaseOutcome {
        let PhaseOutcome {
            name,
            time_ps,
            bytes,
            remote_bytes,
            cached_bytes,
            pages_faulted,
            pages_moved,
            pages_promoted,
            pages_demoted,
            threads_moved,
            page_faults,
            sharing,
            lost: _,
        } = self;
        PhaseOutcome {
            name: name.clone(),
            time_ps: times * time_ps,
            bytes: times * bytes,
            remote_bytes: times * remote_bytes,
            cached_bytes: times * cached_bytes,
            pages_faulted: times * pages_faulted,
            pages_moved: times * pages_moved,
            pages_promoted: times * pages_promoted,
            pages_demoted: times * pages_demoted,
            threads_moved: times * threads_moved,
            page_faults: page_faults.times(times),
            sharing: sharing.times(times),
            lost: Vec::new(),
        }
    }

    /// Adds what happened elsewhere.
    pub(crate) fn add(&mut self, other: &PhaseOutcome) {
        self.grow(&PhaseOutcome::default(), other);
    }

    /// Adds what happened between two readings.
    pub(crate) fn grow(&mut self, before: &PhaseOutcome, after: &PhaseOutcome) {
        self.time_ps += after.time_ps - before.time_ps;
        self.bytes += after.bytes - before.bytes;
        self.remote_bytes += after.remote_bytes - before.remote_bytes;
        self.cached_bytes += after.cached_bytes - before.cached_bytes;
        self.pages_faulted += after.pages_faulted - before.pages_faulted;
        self.pages_moved += after.pages_moved - before.pages_moved;
        self.pages_promoted += after.pages_promoted - before.pages_promoted;
        self.pages_demoted += after.pages_demoted - before.pages_demoted;
        self.threads_moved += after.threads_moved - before.threads_moved;
        self.page_faults.grow(before.page_faults, after.page_faults);
        self.sharing.grow(&before.sharing, &after.sharing);
    }
}

/// Bytes by the closest level that the reading thread and the data's home node share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BytesByLevel {
    /// Same NUMA node.
    pub node: u64,
    /// Same socket, another node.
    pub socket: u64,
    /// Same board, another socket.
    pub board: u64,
    /// Another board, or another socket where there are no boards.
    pub machine: u64,
    /// Nodes that are memory alone, wherever they are.
    pub memory_only: u64,
}

impl BytesByLevel {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.node + self.remote()
    }

    /// Those from another node than the reader's.
    pub(crate) fn remote(&self) -> u64 {
        self.socket + self.board + self.machine + self.memory_only
    }

    /// Counts bytes of a home that shares so much with who reads them; `None` for a node that is memory alone.
    pub(crate) fn count(&mut self, level: Option<Closeness>, bytes: u64) {
        let sum = match level {
            None => &mut self.memory_only,
            Some(Closeness::Node) => &mut self.node,
            Some(Closeness::Socket) => &mut self.socket,
            Some(Closeness::Board) => &mut self.board,
            Some(Closeness::Machine) => &mut self.machine,
        };
        *sum += bytes;
    }

    /// Adds others so often.
    pub(crate) fn add(&mut self, other: &BytesByLevel, times: u64) {
        let BytesByLevel { node, socket, board, machine, memory_only } = other;
        self.node += times * node;
        self.socket += times * socket;
        self.board += times * board;
        self.machine += times * machine;
        self.memory_only += times * memory_only;
    }
}

/// One thread. The four times sum to the makespan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadOutcome {
    /// The operating system's processor number.
    pub processor: u32,
    /// Its NUMA node.
    pub node: u32,
    /// Executing instructions.
    pub compute_ps: u64,
    /// Waiting for memory.
    pub stall_ps: u64,
    /// In the runtime and in the operating system.
    pub overhead_ps: u64,
    /// Waiting for the others at the barrier.
    pub idle_ps: u64,
    /// Iterations executed.
    pub iterations: u64,
    /// Iterations among these that were taken from another thread.
    pub stolen: u64,
    /// Bytes that the core's own caches served.
    pub cached_bytes: u64,
    /// Bytes accessed, by the node that held them.
    pub bytes_by_node: ByNode,
    /// Time spent computing on and waiting for them, by the node that held them.
    pub time_by_node_ps: ByNode,
}

/// One memory controller or link direction.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceUse {
    /// Its number in the fabric.
    pub resource: ResourceId,
    /// Its kind and position.
    pub name: String,
    /// Nominal capacity, without crowding.
    pub capacity_bytes_per_s: f64,
    /// Bytes that crossed it.
    pub bytes: u64,
    /// Time during which at least one flow crossed it.
    pub busy_ps: u64,
    /// Highest fraction of its capacity in use at any moment.
    pub peak_utilisation: f64,
}

/// Delays of streams behind one resource that was full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResourceDelay {
    /// Its number in the fabric.
    pub resource: ResourceId,
    /// Time by which it delayed streams, summed over threads.
    pub late_ps: u128,
    /// From when it did, in the time of the measured phases.
    pub from_ps: u64,
    /// Until when.
    pub to_ps: u64,
}
