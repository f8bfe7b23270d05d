//! The abstract names of `OMP_PLACES`.

use super::{Allowed, Location, Places, Topology};

numalab_base::words! {
    /// Kind of place of an abstract name, from the smallest to the largest.
    pub enum PlaceKind {
        /// A hardware thread.
        Threads = "threads",
        /// A core.
        Cores = "cores",
        /// The cores that share a last-level cache.
        LastLevelCaches = "ll_caches",
        /// A NUMA node.
        NumaDomains = "numa_domains",
        /// A socket.
        Sockets = "sockets",
    }
}

impl PlaceKind {
    pub(super) fn named(word: &str) -> Option<PlaceKind> {
        PlaceKind::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(word))
    }

    /// Number that is equal for all processors of the same place.
    fn group(self, location: &Location, number: u32) -> u32 {
        match self {
            PlaceKind::Threads => number,
            PlaceKind::Cores => location.core,
            PlaceKind::LastLevelCaches => location.cache,
            PlaceKind::NumaDomains => location.node,
            PlaceKind::Sockets => location.socket,
        }
    }
}

/// Every `stride`-th place of a kind among the places with an allowed processor, at most `count` places.
pub(super) fn places(
    kind: PlaceKind,
    count: Option<u32>,
    stride: u32,
    topology: &dyn Topology,
    allowed: &Allowed,
) -> Places {
    let locations = allowed.by_core(topology);
    let same = |a: &(Location, u32), b: &(Location, u32)| kind.group(&a.0, a.1) == kind.group(&b.0, b.1);
    let sets =
        locations.chunk_by(same).step_by(stride as usize).take(count.map_or(usize::MAX, |n| n as usize));
    Places::from_sets(sets.map(|set| {
        let mut numbers: Vec<u32> = set.iter().map(|(_, number)| *number).collect();
        numbers.sort_unstable();
        numbers
    }))
}
