//! Reasons for which time passes, interned: each has an index.

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
    /// Data from memory or from another socket's cache.
    Memory,
    /// Page faults of pages that no thread has touched before.
    Fault,
    /// Component of the time for which a fault on a software-shared page stalls a thread.
    Page(Part),
    /// Page moves and other work of the operating system.
    Kernel,
    /// Lock of the address space.
    AddressSpace,
    /// Scanner of the system's automatic NUMA balancing.
    Scanner,
    /// Code of the OpenMP runtime, barriers included.
    Runtime,
    /// Lock, or turn in an `ordered` construct: acquiring it, releasing it, and waiting while no thread holds it.
    Turn,
    /// Cache line that the program writes or updates.
    Line,
    /// No work, without a particular thread to wait for.
    NoWork,
}

/// Reason for which time passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reason {
    /// Index of the phase, in the order of first execution; measured phases only.
    pub phase: u32,
    pub kind: Kind,
    /// Region whose data the thread waits for; `None` if the time is not about data.
    pub region: Option<RegionId>,
    /// Closest level that the thread and the data share.
    pub level: Option<Closeness>,
    /// Resource that delayed the data; `None` if only latency did.
    pub limit: Option<ResourceId>,
}

/// Interned reasons.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reasons {
    all: Vec<Reason>,
    /// Index of each reason, for look-ups; never iterated.
    known: FxHashMap<Reason, u32>,
}

impl Reasons {
    pub fn number(&mut self, reason: Reason) -> u32 {
        let all = &mut self.all;
        *self.known.entry(reason).or_insert_with(|| {
            all.push(reason);
            all.len() as u32 - 1
        })
    }

    /// Index of the same reason in another phase.
    pub fn in_phase(&mut self, reason: u32, phase: u32) -> u32 {
        let of = self.all[reason as usize];
        if of.phase == phase { reason } else { self.number(Reason { phase, ..of }) }
    }

    /// Reasons in the order of their indices.
    pub fn all(&self) -> &[Reason] {
        &self.all
    }
}
