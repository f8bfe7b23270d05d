//! OpenMP constructs of phases, and kinds of locks.

use numalab_base::Bytes;

// Glossary: construct: An OpenMP construct that a phase is, such as `parallel for`, `barrier` or `critical`.
/// The construct that a phase executes.
///
/// All but the first four run inside one parallel region, which is opened once and closed once for
/// all [`times`](crate::Phase::times). Constructs that are not loops execute one iteration per
/// thread as their body: that with the thread's number.
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
        /// True if there is no barrier at its end.
        nowait: bool,
    },
    /// The body, then a barrier.
    Barrier,
    /// `single`: one thread executes the body, then a barrier.
    Single,
    /// `critical`: the body under the program's lock.
    Critical,
    /// The body under a lock of the given kind; `None` for that of the runtime.
    Lock(Option<LockKind>),
    /// The body, then one atomic addition to a shared variable.
    Atomic,
    /// `ordered`: the bodies run in thread order.
    Ordered,
    /// A loop in steps with equally many iterations. Each step is distributed as by `static`, and a
    /// thread's share of a step begins after the neighbouring thread has finished its share of the same
    /// step.
    Pipeline {
        /// Number of steps. The iterations are those of one step after another, so it divides their number.
        steps: u32,
        /// True if the last thread begins and each waits for the one after it.
        descending: bool,
    },
    /// Messages of a software shared memory instead of a body: the first thread's node sends them to
    /// the nodes of the other threads in turn, and each comes back. There is no region.
    Echo {
        /// Bytes of a message.
        size: Bytes,
        /// Most messages under way at a time, answers included.
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

impl Construct {
    /// True if a schedule distributes the iterations.
    pub fn is_loop(self) -> bool {
        matches!(self, Construct::ParallelFor | Construct::For { .. })
    }

    /// True if the number of iterations is free, instead of one for each thread.
    pub fn iterates(self) -> bool {
        self.is_loop() || matches!(self, Construct::Pipeline { .. })
    }

    /// True if only the first thread takes part, outside of all parallel regions.
    pub fn is_alone(self) -> bool {
        matches!(self, Construct::Serial | Construct::Echo { .. })
    }

    /// True if each repetition opens a parallel region of its own.
    pub fn opens(self) -> bool {
        matches!(self, Construct::ParallelFor | Construct::Parallel | Construct::Reduction)
    }
}

numalab_base::words! {
    /// Algorithm of a lock.
    pub enum LockKind as "LockWord" {
        /// Atomic exchange until it succeeds.
        TestAndSet = "test-and-set",
        /// Spins on a copy of the line, then tries an exchange.
        TestAndTestAndSet = "test-and-test-and-set",
        /// As test-and-test-and-set, with a pause that doubles after every failure.
        Backoff = "backoff",
        /// A ticket lock: threads draw numbers and are served in order.
        Ticket = "ticket",
        /// A queue in which each waiter spins on its own cache line.
        Mcs = "mcs",
    }
}
