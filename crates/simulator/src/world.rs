//! What outlives a phase: where the pages are, and how full the nodes.

use numalab_machine::{Fabric, Machine, NodeId};
use numalab_memory::{MemoryFull, Nodes, PageMap};
use numalab_program::{RegionId, Workload};
use std::ops::Range;

#[derive(Clone, Debug)]
pub(crate) struct World {
    pages: Vec<PageMap>,
    nodes: Nodes,
}

impl World {
    /// Nothing touched yet.
    pub fn new(machine: &Machine, fabric: &Fabric, workload: &Workload) -> World {
        let page = machine.memory.page.0;
        World {
            pages: workload.regions.iter().map(|region| PageMap::new(region.size.0, page)).collect(),
            nodes: Nodes::new(fabric.nodes(), machine.memory.capacity.0 / page),
        }
    }

    /// A thread on `node` touches bytes of a region; returns how many pages faulted.
    pub fn touch(
        &mut self,
        fabric: &Fabric,
        region: RegionId,
        bytes: Range<u64>,
        node: NodeId,
    ) -> Result<u64, MemoryFull> {
        let map = &mut self.pages[region.0];
        if map.complete() {
            return Ok(0);
        }
        let mut faulted = 0;
        for gap in map.untouched(bytes) {
            faulted += gap.end - gap.start;
            let mut at = gap.start;
            self.nodes.take(fabric, node, gap.end - gap.start, |pages, home| {
                map.place(at..at + pages, home);
                at += pages;
            })?;
        }
        Ok(faulted)
    }

    /// Calls `visit` with every home of touched bytes and how many of them it holds.
    pub fn homes(&self, region: RegionId, bytes: Range<u64>, visit: impl FnMut(NodeId, u64)) {
        self.pages[region.0].homes(bytes, visit);
    }
}
