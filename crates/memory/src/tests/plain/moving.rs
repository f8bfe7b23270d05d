//! Moves, one page at a time.

use super::Plain;
use crate::Moved;
use numalab_machine::NodeId;
use std::ops::Range;

impl Plain {
    /// Moves a page, or the huge page that it is part of. Returns true if it is on the target node
    /// afterwards.
    pub(super) fn bring(&mut self, region: usize, at: usize, to: NodeId, moved: &mut Moved) -> bool {
        let unit = self.regions[region].unit(at);
        let bytes = unit.len() as u64 * self.regions[region].page;
        let from = self.regions[region].pages[at].as_ref().unwrap().node;
        if from == to {
            moved.checked += 1;
        } else if self.free[to.0 as usize] < bytes {
            moved.refused += 1;
            return false;
        } else {
            self.free[to.0 as usize] -= bytes;
            self.free[from.0 as usize] += bytes;
            moved.add(from, 1, bytes);
            for page in self.regions[region].pages[unit].iter_mut().flatten() {
                page.node = to;
            }
        }
        true
    }

    pub fn fetch(&mut self, region: usize, span: Range<usize>, to: NodeId) -> Moved {
        let (mut moved, mut split) = (Moved::default(), false);
        let mut at = span.start;
        while at < span.end {
            let Some(page) = self.regions[region].pages[at].clone() else {
                at += 1;
                continue;
            };
            let mut unit = self.regions[region].unit(at);
            let mut trial = Moved::default();
            if page.huge && (split || !self.bring(region, at, to, &mut trial)) {
                split = true;
                for page in self.regions[region].pages[unit.clone()].iter_mut().flatten() {
                    page.huge = false;
                }
                for at in unit.clone() {
                    self.bring(region, at, to, &mut moved);
                }
            } else if page.huge {
                add(&mut moved, &trial);
            } else {
                self.bring(region, at, to, &mut moved);
                unit = at..at + 1;
            }
            at = unit.end;
        }
        moved
    }

    pub fn mark(&mut self, region: usize, span: Range<usize>) -> u64 {
        let mut marked = 0;
        for at in span {
            if self.regions[region].pages[at].as_ref().is_some_and(|page| !page.marked) {
                marked += 1;
                let unit = self.regions[region].unit(at);
                for page in self.regions[region].pages[unit].iter_mut().flatten() {
                    page.marked = true;
                }
            }
        }
        marked
    }
}

fn add(moved: &mut Moved, other: &Moved) {
    for &(from, pages) in &other.from {
        moved.add(from, pages, other.bytes.0 / pages);
    }
    moved.checked += other.checked;
}
