//! Where every picosecond of every thread went.

use crate::plan::Segment;
use numalab_results::ByNode;
use numalab_units::{Bytes, Span};

/// One thread's account. `compute + stall + overhead + idle` is the time of the phases so far.
#[derive(Clone, Debug)]
pub(crate) struct Ledger {
    pub compute: Span,
    pub stall: Span,
    pub overhead: Span,
    pub idle: Span,
    pub packages: u64,
    pub stolen: u64,
    pub bytes_by_node: ByNode,
    pub time_by_node: ByNode,
}

impl Ledger {
    pub fn new(nodes: u32) -> Ledger {
        Ledger {
            compute: Span::ZERO,
            stall: Span::ZERO,
            overhead: Span::ZERO,
            idle: Span::ZERO,
            packages: 0,
            stolen: 0,
            bytes_by_node: ByNode::new(nodes),
            time_by_node: ByNode::new(nodes),
        }
    }

    /// A stream that took `took`, of which `seconds_per_byte` was computing and the rest waiting.
    pub fn streamed(&mut self, segment: &Segment, took: Span, seconds_per_byte: f64) {
        let compute = Span::from_secs_ceil(seconds_per_byte * segment.bytes as f64).min(took);
        self.compute += compute;
        self.stall += took - compute;
        self.bytes_by_node.add(segment.home.0, segment.bytes);
        self.time_by_node.add(segment.home.0, took.0);
    }

    /// Time accounted so far.
    pub fn total(&self) -> Span {
        self.compute + self.stall + self.overhead + self.idle
    }

    /// Bytes accessed so far.
    pub fn bytes(&self) -> Bytes {
        Bytes(self.bytes_by_node.total())
    }
}
