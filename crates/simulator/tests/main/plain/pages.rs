//! Where every page is: an entry for each.

use crate::random::Case;
use numalab_machine::{Fabric, NodeId};
use numalab_program::RegionId;

/// No node has room.
#[derive(Debug)]
pub struct Full;

pub struct Pages<'a> {
    fabric: &'a Fabric,
    page: u64,
    regions: Vec<Vec<Option<NodeId>>>,
    free: Vec<u64>,
}

impl<'a> Pages<'a> {
    pub fn new(case: &Case, fabric: &'a Fabric) -> Pages<'a> {
        let page = case.machine.memory.page.0;
        let regions = case.workload.regions.iter();
        Pages {
            fabric,
            page,
            regions: regions.map(|region| vec![None; region.size.0.div_ceil(page) as usize]).collect(),
            free: vec![case.machine.memory.capacity.0 / page; fabric.nodes() as usize],
        }
    }

    /// Touches every page of a slice from `node`; returns the number of faults.
    pub fn touch(&mut self, region: RegionId, start: u64, end: u64, node: NodeId) -> Result<u64, Full> {
        let mut faults = 0;
        for (page, _) in pieces(start, end, self.page) {
            if self.regions[region.0][page].is_none() {
                self.regions[region.0][page] = Some(self.take(node)?);
                faults += 1;
            }
        }
        Ok(faults)
    }

    /// The nearest node with room, the lowest number first.
    fn take(&mut self, wanted: NodeId) -> Result<NodeId, Full> {
        let distance =
            |node: NodeId| if node == wanted { 0 } else { self.fabric.line_latency(wanted, node).0 };
        let roomy = (0..self.fabric.nodes()).filter(|node| self.free[*node as usize] > 0).map(NodeId);
        let nearest = roomy.min_by_key(|node| (distance(*node), *node)).ok_or(Full)?;
        self.free[nearest.0 as usize] -= 1;
        Ok(nearest)
    }

    /// The home of each page of a slice, and the bytes of the slice on it.
    pub fn homes(&self, region: RegionId, start: u64, end: u64) -> impl Iterator<Item = (NodeId, u64)> {
        let pages = &self.regions[region.0];
        pieces(start, end, self.page).map(|(page, bytes)| (pages[page].expect("touched before"), bytes))
    }
}

/// Pages of a slice, each with how many bytes of it are the slice's.
fn pieces(start: u64, end: u64, page: u64) -> impl Iterator<Item = (usize, u64)> {
    let pages = if start < end { start / page..end.div_ceil(page) } else { 0..0 };
    pages.map(move |at| (at as usize, end.min((at + 1) * page) - start.max(at * page)))
}
