//! Free memory of every node, and the choice of the node for a new page.

use crate::cycle::Cycle;
use crate::tiers::Tiers;
use crate::zones::Zones;
use numalab_base::{Bytes, Snapshot};
use numalab_machine::NodeId;
use std::ops::Range;
use std::sync::Arc;

/// All nodes, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nodes(pub Vec<NodeMemory>);

/// Memory of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeMemory {
    /// Bytes; 0 for a memoryless node, on which no page is ever placed.
    pub capacity: Bytes,
    /// True if the node has a processor in use.
    pub has_processors: bool,
}

impl Nodes {
    /// Nodes with processors and equal memory.
    pub fn even(nodes: u32, capacity: Bytes) -> Nodes {
        Nodes(vec![NodeMemory { capacity, has_processors: true }; nodes as usize])
    }

    /// Adds nodes without processors.
    #[must_use]
    pub fn and_memory_only(mut self, capacities: impl IntoIterator<Item = Bytes>) -> Nodes {
        let alone = |capacity| NodeMemory { capacity, has_processors: false };
        self.0.extend(capacities.into_iter().map(alone));
        self
    }

    /// For each node the node that takes its first page: the node itself, or the first with memory on its zone list.
    /// `distance` as in [`PageMap::new`](crate::PageMap::new).
    pub fn nearest_memory(&self, distance: impl Fn(NodeId, NodeId) -> u64 + Send + Sync) -> Vec<NodeId> {
        let mut room = Room::new(self, distance);
        (0..room.nodes()).map(|node| room.near(NodeId(node))).collect()
    }
}

/// Free bytes of each node, and the zone lists, which name the fallback nodes of a full node.
#[derive(Clone, Debug)]
pub(crate) struct Room<'a> {
    /// Bytes of memory of each node.
    capacities: Vec<u64>,
    free: Vec<u64>,
    zones: Zones<'a>,
    /// Memory tiers; `None` if pages do not move between tiers.
    pub tiers: Option<Box<Tiers>>,
}

