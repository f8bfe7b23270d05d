use crate::Home;
use crate::cycle::Cycle;
use numalab_machine::NodeId;
use std::ops::Range;
use std::sync::Arc;

// Glossary: page run: Consecutive pages with the same home or the same cycle of homes, kept as one entry.
/// Properties that all pages of a run share: their homes and the faults that the next access takes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PageRun {
    pub home: PageHomes,
    /// True for transparent huge pages. A run of huge pages begins and ends at borders of huge pages.
    pub huge: bool,
    /// True for pages marked for next touch: the next access moves a marked page to its thread's node.
    pub marked: bool,
    /// True for pages unmapped by the balancing scanner: the next access to an unmapped page takes a hint fault.
    pub unmapped: bool,
    /// Node of the latest hint fault on the pages; `None` before the first fault.
    pub hinted: Option<NodeId>,
    /// True if the hand of `kswapd` has passed the pages since their latest access.
    pub idle: bool,
    /// Time in milliseconds at which the scanner unmapped the pages, if they are on slower memory; otherwise 0.
    pub scanned: u32,
}

impl PageRun {
    /// Properties of new pages, without any flag.
    pub fn fresh(home: PageHomes, huge: bool) -> PageRun {
        PageRun { home, huge, marked: false, unmapped: false, hinted: None, idle: false, scanned: 0 }
    }

    /// True if the next access has a flag to handle: a mark, a hint fault or the idle flag.
    pub fn flagged(&self) -> bool {
        self.marked || self.unmapped || self.idle
    }
}

/// Placement of a run's pages.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PageHomes {
    Node(NodeId),
    Cycle(Cycle),
}

impl PageHomes {
    /// Round-robin placement in turns of `step` pages, a power of two; a single node if all entries are
    /// equal.
    pub fn turns(nodes: &Arc<[NodeId]>, step: u64) -> PageHomes {
        match nodes.windows(2).all(|pair| pair[0] == pair[1]) {
            true => PageHomes::Node(nodes[0]),
            false => PageHomes::Cycle(Cycle { nodes: Arc::clone(nodes), shift: step.trailing_zeros() }),
        }
    }

    /// Calls `visit` with every node that holds some of the pages, and with the number of its pages.
    pub fn tally(&self, pages: &Range<u64>, mut visit: impl FnMut(NodeId, u64)) {
        match self {
            PageHomes::Node(node) if !pages.is_empty() => visit(*node, pages.end - pages.start),
            PageHomes::Node(_) => {}
            PageHomes::Cycle(cycle) => cycle.tally(pages, visit),
        }
    }

    /// Number of the pages `pages` that are on `node`.
    pub fn on(&self, pages: &Range<u64>, node: NodeId) -> u64 {
        match self {
            PageHomes::Node(home) => {
                if *home == node {
                    pages.end - pages.start
                } else {
                    0
                }
            }
            PageHomes::Cycle(cycle) => cycle.on(pages, node),
        }
    }

    /// Calls `visit` with the pieces of a byte range of the region, whose pages have `1 << shift` bytes. Adjacent
    /// whole turns of a cycle are one piece; a single or partial turn is a piece on one node.
    pub fn pieces(&self, bytes: Range<u64>, shift: u32, visit: &mut impl FnMut(Home<'_>, u64)) {
        let cycle = match self {
            PageHomes::Node(node) => return visit(Home::Node(*node), bytes.end - bytes.start),
            PageHomes::Cycle(cycle) => cycle,
        };
        let shift = shift + cycle.shift;
        let turn = 1 << shift;
        let mut at = bytes.start;
        while at < bytes.end {
            let first = cycle.turn(at >> (shift - cycle.shift));
            let whole = if at & (turn - 1) == 0 { (bytes.end - at) >> shift } else { 0 };
            let end =
                if whole > 1 { at + (whole << shift) } else { bytes.end.min(((at >> shift) + 1) << shift) };
            let home = if whole > 1 {
                Home::Cycle { nodes: &cycle.nodes, first: first as u32, page: turn }
            } else {
                Home::Node(cycle.nodes[first])
            };
            visit(home, end - at);
            at = end;
        }
    }
}
