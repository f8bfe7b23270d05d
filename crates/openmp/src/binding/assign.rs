//! Assignment of the threads of one team to places.

use super::Affinity;
use super::rules::{self, Parts};
use numalab_workload::PlaceRules;
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// Index into the place list.
    pub place: u32,
    /// Place partition of the thread: the places available to its inner teams.
    pub partition: Range<u32>,
}

/// Thread that opens a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opener {
    /// Place of the thread, inside `partition`.
    pub place: u32,
    /// Place partition of the thread.
    pub partition: Range<u32>,
    /// Number of places of the whole list.
    pub places: u32,
}

impl Opener {
    /// The initial thread of a program, on the first of all places.
    pub fn initial(places: Range<u32>) -> Opener {
        Opener { place: places.start, places: places.end, partition: places }
    }

    /// Number of places in the partition, at least 1.
    pub(super) fn count(&self) -> u32 {
        self.partition.end.saturating_sub(self.partition.start).max(1)
    }

    /// Place `step` places after the opener's, wrapping round at the end of the partition.
    pub(super) fn at(&self, step: u32) -> u32 {
        let from_start = self.place.saturating_sub(self.partition.start);
        let wrapped = (u64::from(from_start) + u64::from(step)) % u64::from(self.count());
        self.partition.start + wrapped as u32
    }

    /// True if the partition is the whole place list.
    pub(super) fn has_all(&self) -> bool {
        self.count() >= self.places
    }
}

/// Assigns places and partitions to the threads of a team.
///
/// With more threads than places, groups of threads go to places: thread 0 is at the opener's place, and groups with
/// higher numbers follow, wrapping round at the end of the partition. `rules` decide which groups are larger, and the
/// parts of a partition that `spread` makes.
pub fn assign(rules: PlaceRules, affinity: Affinity, threads: u32, opener: &Opener) -> Vec<Assignment> {
    debug_assert!(opener.partition.contains(&opener.place), "{opener:?}");
    match affinity {
        Affinity::Primary => {
            let place = opener.place;
            (0..threads).map(|_| Assignment { place, partition: opener.partition.clone() }).collect()
        }
        Affinity::Close => {
            let on = |place| Assignment { place, partition: opener.partition.clone() };
            rules::steps(rules, threads, opener.count()).map(|step| on(opener.at(step))).collect()
        }
        Affinity::Spread if threads > opener.count() => {
            let alone = |place| Assignment { place, partition: place..place + 1 };
            rules::steps(rules, threads, opener.count()).map(|step| alone(opener.at(step))).collect()
        }
        Affinity::Spread => rules::parts(rules, threads, opener),
    }
}

impl Parts {
    /// Assigns one part to each thread. The opener stays on its place, all other threads get the first place of
    /// their part.
    pub(super) fn assign(self, opener: &Opener) -> Vec<Assignment> {
        let each = self.0.into_iter().enumerate().map(|(thread, partition)| {
            let place = if thread == 0 { opener.place } else { partition.start };
            Assignment { place, partition }
        });
        each.collect()
    }
}
