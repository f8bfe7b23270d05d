//! Snapshots of all cache contents, to detect that a state recurs.
//!
//! Stamps of accesses only grow, and only their order matters: a snapshot has the rank of each
//! stamp that is still in use.

use super::contents::Contents;
use super::lru::{Interval, Lru};
use super::{Caches, RegionCopies};
use numalab_base::Snapshot;

impl Caches {
    /// Adds the contents of all caches and directories, and the last writers, to a snapshot.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Caches {
            line: _,
            levels,
            nodes: _,
            victims: _,
            together: _,
            directories,
            regions,
            known,
            now: _,
            scratch: _,
        } = self;
        let caches = || levels.iter().flat_map(|level| level.each());
        // Rank 0 means no access.
        let mut stamps = vec![0];
        caches().flatten().for_each(|cache| cache.stamps(|stamp| stamps.push(stamp)));
        stamps.extend(
            directories.each().flatten().flat_map(|list| list.by_age().map(|interval| interval.stamp)),
        );
        let copies = || regions.iter().flatten();
        copies().for_each(|region| region.owners.stamps(|stamp| stamps.push(stamp)));
        stamps.sort_unstable();
        stamps.dedup();
        let order = |stamp: u64| stamps.partition_point(|other| *other < stamp);
        into.add(&(known, regions.len()));
        for region in regions {
            into.add(&region.is_some());
            if let Some(RegionCopies { name, owners }) = region {
                into.add(name);
                owners.snapshot(order, into);
            }
        }
        for cache in caches() {
            into.add(&cache.is_some());
            match cache {
                Some(Contents::Lru(lru)) => write(lru, order, into),
                Some(Contents::Random(random)) => random.snapshot(order, into),
                None => continue,
            }
            // A separator keeps the contents of adjacent caches apart.
            into.add(&u64::MAX);
        }
        for list in directories.each() {
            into.add(&list.is_some());
            let Some(list) = list else { continue };
            write(list, order, into);
            into.add(&u64::MAX);
        }
    }
}

/// Adds the intervals of an LRU cache to a snapshot, oldest first. `order`: rank of a stamp.
fn write(list: &Lru, order: impl Fn(u64) -> usize, into: &mut Snapshot) {
    list.snapshot_granularity(into);
    for Interval { region, start, end, stamp, mark } in list.by_age() {
        into.add(&(region, start, end, order(stamp), mark));
    }
}
