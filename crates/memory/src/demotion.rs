//! The walk of `kswapd`: it finds cold pages of a node and demotes them.
//!
//! Linux keeps pages in lists and asks for each whether it was accessed since the last check. Here
//! a clock hand goes round the pages of a node (the second-chance algorithm): a page that was
//! accessed since the hand passed is spared once, any other is demoted.

use crate::region::RegionPages;
use crate::room::Room;
use crate::run::{PageHomes, PageRun};
use crate::{Demoted, Moved};
use numalab_machine::NodeId;

/// Upper limit of the bytes that one step demotes. Linux demotes 32 pages at a time; a larger step costs fewer events
/// and hardly changes the result.
const STEP: u64 = 2 << 20;

/// Demotes cold pages of a node until its free memory is a base page (`page` bytes) above its promotion watermark, or
/// the step's limit is reached. `None` if no page is cold, enough memory is free, or no slower node has space.
pub(crate) fn step(
    regions: &mut [RegionPages],
    room: &mut Room<'_>,
    node: NodeId,
    page: u64,
) -> Option<Demoted> {
    let goal = room.tiers.as_ref()?.marks(node).promotion + page;
    let missing = goal.saturating_sub(room.free(node));
    let (to, space) = room.demotion_target(node, page)?;
    let mut hand = *room.tiers.as_mut()?.hand(node);
    let mut walk = Walk { from: node, to, left: missing.min(STEP).min(space), moved: Moved::default() };
    // The first round takes the second chance away, the second one demotes.
    for _ in 0..=2 * regions.len() {
        if walk.left == 0 {
            break;
        }
        let (at, from) = hand;
        let stopped = regions.get_mut(at).and_then(|region| region.demote(from, &mut walk, room));
        hand = stopped.map_or(((at + 1) % regions.len().max(1), 0), |page| (at, page));
    }
    *room.tiers.as_mut()?.hand(node) = hand;
    let Moved { pages, bytes, .. } = walk.moved;
    (pages > 0).then_some(Demoted { to, pages, bytes })
}

/// State of one step of a `kswapd`.
struct Walk {
    from: NodeId,
    to: NodeId,
    /// Bytes that the step may still demote.
    left: u64,
    moved: Moved,
}

impl RegionPages {
    /// Continues the walk at page `from`. Returns the page at which the step ended. `None` at the end of the region,
    /// and for explicit huge pages, which are not demoted.
    fn demote(&mut self, from: u64, walk: &mut Walk, room: &mut Room<'_>) -> Option<u64> {
        if self.explicit {
            return None;
        }
        // Interleaved pages are not demoted.
        let here = PageHomes::Node(walk.from);
        for pages in self.runs.find(&(from..self.runs.pages()), |run| run.home == here) {
            let run = self.runs.take(&pages);
            if !run.idle {
                self.runs.put(pages, PageRun { idle: true, ..run });
                continue;
            }
            let unit = self.unit(run.huge);
            let units = walk.left.div_ceil(unit).min(self.units(&pages, &run));
            let end = pages.start + units * (unit >> self.shift);
            self.runs.put(end..pages.end, run.clone());
            let cold = PageRun { idle: false, unmapped: false, scanned: 0, ..run };
            let before = walk.moved.bytes;
            let stopped = self.relocate(pages.start..end, &cold, walk.to, room, &mut walk.moved);
            self.runs.put(stopped..end, cold);
            walk.left = walk.left.saturating_sub(walk.moved.bytes.0 - before.0);
            if walk.left == 0 || stopped < end {
                walk.left = 0;
                return Some(stopped);
            }
        }
        None
    }
}
