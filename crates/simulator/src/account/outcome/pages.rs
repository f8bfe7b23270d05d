//! Events of pages that nodes share in software.

use numalab_base::Span;
use numalab_dsm::{NodeCounts, PageRow, Stop};

/// Faults over pages by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageFaults {
    /// Read faults.
    pub read: u64,
    /// Write faults without a copy.
    pub write: u64,
    /// Write faults on a copy to read.
    pub upgrade: u64,
}

/// Activities of the threads of a node in a phase, all their time together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeTime {
    /// Computing.
    pub compute: Span,
    /// Stopped by faults.
    pub stop: Span,
    /// Waiting for others.
    pub idle: Span,
}

/// A phase over shared pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PhaseSharing {
    /// One for each node with threads.
    pub nodes: Vec<NodeTime>,
    /// Different pages that several nodes wrote in it, each after a fault.
    pub written_by_several: u64,
}

impl NodeTime {
    fn each(&mut self, other: NodeTime, with: impl Fn(Span, Span) -> Span) {
        self.compute = with(self.compute, other.compute);
        self.stop = with(self.stop, other.stop);
        self.idle = with(self.idle, other.idle);
    }

    /// Adds to it.
    pub(crate) fn add(&mut self, other: NodeTime) {
        self.each(other, |sum, more| sum + more);
    }
}

impl PhaseSharing {
    /// The same so often. Pages are the same ones.
    pub(crate) fn times(&self, times: u64) -> PhaseSharing {
        let mut all = self.clone();
        all.nodes.iter_mut().for_each(|node| node.each(*node, |span, _| Span(times * span.0)));
        all
    }

    /// Adds what happened between two readings.
    pub(crate) fn grow(&mut self, before: &PhaseSharing, after: &PhaseSharing) {
        self.nodes.resize_with(self.nodes.len().max(after.nodes.len()), NodeTime::default);
        for (at, (sum, after)) in self.nodes.iter_mut().zip(&after.nodes).enumerate() {
            let mut more = *after;
            more.each(before.nodes.get(at).copied().unwrap_or_default(), |after, before| after - before);
            sum.add(more);
        }
        self.written_by_several = self.written_by_several.max(after.written_by_several);
    }
}

/// The shared pages of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageSharing {
    /// One for each node.
    pub nodes: Vec<NodeCounts>,
    /// Stops of each thread by their parts.
    pub stops: Vec<Stop>,
    /// The rows of pages that faults of nodes are counted by.
    pub rows: Vec<PageRow>,
}

impl PageFaults {
    /// Those of all nodes.
    pub(crate) fn of(nodes: &[NodeCounts]) -> PageFaults {
        let sum = |part: fn(&NodeCounts) -> u64| nodes.iter().map(part).sum();
        PageFaults {
            read: sum(|node| node.read_faults),
            write: sum(|node| node.write_faults),
            upgrade: sum(|node| node.upgrades),
        }
    }

    pub(crate) fn times(self, times: u64) -> PageFaults {
        PageFaults { read: times * self.read, write: times * self.write, upgrade: times * self.upgrade }
    }

    /// Adds what happened between two readings.
    pub(crate) fn grow(&mut self, before: PageFaults, after: PageFaults) {
        self.read += after.read - before.read;
        self.write += after.write - before.write;
        self.upgrade += after.upgrade - before.upgrade;
    }
}
