//! One cache, whatever its replacement.

use super::lru::{Lru, Segment, Touch};
use super::random::Random;
use numalab_machine::Replacement;
use std::ops::Range;

/// The contents of one cache.
#[derive(Clone, Debug)]
pub(super) enum Contents {
    Lru(Lru),
    Random(Random),
}

impl Contents {
    /// Empty, with room for so many bytes; `victim` if it takes what caches inside drive out.
    pub fn new(replacement: Replacement, capacity: u64, victim: bool) -> Contents {
        match replacement {
            Replacement::Lru => Contents::Lru(Lru::new(capacity)),
            Replacement::Random => Contents::Random(Random::new(capacity, victim)),
        }
    }

    /// It, if it keeps an order.
    pub fn lru(&self) -> Option<&Lru> {
        match self {
            Contents::Lru(lru) => Some(lru),
            Contents::Random(_) => None,
        }
    }

    /// It, if it keeps an order.
    pub fn lru_mut(&mut self) -> Option<&mut Lru> {
        match self {
            Contents::Lru(lru) => Some(lru),
            Contents::Random(_) => None,
        }
    }

    /// Uses some bytes, in address order. `found` hears how many of which were there, and `evicted` which fell out and whether this
    /// access had used them, as [`Lru::touch`] says. Of a cache with random replacement nothing is said to fall out: a part of
    /// all does, and what it does not have is not asked for further inside.
    pub fn touch(
        &mut self,
        touch: &Touch,
        current: impl Fn(&Segment) -> bool,
        mut found: impl FnMut(&Segment, Range<u64>, u64),
        evicted: impl FnMut(&Segment, Range<u64>, bool),
    ) {
        match self {
            Contents::Lru(lru) => {
                let whole = |segment: &Segment, bytes: Range<u64>| {
                    let length = bytes.end - bytes.start;
                    found(segment, bytes, length);
                };
                lru.touch(touch, current, whole, evicted);
            }
            Contents::Random(random) => random.touch(touch, current, found),
        }
    }

    /// Uses some bytes where only what is there afterwards matters: see [`Lru::refill`].
    pub fn refill(&mut self, touch: &Touch) {
        match self {
            Contents::Lru(lru) => lru.refill(touch),
            Contents::Random(random) => random.touch(touch, |_| true, |_, _, _| {}),
        }
    }

    /// Takes bytes that a cache inside drives out, if it has to be told: one that keeps an order has a place for them.
    pub fn take(&mut self, region: u32, bytes: Range<u64>) {
        match self {
            Contents::Lru(_) => {}
            Contents::Random(random) => random.take(region, bytes),
        }
    }

    /// False if it is quick to say that nothing of an access is here.
    pub fn may_hold(&self, touch: &Touch) -> bool {
        match self {
            Contents::Lru(lru) => lru.may_hold(touch),
            Contents::Random(random) => random.may_hold(touch),
        }
    }

    /// Drops some bytes.
    #[inline]
    pub fn remove(&mut self, region: u32, bytes: Range<u64>) {
        match self {
            Contents::Lru(lru) => lru.remove(region, bytes),
            Contents::Random(random) => random.remove(region, bytes),
        }
    }

    /// The segments that overlap some bytes, in address order, and how many of these are there.
    pub fn overlaps(&self, region: u32, bytes: Range<u64>, mut each: impl FnMut(&Segment, Range<u64>, u64)) {
        match self {
            Contents::Lru(lru) => lru.overlaps(region, bytes, |segment, bytes| {
                let length = bytes.end - bytes.start;
                each(segment, bytes, length);
            }),
            Contents::Random(random) => random.overlaps(region, bytes, each),
        }
    }

    /// Has room for what a cache inside holds, up to the most, if both are kept in one order.
    pub fn widen(&mut self, more: u64, most: u64) {
        match self {
            Contents::Lru(lru) => lru.widen(more, most),
            Contents::Random(_) => {}
        }
    }

    /// Has room for everything.
    pub fn unlimit(&mut self) {
        match self {
            Contents::Lru(lru) => lru.unlimit(),
            Contents::Random(random) => random.unlimit(),
        }
    }

    /// Between two repetitions, what is not exact becomes so that it comes back: see [`super::Caches::settle`].
    pub fn settle(&mut self) {
        match self {
            Contents::Lru(lru) => lru.settle(),
            Contents::Random(random) => random.settle(),
        }
    }

    /// Segments and gaps that accesses met so far.
    pub fn met(&self) -> u64 {
        match self {
            Contents::Lru(lru) => lru.met(),
            Contents::Random(random) => random.met(),
        }
    }

    /// Visits the accesses that something was used by last.
    pub fn stamps(&self, visit: impl FnMut(u64)) {
        match self {
            Contents::Lru(lru) => lru.by_age().map(|segment| segment.stamp).for_each(visit),
            Contents::Random(random) => random.stamps().for_each(visit),
        }
    }
}

#[cfg(test)]
impl Contents {
    /// Segments or extents.
    pub fn count(&self) -> usize {
        match self {
            Contents::Lru(lru) => lru.by_age().count(),
            Contents::Random(random) => random.stamps().count(),
        }
    }

    /// All segments of a cache that keeps an order, the oldest first.
    pub fn contents(&self) -> Vec<Segment> {
        self.lru().expect("it keeps an order").contents()
    }
}
