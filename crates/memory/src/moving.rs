//! Moves of placed pages: on request, at the next touch, and by automatic balancing.

// Glossary: next touch: A mark on a page that makes the next access move it to the accessing thread's node.

use crate::region::RegionPages;
use crate::room::Room;
use crate::run::{PageHomes, PageRun};
use crate::{Moved, Touched};
use numalab_machine::NodeId;
use std::ops::Range;

impl RegionPages {
    /// Moves the pages of a span to a node. Pages that do not fit stay. Where a huge page does not fit, some of its
    /// base pages may: Linux splits this huge page and goes on (`migrate_pages_batch`), and splits every later huge
    /// page. The model also splits huge pages that are on the node already.
    pub fn fetch(&mut self, span: &Range<u64>, to: NodeId, room: &mut Room) -> Moved {
        let mut moved = Moved::default();
        let mut split = false;
        for mut pages in self.runs.find(span, |_| true) {
            let mut run = self.runs.take(&pages);
            if run.huge && !split {
                pages.start = self.relocate(pages.clone(), &run, to, room, &mut moved);
                split = !pages.is_empty();
            }
            run.huge &= !split;
            self.relocate_or_leave(pages, &run, to, room, &mut moved);
        }
        moved
    }

    /// Handles an access from `node` to flagged pages of one run: next-touch marks and hint faults.
    pub fn answer(&mut self, pages: Range<u64>, node: NodeId, room: &mut Room, touched: &mut Touched) {
        let mut run = self.runs.take(&pages);
        let (marked, unmapped) = (run.marked, run.unmapped);
        (run.marked, run.unmapped, run.idle) = (false, false, false);
        if marked {
            // One fault serves the mark and the scan: a marked page takes no hint fault.
            let node = room.near(node);
            return self.relocate_or_leave(pages, &run, node, room, &mut touched.next_touch);
        }
        if !unmapped {
            // Only the idle flag of `kswapd` had to be cleared.
            return self.runs.put(pages, run);
        }
        touched.hints += self.units(&pages, &run);
        if let Some(tiers) = &mut room.tiers
            && let PageHomes::Node(home) = run.home
            && !tiers.is_top(home)
        {
            return self.promote(pages, run, node, room, &mut touched.promoted);
        }
        if run.hinted == Some(node) {
            self.relocate_or_leave(pages, &run, node, room, &mut touched.migrated);
        } else {
            run.hinted = Some(node);
            self.runs.put(pages, run);
        }
    }

    /// Handles hint faults on pages of slower memory: pages that qualify for promotion move to node `to`, all others
    /// stay. All go back into the map.
    fn promote(
        &mut self,
        pages: Range<u64>,
        mut run: PageRun,
        to: NodeId,
        room: &mut Room,
        moved: &mut Moved,
    ) {
        let scanned = std::mem::take(&mut run.scanned);
        let (unit, units, free) = (self.unit(run.huge), self.units(&pages, &run), room.free(to));
        let may = room.tiers.as_mut().map_or(0, |tiers| tiers.promotes(to, free, scanned, units, unit));
        let end = pages.start + may * (unit >> self.shift);
        let end = self.relocate(pages.start..end, &run, to, room, moved);
        self.runs.put(end..pages.end, run);
    }

    /// Puts pages back into the map: on node `to` as far as it has room, all further pages on their present node.
    fn relocate_or_leave(
        &mut self,
        pages: Range<u64>,
        run: &PageRun,
        to: NodeId,
        room: &mut Room,
        moved: &mut Moved,
    ) {
        let end = self.relocate(pages.clone(), run, to, room, moved);
        let rest = end..pages.end;
        let on = self.units_on(&rest, run, to);
        moved.checked += on;
        moved.refused += self.units(&rest, run) - on;
        self.runs.put(rest, run.clone());
    }

    /// Moves pages in order until one does not fit, and puts the moved ones back into the map. Returns the first page
    /// that was not moved.
    pub fn relocate(
        &mut self,
        pages: Range<u64>,
        run: &PageRun,
        to: NodeId,
        room: &mut Room,
        moved: &mut Moved,
    ) -> u64 {
        let (start, unit) = (pages.start, self.unit(run.huge));
        let step = unit >> self.shift;
        let fits = room.fits(to, unit);
        let elsewhere = |units: u64| units - self.units_on(&(start..start + units * step), run, to);
        let (mut done, mut beyond) = (0, self.units(&pages, run) + 1);
        if elsewhere(beyond - 1) <= fits {
            done = beyond - 1;
        }
        // The number of pages to be moved is monotone in the number of units, so bisect.
        while beyond - done > 1 {
            let middle = done + (beyond - done) / 2;
            *(if elsewhere(middle) <= fits { &mut done } else { &mut beyond }) = middle;
        }
        let pages = start..start + done * step;
        moved.checked += done - elsewhere(done);
        run.home.tally(&pages, |node, count| {
            if node != to {
                room.give(node, count << self.shift);
                room.take(to, count << self.shift);
                moved.add(node, count / step, unit);
            }
        });
        let end = pages.end;
        self.runs.put(pages, PageRun { home: PageHomes::Node(to), ..run.clone() });
        end
    }

    /// Number of pages in a part of a run; a huge page counts as one page.
    pub fn units(&self, pages: &Range<u64>, run: &PageRun) -> u64 {
        (pages.end - pages.start) / if run.huge { self.ratio } else { 1 }
    }

    /// Number of the pages `pages` of a run that are on `node`; a huge page counts as one page.
    fn units_on(&self, pages: &Range<u64>, run: &PageRun, node: NodeId) -> u64 {
        run.home.on(pages, node) / if run.huge { self.ratio } else { 1 }
    }
}
