//! Copies of regions with the placement `replicate`: one region of the page map for each node.
//!
//! The copies are made before the measured phases: the threads of each node copy the region in equal parts. From then
//! on, a thread reads the copy of its node. Caches hold copies as they hold other regions, since a copy has addresses
//! of its own. A node that holds all pages of the region needs no copy.

use crate::engine::world::World;
use crate::error::SimulationError;
use numalab_base::Snapshot;
use numalab_machine::{Fabric, NodeId};
use numalab_memory::{PageMap, PagePolicy, PageSize};
use numalab_workload::{Placement, Region, RegionId, Workload};
use std::ops::Range;

/// Copies of all replicated regions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replicas {
    /// One entry for each region of the workload; empty if no region is replicated.
    regions: Vec<Option<Replicated>>,
}

/// One replicated region.
#[derive(Clone, Debug)]
struct Replicated {
    /// Size of the region, in bytes.
    size: u64,
    /// Copies by node.
    copies: Vec<Copy>,
}

#[derive(Clone, Debug)]
struct Copy {
    region: RegionId,
    /// True once threads read the copy.
    is_made: bool,
}

impl Replicas {
    /// Adds a region without pages to the page map for each node and replicated region. `page`: page size of a region.
    pub fn new(
        workload: &Workload,
        fabric: &Fabric,
        store: &mut PageMap<'_>,
        page: impl Fn(RegionId) -> PageSize,
    ) -> Replicas {
        if !workload.regions.iter().any(|region| region.placement == Placement::Replicate) {
            return Replicas::default();
        }
        let replicated = |(at, region): (usize, &Region)| {
            let mut copy = |_| {
                let copy = store.add(region.size, page(RegionId(at)), PagePolicy::FirstTouch);
                Copy { region: RegionId(copy), is_made: false }
            };
            (region.placement == Placement::Replicate).then(|| Replicated {
                size: region.size.0,
                copies: (0..fabric.nodes()).map(&mut copy).collect(),
            })
        };
        Replicas { regions: workload.regions.iter().enumerate().map(replicated).collect() }
    }

    /// Region whose pages a thread on `node` uses for accesses to `region`: the node's copy, or the region itself.
    pub fn located(&self, region: RegionId, node: NodeId) -> RegionId {
        let replicated = self.regions.get(region.0).and_then(Option::as_ref);
        let copy = replicated.and_then(|replicated| replicated.copies.get(node.0 as usize));
        copy.filter(|copy| copy.is_made).map_or(region, |copy| copy.region)
    }

    pub fn snapshot(&self, into: &mut Snapshot) {
        let copies = self.regions.iter().flatten().flat_map(|replicated| &replicated.copies);
        copies.for_each(|copy| into.add(&copy.is_made));
    }
}

impl World<'_> {
    /// Copy of `region` for the threads of `node`, and the bytes of the placed pages of a range by home. From now on the
    /// threads use the copy. `None` if they need none, since all pages are at `memory`, the node's own or nearest memory.
    pub fn replicate(
        &mut self,
        region: RegionId,
        bytes: Range<u64>,
        (node, memory): (NodeId, NodeId),
    ) -> Option<(RegionId, Vec<(NodeId, u64)>)> {
        let Replicated { size, copies } = self.replicas.regions.get(region.0)?.as_ref()?;
        // What the node's first thread has found holds for its others.
        let is_needed = copies.get(node.0 as usize)?.is_made
            || self.bytes_by_home(region, 0..*size).iter().any(|(home, _)| *home != memory);
        if !is_needed {
            return None;
        }
        let homes = self.bytes_by_home(region, bytes);
        let copy = self.replicas.regions[region.0].as_mut()?.copies.get_mut(node.0 as usize)?;
        copy.is_made = true;
        Some((copy.region, homes))
    }
}

/// Checks that no replicated region is written after its copies are made. `shares_pages`: true if the machine's nodes
/// share pages in software.
pub(crate) fn check(workload: &Workload, shares_pages: bool) -> Result<(), SimulationError> {
    for (at, region) in workload.regions.iter().enumerate() {
        if region.placement != Placement::Replicate {
            continue;
        }
        if shares_pages {
            return Err(SimulationError::CopiesOfSharedPages { region: region.name.clone() });
        }
        if let Some(phase) = workload.written_in(RegionId(at)) {
            let (region, phase) = (region.name.clone(), phase.name.clone());
            return Err(SimulationError::ReplicaWritten { region, phase });
        }
    }
    Ok(())
}

/// Parts of a region that the threads of a team copy: for each thread the start and the length. The threads of each
/// node copy the whole region.
pub(crate) fn parts(size: u64, page: u64, nodes: &[NodeId]) -> Vec<(u64, u64)> {
    let part = |at: usize| {
        let own = |node: &&NodeId| **node == nodes[at];
        let (before, all) = (nodes[..at].iter().filter(own).count(), nodes.iter().filter(own).count());
        let pages = size.div_ceil(page);
        let bound = |rank: usize| {
            let pages = u128::from(pages) * rank as u128 / all as u128;
            (pages as u64).saturating_mul(page).min(size)
        };
        (bound(before), bound(before + 1) - bound(before))
    };
    (0..nodes.len()).map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten pages of 4 bytes, the last one half used: two threads of node 0 copy five each, three of node 1 copy three,
    /// three and four.
    #[test]
    fn threads_of_each_node_copy_all() {
        let nodes = [0, 1, 0, 1, 1].map(NodeId);
        assert_eq!(parts(38, 4, &nodes), [(0, 20), (0, 12), (20, 18), (12, 12), (24, 14)]);
    }
}
