//! Activities and causes under which time is booked.

use numalab_base::{Span, Time};
use numalab_dsm::Part;
use numalab_machine::{Closeness, ResourceId};

/// Account that a part of a thread's time is booked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Activity {
    /// Executing instructions.
    Compute,
    /// Waiting for memory.
    Stall,
    /// Work of the runtime or of the operating system.
    Overhead,
    /// Waiting for other threads or for work.
    Idle,
}

// Glossary: cause: Reason for which a booked part of time passed, such as a memory, a fault or a barrier.
/// Reason for which a booked part of a thread's time passed.
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
    /// Faults of pages that are touched for the first time.
    Fault,
    /// Hint faults, page moves, other work of the operating system for the thread, and interruptions in a replica.
    Kernel,
    /// Waiting for the kernel's lock of the address space, and work under that lock.
    AddressSpace,
    /// Work that moves pages beside the threads and took the processor: the scanner of automatic balancing, `kswapd`.
    Scanner,
    /// Programs of the OpenMP runtime, including requests for work; late starts in perturbed replicas.
    Runtime,
    /// Waiting for a lock or turn of the program, acquiring it, and releasing it.
    Turn,
    /// Transfer of a cache line that the program itself changes (constructs `atomic` and `update`).
    Line,
    /// Waiting for the last thread at a barrier, or at the end of a region.
    Barrier,
    /// Stop at a page fault of software-shared memory, by component of the stop. [`Part::DaemonService`] also stands
    /// for time in which the daemon of such memory takes the thread's processor.
    Page(Part),
    /// Waiting for work: none is left, or none is found.
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
