//! OpenMP constructs of phases, and kinds of locks.

use numalab_base::Bytes;

/// Largest number of bytes between the elements of `update`.
const MOST_SPACING: u64 = 1 << 40;

// Glossary: construct: An OpenMP construct that a phase is, such as `parallel for`, `barrier` or `critical`.
/// The construct that a phase executes.
///
/// All but the first four and `Echo` run inside one parallel region, which is opened once and closed once for all
/// [`times`](crate::Phase::times), or which several phases share ([`continues`](crate::Phase::continues)). In a shared
/// region `Parallel` is code that every thread executes. A construct that is neither a loop nor a pipeline has one iteration per thread:
/// thread `n` executes iteration `n` as its body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Construct {
    /// `parallel for`: opens a region, distributes the iterations, closes it.
    #[default]
    ParallelFor,
    /// `parallel`: opens a region, every thread executes its body, closes it.
    Parallel,
    /// `parallel reduction`: as `Parallel`, and combines one value of each thread.
    Reduction,
    /// The body on the first thread, without a region.
    Serial,
    /// `for` inside a region, with its barrier unless `nowait`.
    For {
        /// True if the loop ends without a barrier.
        nowait: bool,
    },
    /// `barrier`: each thread executes the body, then waits at a barrier.
    Barrier,
    /// `single`: the first thread that arrives executes the body, then a barrier unless `nowait`.
    Single {
        /// True if the construct ends without a barrier.
        nowait: bool,
    },
    /// `master`: the first thread of the team executes the body. No thread waits.
    Master,
    /// `sections`: a loop whose iterations are sections, under the schedule by which the runtime deals them out, then a
    /// barrier unless `nowait`.
    Sections {
        /// True if the construct ends without a barrier.
        nowait: bool,
    },
    /// `critical`: the body under the program's lock.
    Critical,
    /// The body under a lock of this kind; `None`: the kind of lock that the runtime uses.
    Lock(Option<LockKind>),
    /// The body, then one atomic addition to a shared variable.
    Atomic,
    /// `ordered`: the bodies run in thread order.
    Ordered,
    /// A loop in steps with equally many iterations. Each step is distributed as by `static`. A thread begins its
    /// share of a step when the thread with the next lower number has finished its own share of this step.
    Pipeline {
        /// Number of steps, a divisor of the number of iterations. Each step has consecutive iterations, in order.
        steps: u32,
        /// True if the last thread begins each step, and every other thread waits for the thread with the next higher
        /// number.
        descending: bool,
    },
    /// Messages of a software shared memory instead of a body, without a region: the first thread's node sends
    /// messages to the nodes of the other threads in turn, and each is answered.
    Echo {
        /// Bytes of a message.
        size: Bytes,
        /// Largest number of messages in flight, answers included.
        in_flight: u32,
        /// Total number of messages.
        count: u32,
    },
    /// The body, then a store to the thread's own element of an array.
    Update {
        /// Bytes from one thread's element to the next.
        spacing: Bytes,
        /// True for an atomic exchange, which waits for its line. Plain stores are buffered in the core.
        atomic: bool,
    },
}

/// Properties of a construct: everything that does not depend on the behaviour of a simulated thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConstructFacts {
    /// Name of the construct's kind in output.
    pub word: &'static str,
    pub iterations: Iterations,
    pub regions: Regions,
    /// False only for `echo`, which exchanges messages instead of executing a body.
    pub has_body: bool,
    pub words: ConstructWords,
    /// Support by nodes that share memory by pages in software.
    pub over_pages: OverPages,
}

/// Number and distribution of the iterations of a construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Iterations {
    /// One iteration for each thread.
    OnePerThread,
    /// The iterations of the phase, distributed by its schedule.
    Scheduled,
    /// The iterations of the phase, in this number of equal steps.
    Steps(u32),
}

/// Parallel regions around the executions of a construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regions {
    /// No region: only the first thread takes part.
    None,
    /// One region for all executions.
    Once,
    /// One region for each execution.
    Each,
}

/// Words of memory that the threads of a construct share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstructWords {
    /// No word, apart from those of regions, barriers and schedules.
    None,
    /// A word that the first thread to arrive claims.
    Claim,
    /// A lock of this kind; `None` for the runtime's own algorithm.
    Lock(Option<LockKind>),
    /// A word that every thread adds to.
    Atomic,
    /// A counter of the threads that have finished their `ordered` body.
    Ordered,
    /// A flag for each thread, by which the thread tells its neighbour that it has finished its share of a step.
    Flags,
    /// An element for each thread, `spacing` bytes apart.
    Elements {
        /// Bytes from one thread's element to the next.
        spacing: Bytes,
        /// True for an atomic exchange, false for plain stores.
        atomic: bool,
    },
}

/// Support of a construct by nodes that share memory by pages in software.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverPages {
    Yes,
    /// Supported unless consistency is lazy.
    UnlessLazy,
    /// Not supported: the construct needs lines that are coherent across nodes.
    No,
}

