//! All regions of a process.

use crate::{Balancing, Home, MemoryFull, Moved, PageSize, Policy, Touched};
use numalab_machine::NodeId;
use numalab_units::{Bytes, Time};
use std::ops::Range;

/// The pages of all regions of a process, how full each node is, and the policies.
#[derive(Clone, Debug)]
pub struct Store {
    base_page: u64,
    free: Vec<u64>,
    regions: Vec<Plain>,
}

#[derive(Clone, Debug)]
struct Plain {
    page: u64,
    policy: Policy,
    pages: Vec<Option<NodeId>>,
}

impl Store {
    /// Empty nodes of `capacity_each` bytes. `base_page` is a power of two. `distance` is as the
    /// firmware's table says, row by row: it decides where a page goes when its node is full.
    pub fn new(
        nodes: u32,
        capacity_each: Bytes,
        base_page: Bytes,
        distance: impl Fn(NodeId, NodeId) -> u64,
    ) -> Store {
        let _ = distance(NodeId(0), NodeId(0));
        Store { base_page: base_page.0, free: vec![capacity_each.0; nodes as usize], regions: Vec::new() }
    }

    /// Adds a region without pages and returns its index: 0, 1, 2 in order.
    pub fn add(&mut self, size: Bytes, page: PageSize, policy: Policy) -> usize {
        let page = if let PageSize::Explicit(page) = page { page.0 } else { self.base_page };
        self.regions.push(Plain { page, policy, pages: vec![None; size.0.div_ceil(page) as usize] });
        self.regions.len() - 1
    }

    /// Changes the policy for pages still to come, as `mbind(2)` without `MPOL_MF_MOVE`.
    pub fn set_policy(&mut self, region: usize, policy: Policy) {
        self.regions[region].policy = policy;
    }

    /// Turns automatic balancing on.
    pub fn balancing(&mut self, _balancing: Balancing) {}

    /// Whether every page of a region has a node.
    pub fn complete(&self, region: usize) -> bool {
        self.regions[region].pages.iter().all(Option::is_some)
    }

    /// A thread on `node` accesses bytes of a region at `now`: places what has no node, moves what is
    /// marked for next touch, and takes hint faults.
    pub fn touch(
        &mut self,
        region: usize,
        bytes: Range<u64>,
        node: NodeId,
        _now: Time,
    ) -> Result<Touched, MemoryFull> {
        let region = &mut self.regions[region];
        let mut touched = Touched::default();
        if bytes.is_empty() {
            return Ok(touched);
        }
        for page in bytes.start / region.page..bytes.end.div_ceil(region.page) {
            if region.pages[page as usize].is_none() {
                let wanted = match &region.policy {
                    Policy::FirstTouch => node,
                    Policy::Bind(nodes) => nodes[0],
                    Policy::Preferred(node) => *node,
                    Policy::Interleave(nodes) => nodes[page as usize % nodes.len()],
                };
                let home = std::iter::once(wanted.0)
                    .chain(0..self.free.len() as u32)
                    .find(|node| self.free[*node as usize] >= region.page)
                    .ok_or(MemoryFull { pages: 1 })?;
                self.free[home as usize] -= region.page;
                region.pages[page as usize] = Some(NodeId(home));
                touched.fresh.pages += 1;
                touched.fresh.zeroed.0 += region.page;
            }
        }
        Ok(touched)
    }

    /// Calls `visit` with the home and the bytes of every placed piece of a range, in address order.
    pub fn homes(&self, region: usize, bytes: Range<u64>, mut visit: impl FnMut(Home<'_>, u64)) {
        let region = &self.regions[region];
        let mut at = bytes.start;
        while at < bytes.end {
            let page = at / region.page;
            let end = ((page + 1) * region.page).min(bytes.end);
            if let Some(node) = region.pages[page as usize] {
                visit(Home::Node(node), end - at);
            }
            at = end;
        }
    }

    /// Moves the pages of a range to one node, as `move_pages(2)`. Pages without a node are left alone,
    /// and so are those that the node has no room for.
    pub fn fetch(&mut self, _region: usize, _bytes: Range<u64>, _to: NodeId) -> Result<Moved, MemoryFull> {
        Ok(Moved::default())
    }

    /// Marks the placed pages of a range: the next access moves them to its thread's node. Returns how
    /// many pages are now marked that were not.
    pub fn mark(&mut self, _region: usize, _bytes: Range<u64>) -> u64 {
        0
    }

    /// Frees all pages of a region. It may be touched anew.
    pub fn release(&mut self, region: usize) {
        self.regions[region].pages.fill(None);
    }

    /// Bytes taken on a node.
    pub fn usage(&self, _node: NodeId) -> Bytes {
        Bytes(0)
    }

    /// Runs that the page map of a region consists of.
    pub fn runs(&self, region: usize) -> usize {
        self.regions[region].pages.len()
    }

    /// Pages of a region that have a node, in pages of its ordinary size.
    pub fn placed(&self, region: usize) -> u64 {
        self.regions[region].pages.iter().flatten().count() as u64
    }
}
