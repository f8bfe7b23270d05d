//! Every sibling wired to every other sibling: each route is one step.

use super::{DirectedWire, WireEnd};

#[derive(Debug)]
pub(super) struct Mesh {
    count: u32,
}

impl Mesh {
    pub fn new(count: u32) -> Mesh {
        Mesh { count }
    }

    pub fn wires(&self) -> u32 {
        self.first(self.count)
    }

    /// The first wire with `low` as its lower end: wires are numbered by lower end, then by upper end.
    fn first(&self, low: u32) -> u32 {
        // Sum of (count - 1 - i) for i below `low`, at most count * (count - 1) / 2.
        let (low, count) = (u64::from(low), u64::from(self.count));
        (low * (2 * count - low).saturating_sub(1) / 2) as u32
    }

    pub fn step(&self, from: u32, to: u32) -> DirectedWire {
        let (low, high) = (from.min(to), from.max(to));
        DirectedWire { wire: self.first(low) + (high - low - 1), forward: from < to }
    }

    pub fn ends(&self, wire: u32) -> (WireEnd, WireEnd) {
        let (mut low, mut beyond) = (0, self.count);
        while beyond - low > 1 {
            let middle = low + (beyond - low) / 2;
            if self.first(middle) <= wire { low = middle } else { beyond = middle }
        }
        (WireEnd::Child(low), WireEnd::Child(low + 1 + wire - self.first(low)))
    }
}
