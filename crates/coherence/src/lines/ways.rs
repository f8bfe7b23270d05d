//! Cache of routes between homes and groups, computed by the fabric.

use super::topology::Topology;
use numalab_base::Span;
use numalab_machine::{Fabric, NodeId, Route};

/// Limit on the cached routes of a table. At the limit, a new route replaces the route at its index.
const KEPT: usize = 1 << 15;

/// Route between two places: its latency and the links on it.
#[derive(Clone, Debug, Default)]
pub(super) struct Way {
    pub latency: Span,
    /// Numbers of resources that every line crosses. Links over which lines are spread are left out, since no single
    /// line waits for them.
    pub links: Box<[u32]>,
}

/// Initial number of entries of a table: most teams use few homes.
const FEW: usize = 1 << 8;

/// Cached routes by number of the pair (home and group, or two groups). The table grows when two pairs collide, up to
/// the limit.
#[derive(Clone, Debug)]
struct Kept {
    ways: Vec<(u64, Way)>,
    most: usize,
}

impl Kept {
    fn new(pairs: u64) -> Kept {
        let most = pairs.min(KEPT as u64).next_power_of_two() as usize;
        Kept { ways: vec![(u64::MAX, Way::default()); most.min(FEW)], most }
    }

    #[inline]
    fn of(&mut self, pair: u64, find: impl FnOnce() -> Way) -> &Way {
        let mut at = pair as usize & (self.ways.len() - 1);
        if self.ways[at].0 != pair {
            at = self.place_of(pair);
            self.ways[at] = (pair, find());
        }
        &self.ways[at].1
    }

    /// Index for a pair that is not cached, after growing the table as needed.
    fn place_of(&mut self, pair: u64) -> usize {
        loop {
            let size = self.ways.len();
            let at = pair as usize & (size - 1);
            if self.ways[at].0 == u64::MAX || size >= self.most {
                return at;
            }
            // Each entry stays, or moves by the old size.
            let more = vec![(u64::MAX, Way::default()); 2 * size];
            for (pair, way) in std::mem::replace(&mut self.ways, more) {
                if pair != u64::MAX {
                    self.ways[pair as usize & (2 * size - 1)] = (pair, way);
                }
            }
        }
    }
}

/// Farthest group of a home's domain, and the distance of the farthest other group.
#[derive(Clone, Copy, Debug)]
struct Far {
    group: u32,
    latency: Span,
    /// Latency of the farthest group of the domain except `group`.
    others: Span,
}

/// Routes between the homes and groups of a machine, cached.
#[derive(Clone, Debug)]
pub(super) struct Ways<'a> {
    fabric: &'a Fabric,
    groups: u64,
    /// Routes from a home to a group, and from a group to a home.
    down: Kept,
    up: Kept,
    /// Routes from a group to another group.
    across: Kept,
    /// Farthest group of the home's domain, indexed by home; `None` until first needed.
    far: Vec<Option<Far>>,
}

impl<'a> Ways<'a> {
    pub fn new(fabric: &'a Fabric, topology: &Topology) -> Ways<'a> {
        let groups = u64::from(topology.groups());
        let homes = u64::from(fabric.memory_nodes());
        Ways {
            fabric,
            groups,
            down: Kept::new(homes * groups),
            up: Kept::new(homes * groups),
            across: Kept::new(groups * groups),
            far: vec![None; fabric.memory_nodes() as usize],
        }
    }

    /// Route from a home to a group. Latency: half of the way there and back, without the home's memory; the mean if
    /// the home has several memory controllers.
    #[inline]
    pub fn down(&mut self, topology: &Topology, home: NodeId, group: u32) -> &Way {
        let (fabric, pair) = (self.fabric, u64::from(home.0) * self.groups + u64::from(group));
        self.down.of(pair, || find(fabric, topology, home, group, true))
    }

    /// Route from a group to a home.
    #[inline]
    pub fn up(&mut self, topology: &Topology, group: u32, home: NodeId) -> &Way {
        let (fabric, pair) = (self.fabric, u64::from(home.0) * self.groups + u64::from(group));
        self.up.of(pair, || find(fabric, topology, home, group, false))
    }

    /// Route from a group to another group.
    #[inline]
    pub fn across(&mut self, topology: &Topology, from: u32, to: u32) -> &Way {
        let (fabric, pair) = (self.fabric, u64::from(from) * self.groups + u64::from(to));
        self.across.of(pair, || {
            let (here, there) = (topology.core_of_group(from), topology.core_of_group(to));
            let (home, end) = (fabric.node_of(here), fabric.node_of(there));
            let links = if home == end { Box::default() } else { links(fabric, topology, home, to, true) };
            Way { latency: fabric.way(here, there), links }
        })
    }

    /// Latency from a home to the farthest group of the home's domain, except the group `except`.
    pub fn farthest(&mut self, topology: &Topology, home: NodeId, except: u32) -> Span {
        let far = self.far[home.0 as usize].unwrap_or_else(|| {
            let cores = topology.cores_of_domain(topology.core_of_home(home));
            let groups = cores.start / topology.group..cores.end / topology.group;
            let mut far = Far { group: groups.start, latency: Span::ZERO, others: Span::ZERO };
            for group in groups {
                let latency = self.down(topology, home, group).latency;
                if latency > far.latency {
                    far = Far { group, latency, others: far.latency };
                } else if group != far.group {
                    far.others = far.others.max(latency);
                }
            }
            self.far[home.0 as usize] = Some(far);
            far
        });
        if far.group == except { far.others } else { far.latency }
    }
}

fn find(fabric: &Fabric, topology: &Topology, home: NodeId, group: u32, down: bool) -> Way {
    let reader = fabric.reader_of(topology.core_of_group(group));
    let there_and_back = fabric.latency(home, reader) - topology.local_miss;
    Way { latency: there_and_back / 2, links: links(fabric, topology, home, group, down) }
}

fn links(fabric: &Fabric, topology: &Topology, home: NodeId, group: u32, down: bool) -> Box<[u32]> {
    let mut route = Route::default();
    // A port delays nothing before it is full, which single lines never do.
    fabric.links(home, fabric.reader_of(topology.core_of_group(group)), &mut route);
    let hops = if down { route.toward_reader } else { route.toward_home };
    hops.iter().filter(|hop| hop.share == 1.0).map(|hop| hop.resource.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Each pair gets its own route, whatever was requested before. The route is computed again only if another
        /// pair replaced it, and the table never exceeds the number of pairs or its limit.
        #[test]
        fn a_pair_has_its_own_way(pairs in prop::collection::vec(0u64..3000, 1..400), all in 1u64..4000) {
            let mut kept = Kept::new(all);
            let most = all.next_power_of_two();
            let mut last = vec![None; most as usize];
            for pair in pairs {
                let mut found = false;
                let latency = kept.of(pair, || {
                    found = true;
                    Way { latency: Span(pair), links: Box::default() }
                }).latency;
                prop_assert_eq!(latency, Span(pair));
                let place = &mut last[(pair % most) as usize];
                prop_assert_eq!(found, place.replace(pair) != Some(pair));
                prop_assert!(kept.ways.len() as u64 <= most);
            }
        }
    }
}
