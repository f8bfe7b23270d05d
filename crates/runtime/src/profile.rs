//! Profiles of OpenMP runtimes: algorithms by name, and a few constants.

use numalab_units::Span;
use numalab_workload::{LockKind, QueueKind, Schedule};

/// A runtime.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Short name, as on the command line.
    pub name: String,
    /// One line for `numalab list`.
    pub description: String,
    /// Opening a parallel region.
    pub fork: Fork,
    /// Barriers, and the two halves of one that open and close a region.
    pub barrier: Barrier,
    /// Time that the barrier construct costs each thread by itself, apart from lines.
    pub barrier_fixed: Span,
    /// The lock behind `critical` and `omp_set_lock`.
    pub lock: LockProfile,
    /// Explicit tasks.
    pub tasks: TaskProfile,
    /// Algorithm that combines the values of a reduction.
    pub reduction: Reduction,
    /// Schedule in place of `schedule(auto)`.
    pub auto: Schedule,
    /// Schedule in place of `schedule(runtime)` if `OMP_SCHEDULE` is not set.
    pub runtime: Schedule,
}

/// Opening and closing a region.
#[derive(Clone, Debug, PartialEq)]
pub struct Fork {
    /// Cost of a region for a team of one.
    pub fixed: Span,
    /// Cost of opening a region for the master of a larger team, apart from lines. The work overlaps with
    /// waiting for these, and is another path through most runtimes, so it may be less than `fixed`.
    pub open: Span,
    /// Cost of entering a region for every other member, apart from lines.
    pub enter: Span,
    /// Lines that describe the team: the master writes each, every member reads each.
    pub team_lines: u32,
    /// Lines that the master (or the parent in a tree) writes for each member, and the member reads.
    pub member_lines: u32,
    /// The member writes its lines as well when it enters: they are its own record.
    pub member_writes: bool,
    /// Algorithm that opens a region: the release half of this barrier.
    pub release: Barrier,
    /// The end of a region is a whole barrier, after which members meet once more before they wait for
    /// the next region; the next fork waits for that meeting.
    pub pool_barrier: bool,
}

/// Barrier algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barrier {
    /// One counter, and one word that all spin on.
    Central,
    /// Children report to parents; `branching` children each. Thread `t` is the parent of
    /// `branching * t + 1` and so on.
    Tree {
        /// Children of each thread.
        branching: u32,
    },
    /// Threads whose numbers differ in one digit to the base `branching`.
    Hypercube {
        /// The base.
        branching: u32,
    },
    /// log2 rounds of pairwise signals; nobody is the last.
    Dissemination,
    /// A tree by the machine's levels: cache, socket, board, machine.
    Hierarchical,
    /// Nobody waits for a line: what is left of a program when the runtime costs nothing.
    Free,
}

/// Locks of the runtime.
#[derive(Clone, Debug, PartialEq)]
pub struct LockProfile {
    /// Algorithm of the lock.
    pub kind: LockKind,
    /// Time that a thread spins before it sleeps in the kernel; `None`: for ever.
    pub spin: Option<Span>,
    /// Waking one that sleeps.
    pub wake: Span,
}

/// Explicit tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskProfile {
    /// Queue of new tasks when the schedule is plain `tasks`.
    pub queue: QueueKind,
    /// Most tasks in a queue (times the threads of the team for `central`); beyond, a new task is
    /// executed at once. `None`: no bound.
    pub bound: Option<u32>,
    /// The lock of a queue; the runtime's own kind if none.
    pub lock: Option<LockKind>,
    /// Allocating and filling a task.
    pub create: Span,
    /// Starting and finishing one.
    pub dispatch: Span,
    /// Lines of a task's description: the creator writes, the executor reads.
    pub lines: u32,
}

/// Reduction algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// With the closing barrier, from children to parents; as `Atomic` where a barrier has no parents.
    Tree,
    /// Everybody adds to one word.
    Atomic,
    /// Under the lock of `critical`.
    Critical,
}

impl Profile {
    /// The lock of a task queue.
    pub fn queue_lock(&self) -> LockProfile {
        LockProfile { kind: self.tasks.lock.unwrap_or(self.lock.kind), ..self.lock.clone() }
    }

    /// Whether nobody waits for anybody: a region that opens or closes at no cost has to do both.
    pub fn is_free(&self) -> bool {
        self.barrier == Barrier::Free || self.fork.release == Barrier::Free
    }

    /// A runtime whose regions and barriers cost nothing.
    pub fn free() -> Profile {
        let plain = Profile::default();
        let fork = Fork {
            fixed: Span::ZERO,
            open: Span::ZERO,
            enter: Span::ZERO,
            team_lines: 0,
            member_lines: 0,
            member_writes: false,
            release: Barrier::Free,
            pool_barrier: false,
        };
        Profile {
            name: "free".to_owned(),
            description: "A runtime whose regions and barriers cost nothing".to_owned(),
            fork,
            barrier: Barrier::Free,
            barrier_fixed: Span::ZERO,
            ..plain
        }
    }
}

impl Default for Profile {
    /// A plain runtime of today: a tree by the machine's levels, queues for each thread.
    fn default() -> Profile {
        const NS: u64 = 1000;
        Profile {
            name: "plain".to_owned(),
            description: "A plain runtime: barriers by the machine's levels, a task queue for each thread"
                .to_owned(),
            fork: Fork {
                fixed: Span(200 * NS),
                open: Span(200 * NS),
                enter: Span::ZERO,
                team_lines: 2,
                member_lines: 0,
                member_writes: false,
                release: Barrier::Hierarchical,
                pool_barrier: false,
            },
            barrier: Barrier::Hierarchical,
            barrier_fixed: Span::ZERO,
            lock: LockProfile { kind: LockKind::Mcs, spin: None, wake: Span(5000 * NS) },
            tasks: TaskProfile {
                queue: QueueKind::ThreadLocal,
                bound: Some(256),
                lock: None,
                create: Span(100 * NS),
                dispatch: Span(50 * NS),
                lines: 2,
            },
            reduction: Reduction::Tree,
            auto: Schedule::Static { chunk: None },
            runtime: Schedule::Static { chunk: None },
        }
    }
}