impl<'a> Room<'a> {
    pub fn new(nodes: &Nodes, distance: impl Fn(NodeId, NodeId) -> u64 + Send + Sync + 'a) -> Room<'a> {
        let capacities: Vec<u64> = nodes.0.iter().map(|node| node.capacity.0).collect();
        let zones = Zones::new(nodes, distance);
        Room { free: capacities.clone(), capacities, zones, tiers: None }
    }

    /// Bytes of memory of each node, by node number.
    pub fn capacities(&self) -> &[u64] {
        &self.capacities
    }

    /// The node that takes the first page of a thread on `node`: `node` itself, or the first on its zone list that has
    /// memory.
    pub fn near(&mut self, node: NodeId) -> NodeId {
        let has_memory = |node: NodeId| self.capacities[node.0 as usize] > 0;
        if has_memory(node) {
            return node;
        }
        let zones = &mut self.zones;
        let mut list = (0..self.capacities.len() as u32).map(|index| zones.get(node, index));
        list.find(|node| has_memory(*node)).unwrap_or(node)
    }

    pub fn nodes(&self) -> u32 {
        self.free.len() as u32
    }

    pub fn free(&self, node: NodeId) -> u64 {
        self.free[node.0 as usize]
    }

    /// Entry `index` of a node's zone list; entry 0 is the node itself.
    pub fn zone(&mut self, owner: NodeId, index: u32) -> NodeId {
        self.zones.get(owner, index)
    }

    pub fn snapshot(&self, into: &mut Snapshot) {
        let Room { capacities: _, free, zones: _, tiers } = self;
        into.add(free);
        if let Some(tiers) = tiers {
            tiers.snapshot(into);
        }
    }

    pub fn used(&self, node: NodeId) -> u64 {
        self.capacities[node.0 as usize] - self.free[node.0 as usize]
    }

    /// Number of pages of `page` bytes that a node has room for.
    pub fn fits(&self, node: NodeId, page: u64) -> u64 {
        self.free[node.0 as usize] / page
    }

    pub fn take(&mut self, node: NodeId, bytes: u64) {
        self.free[node.0 as usize] -= bytes;
    }

    pub fn give(&mut self, node: NodeId, bytes: u64) {
        self.free[node.0 as usize] += bytes;
    }

    /// Takes `pages` pages of `page` bytes along the zone list of `from`, from each node until it is full. With
    /// `allowed`, uses only nodes of this sorted set. With `stay`, uses only `from`. Calls `place` for each node used
    /// and returns the number of pages that did not fit.
    pub fn fill(
        &mut self,
        from: NodeId,
        allowed: Option<&[NodeId]>,
        stay: bool,
        page: u64,
        pages: u64,
        mut place: impl FnMut(NodeId, u64),
    ) -> u64 {
        let mut left = pages;
        let length = if stay { 1 } else { self.free.len() as u32 };
        for index in 0..length {
            if left == 0 {
                break;
            }
            let node = self.zones.get(from, index);
            let piece = left.min(self.fits(node, page));
            if piece > 0 && allowed.is_none_or(|nodes| nodes.binary_search(&node).is_ok()) {
                self.take(node, piece * page);
                left -= piece;
                place(node, piece);
            }
        }
        left
    }

    /// Takes pages round-robin: page `k` from `nodes[k % nodes.len()]`, or from the first node of that node's zone
    /// list with room. Calls `place` with each range of pages that shares one list of nodes. Returns the first page
    /// that did not fit.
    pub fn spread(
        &mut self,
        nodes: &Arc<[NodeId]>,
        pages: Range<u64>,
        page: u64,
        mut place: impl FnMut(Range<u64>, &Arc<[NodeId]>),
    ) -> u64 {
        let Range { mut start, end } = pages;
        while start < end {
            let Some(list) = self.stand_ins(nodes, page) else { break };
            let piece = start..end.min(start.saturating_add(self.lasts(&list, start, page)));
            Cycle { nodes: Arc::clone(&list), shift: 0 }
                .tally(&piece, |node, pages| self.take(node, pages * page));
            start = piece.end;
            place(piece, &list);
        }
        start
    }

    /// The list `nodes` with every full node replaced by the first node of its zone list that has room. `None` if a
    /// node has no replacement.
    fn stand_ins(&mut self, nodes: &Arc<[NodeId]>, page: u64) -> Option<Arc<[NodeId]>> {
        if nodes.iter().all(|node| self.fits(*node, page) > 0) {
            return Some(Arc::clone(nodes));
        }
        let Room { free, zones, .. } = self;
        let mut first_with_room = |from: NodeId| {
            let mut list = (0..free.len() as u32).map(|index| zones.get(from, index));
            list.find(|node| free[node.0 as usize] >= page)
        };
        nodes.iter().map(|node| first_with_room(*node)).collect()
    }

    /// Number of pages from `start` on that can go to a list before a node is full. A node that is
    /// listed `often` times and has room for `r` pages fails at its `r`-th turn, counted from 0. Its
    /// turns `i`, `i + often`, ... are at the same position, one round apart.
    fn lasts(&self, list: &[NodeId], start: u64, page: u64) -> u64 {
        let mut often = vec![0u64; self.free.len()];
        for node in list {
            often[node.0 as usize] += 1;
        }
        let mut seen = vec![0u64; self.free.len()];
        let length = list.len() as u64;
        let turns = (0..length).map(|offset| {
            let node = list[((start % length + offset) % length) as usize];
            let (seen, often) = (&mut seen[node.0 as usize], often[node.0 as usize]);
            let rounds = self.fits(node, page).saturating_sub(*seen).div_ceil(often);
            *seen += 1;
            rounds.saturating_mul(length).saturating_add(offset)
        });
        turns.min().unwrap_or(0)
    }
}
