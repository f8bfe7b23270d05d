//! Next steps of a thread, and the bytes that each of them moves.

use super::demand::DemandId;
use crate::flow::origin::Origin;
use crate::work_source::pipeline::Flag;
use numalab_base::Span;
use numalab_dsm::Use;
use numalab_machine::NodeId;
use numalab_workload::RegionId;
use std::ops::Range;

/// A lock of the operating system that the threads of a program meet at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KernelLock {
    /// The address space, held alone: who waits for it sleeps.
    AddressSpace,
    /// Interrupting other processors: who waits for it spins.
    Translations,
}

impl KernelLock {
    pub const ALL: [KernelLock; 2] = [KernelLock::AddressSpace, KernelLock::Translations];
}

/// Next step of a thread.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    /// Work of the operating system or the runtime.
    Overhead(Span),
    /// The same, holding a lock of the kernel.
    Locked(KernelLock, Span),
    /// Instructions that touch no memory.
    Compute(Span),
    /// Data from one of the core's own caches.
    Cached(CachedData),
    /// Data from (and to) an origin.
    Stream(DataStream),
    /// Copy of that many bytes of pages from one node to another.
    Copy(NodeId, NodeId, u64),
    /// Use of pages of a memory that nodes share by pages.
    Pages(PageUse),
    /// Waits for a thread's flag, in a page that all share, and turns it; by numbers of threads.
    Flag(Flag),
    /// A virtual synchronisation point of such a memory.
    SyncPoint,
}

/// Use of pages one after the other.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PageUse {
    pub pages: Range<u64>,
    pub how: Use,
    /// Bytes of each page, on average.
    pub each: u32,
}

/// Bytes that one of the core's own caches serves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CachedData {
    /// Number of the cache.
    pub cache: u32,
    pub demand: DemandId,
    pub bytes: u64,
    /// Part of their time that passes while other data is waited for anyway.
    pub hidden: Span,
}

/// Bytes of one origin, and what they cause.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Amounts {
    /// Bytes that the program accesses.
    pub bytes: u64,
    pub fills: u64,
    pub write_backs: u64,
    /// Fills and write-backs in random order, where the machine's memory minds.
    pub random: u64,
    /// Picoseconds of faulting.
    pub faulting: u64,
}

impl Amounts {
    pub fn add(&mut self, other: Amounts) {
        let Amounts { bytes, fills, write_backs, random, faulting } = other;
        self.bytes += bytes;
        self.fills += fills;
        self.write_backs += write_backs;
        self.random += random;
        self.faulting += faulting;
    }
}

/// Bytes of one origin that a thread accesses as one flow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DataStream {
    pub origin: Origin,
    pub demand: DemandId,
    /// Bytes that the program accesses.
    pub bytes: u64,
    pub mix: Mix,
    /// Faults on the way, page by page: their time for each byte, without contention.
    pub faults: Faults,
}

/// Deliverer of data: a cache of the core, by its index in the machine, or an origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deliverer {
    Cache(usize),
    Origin(Origin),
}

/// Bytes of one region that come from one deliverer under one demand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DataPart {
    pub from: (Deliverer, DemandId),
    pub region: RegionId,
    pub bytes: u64,
}

/// Picoseconds of faulting for each byte, in steps of a 64th of what whole fresh pages take: coarse enough
/// that slices which differ by part of a page count as the same kind of flow. 0: the pages are there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Faults(u32);

impl Faults {
    const STEPS: f64 = 64.0;

    /// Splits `faulting` picoseconds over so many bytes, where a fresh byte nominally takes `nominal`; also returns
    /// the rest.
    pub fn new(faulting: u64, bytes: u64, nominal: f64) -> (Faults, Span) {
        if faulting == 0 {
            return (Faults(0), Span::ZERO);
        }
        // A hair more, so that whole pages are not a step short.
        let steps = (faulting as f64 / bytes as f64 / nominal * Faults::STEPS + 1e-6).floor();
        let faults = Faults(steps as u32);
        let spread = (faults.of(nominal) * bytes as f64).ceil() as u64;
        (faults, Span(faulting.saturating_sub(spread)))
    }

    /// Picoseconds for each byte.
    pub fn of(self, nominal: f64) -> f64 {
        f64::from(self.0) / Faults::STEPS * nominal
    }
}

/// Transfers that each accessed byte causes in each direction, in 256ths: coarse enough that slices
/// which differ by a few bytes count as the same kind of flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Mix {
    /// Home to reader: loads, and the fetches that stores cause.
    pub fills: u16,
    /// Reader to home: write-backs and streaming stores.
    pub write_backs: u16,
    /// Those of both in random order, where the machine's memory minds.
    pub random: u16,
}

impl Mix {
    const SCALE: u64 = 256;

    /// Every byte is fetched.
    pub const LOAD: Mix = Mix { fills: Mix::SCALE as u16, write_backs: 0, random: 0 };

    /// Every byte is written.
    pub const STORE: Mix = Mix { fills: 0, write_backs: Mix::SCALE as u16, random: 0 };

    /// Every byte is fetched and written.
    pub const COPY: Mix = Mix { write_backs: Mix::SCALE as u16, ..Mix::LOAD };

    /// Sizes end at 2^60, so scaling the divisor instead of the dividend loses less than the scale.
    pub fn new(Amounts { bytes, fills, write_backs, random, faulting: _ }: Amounts) -> Mix {
        let unit = bytes.div_ceil(Mix::SCALE).max(1);
        let part = |amount: u64| match bytes < 1 << 48 {
            true => ((amount * Mix::SCALE + bytes / 2) / bytes) as u16,
            false => (amount / unit) as u16,
        };
        Mix { fills: part(fills), write_backs: part(write_backs), random: part(random) }
    }

    /// Fills per byte.
    pub fn fills(self) -> f64 {
        f64::from(self.fills) / Mix::SCALE as f64
    }

    /// Write-backs per byte.
    pub fn write_backs(self) -> f64 {
        f64::from(self.write_backs) / Mix::SCALE as f64
    }

    /// Both of them in random order, per byte.
    pub fn random(self) -> f64 {
        f64::from(self.random) / Mix::SCALE as f64
    }
}

#[cfg(test)]
mod tests {
    use super::{Amounts, Mix};

    /// c = a + b with plain stores: of 3 bytes, 3 come in (c is fetched too) and 1 goes out.
    /// With streaming stores 2 come in and 1 goes out: 171/256 and 85/256.
    #[test]
    fn a_mix_counts_transfers() {
        let mix =
            |bytes, fills, write_backs| Mix::new(Amounts { bytes, fills, write_backs, ..Amounts::default() });
        assert_eq!(mix(3, 3, 1), Mix { fills: 256, write_backs: 85, random: 0 });
        assert_eq!(mix(3, 2, 1), Mix { fills: 171, write_backs: 85, random: 0 });
        assert_eq!(mix(1 << 60, 1 << 60, 0), Mix { fills: 256, write_backs: 0, random: 0 });
    }
}
