//! The abstract names.

use super::{Allowed, Places, Seat, Topology};

/// What each place of an abstract name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
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

impl Domain {
    /// The names, from the smallest places to the largest.
    pub const NAMES: [&'static str; 5] = ["threads", "cores", "ll_caches", "numa_domains", "sockets"];

    const ALL: [Domain; 5] =
        [Domain::Threads, Domain::Cores, Domain::LastLevelCaches, Domain::NumaDomains, Domain::Sockets];

    /// As it is typed.
    pub fn name(self) -> &'static str {
        Domain::NAMES[self as usize]
    }

    pub(super) fn named(word: &str) -> Option<Domain> {
        Domain::ALL.into_iter().find(|domain| domain.name().eq_ignore_ascii_case(word))
    }

    /// Equal for processors of the same place.
    fn group(self, seat: &Seat, number: u32) -> u32 {
        match self {
            Domain::Threads => number,
            Domain::Cores => seat.core,
            Domain::LastLevelCaches => seat.cache,
            Domain::NumaDomains => seat.node,
            Domain::Sockets => seat.socket,
        }
    }
}

/// Every `stride`-th place of a kind that has an allowed processor, at most `count` of them.
pub(super) fn places(
    domain: Domain,
    count: Option<u32>,
    stride: u32,
    topology: &dyn Topology,
    allowed: &Allowed,
) -> Places {
    let seats = allowed.by_core(topology);
    let same = |a: &(Seat, u32), b: &(Seat, u32)| domain.group(&a.0, a.1) == domain.group(&b.0, b.1);
    let sets = seats.chunk_by(same).step_by(stride as usize).take(count.map_or(usize::MAX, |n| n as usize));
    Places::from_sets(sets.map(|set| {
        let mut numbers: Vec<u32> = set.iter().map(|(_, number)| *number).collect();
        numbers.sort_unstable();
        numbers
    }))
}
