//! Steps of a thread and the bytes that each moves.

use super::demand::DemandId;
use crate::engine::script::Program;
use crate::flow::origin::Origin;
use crate::work_source::pipeline::Flag;
use numalab_base::Span;
use numalab_dsm::Use;
use numalab_machine::NodeId;
use numalab_workload::RegionId;
use std::ops::Range;

/// Lock of the operating system that all threads of a program share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KernelLock {
    /// Address space, held exclusively. Waiters sleep.
    AddressSpace,
    /// TLB shootdown: interrupting other processors. Waiters spin.
    Translations,
}

impl KernelLock {
    pub const ALL: [KernelLock; 2] = [KernelLock::AddressSpace, KernelLock::Translations];
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    /// Work of the operating system or the runtime.
    Overhead(Span),
    /// Overhead while holding a lock of the kernel.
    Locked(KernelLock, Span),
    /// Waits for lines to which other threads store at the same time.
    Lines(Span),
    /// Instructions that touch no memory.
    Compute(Span),
    /// Executes the phase's section this many times; each execution computes for the span.
    Section(u32, Span),
    /// Program of the phase's section.
    Run(Program),
    /// Bytes from one of the core's own caches.
    Cached(CachedData),
    /// Bytes from (and to) an origin.
    Stream(DataStream),
    /// Copy of bytes of pages from the first node to the second.
    Copy(NodeId, NodeId, u64),
    /// Use of pages that nodes share in software.
    Pages(PageUse),
    /// Waits for a thread's flag in a shared page and toggles it.
    Flag(Flag),
    /// Virtual synchronisation point of memory that nodes share in software.
    SyncPoint,
}

/// Use of consecutive pages.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PageUse {
    pub pages: Range<u64>,
    pub how: Use,
    /// Bytes used of each page, on average.
    pub each: u32,
}

/// Bytes that one of the core's own caches serves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CachedData {
    /// Index of the cache in the machine.
    pub cache: u32,
    pub demand: DemandId,
    pub bytes: u64,
    /// Part of the time of `bytes` that overlaps with waiting for other data.
    pub hidden: Span,
}

/// Bytes from one origin and the transfers that they cause.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Amounts {
    /// Bytes that the program accesses.
    pub bytes: u64,
    pub fills: u64,
    pub write_backs: u64,
    /// Write-backs of lines that no load has fetched, if cores keep fewer of them in flight; otherwise 0.
    pub stored: u64,
    /// Fills and write-backs in random order, if the machine's memory tells them apart; otherwise 0.
    pub random: u64,
    /// Picoseconds of faulting.
    pub faulting: u64,
}

impl Amounts {
    pub fn add(&mut self, other: Amounts) {
        let Amounts { bytes, fills, write_backs, stored, random, faulting } = other;
        self.bytes += bytes;
        self.fills += fills;
        self.write_backs += write_backs;
        self.stored += stored;
        self.random += random;
        self.faulting += faulting;
    }
}

/// Bytes from one origin that a thread accesses as one flow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DataStream {
    pub origin: Origin,
    pub demand: DemandId,
    /// Bytes that the program accesses.
    pub bytes: u64,
    pub mix: Mix,
    /// Fault time per byte, paid page by page, without contention.
    pub faults: Faults,
}

/// Deliverer of data: a cache of the core (index in the machine) or an origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deliverer {
    Cache(usize),
    Origin(Origin),
}

/// Bytes of one region from one deliverer under one demand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DataPart {
    pub from: (Deliverer, DemandId),
    pub region: RegionId,
    pub bytes: u64,
}

/// Picoseconds of faulting per byte, in 64ths of the time that a byte of a fresh page takes. The steps are coarse, so
/// that slices that differ by part of a page form one kind of flow. 0: the pages are present.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Faults(u32);

impl Faults {
    const STEPS: f64 = 64.0;

    /// Spreads `faulting` picoseconds over `bytes`, where a fresh byte takes `nominal`. Also returns the remainder
    /// that the coarse steps leave.
    pub fn new(faulting: u64, bytes: u64, nominal: f64) -> (Faults, Span) {
        if faulting == 0 {
            return (Faults(0), Span::ZERO);
        }
        // A small excess, so that whole pages are not rounded down by a step.
        let steps = (faulting as f64 / bytes as f64 / nominal * Faults::STEPS + 1e-6).floor();
        let faults = Faults(steps as u32);
        let spread = (faults.of(nominal) * bytes as f64).ceil() as u64;
        (faults, Span(faulting.saturating_sub(spread)))
    }

    /// Picoseconds of faulting per byte, if a fresh byte takes `nominal`.
    pub fn of(self, nominal: f64) -> f64 {
        f64::from(self.0) / Faults::STEPS * nominal
    }
}

/// Transfers per accessed byte in each direction, in 256ths. The steps are coarse, so that slices that differ by a
/// few bytes form one kind of flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Mix {
    /// Home to reader: loads, and fetches caused by stores.
    pub fills: u16,
    /// Reader to home: write-backs and streaming stores.
    pub write_backs: u16,
    /// Write-backs of lines that no load has fetched, if cores keep fewer of them in flight; otherwise 0.
    pub stored: u16,
    /// Fills and write-backs in random order, if the machine's memory tells them apart; otherwise 0.
    pub random: u16,
}

impl Mix {
    const SCALE: u64 = 256;

    /// Every byte is fetched.
    pub const LOAD: Mix = Mix { fills: Mix::SCALE as u16, write_backs: 0, stored: 0, random: 0 };

    /// Every byte is written.
    pub const STORE: Mix = Mix { fills: 0, write_backs: Mix::SCALE as u16, stored: 0, random: 0 };

    /// Every byte is fetched and written.
    pub const COPY: Mix = Mix { write_backs: Mix::SCALE as u16, ..Mix::LOAD };

    /// Transfers per byte, rounded to 256ths. Sizes are below 2^60. From 2^48 on the divisor is scaled instead of the
    /// dividend, which loses less than one step.
    pub fn new(Amounts { bytes, fills, write_backs, stored, random, faulting: _ }: Amounts) -> Mix {
        let unit = bytes.div_ceil(Mix::SCALE).max(1);
        let part = |amount: u64| match bytes < 1 << 48 {
            true => ((amount * Mix::SCALE + bytes / 2) / bytes) as u16,
            false => (amount / unit) as u16,
        };
        Mix { fills: part(fills), write_backs: part(write_backs), stored: part(stored), random: part(random) }
    }

    pub fn fills(self) -> f64 {
        f64::from(self.fills) / Mix::SCALE as f64
    }

    pub fn write_backs(self) -> f64 {
        f64::from(self.write_backs) / Mix::SCALE as f64
    }

    /// Write-backs of lines that no load has fetched, per byte.
    pub fn stored(self) -> f64 {
        f64::from(self.stored) / Mix::SCALE as f64
    }

    /// Fills and write-backs in random order, per byte.
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
        assert_eq!(mix(3, 3, 1), Mix { fills: 256, write_backs: 85, stored: 0, random: 0 });
        assert_eq!(mix(3, 2, 1), Mix { fills: 171, write_backs: 85, stored: 0, random: 0 });
        assert_eq!(mix(1 << 60, 1 << 60, 0), Mix { fills: 256, write_backs: 0, stored: 0, random: 0 });
    }
}
