//! Pages dealt to nodes round-robin, counted in closed form.

use numalab_machine::NodeId;
use std::ops::Range;
use std::sync::Arc;

/// Round-robin placement: page `k` of a region is on `nodes[(k >> shift) % nodes.len()]`. Since `k` counts from the
/// start of the region, pieces of one cycle are equal wherever they begin and can be split and merged freely.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Cycle {
    /// Nodes in the order of turns. A node is listed more than once if its weight is above 1, or if it takes the
    /// turns of a full node, too.
    pub nodes: Arc<[NodeId]>,
    /// log2 of the base pages per turn: 0 for base pages, or log2 of the base pages per transparent huge page.
    pub shift: u32,
}

impl Cycle {
    fn len(&self) -> u64 {
        self.nodes.len() as u64
    }

    /// Index into `nodes` for a page.
    pub fn turn(&self, page: u64) -> usize {
        ((page >> self.shift) % self.len()) as usize
    }

    /// Number of pages before `page` that belong to one position of the list: those of full rounds plus
    /// those of the last round.
    fn before(&self, position: usize, page: u64) -> u64 {
        let step = 1 << self.shift;
        let round = self.len() << self.shift;
        let rest = (page % round).saturating_sub(step * position as u64);
        page / round * step + rest.min(step)
    }

    /// Calls `visit` with the node and the number of pages of every position of the list that has pages in the range.
    /// A node that is listed twice is visited twice.
    pub fn tally(&self, pages: &Range<u64>, mut visit: impl FnMut(NodeId, u64)) {
        for (position, &node) in self.nodes.iter().enumerate() {
            let count = self.before(position, pages.end) - self.before(position, pages.start);
            if count > 0 {
                visit(node, count);
            }
        }
    }

    /// Number of pages of the range on a node.
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
