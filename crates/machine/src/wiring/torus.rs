//! Rings, tori and hypercubes: dimension-order routing, the shorter way round each ring, upwards if
//! both are equally long. In a hypercube this is e-cube routing, lowest bit first.

use super::{DirectedWire, WireEnd};

#[derive(Debug)]
pub(super) struct Torus {
    dims: Vec<Dim>,
    wires: u32,
}

/// One dimension, which consists of rings of `size` siblings. In a ring of more than two, each sibling has a wire
/// upwards; a ring of two has one wire, and a ring of one has no wire.
#[derive(Debug)]
struct Dim {
    size: u32,
    /// Difference between the numbers of neighbouring siblings in this dimension.
    stride: u32,
    /// Number of the first wire of this dimension.
    first: u32,
}

impl Dim {
    fn coordinate(&self, at: u32) -> u32 {
        at / self.stride % self.size
    }

    /// The neighbour of `at` upwards, with wrap-around.
    fn up(&self, at: u32) -> u32 {
        if self.coordinate(at) + 1 == self.size {
            at - (self.size - 1) * self.stride
        } else {
            at + self.stride
        }
    }

    fn down(&self, at: u32) -> u32 {
        if self.coordinate(at) == 0 { at + (self.size - 1) * self.stride } else { at - self.stride }
    }

    /// The wire from `at` upwards, with the direction in which a step upwards crosses the wire.
    fn step_up(&self, at: u32) -> DirectedWire {
        if self.size > 2 {
            return DirectedWire { wire: self.first + at, forward: true };
        }
        // One wire per pair, numbered by the coordinates of the pair in the other dimensions.
        let pair = at / (2 * self.stride) * self.stride + at % self.stride;
        DirectedWire { wire: self.first + pair, forward: self.coordinate(at) == 0 }
    }

    /// Number of steps from one sibling to another in this dimension, and true if the steps go upwards.
    fn way(&self, from: u32, to: u32) -> (u32, bool) {
        let (from, to) = (self.coordinate(from), self.coordinate(to));
        let up = if to >= from { to - from } else { to + self.size - from };
        if up <= self.size - up { (up, true) } else { (self.size - up, false) }
    }
}

impl Torus {
    pub fn new(sizes: &[u32]) -> Torus {
        let count: u32 = sizes.iter().product();
        let (mut stride, mut wires) = (1, 0);
        let mut dims = Vec::with_capacity(sizes.len());
        for &size in sizes {
            dims.push(Dim { size, stride, first: wires });
            stride *= size;
            wires += match size {
                1 => 0,
                2 => count / 2,
                _ => count,
            };
        }
        Torus { dims, wires }
    }

    pub fn wires(&self) -> u32 {
        self.wires
    }

    pub fn walk(&self, from: u32, to: u32, visit: &mut impl FnMut(DirectedWire)) {
        let mut at = from;
        for dim in &self.dims {
            let (steps, upwards) = dim.way(at, to);
            for _ in 0..steps {
                if upwards {
                    visit(dim.step_up(at));
                    at = dim.up(at);
                } else {
                    at = dim.down(at);
                    let DirectedWire { wire, forward } = dim.step_up(at);
                    visit(DirectedWire { wire, forward: !forward });
                }
            }
        }
    }

    pub fn hops(&self, from: u32, to: u32) -> u32 {
        self.dims.iter().map(|dim| dim.way(from, to).0).sum()
    }

    pub fn ends(&self, wire: u32) -> (WireEnd, WireEnd) {
        // Dimensions of size one have no wires and the same `first` as the next: take the last.
        let at = self.dims.partition_point(|dim| dim.first <= wire) - 1;
        let dim = &self.dims[at];
        let local = wire - dim.first;
        let from =
            if dim.size > 2 { local } else { local / dim.stride * 2 * dim.stride + local % dim.stride };
        (WireEnd::Child(from), WireEnd::Child(dim.up(from)))
    }
}