impl Construct {
    pub const fn facts(self) -> ConstructFacts {
        const PLAIN: ConstructFacts = ConstructFacts {
            word: "region",
            iterations: Iterations::OnePerThread,
            regions: Regions::Once,
            has_body: true,
            words: ConstructWords::None,
            over_pages: OverPages::Yes,
        };
        const SCHEDULED: ConstructFacts =
            ConstructFacts { word: "loop", iterations: Iterations::Scheduled, ..PLAIN };
        const SHARED: ConstructFacts = ConstructFacts { over_pages: OverPages::No, ..PLAIN };
        match self {
            Construct::ParallelFor => ConstructFacts { regions: Regions::Each, ..SCHEDULED },
            Construct::Parallel | Construct::Reduction => ConstructFacts { regions: Regions::Each, ..PLAIN },
            Construct::Serial => ConstructFacts { word: "serial", regions: Regions::None, ..PLAIN },
            Construct::For { .. } => SCHEDULED,
            Construct::Barrier => ConstructFacts { word: "barrier", ..PLAIN },
            Construct::Single { .. } => {
                ConstructFacts { word: "single", words: ConstructWords::Claim, ..SHARED }
            }
            Construct::Master => ConstructFacts { word: "master", ..PLAIN },
            Construct::Sections { .. } => {
                ConstructFacts { word: "sections", over_pages: OverPages::No, ..SCHEDULED }
            }
            Construct::Critical => ConstructFacts {
                word: "critical",
                words: ConstructWords::Lock(None),
                over_pages: OverPages::UnlessLazy,
                ..PLAIN
            },
            Construct::Lock(kind) => {
                ConstructFacts { word: "lock", words: ConstructWords::Lock(kind), ..SHARED }
            }
            Construct::Atomic => ConstructFacts { word: "atomic", words: ConstructWords::Atomic, ..SHARED },
            Construct::Ordered => {
                ConstructFacts { word: "ordered", words: ConstructWords::Ordered, ..SHARED }
            }
            Construct::Pipeline { steps, .. } => ConstructFacts {
                word: "pipeline",
                iterations: Iterations::Steps(steps),
                words: ConstructWords::Flags,
                ..PLAIN
            },
            Construct::Echo { .. } => {
                ConstructFacts { word: "messages", regions: Regions::None, has_body: false, ..PLAIN }
            }
            Construct::Update { spacing, atomic } => ConstructFacts {
                word: "update",
                words: ConstructWords::Elements { spacing, atomic },
                ..SHARED
            },
        }
    }

    /// Error in the construct's values, for a phase with this number of iterations; `None` if they are valid.
    pub fn problem(self, iterations: u64) -> Option<&'static str> {
        let (fits, problem) = match self {
            Construct::Update { spacing, .. } => {
                ((1..=MOST_SPACING).contains(&spacing.0), "its elements are too far apart")
            }
            Construct::Echo { size, in_flight, count } => (
                (1..=1 << 30).contains(&size.0) && in_flight >= 1 && (1..=1_000_000).contains(&count),
                "its messages are too large, too many or none",
            ),
            Construct::Pipeline { steps, .. } => (
                steps >= 1 && iterations.is_multiple_of(u64::from(steps)),
                "its steps do not divide its iterations",
            ),
            Construct::ParallelFor
            | Construct::Parallel
            | Construct::Reduction
            | Construct::Serial
            | Construct::For { .. }
            | Construct::Barrier
            | Construct::Single { .. }
            | Construct::Master
            | Construct::Sections { .. }
            | Construct::Critical
            | Construct::Lock(_)
            | Construct::Atomic
            | Construct::Ordered => return None,
        };
        (!fits).then_some(problem)
    }

    /// True if a schedule distributes the construct's iterations.
    pub fn is_loop(self) -> bool {
        self.facts().iterations == Iterations::Scheduled
    }

    /// True if the workload states the number of iterations, which is otherwise one for each thread.
    pub fn iterates(self) -> bool {
        self.facts().iterations != Iterations::OnePerThread
    }

    /// True if only the first thread takes part, outside of all parallel regions.
    pub fn is_alone(self) -> bool {
        self.facts().regions == Regions::None
    }

    /// True if the construct can be one of several in a parallel region. A loop's steps would have to be counted apart
    /// from the region's executions, so a pipeline cannot.
    pub fn shares_region(self) -> bool {
        let facts = self.facts();
        let once = facts.regions == Regions::Once || self == Construct::Parallel;
        once && !matches!(facts.iterations, Iterations::Steps(_))
    }

    /// True if each repetition opens a parallel region of its own.
    pub fn opens(self) -> bool {
        self.facts().regions == Regions::Each
    }
}

numalab_base::words! {
    /// Algorithm of a lock.
    pub enum LockKind as "LockWord" {
        /// Repeats an atomic exchange until the exchange finds the lock free.
        TestAndSet = "test-and-set",
        /// Reads the line until the lock is free, then tries an atomic exchange.
        TestAndTestAndSet = "test-and-test-and-set",
        /// As test-and-test-and-set, with a pause that doubles after every failure.
        Backoff = "backoff",
        /// A ticket lock: threads draw numbers and are served in order.
        Ticket = "ticket",
        /// A queue in which each waiter spins on its own cache line.
        Mcs = "mcs",
    }
}
