//! Activities and causes that time is booked under.

use numalab_base::{Span, Time};
use numalab_dsm::Part;
use numalab_machine::{Closeness, ResourceId};

/// The accounts of a thread's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Activity {
    /// Executing instructions.
    Compute,
    /// Waiting for memory.
    Stall,
    /// In the runtime or the operating system.
    Overhead,
    /// Waiting for others.
    Idle,
}

// Glossary: cause: Reason for which a booked part of time passed, such as a memory, a fault or a barrier.
/// The reasons for which time passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// Instructions of the program.
    Instructions,
    /// Data in one of the core's own caches, by its index in the machine.
    Cache(u32),
    /// Data in a memory, or in another socket's cache.
    Memory {
        /// The closest level that the thread and the farthest of the homes share.
        level: Closeness,
        /// The resource that kept the stream from being as fast as it would have been alone, for as long as that
        /// delayed it; none: what it would have waited anyway, by the latency of its lines and how many are in flight.
        limit: Option<ResourceId>,
    },
    /// Faults of fresh pages.
    Fault,
    /// Hint faults, pages on the move, and other work of the operating system for the thread.
    Kernel,
    /// The lock of the address space, and what is done under it.
    AddressSpace,
    /// Work that moves pages beside the threads and took the processor: the scanner of automatic balancing, `kswapd`.
    Scanner,
    /// Programs of the OpenMP runtime, asking for work among them.
    Runtime,
    /// A lock or a turn: waiting for it, taking it, and giving it on.
    Turn,
    /// A cache line that the program changes, and that other threads may have.
    Line,
    /// A barrier, or the end of a region.
    Barrier,
    /// A page that another node had, by the part of the stop.
    Page(Part),
    /// No work is left, or none is found.
    NoWork,
}

/// A part of time that one thing fills.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interval {
    pub from: Time,
    pub to: Time,
}

impl Interval {
    pub fn length(self) -> Span {
        self.to - self.from
    }
}
