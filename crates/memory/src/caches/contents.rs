//! One cache of any replacement policy.

use super::lru::{Interval, Lru, Touch};
use super::random::Random;
use numalab_machine::Replacement;
use std::ops::Range;

#[derive(Clone, Debug)]
pub(super) enum Contents {
    Lru(Lru),
    Random(Random),
}

impl Contents {
    /// An empty cache of `capacity` bytes. A `victim` cache takes the lines that the caches inside evict.
    pub fn new(replacement: Replacement, ways: Option<u32>, capacity: u64, victim: bool) -> Contents {
        match replacement {
            Replacement::Lru => Contents::Lru(Lru::new(capacity, ways)),
            Replacement::Random => Contents::Random(Random::new(capacity, victim)),
        }
    }

    /// The cache as an LRU cache; `None` with random replacement.
    pub fn lru(&self) -> Option<&Lru> {
        match self {
            Contents::Lru(lru) => Some(lru),
            Contents::Random(_) => None,
        }
    }

    /// The cache as an LRU cache; `None` with random replacement.
    pub fn lru_mut(&mut self) -> Option<&mut Lru> {
        match self {
            Contents::Lru(lru) => Some(lru),
            Contents::Random(_) => None,
        }
    }

    /// Accesses bytes in address order. `current`: true if an interval is still valid, so that it may be extended.
    /// `found` gets the stretches that are present, each with the number of bytes present. `evicted` gets the bytes
    /// that fall out, with `true` if this access had used them (see [`Lru::touch`]). Random replacement never calls
    /// `evicted`: a share of every extent falls out, and the caches inside are not invalidated.
    pub fn touch(
        &mut self,
        touch: &Touch,
        current: impl Fn(&Interval) -> bool,
        found: impl FnMut(&Interval, Range<u64>, u64),
        evicted: impl FnMut(&Interval, Range<u64>, bool),
    ) {
        match self {
            Contents::Lru(lru) => lru.touch(touch, current, found, evicted),
            Contents::Random(random) => random.touch(touch, current, found),
        }
    }

    /// Accesses bytes without reporting hits or evictions: see [`Lru::refill`].
    pub fn refill(&mut self, touch: &Touch) {
        match self {
            Contents::Lru(lru) => lru.refill(touch),
            Contents::Random(random) => random.touch(touch, |_| true, |_, _, _| {}),
        }
    }

    /// Takes bytes that a cache inside evicts. Only random replacement needs the call: an LRU victim
    /// cache shares one list with the caches inside.
    pub fn take(&mut self, region: u32, bytes: Range<u64>) {
        match self {
            Contents::Lru(_) => {}
            Contents::Random(random) => random.take(region, bytes),
        }
    }

    /// Quick test: false if certainly no byte of the access is present.
    pub fn may_hold(&self, touch: &Touch) -> bool {
        match self {
            Contents::Lru(lru) => lru.may_hold(touch),
            Contents::Random(random) => random.may_hold(touch),
        }
    }

    #[inline]
    pub fn remove(&mut self, region: u32, bytes: Range<u64>) {
        match self {
            Contents::Lru(lru) => lru.remove(region, bytes),
            Contents::Random(random) => random.remove(region, bytes),
        }
    }

    /// Calls `each` with the intervals that overlap some bytes, in address order, and the number of
    /// bytes present.
    pub fn overlaps(&self, region: u32, bytes: Range<u64>, each: impl FnMut(&Interval, Range<u64>, u64)) {
        match self {
            Contents::Lru(lru) => lru.overlaps(region, bytes, each),
            Contents::Random(random) => random.overlaps(region, bytes, each),
        }
    }

    /// Enlarges an LRU cache by `more` bytes, the size of a cache inside it, up to `most`, since both share one list.
    /// No effect on a random cache.
    pub fn widen(&mut self, more: u64, most: u64) {
        match self {
            Contents::Lru(lru) => lru.widen(more, most),
            Contents::Random(_) => {}
        }
    }

    pub fn unlimit(&mut self) {
        match self {
            Contents::Lru(lru) => lru.unlimit(),
            Contents::Random(random) => random.unlimit(),
        }
    }

    /// Between two repetitions: restores approximated contents to a repeatable state, see
    /// [`super::Caches::settle`].
    pub fn settle(&mut self) {
        match self {
            Contents::Lru(lru) => lru.settle(),
            Contents::Random(random) => random.settle(),
        }
    }

    /// Number of intervals and gaps visited since the last call: a measure of simulation cost.
    pub fn take_met(&mut self) -> u64 {
        match self {
            Contents::Lru(lru) => lru.take_met(),
            Contents::Random(random) => random.take_met(),
        }
    }

    /// Visits the stamps of the latest accesses to all contents.
    pub fn stamps(&self, visit: impl FnMut(u64)) {
        match self {
            Contents::Lru(lru) => lru.by_age().map(|interval| interval.stamp).for_each(visit),
            Contents::Random(random) => random.stamps().for_each(visit),
        }
    }
}

#[cfg(test)]
impl Contents {
    /// Number of intervals of an LRU cache, or extents of a random one.
    pub fn count(&self) -> usize {
        match self {
            Contents::Lru(lru) => lru.by_age().count(),
            Contents::Random(random) => random.stamps().count(),
        }
    }

    /// All intervals of an LRU cache, oldest first.
    pub fn contents(&self) -> Vec<Interval> {
        self.lru().expect("an LRU cache").contents()
    }
}
