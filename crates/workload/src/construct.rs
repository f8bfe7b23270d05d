//! OpenMP constructs that a phase may be, and kinds of lock.

use numalab_base::Bytes;

// Glossary: construct: An OpenMP construct that a phase is, such as `parallel for`, `barrier` or `critical`.
/// The construct that a phase is.
///
/// All but the first four run inside one parallel region, which is opened once and closed once whatever
/// [`times`](crate::Phase::times) says. Every thread executes the iteration of its own number as the
/// construct's body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Construct {
    /// `parallel for`: opens a region, shares the iterations out, closes it.
    #[default]
    ParallelFor,
    /// `parallel`: opens a region, every thread executes its body, closes it.
    Parallel,
    /// `parallel reduction`: the same, and one value of each thread is combined.
    Reduction,
    /// The body alone, on the first thread: no region.
    Serial,
    /// `for` inside a region, with its barrier unless `nowait`.
    For {
        /// No barrier at its end.
        nowait: bool,
    },
    /// The body, then a barrier.
    Barrier,
    /// One thread executes the body, then a barrier.
    Single,
    /// The body under the program's lock.
    Critical,
    /// The body under a lock of the given kind; the runtime's if none.
    Lock(Option<LockKind>),
    /// The body, then one atomic addition to a shared variable.
    Atomic,
    /// The body in the order of the threads.
    Ordered,
    /// A loop in steps, as many iterations in each: under `static` in every step, and after the neighbour before has
    /// done its share of the step.
    Pipeline {
        /// Number of steps; it divides the iterations, which are those of one step after another.
        steps: u32,
        /// The last thread begins, and each waits for the one after it.
        descending: bool,
    },
    /// Messages between nodes that share memory by pages, instead of a body: the first thread's node sends them to the
    /// nodes of the others in turn, and each comes back. No region.
    Echo {
        /// Bytes of a message.
        size: Bytes,
        /// Messages that are on their way, or on their way back, at most.
        in_flight: u32,
        /// Messages in all.
        count: u32,
    },
    /// The body, then a store to the thread's own element of an array whose elements are so far apart.
    Update {
        /// Bytes from one thread's element to the next one's.
        spacing: Bytes,
        /// The store is an atomic exchange: it waits for its line, where plain stores gather in the core.
        atomic: bool,
    },
}

impl Construct {
    /// Whether iterations are shared out by a schedule.
    pub fn is_loop(self) -> bool {
        matches!(self, Construct::ParallelFor | Construct::For { .. })
    }

    /// Whether it has iterations of its own, instead of one for each thread.
    pub fn iterates(self) -> bool {
        self.is_loop() || matches!(self, Construct::Pipeline { .. })
    }

    /// Whether only the first thread takes part, outside of all regions.
    pub fn is_alone(self) -> bool {
        matches!(self, Construct::Serial | Construct::Echo { .. })
    }

    /// Whether each of its repetitions opens a region of its own.
    pub fn opens(self) -> bool {
        matches!(self, Construct::ParallelFor | Construct::Parallel | Construct::Reduction)
    }
}

numalab_base::words! {
    /// A kind of lock.
    pub enum LockKind as "LockWord" {
        /// Atomic exchange until it succeeds.
        TestAndSet = "test-and-set",
        /// Spins on a copy, then tries an exchange.
        TestAndTestAndSet = "test-and-test-and-set",
        /// The same, waiting twice as long after every failure.
        Backoff = "backoff",
        /// Numbers, served in order.
        Ticket = "ticket",
        /// A queue in which everybody spins on a line of its own.
        Mcs = "mcs",
    }
}
