//! How full every node is, and where a page goes when its node is full.

use numalab_machine::{Fabric, NodeId};
use std::fmt;

/// Free pages by node.
#[derive(Clone, Debug)]
pub struct Nodes {
    free: Vec<u64>,
}

/// No node has room for another page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryFull {
    /// Pages that found no room.
    pub pages: u64,
}

impl fmt::Display for MemoryFull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the memory of all nodes is full with {} pages still to be placed", self.pages)
    }
}

impl std::error::Error for MemoryFull {}

impl Nodes {
    /// So many empty nodes of so many pages each.
    pub fn new(nodes: u32, pages_each: u64) -> Nodes {
        Nodes { free: vec![pages_each; nodes as usize] }
    }

    /// Takes `pages` pages as close to `wanted` as possible: from it while it has room, then from the
    /// nearest node with room (ties: the lowest number), as Linux walks a node's zone list. Calls
    /// `place` for each piece.
    pub fn take(
        &mut self,
        fabric: &Fabric,
        wanted: NodeId,
        pages: u64,
        mut place: impl FnMut(u64, NodeId),
    ) -> Result<(), MemoryFull> {
        let mut left = pages;
        let mut node = wanted;
        while left > 0 {
            let free = &mut self.free[node.0 as usize];
            let piece = left.min(*free);
            if piece > 0 {
                *free -= piece;
                left -= piece;
                place(piece, node);
            }
            if left > 0 {
                node = (0..self.free.len() as u32)
                    .map(NodeId)
                    .filter(|candidate| self.free[candidate.0 as usize] > 0)
                    .min_by_key(|candidate| (fabric.line_latency(wanted, *candidate), *candidate))
                    .ok_or(MemoryFull { pages: left })?;
            }
        }
        Ok(())
    }
}
