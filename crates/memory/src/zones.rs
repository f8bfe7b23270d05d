//! Zone lists of Linux: the order in which other nodes take the pages of a full node.
//!
//! Linux builds them once, for one node after the other in ascending order (`build_zonelists` and
//! `find_next_best_node` in `mm/page_alloc.c`). A node's list begins with the node itself. Each
//! further place goes to the unlisted node that is smallest by, in this order:
//!
//! 1. its distance in the firmware's table, plus one if its number is below the list owner's:
//!    equally near nodes come in ascending order from the owner on, and then the lower ones. (The
//!    one is added to the distance itself, so a lower node ties with a higher one whose distance is
//!    larger by one.)
//! 2. its load: the number of earlier lists that have it first among equally far nodes. Owners with
//!    the same distances thus begin with different nodes.
//! 3. its number.
//!
//! A node gets one more load if its distance from the owner differs from that of the node listed
//! before it. Loads change only for nodes already on the list, so a list is a sort. Linux prefers
//! nodes without processors: the others count as further by one (`PENALTY_FOR_NODE_WITH_CPUS`).
//!
//! Nodes without memory are on no list. Here they stand at its end, or at the beginning of their own, where no page ever
//! fits, so that all lists are equally long.

// Glossary: zone list: Order of the nodes that take a page when its node is full, as Linux builds it.

use crate::room::{NodeMemory, Nodes};
use numalab_machine::NodeId;
use std::fmt;
use std::sync::Arc;

/// Largest node count of a Linux machine (`MAX_NUMNODES` of the largest configuration). Beyond it
/// Linux defines no order and a table of all pairs would be large; a full node is then followed by
/// the next number.
const MAX_NODES: u32 = 1024;

/// Distance between two nodes by the firmware's table.
type Distance<'a> = dyn Fn(NodeId, NodeId) -> u64 + Send + Sync + 'a;

#[derive(Clone)]
pub(crate) struct Zones<'a> {
    nodes: Arc<[ZoneNode]>,
    distance: Arc<Distance<'a>>,
    /// Zone lists of all nodes in one array, built when a node is full for the first time.
    lists: Option<Arc<[NodeId]>>,
}

/// Properties of a node that zone lists depend on.
#[derive(Clone, Copy, Debug)]
struct ZoneNode {
    has_memory: bool,
    has_processors: bool,
}

impl fmt::Debug for Zones<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Zones")
            .field("nodes", &self.nodes)
            .field("lists", &self.lists)
            .finish_non_exhaustive()
    }
}

