//! Profiles of OpenMP runtimes: algorithms by name, and a few constants.

mod file_values;
mod tasks;
mod wait;
mod worksharing;

pub use file_values::RuntimePart;
pub use tasks::TaskProfile;
pub use wait::{WaitProfile, WaitVariables};
pub use worksharing::Worksharing;

use numalab_base::{Span, ValueOrigin, ValueOrigins};
use numalab_workload::{LockKind, PlaceRules, QueueKind, Schedule};

// Glossary: profile: Algorithms of an OpenMP runtime and its few constants, from a runtime file.
/// Algorithms of an OpenMP runtime, and its few constants.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Short name, as on the command line.
    pub name: String,
    /// One line for `numalab list`.
    pub description: String,
    /// Costs of opening and closing a parallel region.
    pub fork: Fork,
    /// Algorithm and costs of barriers, inside and at the end of a region.
    pub barrier: BarrierProfile,
    /// Waiting at barriers and between regions.
    pub wait: WaitProfile,
    /// Lock behind `critical` and `omp_set_lock`.
    pub lock: LockProfile,
    /// Costs of loops and `single` regions.
    pub worksharing: Worksharing,
    /// Queues and costs of explicit tasks.
    pub tasks: TaskProfile,
    /// Algorithm that combines the values of a reduction.
    pub reduction: Reduction,
    /// Schedule used for `schedule(auto)`.
    pub auto: Schedule,
    /// Schedule used for `schedule(runtime)` if `OMP_SCHEDULE` is not set.
    pub runtime: Schedule,
    /// Rules by which the threads of a team get places.
    pub places: PlaceRules,
    /// Origins and tolerances of the values. They change no run.
    pub origins: ValueOrigins,
}

// Each parameter of a runtime file is declared once, here.
numalab_base::parameters! {
    /// Opening and closing a parallel region.
    pub struct Fork as "ForkFile" {
        /// Time of a region of a team of one.
        fixed: Span => [shown("{} on one thread")],
        /// Time of the first thread of a larger team for opening a region, apart from lines. Absent: `fixed`.
        open: Option<Span> = None => [shown("{} in a larger team"), stands_for(&[Fork::fixed])],
        /// Time of every other member for entering a region, apart from lines.
        enter: Span = Span::ZERO => [shown("{} for every other member to enter")],
        /// Lines that describe the team: the first thread writes each, every member reads each.
        team_lines: u32 = 0 => [at_most(1024.0)],
        /// Lines that the first thread (or the parent in a tree) writes for each member, and the member reads.
        member_lines: u32 = 0 => [at_most(1024.0)],
        /// Stores that fill one of the `member_lines`: they take room in the store buffer.
        line_stores: u32 = 1 => [silent, at_least(1.0), at_most(64.0)],
        /// Time for writing a member's lines, apart from the lines.
        member_time: Span = Span::ZERO => [silent],
        /// Lines of each member that the first thread writes before any release, for any pattern of the release; the
        /// member reads them.
        master_lines: u32 = 0 => [silent, at_most(1024.0)],
        /// Time of the first thread for each member before any release, apart from lines.
        master_time: Span = Span::ZERO => [silent],
        /// Whether the member also writes its lines when it enters, because they are its own record.
        member_writes: bool = false => [brief],
        /// Algorithm by which members learn that a region opens.
        release: BarrierKind,
        /// `tree`: children of each thread; `hypercube`: base of the thread numbers' digits. Not used by other kinds.
        branching: Option<u32> = None => [at_least(2.0), at_most(1024.0)],
        /// Whether members meet once more at the end of a region before they wait for the next one.
        pool_barrier: bool = false,
        /// Inner teams.
        nested: Nested = Nested::default() => [silent],
    }
}

numalab_base::parameters! {
    /// Source of the threads of an inner team.
    pub struct Nested as "NestedFile" with defaults {
        /// Place of the threads between two regions.
        threads: TeamThreads = TeamThreads::Kept,
        /// `pool`: the lock that is held while a team is assembled or dissolved.
        lock: LockKind = LockKind::Ticket => [silent],
        /// `pool`: lines of a member that the opening thread writes under the lock, and the member writes when it
        /// enters.
        member_lines: u32 = 0 => [silent, at_most(1024.0)],
        /// `pool`: lines for each member of a team's record, which the next opening thread takes and writes.
        team_lines: u32 = 0 => [silent, at_most(1024.0)],
        /// `pool`: number of `team_lines` that are read before all are written, such as lines with pointers to clear.
        team_reads: u32 = 0 => [silent, at_most(1024.0)],
        /// `pool`: lines of a member that are written when it returns.
        return_lines: u32 = 0 => [silent, at_most(1024.0)],
        /// `pool`: stores that fill one line of a member or of the record. They take room in the store buffer, so
        /// fewer requests for ownership overlap.
        line_stores: u32 = 1 => [silent, at_least(1.0), at_most(64.0)],
        /// `pool`: whether the pool is a list in thread order. Taking a thread reads the list's next thread;
        /// returning a thread walks from the list's first thread to the returned thread's position.
        sorted: bool = false => [silent],
        /// `pool`: whether every waiting thread polls the pool's counters. Taking or returning a thread changes the
        /// counters and has to fetch their line from all waiting threads.
        polled: bool = false => [silent],
        /// `pool`, `sorted` and `polled`: extra reads of the thread's list line by the taker. The thread polls the
        /// line, and so has fetched it back before each of them.
        revisits: u32 = 0 => [silent, at_most(3.0)],
        /// As `revisits`, for a returned thread: once to the line of its predecessor in the list, and once more to
        /// its own.
        return_revisits: u32 = 0 => [silent, at_most(2.0)],
        /// System calls of a member when it enters, such as those that bind it.
        calls: u32 = 0 => [silent, at_most(1024.0)],
    }
}

