//! The page map of one region, stored as runs: a terabyte placed in order is a handful of runs.

use numalab_machine::NodeId;
use std::collections::BTreeMap;
use std::ops::Range;

/// Which node holds each page of a region.
#[derive(Clone, Debug)]
pub struct PageMap {
    /// log2 of the page size.
    shift: u32,
    /// Bytes of the region.
    size: u64,
    /// First page of a run → its end and its node. Runs are disjoint, not empty, and merged.
    runs: BTreeMap<u64, (u64, NodeId)>,
    placed: u64,
    /// The runs once every page has a node, as ends and nodes in order: quicker to look up.
    complete: Vec<(u64, NodeId)>,
}

impl PageMap {
    /// A region of `size` bytes, none of its pages placed. `page` is a power of two.
    pub fn new(size: u64, page: u64) -> PageMap {
        PageMap { shift: page.trailing_zeros(), size, runs: BTreeMap::new(), placed: 0, complete: Vec::new() }
    }

    /// Pages of the region.
    pub fn pages(&self) -> u64 {
        self.size.div_ceil(1 << self.shift)
    }

    /// Pages that have a node.
    pub fn placed(&self) -> u64 {
        self.placed
    }

    /// Whether every page has a node.
    pub fn complete(&self) -> bool {
        self.placed == self.pages()
    }

    /// Number of runs.
    pub fn runs(&self) -> usize {
        self.runs.len()
    }

    /// The pages that hold a range of bytes.
    fn span(&self, bytes: Range<u64>) -> Range<u64> {
        debug_assert!(bytes.end <= self.size);
        if bytes.is_empty() { 0..0 } else { bytes.start >> self.shift..((bytes.end - 1) >> self.shift) + 1 }
    }

    /// The runs of pages in a range of bytes that have no node yet.
    pub fn untouched(&self, bytes: Range<u64>) -> Vec<Range<u64>> {
        let span = self.span(bytes);
        let mut gaps = Vec::new();
        let mut at = span.start;
        self.each_run(span.clone(), |run, _| {
            if run.start > at {
                gaps.push(at..run.start);
            }
            at = run.end;
        });
        if at < span.end {
            gaps.push(at..span.end);
        }
        gaps
    }

    /// Gives pages that have none a node.
    pub fn place(&mut self, pages: Range<u64>, node: NodeId) {
        debug_assert!(!pages.is_empty());
        let Range { mut start, mut end } = pages;
        self.placed += end - start;
        // Merging with equal neighbours keeps the map as small as the placement is regular.
        if let Some((&before, &(its_end, its_node))) = self.runs.range(..start).next_back() {
            debug_assert!(its_end <= start, "a page is placed once");
            if its_end == start && its_node == node {
                start = before;
            }
        }
        if let Some(&(its_end, its_node)) = self.runs.get(&end)
            && its_node == node
        {
            self.runs.remove(&end);
            end = its_end;
        }
        self.runs.insert(start, (end, node));
        if self.complete() {
            self.complete = self.runs.values().copied().collect();
        }
    }

    /// Calls `visit` with the node and the number of bytes of every piece of a range, in order.
    pub fn homes(&self, bytes: Range<u64>, mut visit: impl FnMut(NodeId, u64)) {
        let (shift, span) = (self.shift, self.span(bytes.clone()));
        self.each_run(span, |run, node| {
            let start = (run.start << shift).max(bytes.start);
            let end = (run.end << shift).min(bytes.end);
            visit(node, end - start);
        });
    }

    fn each_run(&self, span: Range<u64>, mut visit: impl FnMut(Range<u64>, NodeId)) {
        if span.is_empty() {
            return;
        }
        if !self.complete.is_empty() {
            let mut start = span.start;
            let first = self.complete.partition_point(|run| run.0 <= start);
            for &(end, node) in &self.complete[first..] {
                visit(start..end.min(span.end), node);
                if end >= span.end {
                    return;
                }
                start = end;
            }
        }
        let first = self.runs.range(..=span.start).next_back().map_or(span.start, |(start, _)| *start);
        for (&start, &(end, node)) in self.runs.range(first..span.end) {
            let piece = start.max(span.start)..end.min(span.end);
            if !piece.is_empty() {
                visit(piece, node);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn homes(map: &PageMap, bytes: Range<u64>) -> Vec<(u32, u64)> {
        let mut found = Vec::new();
        map.homes(bytes, |node, bytes| found.push((node.0, bytes)));
        found
    }

    fn gaps(map: &PageMap, bytes: Range<u64>) -> Vec<(u64, u64)> {
        map.untouched(bytes).into_iter().map(|gap| (gap.start, gap.end)).collect()
    }

    /// Pages of 4096 bytes: bytes 0..10000 are pages 0, 1 and 2. Node 1 takes 0 and 1, node 2 takes 2.
    /// Bytes 4000..10000 are then 4192 bytes (to 8192) on node 1 and 1808 on node 2.
    #[test]
    fn a_slice_knows_its_homes() {
        let mut map = PageMap::new(10_000, 4096);
        assert_eq!(map.pages(), 3);
        assert_eq!(gaps(&map, 4000..10_000), [(0, 3)]);
        map.place(0..2, NodeId(1));
        assert_eq!(gaps(&map, 4000..10_000), [(2, 3)]);
        map.place(2..3, NodeId(2));
        assert_eq!(homes(&map, 4000..10_000), [(1, 4192), (2, 1808)]);
        assert!(map.complete());
        assert_eq!(gaps(&map, 0..10_000), []);
        assert_eq!(homes(&map, 5..5), []);
    }

    proptest! {
        /// Any order of touching leaves the map and a plain array of pages in agreement.
        #[test]
        fn agrees_with_a_plain_array(
            touches in prop::collection::vec((0u64..5000, 0u64..1500, 0u32..4), 1..60),
        ) {
            let (size, page) = (5000u64, 64u64);
            let mut map = PageMap::new(size, page);
            let mut plain = vec![None; size.div_ceil(page) as usize];
            for (start, length, node) in touches {
                let bytes = start..(start + length).min(size);
                for gap in map.untouched(bytes.clone()) {
                    map.place(gap, NodeId(node));
                }
                for byte in bytes.clone() {
                    plain[(byte / page) as usize].get_or_insert(node);
                }
                prop_assert_eq!(homes(&map, bytes.clone()).iter().map(|home| home.1).sum::<u64>(), bytes.end - bytes.start);
                for byte in bytes.step_by(17) {
                    prop_assert_eq!(homes(&map, byte..byte + 1), vec![(plain[(byte / page) as usize].unwrap(), 1)]);
                }
                prop_assert_eq!(map.placed(), plain.iter().flatten().count() as u64);
            }
            let changes = plain.windows(2).filter(|pair| pair[0] != pair[1]).count();
            prop_assert!(map.runs() <= changes + 1);
        }
    }
}
