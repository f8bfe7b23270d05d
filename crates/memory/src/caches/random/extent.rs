//! Bytes of a region that were used one after the other, in a cache with random replacement.

use super::super::lru::{Mark, Segment};
use super::decay::Stretch;
use std::ops::Range;

/// When the first and the last byte of an extent were used, on the clock of the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Age {
    /// A cache inside holds them: nothing drives them out of this one.
    Held,
    /// Lines that came in before.
    Used { first: u64, last: u64 },
}

/// Bytes of one region, of which a share is there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub region: u32,
    pub start: u64,
    pub end: u64,
    /// The access that used them last.
    pub stamp: u64,
    pub mark: Mark,
    pub age: Age,
}

impl Extent {
    pub fn length(&self) -> u64 {
        self.end - self.start
    }

    /// A part of it, which was used at times in proportion.
    pub fn part(&self, bytes: Range<u64>) -> Extent {
        let age = match self.age {
            Age::Held => Age::Held,
            Age::Used { first, last } => {
                let at = |byte: u64| {
                    let grown = u128::from(last - first) * u128::from(byte - self.start);
                    first + (grown / u128::from(self.length())) as u64
                };
                Age::Used { first: at(bytes.start), last: at(bytes.end) }
            }
        };
        Extent { start: bytes.start, end: bytes.end, age, ..*self }
    }

    /// It as the laws of replacement see it, unless a cache inside holds it.
    pub fn stretch(&self, clock: u64) -> Option<Stretch> {
        match self.age {
            Age::Held => None,
            Age::Used { first, last } => {
                let length = self.length() as f64;
                let (before, slope) = ((clock - first) as f64, (last - first) as f64 / length);
                Some(Stretch { length, before, slope })
            }
        }
    }

    /// Bytes of it that are in a cache of so many.
    pub fn resident(&self, clock: u64, capacity: u64) -> u64 {
        match self.stretch(clock) {
            None => self.length(),
            Some(stretch) => stretch.resident(capacity as f64).round() as u64,
        }
    }

    /// The same without its age.
    pub fn segment(&self) -> Segment {
        let Extent { region, start, end, stamp, mark, .. } = *self;
        Segment { region, start, end, stamp, mark }
    }
}
