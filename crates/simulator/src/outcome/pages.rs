//! What happened to pages that nodes share in software.

use numalab_dsm::{NodeCounts, Stop};

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

/// The shared pages of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageSharing {
    /// One for each node.
    pub nodes: Vec<NodeCounts>,
    /// Stops of each thread by their parts.
    pub stops: Vec<Stop>,
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