impl Nested {
    /// True if threads are taken from a list.
    pub fn is_a_list(&self) -> bool {
        self.sorted && self.threads == TeamThreads::Pool
    }
}

numalab_base::words! {
    /// Place of the threads of an inner team between two regions.
    #[derive(Default)]
    pub enum TeamThreads as "TeamThreadsWord" {
        /// In the team, which waits for its next region.
        Kept = "kept" (default),
        /// In a pool that all teams of the program share, together with the team's record.
        Pool = "pool",
        /// Nowhere: threads are created for every region and end with it.
        Created = "created",
    }
}

numalab_base::parameters! {
    /// The barrier of a team.
    pub struct BarrierProfile as "BarrierFile" {
        /// Algorithm of a barrier.
        kind: BarrierKind,
        /// `tree`: children of each thread; `hypercube`: base of the thread numbers' digits.
        branching: Option<u32> = None => [at_least(2.0), at_most(1024.0)],
        /// Time of the construct for each thread by itself, apart from lines.
        fixed: Span = Span::ZERO => [brief],
        /// Spinning time before sleep in a team whose threads share processors. A thread that would spin longer than
        /// its time slice never sleeps.
        crowded_spin: Span = Span::ZERO => [silent, unlimited],
        /// Trees: whether flags are written by atomic operations, which wait for earlier stores.
        atomic_flags: bool = false => [silent],
        /// Trees: whether a released thread writes its flag back, so that its parent's next write fetches the line from it.
        resets_flags: bool = false => [silent],
        /// Trees: whether every parent reads the number of the meeting in a line of the team, before it waits for its
        /// children. Thread 0 writes it when all have arrived.
        team_state: bool = false => [silent],
        /// `futex`: time of the system call by which the last arrival wakes sleepers, even if there are none.
        wake_call: Span = Span::ZERO => [silent],
    }
}

numalab_base::parameters! {
    /// The lock behind `critical` and `omp_set_lock`.
    pub struct LockProfile as "LockFile" {
        /// Algorithm by which threads acquire the lock.
        kind: LockKind,
        /// Spinning time before a thread sleeps in the kernel. Absent: unlimited.
        spin: Option<Span> = None,
        /// Time that waking a sleeping thread takes.
        wake: Span = Span::ZERO,
    }
}

numalab_base::words! {
    /// Algorithm of a barrier.
    pub enum BarrierKind as "BarrierWord" {
        /// One counter, and one generation word that all threads spin on.
        Central = "central",
        /// One counter, and one generation word that all threads spin on. The last arrival resets the counter,
        /// advances the generation, and calls the operating system to wake sleepers.
        Futex = "futex",
        /// Children report to parents, `branching` children each.
        Tree = "tree",
        /// Threads whose numbers differ in one digit to the base `branching` meet.
        Hypercube = "hypercube",
        /// Pairwise signals in log2 rounds; no thread is the last.
        Dissemination = "dissemination",
        /// A tree by the machine's levels: cache, socket, board, machine.
        Hierarchical = "hierarchical",
        /// No thread waits for a line.
        Free = "free",
    }
}

numalab_base::words! {
    /// Algorithm that combines the values of a reduction.
    #[derive(Default)]
    pub enum Reduction as "ReductionWord" {
        /// With the closing barrier, from children to parents.
        Tree = "tree" (default),
        /// Every thread adds to one word.
        Atomic = "atomic",
        /// Under the lock of `critical`.
        Critical = "critical",
    }
}

