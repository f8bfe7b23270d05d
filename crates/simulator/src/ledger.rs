//! Where every picosecond of every thread went.

use crate::flow_network::Pace;
use crate::origin::Blends;
use crate::outcome::ByNode;
use crate::plan::Segment;
use numalab_machine::NodeId;
use numalab_units::{Bytes, Span};

/// One thread's account. `compute + stall + overhead + idle` is the time of the phases so far.
#[derive(Clone, Debug, Default)]
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
    /// Bytes that memory or another socket's cache served.
    pub streamed: u64,
    /// Of these, from another node than the thread's.
    pub remote: u64,
    /// Bytes that the core's own caches served.
    pub cached: u64,
    /// Computing on these that takes place while the streams that follow are waited for.
    owed: Span,
}

impl Ledger {
    /// A stream to a thread on `node` that took `took`, of which `pace.compute` a byte was computing and
    /// the rest waiting.
    pub fn streamed(&mut self, segment: &Segment, took: Span, pace: Pace, node: NodeId, blends: &Blends) {
        let faulting = self.paced(segment.bytes, took, pace);
        self.streamed += segment.bytes;
        blends.divide(segment.origin, segment.bytes, |home, bytes| {
            self.bytes_by_node.add(home.0, bytes);
            self.remote += if home == node { 0 } else { bytes };
        });
        blends.divide(segment.origin, (took - faulting).0, |home, took| self.time_by_node.add(home.0, took));
    }

    /// Bytes from one of the core's own caches, beside `hidden` while others are waited for.
    pub fn cached(&mut self, bytes: u64, took: Span, hidden: Span, pace: Pace) {
        let compute = Span::from_secs_ceil(pace.compute * bytes as f64);
        let alone = Span::from_secs_ceil(pace.alone * bytes as f64);
        self.sequential += alone.max(hidden) - hidden;
        self.compute += compute.min(took);
        self.stall += took - compute.min(took);
        self.owed += (compute - compute.min(took)).min(hidden);
        self.cached += bytes;
    }

    /// Returns what of it went into faults.
    fn paced(&mut self, bytes: u64, took: Span, pace: Pace) -> Span {
        let faulting = Span::from_secs_ceil(pace.faulting * bytes as f64).min(took);
        let compute = Span::from_secs_ceil(pace.compute * bytes as f64).min(took - faulting);
        self.sequential += Span::from_secs_ceil(pace.alone * bytes as f64);
        self.overhead += faulting;
        self.compute += compute;
        let stall = took - faulting - compute;
        let owed = self.owed.min(stall);
        self.owed -= owed;
        self.compute += owed;
        self.stall += stall - owed;
        faulting
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
        Bytes(self.streamed + self.cached)
    }
}
