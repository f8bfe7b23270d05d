//! Home of every page, in an array with one entry for each page.

use crate::random::Case;
use numalab_machine::{Fabric, NodeId};
use numalab_workload::RegionId;

/// Error: no node has room for a page.
#[derive(Debug)]
pub struct Full;

pub struct Pages {
    page: u64,
    regions: Vec<Vec<Option<NodeId>>>,
    free: Vec<u64>,
    zones: Vec<Vec<usize>>,
}

impl Pages {
    pub fn new(case: &Case, fabric: &Fabric) -> Pages {
        let page = case.machine.memory.page.0;
        let regions = case.workload.regions.iter();
        Pages {
            page,
            regions: regions.map(|region| vec![None; region.size.0.div_ceil(page) as usize]).collect(),
            free: vec![case.machine.memory.capacity.0 / page; fabric.nodes() as usize],
            zones: zones(fabric),
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

    /// First node with room in the zone list of the wanted node.
    fn take(&mut self, wanted: NodeId) -> Result<NodeId, Full> {
        let list = &self.zones[wanted.0 as usize];
        let roomy = *list.iter().find(|node| self.free[**node] > 0).ok_or(Full)?;
        self.free[roomy] -= 1;
        Ok(NodeId(roomy as u32))
    }

    /// Homes of a slice in order, each with the slice's bytes on it. A single entry has all homes if they alternate
    /// (on average, more than four runs of pages have the same home) or are accessed in random order.
    pub fn origins(&self, region: RegionId, start: u64, end: u64, scattered: bool) -> Vec<(Parts, u64)> {
        let pages = &self.regions[region.0];
        let mut bytes_of: Vec<(NodeId, u64)> = Vec::new();
        let (mut runs, mut last) = (0, None);
        for (page, bytes) in pieces(start, end, self.page) {
            let home = pages[page].expect("touched before");
            runs += usize::from(last != Some(home));
            last = Some(home);
            match bytes_of.iter_mut().find(|entry| entry.0 == home) {
                Some(entry) => entry.1 += bytes,
                None => bytes_of.push((home, bytes)),
            }
        }
        if bytes_of.len() < 2 || !scattered && runs <= 4 * bytes_of.len() {
            return bytes_of.into_iter().map(|(home, bytes)| (vec![(home, 1)], bytes)).collect();
        }
        let total: u64 = bytes_of.iter().map(|entry| entry.1).sum();
        bytes_of.sort();
        // In 4096ths, and at least one of them: this rounding is part of the model.
        let part = |bytes: u64| (bytes as f64 / total as f64 * 4096.0).round().max(1.0) as u64;
        vec![(bytes_of.iter().map(|&(home, bytes)| (home, part(bytes))).collect(), total)]
    }
}

/// Nodes that serve a slice at the same time, each with its part as a whole number.
pub type Parts = Vec<(NodeId, u64)>;

/// Pages of a slice, each with the number of the slice's bytes on it.
fn pieces(start: u64, end: u64, page: u64) -> impl Iterator<Item = (usize, u64)> {
    let pages = if start < end { start / page..end.div_ceil(page) } else { 0..0 };
    pages.map(move |at| (at as usize, end.min((at + 1) * page) - start.max(at * page)))
}

/// Zone list of every node, made as in Linux: repeatedly append the nearest node that is not in the list yet. The
/// distance of a node to itself is 10; 1 is added to the distances of nodes with lower numbers than the owner. Of
/// equally near nodes, the one that heads the fewest groups of equal distance in earlier lists comes first.
fn zones(fabric: &Fabric) -> Vec<Vec<usize>> {
    let nodes = fabric.nodes() as usize;
    let latency = |a: usize, b: usize| fabric.line_latency(NodeId(b as u32), NodeId(a as u32)).0 as f64;
    let far = |from: usize, to: usize| (10.0 * latency(from, to) / latency(from, from)).round() as u64;
    let mut load = vec![0; nodes];
    (0..nodes)
        .map(|owner| {
            let mut list = vec![owner];
            while list.len() < nodes {
                let left = (0..nodes).filter(|node| !list.contains(node));
                let next = left
                    .min_by_key(|&node| (far(owner, node) + u64::from(node < owner), load[node], node))
                    .expect("some are left");
                if far(owner, next) != far(owner, list[list.len() - 1]) {
                    load[next] += 1;
                }
                list.push(next);
            }
            list
        })
        .collect()
}