impl<'a> Zones<'a> {
    pub fn new(nodes: &Nodes, distance: impl Fn(NodeId, NodeId) -> u64 + Send + Sync + 'a) -> Zones<'a> {
        let node = |node: &NodeMemory| ZoneNode {
            has_memory: node.capacity.0 > 0,
            has_processors: node.has_processors,
        };
        Zones { nodes: nodes.0.iter().map(node).collect(), distance: Arc::new(distance), lists: None }
    }

    /// Entry `index` of the zone list of `owner`; entry 0 is `owner`.
    pub fn get(&mut self, owner: NodeId, index: u32) -> NodeId {
        if index == 0 {
            return owner;
        }
        let number = self.nodes.len() as u32;
        if number > MAX_NODES {
            return NodeId(((u64::from(owner.0) + u64::from(index)) % u64::from(number)) as u32);
        }
        let (nodes, distance) = (&self.nodes, &self.distance);
        let lists = self.lists.get_or_insert_with(|| build(nodes, &**distance));
        lists[(owner.0 * number + index) as usize]
    }
}

fn build(nodes: &[ZoneNode], distance: &Distance<'_>) -> Arc<[NodeId]> {
    let mut lists = Vec::new();
    let mut load = vec![0u32; nodes.len()];
    for owner in 0..nodes.len() as u32 {
        let row: Vec<u64> =
            (0..nodes.len() as u32).map(|node| distance(NodeId(owner), NodeId(node))).collect();
        let far = |node: u32| row[node as usize];
        let has_memory = |node: u32| nodes[node as usize].has_memory;
        let key = |&node: &u32| {
            let penalty = u64::from(node < owner) + u64::from(nodes[node as usize].has_processors);
            let far = far(node).saturating_add(penalty);
            (node != owner, !has_memory(node), far, load[node as usize], node)
        };
        let mut list: Vec<u32> = (0..nodes.len() as u32).collect();
        list.sort_unstable_by_key(key);
        for pair in list.windows(2).filter(|pair| has_memory(pair[1])) {
            load[pair[1] as usize] += u32::from(far(pair[0]) != far(pair[1]));
        }
        lists.extend(list.into_iter().map(NodeId));
    }
    lists.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_base::Bytes;
    use proptest::prelude::*;

    fn lists(nodes: u32, distance: impl Fn(u32, u32) -> u64 + Send + Sync) -> Vec<Vec<u32>> {
        lists_of(nodes, nodes, distance)
    }

    fn lists_of(
        nodes: u32,
        with_processors: u32,
        distance: impl Fn(u32, u32) -> u64 + Send + Sync,
    ) -> Vec<Vec<u32>> {
        let alone = (with_processors..nodes).map(|_| Bytes(1));
        lists_by(&Nodes::even(with_processors, Bytes(1)).and_memory_only(alone), distance)
    }

    fn lists_by(nodes: &Nodes, distance: impl Fn(u32, u32) -> u64 + Send + Sync) -> Vec<Vec<u32>> {
        let mut zones = Zones::new(nodes, |from, to| distance(from.0, to.0));
        let number = nodes.0.len() as u32;
        (0..number).map(|owner| (0..number).map(|at| zones.get(NodeId(owner), at).0).collect()).collect()
    }

    /// Four sockets, all 21 apart. Owner 0: the others lie above it, no loads yet: 1 2 3; 1 gets a load. Owner 1: 2
    /// and 3 at 21 before 0 at 22; 2 gets a load, and 0 none, as 0 is really as far as 3. Owner 2: 3, then 0 and 1 at
    /// 22, where 0 has no load and 1 has one. Owner 3: all at 22; node 0 has no load, nodes 1 and 2 have one each.
    #[test]
    fn equal_distances_go_round() {
        let all = lists(4, |a, b| if a == b { 10 } else { 21 });
        assert_eq!(all, [[0, 1, 2, 3], [1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]]);
    }

    /// Two boards of two sockets: 15 inside, 40 across. Owner 0: 1, then 2 and 3; nodes 1 and 2 get a load each.
    /// Owner 1: 0, then 3 (no load) before 2 (one load); now every node has one load. Owner 2: 3, then 0 before 1,
    /// both at 41 with one load; 3 and 0 get a second load. Owner 3: 2, then 1 (one load) before 0 (two loads).
    #[test]
    fn owners_of_a_board_prefer_different_remote_nodes() {
        let distance = |a: u32, b: u32| {
            if a == b {
                10
            } else if a / 2 == b / 2 {
                15
            } else {
                40
            }
        };
        assert_eq!(lists(4, distance), [[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]]);
    }

    /// Seen from node 1, node 0 at 20 ties with node 2 at 21: 20 + 1 = 21. Owner 0 has given node 1 a load (20), and
    /// node 2 one (21, another distance), so node 0 without a load comes first.
    #[test]
    fn lower_node_ties_with_distance_plus_one() {
        let table = [[10, 20, 21], [20, 10, 21], [21, 21, 10]];
        assert_eq!(lists(3, |a, b| table[a as usize][b as usize])[1], [1, 0, 2]);
    }

    /// Two sockets 21 apart, each with a memory-only node: 2 next to 0, 3 next to 1, as two processors with HBM have
    /// them (13 and 23). Owner 0: 2 at 13; then 1 at 21 + 1 before 3 at 23: 0 2 1 3. Owner 1: 3 at 13; then 0 at 21 +
    /// 1 below + 1 with processors = 23, and 2 at 23. The load decides: owner 0's list has given 2 a load, and 0 has
    /// none: 0, then 2.
    #[test]
    fn nodes_without_processors_are_preferred() {
        let table = [[10, 21, 13, 23], [21, 10, 23, 13], [13, 23, 10, 28], [23, 13, 28, 10]];
        let all = lists_of(4, 2, |a, b| table[a as usize][b as usize]);
        assert_eq!(all[..2], [[0, 2, 1, 3], [1, 3, 0, 2]]);
        // Of two equally distant nodes, the one without processors comes first.
        assert_eq!(lists_of(3, 2, |a, b| if a == b { 10 } else { 20 })[0], [0, 2, 1]);
        assert_eq!(lists(3, |a, b| if a == b { 10 } else { 20 })[0], [0, 1, 2]);
    }

    /// Beyond the limit of Linux a full node is followed by the next number, wrapping round.
    #[test]
    fn beyond_linux_limit_next_number_follows() {
        let nodes = Nodes::even(5000, Bytes(1));
        let mut zones = Zones::new(&nodes, |_, _| panic!("no table that large"));
        assert_eq!(zones.get(NodeId(4999), 0), NodeId(4999));
        assert_eq!(zones.get(NodeId(4999), 2), NodeId(1));
    }

    /// Two sockets of two nodes: 12 within a socket, 32 across; nodes 0 and 3 have no memory. Owner 0: node 1 at 12,
    /// which gets a load as the first that is not as far as the owner itself, then 2 at 32, with a load; 3 stands last.
    /// Owner 1: itself, then 2 (32): a load. Owner 2: itself, then 1: a load. Owner 3: 2 before 1.
    #[test]
    fn memoryless_nodes_are_on_no_list() {
        let distance = |a: u32, b: u32| match () {
            () if a == b => 10,
            () if a / 2 == b / 2 => 12,
            () => 32,
        };
        let mut nodes = Nodes::even(4, Bytes(1));
        (nodes.0[0].capacity, nodes.0[3].capacity) = (Bytes(0), Bytes(0));
        assert_eq!(lists_by(&nodes, distance), [[0, 1, 2, 3], [1, 2, 0, 3], [2, 1, 3, 0], [3, 2, 1, 0]]);
        assert_eq!(nodes.nearest_memory(|a, b| distance(a.0, b.0)), [1, 1, 2, 2].map(NodeId));
    }

    /// Builds the lists one node at a time, with the sums that the kernel forms. A list has its owner, or, if the owner
    /// has no memory, the nodes with memory alone.
    fn one_by_one(nodes: &Nodes, distance: &[u64]) -> Vec<Vec<u32>> {
        let number = nodes.0.len() as u32;
        let mut load = vec![0u64; number as usize];
        let mut all = Vec::new();
        for owner in 0..number {
            let far = |node: u32| distance[(owner * number + node) as usize];
            let is_node = |node: &u32| nodes.0[*node as usize].capacity.0 > 0;
            let (mut list, mut before) = (vec![], owner);
            list.extend(Some(owner).filter(is_node));
            let most = (0..number).filter(is_node).count();
            while list.len() < most {
                let value = |n: u32| {
                    let penalty = u64::from(n < owner) + u64::from(nodes.0[n as usize].has_processors);
                    (far(n) + penalty) * u64::from(MAX_NODES) + load[n as usize]
                };
                let mut best = None;
                for node in (0..number).filter(|node| !list.contains(node)).filter(is_node) {
                    if best.is_none_or(|best| value(node) < value(best)) {
                        best = Some(node);
                    }
                }
                let best = best.unwrap();
                load[best as usize] += u64::from(far(best) != far(before));
                list.push(best);
                before = best;
            }
            all.push(list);
        }
        all
    }

    proptest! {
        /// Sorting gives the same lists as picking one node after the other, symmetric table or not.
        #[test]
        fn sort_equals_kernel_selection(
            nodes in 1u32..9,
            alone in 0u32..9,
            empty in 0u32..512,
            table in prop::collection::vec(10u64..14, 64),
        ) {
            let table: Vec<u64> = (0..nodes * nodes)
                .map(|at| if at / nodes == at % nodes { 10 } else { table[at as usize] + 5 })
                .collect();
            let with_processors = nodes - alone.min(nodes - 1);
            let memory_only = (with_processors..nodes).map(|_| Bytes(1));
            let mut all = Nodes::even(with_processors, Bytes(1)).and_memory_only(memory_only);
            for node in (0..nodes).filter(|node| empty >> node & 1 == 1) {
                all.0[node as usize].capacity = Bytes(0);
            }
            let mut found = lists_by(&all, |a, b| table[(a * nodes + b) as usize]);
            for list in &mut found {
                list.retain(|node| all.0[*node as usize].capacity.0 > 0);
            }
            prop_assert_eq!(found, one_by_one(&all, &table));
        }
    }
}
