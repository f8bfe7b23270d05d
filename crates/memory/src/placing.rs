//! Placement of a region's new pages.

use crate::region::RegionPages;
use crate::room::Room;
use crate::run::{PageHomes, PageRun};
use crate::{Fresh, PagePolicy};
use numalab_base::Bytes;
use numalab_machine::NodeId;
use std::ops::Range;

impl RegionPages {
    /// Places the unplaced pages `gap`, touched from `node` in order. Returns the number of pages that did not fit.
    ///
    /// A transparent huge page takes an aligned block inside the region in which no page is placed yet.
    /// If it does not fit, the touched pages of this block and of all later blocks become base pages,
    /// as free memory never grows meanwhile.
    pub fn place(&mut self, gap: Range<u64>, node: NodeId, room: &mut Room, fresh: &mut Fresh) -> u64 {
        let mut at = gap.start;
        let blocks = self.blocks(&gap);
        if !blocks.is_empty() {
            at = self.pieces(at..blocks.start.max(at), false, node, room, fresh);
            if at >= blocks.start {
                at = at.max(self.pieces(blocks, true, node, room, fresh));
            }
        }
        let at = self.pieces(at..gap.end.max(at), false, node, room, fresh);
        gap.end.saturating_sub(at)
    }

    /// Fast path of `touch` for ascending accesses: extends the run placed last. `None` if the slow
    /// path is needed.
    pub fn go_on(&mut self, span: &Range<u64>, node: NodeId, room: &mut Room) -> Option<Fresh> {
        let (pages, zeroed) = self.following(span, node)?;
        if room.fits(node, 1) < zeroed.0 {
            return None;
        }
        room.take(node, zeroed.0);
        self.runs.grow(&pages);
        Some(Fresh { pages: pages.end - pages.start, huge: 0, zeroed })
    }

    /// Pages of `span` that extend the run placed last, and the bytes of these pages. `None` if a touch would have
    /// any other effect, with transparent huge pages, and under policies other than first touch.
    pub fn following(&mut self, span: &Range<u64>, node: NodeId) -> Option<(Range<u64>, Bytes)> {
        if self.ratio != 1 || self.policy != PagePolicy::FirstTouch {
            return None;
        }
        let (unit, pages) = (self.unit(false), self.runs.following(span, node)?);
        let bytes = Bytes((pages.end - pages.start) * unit);
        Some((pages, bytes))
    }

    /// Pages of the aligned blocks that overlap a gap and can become huge pages.
    fn blocks(&self, gap: &Range<u64>) -> Range<u64> {
        let ratio = self.ratio;
        if ratio == 1 {
            return 0..0;
        }
        let (mut start, mut end) = (gap.start / ratio * ratio, gap.end.next_multiple_of(ratio));
        if !self.runs.free(&(start..gap.start)) {
            start += ratio;
        }
        if end > self.runs.pages() || !self.runs.free(&(gap.end..end)) {
            end -= ratio;
        }
        start..end
    }

    /// Places pages of one size, ordinary or `huge`, by the policy. Returns the first page that did not fit.
    fn pieces(
        &mut self,
        pages: Range<u64>,
        huge: bool,
        node: NodeId,
        room: &mut Room,
        fresh: &mut Fresh,
    ) -> u64 {
        if pages.is_empty() {
            return pages.start;
        }
        let step = if huge { self.ratio } else { 1 };
        let (unit, turns) = (self.unit(huge), pages.start / step..pages.end / step);
        let (count, mut at) = (turns.end - turns.start, turns.start);
        let runs = &mut self.runs;
        let mut one = |home: NodeId, count: u64| {
            runs.put(at * step..(at + count) * step, PageRun::fresh(PageHomes::Node(home), huge));
            at += count;
        };
        // A huge page is placed on the preferred node only, unless the policy excludes that node or
        // interleaves: near base pages serve better than a far huge page (`alloc_pages_mpol`).
        match &self.policy {
            PagePolicy::FirstTouch => {
                room.fill(node, None, huge, unit, count, &mut one);
            }
            PagePolicy::Preferred(wanted) => {
                room.fill(*wanted, None, huge, unit, count, &mut one);
            }
            PagePolicy::Nearby(list) => {
                room.fill(list[node.0 as usize], None, huge, unit, count, &mut one);
            }
            PagePolicy::PreferredMany(set) => {
                let stay = huge && set.binary_search(&node).is_ok();
                let left = room.fill(node, Some(set), stay, unit, count, &mut one);
                if !huge {
                    room.fill(node, None, false, unit, left, &mut one);
                }
            }
            PagePolicy::Bind(set) => {
                let stay = huge && set.binary_search(&node).is_ok();
                room.fill(node, Some(set), stay, unit, count, &mut one);
            }
            PagePolicy::Interleave(nodes) => {
                at = room.spread(nodes, turns.clone(), unit, |turns, nodes| {
                    let pages = turns.start * step..turns.end * step;
                    runs.put(pages, PageRun::fresh(PageHomes::turns(nodes, step), huge));
                });
            }
        }
        let placed = at - turns.start;
        *(if huge { &mut fresh.huge } else { &mut fresh.pages }) += placed;
        fresh.zeroed += Bytes(placed * unit);
        at * step
    }
}
