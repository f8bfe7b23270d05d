//! All regions of a process.

use crate::balancing::Scanner;
use crate::region::RegionPages;
use crate::room::Room;
use crate::tiers::Tiers;
use crate::{
    Ahead, Demoted, Home, MemoryFull, Moved, Nodes, PagePolicy, PageSize, TierSettings, Touched, demotion,
};
use numalab_base::{Bytes, Snapshot, Time};
use numalab_machine::NodeId;
use std::ops::Range;

// Glossary: page map: Home of every page of a region.
/// The pages of all regions of a process, how full each node is, and the policies.
///
/// Regions are known by their index, nodes by their number; both must exist, and ranges of bytes lie
/// inside their region.
#[derive(Clone, Debug)]
pub struct PageMap<'a> {
    base_page: u64,
    room: Room<'a>,
    regions: Vec<RegionPages>,
    scanner: Scanner,
}

impl<'a> PageMap<'a> {
    /// Empty nodes. `base_page` is a power of two. `distance` is as the
    /// firmware's table says, from row to column: it decides where a page goes when its node is full.
    pub fn new(
        nodes: &Nodes,
        base_page: Bytes,
        distance: impl Fn(NodeId, NodeId) -> u64 + Send + Sync + 'a,
    ) -> PageMap<'a> {
        PageMap {
            base_page: base_page.0,
            room: Room::new(nodes, distance),
            regions: Vec::new(),
            scanner: Scanner::default(),
        }
    }

    /// Adds a region without pages and returns its index: 0, 1, 2 in order.
    pub fn add(&mut self, size: Bytes, page: PageSize, policy: PagePolicy) -> usize {
        self.regions.push(RegionPages::new(size, self.base_page, page, policy));
        self.regions.len() - 1
    }

    /// Changes the policy for pages still to come, as `mbind(2)` without `MPOL_MF_MOVE`.
    pub fn set_policy(&mut self, region: usize, policy: PagePolicy) {
        self.regions[region].policy = policy;
    }

    /// Writes down where pages are, what their next accesses have to do, and where the scanner of automatic
    /// balancing is.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let PageMap { base_page: _, room, regions, scanner } = self;
        room.snapshot(into);
        scanner.snapshot(into);
        into.add(&regions.len());
        regions.iter().for_each(|region| region.snapshot(into));
    }

    /// The scanner of automatic balancing walks over so many bytes of placed pages and unmaps them, so that
    /// their next accesses are hint faults. Returns how many pages, of any size, were mapped before.
    pub fn scan(&mut self, bytes: u128) -> u64 {
        self.scanner.advance(&mut self.regions, bytes, self.room.tiers.as_deref())
    }

    /// Lets pages move between tiers of memory.
    pub fn with_tiers(mut self, with_processors: u32, settings: TierSettings) -> PageMap<'a> {
        let tiers = Tiers::new(settings, with_processors, &self.room.capacities());
        self.room.tiers = Some(Box::new(tiers));
        self
    }

    /// Sets the present instant, on which the promotion of pages depends.
    pub fn tell(&mut self, now: Time) {
        if let Some(tiers) = &mut self.room.tiers {
            tiers.tell(now);
        }
    }

    /// The nodes whose `kswapd` has something to do.
    pub fn awake(&self) -> impl Iterator<Item = NodeId> {
        self.room.tiers.iter().flat_map(|tiers| tiers.awake.iter().copied())
    }

    /// A step of a node's `kswapd`, of a few MiB at most; `None` when it is done, and sleeps.
    pub fn demote(&mut self, node: NodeId) -> Option<Demoted> {
        let demoted = demotion::step(&mut self.regions, &mut self.room, node, self.base_page);
        if let (None, Some(tiers)) = (&demoted, &mut self.room.tiers) {
            tiers.awake.remove(&node);
        }
        demoted
    }

    /// Whether every page of a region has a node.
    pub fn complete(&self, region: usize) -> bool {
        self.regions[region].runs.complete()
    }

    /// A thread on `node` accesses bytes of a region: places what has no node, moves what is marked for next
    /// touch, and takes hint faults, page after page. If the memory is full, the pages before stay placed.
    #[inline]
    pub fn touch(&mut self, region: usize, bytes: Range<u64>, node: NodeId) -> Result<Touched, MemoryFull> {
        match self.regions[region].runs.quiet() {
            true => Ok(Touched::default()),
            false => self.place_and_move(region, &bytes, node),
        }
    }

    /// A touch that may find something to do.
    fn place_and_move(
        &mut self,
        region: usize,
        bytes: &Range<u64>,
        node: NodeId,
    ) -> Result<Touched, MemoryFull> {
        let region = &mut self.regions[region];
        let span = region.span(bytes);
        if let Some(fresh) = region.go_on(&span, node, &mut self.room) {
            region.runs.seal_if_due();
            return Ok(Touched { fresh, ..Touched::default() });
        }
        let (touched, left) = region.touch(&span, node, &mut self.room);
        region.runs.seal_if_due();
        if left > 0 { Err(MemoryFull { pages: left }) } else { Ok(touched) }
    }

    /// Effect of a touch, if that is quick to say: all of the bytes are on one node afterwards, and if pages are
    /// placed, they go on where this node placed some last, and have room.
    pub fn ahead(&mut self, region: usize, bytes: &Range<u64>, node: NodeId) -> Option<Ahead> {
        let region = &mut self.regions[region];
        if !region.runs.quiet() {
            let (pages, fresh) = region.following(&region.span(bytes), node)?;
            return Some(Ahead { home: node, pages: pages.end - pages.start, fresh });
        }
        let (mut pieces, mut single) = (0, None);
        region.homes(bytes.clone(), |home, _| {
            pieces += 1;
            single = match home {
                Home::Node(node) => Some(node),
                Home::Cycle { .. } => None,
            };
        });
        let home = single.filter(|_| pieces == 1)?;
        Some(Ahead { home, pages: 0, fresh: Bytes(0) })
    }

    /// Whether a node has room for so many bytes.
    pub fn has_room(&self, node: NodeId, bytes: Bytes) -> bool {
        self.room.fits(node, 1) >= bytes.0
    }

    /// Calls `visit` with the home and the bytes of every placed piece of a range, in address order.
    pub fn homes(&self, region: usize, bytes: Range<u64>, visit: impl FnMut(Home<'_>, u64)) {
        self.regions[region].homes(bytes, visit);
    }

    /// Moves the pages of a range to one node, as `move_pages(2)`. Pages without a node are left alone. A
    /// page that the node has no room for stays where it is, which is no error: Linux reports `ENOMEM` for
    /// that page only.
    pub fn fetch(&mut self, region: usize, bytes: Range<u64>, to: NodeId) -> Result<Moved, MemoryFull> {
        let region = &mut self.regions[region];
        let moved = region.fetch(&region.span(&bytes), to, &mut self.room);
        region.runs.seal_if_due();
        Ok(moved)
    }

    /// Marks the placed pages of a range: the next access moves them to its thread's node if that has
    /// room. Returns how many pages are now marked that were not.
    pub fn mark(&mut self, region: usize, bytes: Range<u64>) -> u64 {
        let region = &mut self.regions[region];
        region.mark(&region.span(&bytes))
    }

    /// Frees all pages of a region. It may be touched anew.
    pub fn release(&mut self, region: usize) {
        self.regions[region].release(&mut self.room);
    }

    /// Bytes taken on a node.
    pub fn usage(&self, node: NodeId) -> Bytes {
        Bytes(self.room.used(node))
    }

    /// Runs that the page map of a region consists of.
    pub fn runs(&self, region: usize) -> usize {
        self.regions[region].runs.len()
    }

    /// Pages of a region that have a node, in pages of its ordinary size.
    pub fn placed(&self, region: usize) -> u64 {
        self.regions[region].runs.placed()
    }
}
