//! Activities and causes under which time is booked.

use numalab_base::{Span, Time};
use numalab_dsm::Part;
use numalab_machine::{Closeness, ResourceId};

/// Accounts of a thread's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Activity {
    /// Executing instructions.
    Compute,
    /// Waiting for memory.
    Stall,
    /// In the runtime or the operating system.
    Overhead,
    /// Waiting for other threads.
    Idle,
}

// Glossary: cause: Reason for which a booked part of time passed, such as a memory, a fault or a barrier.
/// Cause under which time is booked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// Instructions of the program.
    Instructions,
    /// Data from one of the core's own caches (index in the machine).
    Cache(u32),
    /// Data from memory or from another socket's cache.
    Memory {
        /// Closest level that the thread shares with the farthest home.
        level: Closeness,
        /// Resource that slowed the stream, for the time of its delay; `None` for the latency-bound time of its
        /// lines.
        limit: Option<ResourceId>,
    },
    /// Faults of fresh pages.
    Fault,
    /// Hint faults, page moves, and other work of the operating system for the thread.
    Kernel,
    /// Lock of the address space, and work under it.
    AddressSpace,
    /// Work that moves pages beside the threads and took the processor: the scanner of automatic balancing, `kswapd`.
    Scanner,
    /// Programs of the OpenMP runtime, including requests for work.
    Runtime,
    /// Lock or turn: waiting, acquiring, releasing.
    Turn,
    /// Cache line that the program changes and other threads may hold.
    Line,
    /// Barrier or end of a region.
    Barrier,
    /// Stop at a page of software-shared memory, by part of the stop.
    Page(Part),
    /// No work left or found.
    NoWork,
}

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
