//! Pages dealt out to nodes in turns, counted in closed form.

use numalab_machine::NodeId;
use std::ops::Range;
use std::sync::Arc;

/// Page `k` of a region is on `nodes[(k >> shift) % nodes.len()]`. Counting from the region's start makes
/// pieces of one cycle equal wherever they begin, so they split and merge for nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Cycle {
    /// A node may come several times, where it stands in for a full one.
    pub nodes: Arc<[NodeId]>,
    /// log2 of the pages of one turn: 1 page, or a transparent huge page in base pages.
    pub shift: u32,
}

impl Cycle {
    fn len(&self) -> u64 {
        self.nodes.len() as u64
    }

    /// Index of the node whose turn a page is.
    pub fn turn(&self, page: u64) -> usize {
        ((page >> self.shift) % self.len()) as usize
    }

    /// Pages before `page` that are turns of a position: full rounds, and what the last one has of it.
    fn before(&self, position: usize, page: u64) -> u64 {
        let step = 1 << self.shift;
        let round = self.len() << self.shift;
        let rest = (page % round).saturating_sub(step * position as u64);
        page / round * step + rest.min(step)
    }

    /// Calls `visit` with the node and the number of pages of every position that has any.
    pub fn tally(&self, pages: &Range<u64>, mut visit: impl FnMut(NodeId, u64)) {
        for (position, &node) in self.nodes.iter().enumerate() {
            let count = self.before(position, pages.end) - self.before(position, pages.start);
            if count > 0 {
                visit(node, count);
            }
        }
    }

    /// Number of the pages that are on a node.
    pub fn on(&self, pages: &Range<u64>, node: NodeId) -> u64 {
        let mut sum = 0;
        self.tally(pages, |which, count| sum += if which == node { count } else { 0 });
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Closed form and counting agree.
        #[test]
        fn closed_form_equals_counting(
            nodes in prop::collection::vec(0u32..4, 1..6), shift in 0u32..3, start in 0u64..60, length in 0u64..60,
        ) {
            let cycle = Cycle { nodes: nodes.iter().copied().map(NodeId).collect(), shift };
            let pages = start..start + length;
            for node in (0..4).map(NodeId) {
                let counted = pages.clone().filter(|page| cycle.nodes[cycle.turn(*page)] == node).count();
                prop_assert_eq!(cycle.on(&pages, node), counted as u64);
            }
        }
    }
}
