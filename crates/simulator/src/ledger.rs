//! Where every picosecond of every thread went.

use crate::lanes::Pace;
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
    /// What the thread's work takes alone, with local data.
    pub sequential: Span,
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
            sequential: Span::ZERO,
            packages: 0,
            stolen: 0,
            bytes_by_node: ByNode::new(nodes),
            time_by_node: ByNode::new(nodes),
        }
    }

    /// A stream that took `took`, of which `pace.compute` a byte was computing and the rest waiting.
    pub fn streamed(&mut self, segment: &Segment, took: Span, pace: Pace) {
        let bytes = segment.bytes as f64;
        let compute = Span::from_secs_ceil(pace.compute * bytes).min(took);
        self.sequential += Span::from_secs_ceil(pace.alone * bytes);
        self.compute += compute;
        self.stall += took - compute;
        self.bytes_by_node.add(segment.home.0, segment.bytes);
        self.time_by_node.add(segment.home.0, took.0);
    }

    /// Instructions that touch no memory.
    pub fn computed(&mut self, took: Span, core_mates: u32) {
        self.compute += took;
        self.sequential += Span(took.0 / u64::from(core_mates));
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