/// Algorithm of a barrier, with its parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barrier {
    /// One counter, and one word that all threads spin on.
    Central,
    /// As `Central`. The last arrival resets the counter and calls the operating system to wake sleepers.
    Futex {
        /// Time of the system call by which the last arrival wakes sleepers.
        call: Span,
    },
    /// Children report to parents. The children of thread `t` begin at thread `branching * t + 1`.
    Tree {
        /// Children of each thread.
        branching: u32,
    },
    /// Threads whose numbers differ in one digit to the base `branching` meet.
    Hypercube {
        /// Base of the digits.
        branching: u32,
    },
    /// log2 rounds of pairwise signals; no thread is the last.
    Dissemination,
    /// A tree by the machine's levels: cache, socket, board, machine.
    Hierarchical,
    /// No thread waits for a line.
    Free,
}

impl BarrierKind {
    /// True if the algorithm has the parameter `branching`.
    pub fn branches(self) -> bool {
        matches!(self, BarrierKind::Tree | BarrierKind::Hypercube)
    }

    fn with(self, branching: Option<u32>, call: Span) -> Barrier {
        let branching = branching.unwrap_or(2);
        match self {
            BarrierKind::Central => Barrier::Central,
            BarrierKind::Futex => Barrier::Futex { call },
            BarrierKind::Tree => Barrier::Tree { branching },
            BarrierKind::Hypercube => Barrier::Hypercube { branching },
            BarrierKind::Dissemination => Barrier::Dissemination,
            BarrierKind::Hierarchical => Barrier::Hierarchical,
            BarrierKind::Free => Barrier::Free,
        }
    }
}

impl Barrier {
    /// Algorithm, and its branching if it has one.
    pub fn parts(self) -> (BarrierKind, Option<u32>) {
        match self {
            Barrier::Central => (BarrierKind::Central, None),
            Barrier::Futex { .. } => (BarrierKind::Futex, None),
            Barrier::Tree { branching } => (BarrierKind::Tree, Some(branching)),
            Barrier::Hypercube { branching } => (BarrierKind::Hypercube, Some(branching)),
            Barrier::Dissemination => (BarrierKind::Dissemination, None),
            Barrier::Hierarchical => (BarrierKind::Hierarchical, None),
            Barrier::Free => (BarrierKind::Free, None),
        }
    }
}

impl Fork {
    /// Barrier whose release half opens a region. `call`: time of the system call that wakes sleepers.
    pub fn opening(&self, call: Span) -> Barrier {
        self.release.with(self.branching, call)
    }
}

impl BarrierProfile {
    pub fn algorithm(&self) -> Barrier {
        self.kind.with(self.branching, self.wake_call)
    }
}

impl Profile {
    /// Lock of a task queue. Its kind is that stated for tasks, or else that of `lock`.
    pub fn queue_lock(&self) -> LockProfile {
        LockProfile { kind: self.tasks.lock.unwrap_or(self.lock.kind), ..self.lock.clone() }
    }

    /// Schedule of `sections`.
    pub fn sections(&self) -> Schedule {
        match self.worksharing.static_sections {
            true => Schedule::Static { chunk: None },
            false => Schedule::Dynamic { chunk: 1 },
        }
    }

    /// True if the barrier or the release at the opening of a region is `free`; the team's programs then cost
    /// nothing.
    pub fn is_free(&self) -> bool {
        self.barrier.kind == BarrierKind::Free || self.fork.release == BarrierKind::Free
    }

    /// Runtime whose regions and barriers cost nothing.
    pub fn free() -> Profile {
        Profile {
            name: "free".to_owned(),
            description: "A runtime whose regions and barriers cost nothing".to_owned(),
            fork: Fork::new(Span::ZERO, BarrierKind::Free),
            barrier: BarrierProfile::new(BarrierKind::Free),
            ..Profile::default()
        }
    }
}

impl Default for Profile {
    /// Plain runtime: barriers by the machine's levels, and a task queue for each thread.
    fn default() -> Profile {
        const NS: u64 = 1000;
        Profile {
            name: "plain".to_owned(),
            description: "A plain runtime: barriers by the machine's levels, a task queue for each thread"
                .to_owned(),
            fork: Fork { team_lines: 2, ..Fork::new(Span(200 * NS), BarrierKind::Hierarchical) },
            barrier: BarrierProfile::new(BarrierKind::Hierarchical),
            wait: WaitProfile::default(),
            lock: LockProfile { wake: Span(5000 * NS), ..LockProfile::new(LockKind::Mcs) },
            worksharing: Worksharing::default(),
            tasks: TaskProfile {
                bound: Some(256),
                lines: 2,
                ..TaskProfile::new(QueueKind::ThreadLocal, Span(100 * NS), Span(50 * NS))
            },
            reduction: Reduction::Tree,
            auto: Schedule::Static { chunk: None },
            runtime: Schedule::Static { chunk: None },
            places: PlaceRules::Standard,
            origins: ValueOrigins { others: ValueOrigin::Default, ..ValueOrigins::default() },
        }
    }
}
