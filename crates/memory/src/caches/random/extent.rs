//! Adjacent bytes of a region, used in ascending order, in a cache with random replacement.

use super::super::lru::{Interval, Mark};
use super::decay::Stretch;
use std::ops::Range;

/// Times at which the bytes of an extent were used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Age {
    /// A cache inside holds the bytes, so this cache does not evict them.
    Held,
    /// Clock of the cache at the use of the first and of the last byte: the number of bytes that had come in and
    /// evicted other bytes.
    Used { first: u64, last: u64 },
}

/// Adjacent bytes of one region, of which a share is present.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub region: u32,
    pub start: u64,
    pub end: u64,
    /// Stamp of the latest access.
    pub stamp: u64,
    pub mark: Mark,
    pub age: Age,
}

impl Extent {
    pub fn length(&self) -> u64 {
        self.end - self.start
    }

    /// A part of the extent, with use times interpolated.
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

    /// The extent as input to the laws of replacement; `None` if a cache inside holds the bytes.
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

    /// Expected number of bytes present in a cache of `capacity` bytes.
    pub fn resident(&self, clock: u64, capacity: u64) -> u64 {
        match self.stretch(clock) {
            None => self.length(),
            Some(stretch) => stretch.resident(capacity as f64).round() as u64,
        }
    }

    /// The extent without its age.
    pub fn interval(&self) -> Interval {
        let Extent { region, start, end, stamp, mark, .. } = *self;
        Interval { region, start, end, stamp, mark }
    }
}
