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
/// The pages of all regions of a process, the free memory of every node, and the page policies.
///
/// Regions and nodes are identified by index, which must exist. Byte ranges must lie inside their
/// region.
#[derive(Clone, Debug)]
pub struct PageMap<'a> {
    base_page: u64,
    room: Room<'a>,
    regions: Vec<RegionPages>,
    scanner: Scanner,
}

impl<'a> PageMap<'a> {
    /// Creates a map with empty nodes. `base_page` is a power of two. `distance` is the firmware's table (SLIT), from
    /// row to column: the distances decide which node takes the pages of a full node.
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

    /// Adds a region without pages and returns its index (0, 1, 2, ...).
    pub fn add(&mut self, size: Bytes, page: PageSize, policy: PagePolicy) -> usize {
        self.regions.push(RegionPages::new(size, self.base_page, page, policy));
        self.regions.len() - 1
    }

    /// Changes the policy of pages not yet placed, as `mbind(2)` without `MPOL_MF_MOVE`.
    pub fn set_policy(&mut self, region: usize, policy: PagePolicy) {
        self.regions[region].policy = policy;
    }

    /// Adds the state that decides later results to a snapshot: homes of pages, faults that their next accesses take,
    /// and the position of the scanner.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let PageMap { base_page: _, room, regions, scanner } = self;
        room.snapshot(into);
        scanner.snapshot(into);
        into.add(&regions.len());
        regions.iter().for_each(|region| region.snapshot(into));
    }

    /// Scans `bytes` of placed pages for automatic balancing and unmaps them, so that their next
    /// accesses take hint faults. Returns how many pages, of any size, were mapped before.
    pub fn scan(&mut self, bytes: u128) -> u64 {
        self.scanner.advance(&mut self.regions, bytes, self.room.tiers.as_deref())
    }

    /// Enables promotion and demotion between memory tiers.
    pub fn with_tiers(mut self, with_processors: u32, settings: TierSettings) -> PageMap<'a> {
        let tiers = Tiers::new(settings, with_processors, self.room.capacities());
        self.room.tiers = Some(Box::new(tiers));
        self
    }

    /// Sets the present instant, which promotion depends on.
    pub fn tell(&mut self, now: Time) {
        if let Some(tiers) = &mut self.room.tiers {
            tiers.tell(now);
        }
    }

    /// Nodes whose `kswapd` has to run.
    pub fn awake(&self) -> impl Iterator<Item = NodeId> {
        self.room.tiers.iter().flat_map(|tiers| tiers.awake.iter().copied())
    }

    /// Runs one step of a node's `kswapd`, which demotes a few MiB at most. `None` if no page was demoted, since
    /// enough memory is free, no page is cold or no slower node has space; `kswapd` then sleeps.
    pub fn demote(&mut self, node: NodeId) -> Option<Demoted> {
        let demoted = demotion::step(&mut self.regions, &mut self.room, node, self.base_page);
        if let (None, Some(tiers)) = (&demoted, &mut self.room.tiers) {
            tiers.awake.remove(&node);
        }
        demoted
    }

    /// True if every page of a region is placed.
    pub fn complete(&self, region: usize) -> bool {
        self.regions[region].runs.complete()
    }

    /// Simulates an access from `node`: places unplaced pages, moves pages marked for next touch and
    /// takes hint faults, in address order. If memory is full, pages placed before the failure stay
    /// placed.
    #[inline]
    pub fn touch(&mut self, region: usize, bytes: Range<u64>, node: NodeId) -> Result<Touched, MemoryFull> {
        match self.regions[region].runs.is_settled() {
            true => Ok(Touched::default()),
            false => self.place_and_move(region, &bytes, node),
        }
    }

    /// Part of [`PageMap::touch`] for regions in which an access can change the map. Has a fast path for accesses
    /// that only extend the run placed last.
    fn place_and_move(
        &mut self,
        region: usize,
        bytes: &Range<u64>,
        node: NodeId,
    ) -> Result<Touched, MemoryFull> {
        let region = &mut self.regions[region];
        let span = region.span(bytes);
        if let Some(fresh) = region.go_on(&span, self.room.near(node), &mut self.room) {
            region.runs.seal_if_due();
            return Ok(Touched { fresh, ..Touched::default() });
        }
        let (touched, left) = region.touch(&span, node, &mut self.room);
        region.runs.seal_if_due();
        if left > 0 { Err(MemoryFull { pages: left }) } else { Ok(touched) }
    }

    /// The node that takes the first page of a thread on `node`: `node` itself, or the nearest node with memory.
    pub fn near(&mut self, node: NodeId) -> NodeId {
        self.room.near(node)
    }

    /// Predicts the effect of a touch in the case that is cheap to predict: all bytes are on one node afterwards, and
    /// new pages extend the run placed last, which is on [`near`](PageMap::near) of `node`. `None` in all other cases. New pages may lack room:
    /// see [`PageMap::has_room`].
    pub fn ahead(&mut self, region: usize, bytes: &Range<u64>, node: NodeId) -> Option<Ahead> {
        let region = &mut self.regions[region];
        if !region.runs.is_settled() {
            let node = self.room.near(node);
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

    /// True if a node has at least `bytes` free.
    pub fn has_room(&self, node: NodeId, bytes: Bytes) -> bool {
        self.room.fits(node, 1) >= bytes.0
    }

    /// Calls `visit` with the home and the size of every placed piece of a range, in address order.
    pub fn homes(&self, region: usize, bytes: Range<u64>, visit: impl FnMut(Home<'_>, u64)) {
        self.regions[region].homes(bytes, visit);
    }

    /// Moves the pages of a range to one node, as `move_pages(2)`. Unplaced pages are skipped. A page that does not
    /// fit stays on its node, which is no error, as Linux reports `ENOMEM` for that page only.
    pub fn fetch(&mut self, region: usize, bytes: Range<u64>, to: NodeId) -> Result<Moved, MemoryFull> {
        let region = &mut self.regions[region];
        let moved = region.fetch(&region.span(&bytes), to, &mut self.room);
        region.runs.seal_if_due();
        Ok(moved)
    }

    /// Marks the placed pages of a range for next touch: the next access to a marked page moves the page to the
    /// accessing thread's node if it fits. Returns how many pages were not marked before.
    pub fn mark(&mut self, region: usize, bytes: Range<u64>) -> u64 {
        let region = &mut self.regions[region];
        region.mark(&region.span(&bytes))
    }

    /// Frees all pages of a region. Later accesses place the pages again.
    pub fn release(&mut self, region: usize) {
        self.regions[region].release(&mut self.room);
    }

    /// Bytes in use on a node.
    pub fn usage(&self, node: NodeId) -> Bytes {
        Bytes(self.room.used(node))
    }

    /// Number of runs in the page map of a region.
    pub fn runs(&self, region: usize) -> usize {
        self.regions[region].runs.len()
    }

    /// Placed pages of a region, in its ordinary page size.
    pub fn placed(&self, region: usize) -> u64 {
        self.regions[region].runs.placed()
    }
}
