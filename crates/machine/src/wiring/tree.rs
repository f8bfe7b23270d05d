//! Stars and fat trees: routes go up to the lowest common switch and down again.
//!
//! Siblings and switches are numbered together, level by level from the leaves: siblings first. Each sibling or
//! switch except the root has one wire to the switch above, and the wire has the number of its lower end.

use super::{DirectedWire, WireEnd};

#[derive(Debug)]
pub(super) struct FatTree {
    leaves: u32,
    arity: u32,
    /// First number of a sibling or switch at each height, from the leaves (the siblings) to the root.
    first: Vec<u32>,
}

impl FatTree {
    pub fn new(leaves: u32, arity: u32) -> FatTree {
        let mut first = vec![0];
        let (mut width, mut next) = (leaves, 0);
        while width > 1 {
            next += width;
            first.push(next);
            width = width.div_ceil(arity);
        }
        FatTree { leaves, arity, first }
    }

    pub fn wires(&self) -> u32 {
        // The root has no wire; a single sibling is its own root.
        *self.first.last().unwrap_or(&0)
    }

    /// Height of the lowest switch above both siblings; 0 if both are the same sibling.
    fn meeting(&self, from: u32, to: u32) -> u32 {
        let (mut from, mut to, mut height) = (from, to, 0);
        while from != to {
            from /= self.arity;
            to /= self.arity;
            height += 1;
        }
        height
    }

    pub fn walk(&self, from: u32, to: u32, visit: &mut impl FnMut(DirectedWire)) {
        let height = self.meeting(from, to) as usize;
        let mut at = from;
        for first in &self.first[..height] {
            visit(DirectedWire { wire: first + at, forward: true });
            at /= self.arity;
        }
        for below in (0..height).rev() {
            let at = to / self.arity.pow(below as u32);
            visit(DirectedWire { wire: self.first[below] + at, forward: false });
        }
    }

    pub fn hops(&self, from: u32, to: u32) -> u32 {
        2 * self.meeting(from, to)
    }

    /// Number of hops to the nearest other leaf: up to the first switch with another leaf below, and down to that
    /// leaf.
    pub fn hops_to_nearest(&self, from: u32) -> u32 {
        // Siblings of one switch are consecutive; the last may be the only child of its switch.
        let alone_or_later = !from.is_multiple_of(self.arity) || from + 1 == self.leaves;
        self.hops(from, if alone_or_later { from.saturating_sub(1) } else { from + 1 })
    }

    fn height(&self, wire: u32) -> usize {
        self.first.partition_point(|first| *first <= wire) - 1
    }

    fn port(&self, number: u32) -> WireEnd {
        number.checked_sub(self.leaves).map_or(WireEnd::Child(number), WireEnd::Switch)
    }

    pub fn ends(&self, wire: u32) -> (WireEnd, WireEnd) {
        let height = self.height(wire);
        let above = self.first[height + 1] + (wire - self.first[height]) / self.arity;
        (self.port(wire), self.port(above))
    }

    pub fn leaves_below(&self, wire: u32) -> u32 {
        let height = self.height(wire);
        let each = u64::from(self.arity).pow(height as u32);
        let before = u64::from(wire - self.first[height]) * each;
        each.min(u64::from(self.leaves) - before) as u32
    }
}
