//! The contents of all caches, written down so that they are known again when they come back.
//!
//! Accesses are numbered on and on, and only their order matters: a snapshot has the rank of each that something
//! still remembers.

use super::lru::Segment;
use super::{Caches, RegionCopies};
use numalab_units::Snapshot;

impl Caches {
    /// Writes the contents down.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Caches { line: _, levels, nodes: _, victims: _, directories, regions, known, now: _, scratch: _ } =
            self;
        let lists = || levels.iter().flat_map(|level| level.each()).chain(directories.each());
        let caches = || lists().flatten();
        // The first rank stands for no access.
        let mut stamps = vec![0];
        stamps.extend(caches().flat_map(|cache| cache.by_age().map(|segment| segment.stamp)));
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
        for cache in lists() {
            into.add(&cache.is_some());
            let Some(cache) = cache else { continue };
            cache.snapshot_granularity(into);
            for Segment { region, start, end, stamp, mark } in cache.by_age() {
                into.add(&(region, start, end, order(stamp), mark));
            }
            // An end, so that no cache's contents are taken for the next one's.
            into.add(&u64::MAX);
        }
    }
}
