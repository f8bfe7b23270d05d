//! Oracle of the page map: an array of pages for every region, each page handled by itself.

mod moving;
mod scanning;

use crate::zones::Zones;
use crate::{PagePolicy, PageSize, ScanSettings, Touched};
use numalab_base::Bytes;
use numalab_machine::NodeId;
use std::ops::Range;

#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    pub node: NodeId,
    huge: bool,
    marked: bool,
    unmapped: bool,
    hinted: Option<NodeId>,
}

pub struct PlainRegion {
    pub page: u64,
    ratio: usize,
    explicit: bool,
    pub policy: PagePolicy,
    pub pages: Vec<Option<Page>>,
}

impl PlainRegion {
    pub fn new(size: u64, base: u64, page: PageSize, policy: PagePolicy) -> PlainRegion {
        let (page, ratio) = match page {
            PageSize::Base => (base, 1),
            PageSize::Explicit(page) => (page.0, 1),
            PageSize::Transparent { huge } => (base, (huge.0 / base) as usize),
        };
        PlainRegion {
            page,
            ratio,
            explicit: page != base,
            policy,
            pages: vec![None; size.div_ceil(page) as usize],
        }
    }

    pub fn span(&self, bytes: &Range<u64>) -> Range<usize> {
        match bytes.is_empty() {
            true => 0..0,
            false => (bytes.start / self.page) as usize..bytes.end.div_ceil(self.page) as usize,
        }
    }

    fn balanced(&self) -> bool {
        self.policy == PagePolicy::FirstTouch && !self.explicit
    }

    /// The pages of the huge page around a placed page, else the page itself.
    fn unit(&self, at: usize) -> Range<usize> {
        let start = at / self.ratio * self.ratio;
        if self.pages[at].as_ref().unwrap().huge { start..start + self.ratio } else { at..at + 1 }
    }
}

pub struct Plain {
    pub regions: Vec<PlainRegion>,
    pub free: Vec<u64>,
    pub has_memory: Vec<bool>,
    pub zones: Zones<'static>,
    pub balancing: Option<ScanSettings>,
    pub scans: u64,
    pub scanner: (usize, u64),
}

impl Plain {
    /// Touches one page after the other. Returns the effects and the number of pages that did not fit.
    pub fn touch(&mut self, region: usize, span: Range<usize>, node: NodeId, now: u64) -> (Touched, u64) {
        while self.balancing.is_some_and(|b| b.scan_delay.0 + self.scans * b.scan_period.0 <= now) {
            self.scan();
        }
        let (mut touched, mut left) = (Touched::default(), 0);
        for at in span {
            match self.regions[region].pages[at].clone() {
                Some(page) => self.access(region, at, &page, node, &mut touched),
                None => left += u64::from(!self.place(region, at, node, &mut touched)),
            }
        }
        (touched, left)
    }

    fn access(&mut self, region: usize, at: usize, page: &Page, node: NodeId, touched: &mut Touched) {
        if !page.marked && !page.unmapped {
            return;
        }
        let second = page.hinted == Some(node);
        for at in self.regions[region].unit(at) {
            let page = self.regions[region].pages[at].as_mut().unwrap();
            if !page.marked {
                page.hinted = Some(node);
            }
            (page.marked, page.unmapped) = (false, false);
        }
        if page.marked {
            let mut list = (0..self.free.len() as u32).map(|index| self.zones.get(node, index));
            let near = list.find(|node| self.has_memory[node.0 as usize]).unwrap_or(node);
            self.bring(region, at, near, &mut touched.next_touch);
        } else {
            touched.hints += 1;
            if second {
                self.bring(region, at, node, &mut touched.migrated);
            }
        }
    }

    /// Places one page, or the huge page that it becomes part of. False if it does not fit.
    fn place(&mut self, region: usize, at: usize, node: NodeId, touched: &mut Touched) -> bool {
        let PlainRegion { page: size, ratio, ref pages, .. } = self.regions[region];
        let start = at / ratio * ratio;
        let block = pages.get(start..start + ratio);
        let whole = ratio > 1 && block.is_some_and(|block| block.iter().all(Option::is_none));
        let huge = whole.then_some((true, start..start + ratio, start / ratio));
        for (huge, unit, turn) in huge.into_iter().chain([(false, at..at + 1, at)]) {
            let bytes = unit.len() as u64 * size;
            if let Some(home) = self.choose(region, turn, node, huge, bytes) {
                self.free[home.0 as usize] -= bytes;
                let page = Page { node: home, huge, marked: false, unmapped: false, hinted: None };
                self.regions[region].pages[unit].fill(Some(page));
                *(if huge { &mut touched.fresh.huge } else { &mut touched.fresh.pages }) += 1;
                touched.fresh.zeroed.0 += bytes;
                return true;
            }
        }
        false
    }

    fn choose(&mut self, region: usize, turn: usize, node: NodeId, huge: bool, bytes: u64) -> Option<NodeId> {
        let (from, stay) = match &self.regions[region].policy {
            PagePolicy::FirstTouch => (node, huge),
            PagePolicy::Preferred(node) => (*node, huge),
            PagePolicy::Nearby(list) => (list[node.0 as usize], huge),
            PagePolicy::Bind(set) | PagePolicy::PreferredMany(set) => (node, huge && set.contains(&node)),
            PagePolicy::Interleave(nodes) => (nodes[turn % nodes.len()], false),
        };
        let list: Vec<_> = (0..self.free.len() as u32).map(|index| self.zones.get(from, index)).collect();
        let policy = &self.regions[region].policy;
        let inside = |node: &NodeId| match policy {
            PagePolicy::Bind(set) | PagePolicy::PreferredMany(set) => set.contains(node),
            PagePolicy::FirstTouch
            | PagePolicy::Preferred(_)
            | PagePolicy::Nearby(_)
            | PagePolicy::Interleave(_) => true,
        };
        let room = |node: &&NodeId| self.free[node.0 as usize] >= bytes;
        let mut candidates = list.iter().take(if stay { 1 } else { usize::MAX }).filter(|node| inside(node));
        let anywhere = || match policy {
            PagePolicy::PreferredMany(_) if !huge => list.iter().find(room),
            PagePolicy::FirstTouch
            | PagePolicy::Bind(_)
            | PagePolicy::Preferred(_)
            | PagePolicy::PreferredMany(_)
            | PagePolicy::Nearby(_)
            | PagePolicy::Interleave(_) => None,
        };
        candidates.find(room).or_else(anywhere).copied()
    }

    pub fn release(&mut self, region: usize) {
        let bytes = self.regions[region].page;
        for page in self.regions[region].pages.iter_mut() {
            if let Some(page) = page.take() {
                self.free[page.node.0 as usize] += bytes;
            }
        }
    }

    pub fn usage(&self, node: NodeId) -> Bytes {
        let held = self.regions.iter().map(|region| {
            let here = region.pages.iter().flatten().filter(|page| page.node == node);
            Bytes(here.count() as u64 * region.page)
        });
        held.sum()
    }

    /// Number of maximal stretches of equal pages.
    pub fn stretches(&self, region: usize) -> usize {
        let stretches = self.regions[region].pages.chunk_by(|one, next| one == next);
        stretches.filter(|stretch| stretch[0].is_some()).count()
    }
}
