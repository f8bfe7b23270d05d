//! The abstract names.

use super::{Allowed, Location, Places, Topology};

/// Kind of the places of an abstract name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceKind {
    /// `threads`: a hardware thread.
    Threads,
    /// `cores`: a core.
    Cores,
    /// `ll_caches`: the cores that share a last-level cache.
    LastLevelCaches,
    /// `numa_domains`: a NUMA node.
    NumaDomains,
    /// `sockets`: a socket.
    Sockets,
}

impl PlaceKind {
    /// The names, from the smallest places to the largest.
    pub const NAMES: [&'static str; 5] = ["threads", "cores", "ll_caches", "numa_domains", "sockets"];

    const ALL: [PlaceKind; 5] = [
        PlaceKind::Threads,
        PlaceKind::Cores,
        PlaceKind::LastLevelCaches,
        PlaceKind::NumaDomains,
        PlaceKind::Sockets,
    ];

    /// As it is typed.
    pub fn name(self) -> &'static str {
        PlaceKind::NAMES[self as usize]
    }

    pub(super) fn named(word: &str) -> Option<PlaceKind> {
        PlaceKind::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(word))
    }

    /// Equal for processors of the same place.
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

/// Every `stride`-th place of a kind that has an allowed processor, at most `count` of them.
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
