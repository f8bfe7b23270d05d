//! Lines of a team's queues and task descriptions. They outlive phases, as do the programs that access them.

use super::codes::{Codes, Ground};
use crate::engine::team::{Member, ProcessorTopology};
use numalab_base::{Snapshot, Span};
use numalab_machine::{Fabric, Machine, NodeId, ProcessorId};
use numalab_openmp::places::Topology;
use numalab_openmp::queues::{QueueLayout, ThreadLocation};
use numalab_runtime::locks::Locks;
use numalab_runtime::{Exec, Profile, Word};
use numalab_workload::QueueKind;

/// Largest number of task descriptions that one thread keeps. A task beyond this number shares the lines of an
/// existing task.
const POOL: usize = 1024;

/// Number of loads with which a thief polls a queue: its wait condition, its own queue, the address of the other
/// queue, and that queue's length.
const LOADS: u64 = 4;

/// Descriptions of the tasks that one thread creates.
#[derive(Clone, Debug, Default)]
struct Pool {
    all: Vec<u32>,
    free: Vec<u32>,
    /// Index in `all` of the description that was shared last.
    turn: usize,
}

/// Speed of copies that threads make for new tasks (`firstprivate`). Copies of waiting tasks displace each other from private
/// caches: what is copied is read from the last-level cache, and each copy is written there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copies {
    /// Picoseconds for each byte that is copied.
    per_byte: f64,
    /// Bytes of a line.
    line: u64,
    /// Number of lines that a thread fetches at a time.
    outstanding: f64,
}

impl Copies {
    fn new(machine: &Machine) -> Copies {
        let bandwidth = machine.caches.last().map_or(machine.memory.bandwidth, |cache| cache.bandwidth);
        Copies {
            per_byte: 2.0 * 1e12 / bandwidth.0,
            line: machine.memory.line.0.max(1),
            outstanding: machine.core.outstanding.max(1.0),
        }
    }

    /// Picoseconds in which a creator copies so many bytes.
    pub fn writing(&self, bytes: u64) -> u64 {
        (self.per_byte * bytes as f64) as u64
    }

    /// Picoseconds in which another thread fetches so many bytes of copies; `latency`: that of a line.
    pub fn reading(&self, bytes: u64, latency: Span) -> u64 {
        (latency.0.saturating_mul(bytes.div_ceil(self.line)) as f64 / self.outstanding) as u64
    }
}

/// Lines of queues and task descriptions of a team, for one kind of queue.
#[derive(Clone, Debug)]
pub(crate) struct TaskWords {
    pub(super) kind: QueueKind,
    pub(super) shape: QueueLayout,
    pub(super) codes: Codes,
    /// For each thread the counter of the children of its implicit task.
    pub(super) implicit: Vec<Word>,
    /// Time of a poll of a queue that did not change.
    pub(super) look: Span,
    pub(super) copies: Copies,
    homes: Vec<NodeId>,
    pools: Vec<Pool>,
    lines: u32,
}

impl TaskWords {
    /// Adds the lines of a team's queues, and the programs on them, to the interpreter.
    pub fn new(
        kind: QueueKind,
        profile: &Profile,
        machine: &Machine,
        fabric: &Fabric,
        team: &[Member],
        exec: &mut Exec<'_>,
    ) -> TaskWords {
        let topology = ProcessorTopology::new(machine, fabric);
        let spot = |member: &Member| ThreadLocation {
            node: member.node.0,
            socket: topology.location(ProcessorId::new(member.processor)).socket,
        };
        let spots: Vec<ThreadLocation> = team.iter().map(spot).collect();
        let shape = QueueLayout::new(kind, &spots);
        let at = |queue| NodeId(shape.home(queue));
        let homes: Vec<NodeId> = team.iter().map(|member| member.node).collect();
        let locks = Locks::new(&profile.queue_lock(), exec, (0..shape.queues()).map(at), team.len() as u32);
        let heads = exec.add_table((0..shape.queues()).map(at), 1);
        let signal = exec.add_word(at(0));
        let implicit = homes.iter().map(|home| exec.add_word(*home)).collect();
        let codes = Ground::new(kind, locks, heads, signal, profile.tasks.lines).codes(exec);
        let hit = machine.caches.first().map_or(Span(1000), |cache| cache.latency);
        TaskWords {
            kind,
            copies: Copies::new(machine),
            shape,
            codes,
            implicit,
            look: Span((hit.0 * LOADS).max(1)),
            pools: vec![Pool::default(); team.len()],
            homes,
            lines: profile.tasks.lines.max(1),
        }
    }

    /// Adds each thread's pool of task descriptions (number, free descriptions, last shared one) to a snapshot.
    pub(crate) fn snapshot(&self, into: &mut Snapshot) {
        let TaskWords {
            kind: _,
            shape: _,
            codes: _,
            implicit: _,
            look: _,
            copies: _,
            homes: _,
            pools,
            lines: _,
        } = self;
        for Pool { all, free, turn } in pools {
            into.add(&(all.len(), free, turn));
        }
    }

    pub(crate) fn kind(&self) -> QueueKind {
        self.kind
    }

    /// Takes a description for a new task. Returns its first word, and true if no other task uses the description.
    pub(super) fn describe(&mut self, creator: u32, exec: &mut Exec<'_>) -> (u32, bool) {
        let pool = &mut self.pools[creator as usize];
        if let Some(words) = pool.free.pop() {
            return (words, true);
        }
        if pool.all.len() < POOL {
            let words = exec.add_table([self.homes[creator as usize]], self.lines).first.0;
            pool.all.push(words);
            return (words, true);
        }
        pool.turn = (pool.turn + 1) % pool.all.len();
        (pool.all[pool.turn], false)
    }

    /// Frees the description of a task that no longer exists.
    pub(super) fn forget(&mut self, creator: u32, words: u32) {
        self.pools[creator as usize].free.push(words);
    }
}
