//! Reasons for which time passes, each known by a number.

use numalab_machine::{Closeness, ResourceId};
use numalab_simulator::Part;
use numalab_workload::RegionId;
use rustc_hash::FxHashMap;

/// Kind of a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Instructions of the program.
    Computing,
    /// Data from one of the core's own caches, by its index in the machine.
    Cache(u32),
    /// Data from memory, or from another socket's cache.
    Memory,
    /// Faults of fresh pages.
    Fault,
    /// A part of a stop for a page that nodes share by messages.
    Page(Part),
    /// Pages on the move, and other work of the operating system.
    Kernel,
    /// The lock of the address space.
    AddressSpace,
    /// The scanner of automatic balancing.
    Scanner,
    /// Programs of the OpenMP runtime.
    Runtime,
    /// A lock or a turn: waiting for it, where nobody in particular has it, taking it, and giving it on.
    Turn,
    /// A cache line that the program changes.
    Line,
    /// No work, where nobody in particular is waited for.
    NoWork,
}

/// Reason for which time passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reason {
    /// Phase, by the order in which phases are met.
    pub phase: u32,
    /// Its kind.
    pub kind: Kind,
    /// The region whose data is waited for.
    pub region: Option<RegionId>,
    /// The closest level that thread and data share.
    pub level: Option<Closeness>,
    /// The resource that kept data from coming sooner; none: it takes as long.
    pub limit: Option<ResourceId>,
}

/// Every reason that occurs, once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reasons {
    all: Vec<Reason>,
    /// Only looked up, never iterated.
    known: FxHashMap<Reason, u32>,
}

impl Reasons {
    /// The number of a reason.
    pub fn number(&mut self, reason: Reason) -> u32 {
        let all = &mut self.all;
        *self.known.entry(reason).or_insert_with(|| {
            all.push(reason);
            all.len() as u32 - 1
        })
    }

    /// Reasons so far, by number.
    pub fn all(&self) -> &[Reason] {
        &self.all
    }
}
