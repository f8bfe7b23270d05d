//! Wiring of the siblings of one container, and routes between them.
//!
//! All containers of a level are equal, so one wiring serves a whole level. Regular shapes have
//! routes in closed form; only a listed graph needs a table. The seven shapes of a file are four
//! here: a ring is a torus of one dimension, a hypercube one of many dimensions of two, and a star
//! is a fat tree of one switch.
//!
//! A **wire** connects two ports. Crossing it forward goes from its first end to its second. A
//! full-duplex wire has two resources, forward and backward; a half-duplex wire has one for both.

mod mesh;
mod table;
mod torus;
mod tree;

use crate::{Interconnect, Link, LinkId, Shape};
use mesh::Mesh;
use numalab_base::Span;
use table::RouteTable;
use torus::Torus;
use tree::FatTree;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WireEnd {
    /// A sibling, by its index among the children of the container.
    Child(u32),
    /// A switch, by its number: switches are counted level by level.
    Switch(u32),
}

/// A wire crossed in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DirectedWire {
    pub wire: u32,
    pub forward: bool,
}

/// The wires of one container.
#[derive(Debug)]
pub(crate) struct Wiring {
    shape: WiringShape,
    /// Link type of every wire; unused for a listed graph, whose edges have their own link types.
    link: LinkId,
    latency: Span,
    half_duplex: bool,
}

#[derive(Debug)]
enum WiringShape {
    /// No interconnect: siblings meet at no cost.
    Free,
    Mesh(Mesh),
    Torus(Torus),
    Tree(FatTree),
    Table(RouteTable),
}

impl Wiring {
    /// Wires `count` siblings. The interconnect must have passed the check.
    pub fn new(interconnect: Option<&Interconnect>, count: u32, links: &[Link]) -> Wiring {
        let Some(Interconnect { shape, link }) = interconnect else {
            return Wiring {
                shape: WiringShape::Free,
                link: LinkId(0),
                latency: Span::ZERO,
                half_duplex: false,
            };
        };
        let shape = match shape {
            Shape::Mesh => WiringShape::Mesh(Mesh::new(count)),
            Shape::Ring => WiringShape::Torus(Torus::new(&[count])),
            Shape::Torus(dims) => WiringShape::Torus(Torus::new(dims)),
            Shape::Hypercube => WiringShape::Torus(Torus::new(&vec![2; count.trailing_zeros() as usize])),
            Shape::FatTree { arity } => WiringShape::Tree(FatTree::new(count, *arity)),
            Shape::Star => WiringShape::Tree(FatTree::new(count, count.max(2))),
            Shape::Edges(edges) => WiringShape::Table(RouteTable::new(count, edges, links)),
        };
        // With a listed graph the common link is unused and may have any index.
        let (latency, half_duplex) =
            links.get(link.0).map_or((Span::ZERO, false), |link| (link.latency, link.is_half_duplex()));
        Wiring { shape, link: *link, latency, half_duplex }
    }

    /// True if siblings meet at no cost.
    pub fn is_free(&self) -> bool {
        matches!(self.shape, WiringShape::Free)
    }

    fn wires(&self) -> u32 {
        match &self.shape {
            WiringShape::Free => 0,
            WiringShape::Mesh(mesh) => mesh.wires(),
            WiringShape::Torus(torus) => torus.wires(),
            WiringShape::Tree(tree) => tree.wires(),
            WiringShape::Table(table) => table.wires(),
        }
    }

    /// Visits every wire of a route.
    pub fn walk(&self, from: u32, to: u32, visit: &mut impl FnMut(DirectedWire)) {
        match &self.shape {
            WiringShape::Free => {}
            WiringShape::Mesh(mesh) if from != to => visit(mesh.step(from, to)),
            WiringShape::Mesh(_) => {}
            WiringShape::Torus(torus) => torus.walk(from, to, visit),
            WiringShape::Tree(tree) => tree.walk(from, to, visit),
            WiringShape::Table(table) => table.walk(from, to, visit),
        }
    }

    /// One-way latency from one sibling to another.
    pub fn latency(&self, from: u32, to: u32) -> Span {
        let hops = match &self.shape {
            WiringShape::Free => 0,
            WiringShape::Mesh(_) => u32::from(from != to),
            WiringShape::Torus(torus) => torus.hops(from, to),
            WiringShape::Tree(tree) => tree.hops(from, to),
            WiringShape::Table(table) => return table.latency(from, to),
        };
        Span(u64::from(hops) * self.latency.0)
    }

    /// One-way latency to the nearest other sibling; the container must have another sibling.
    pub fn nearest(&self, from: u32) -> Span {
        let hops = match &self.shape {
            WiringShape::Free => 0,
            WiringShape::Mesh(_) | WiringShape::Torus(_) => 1,
            WiringShape::Tree(tree) => tree.hops_to_nearest(from),
            WiringShape::Table(table) => return table.nearest(from),
        };
        Span(u64::from(hops) * self.latency.0)
    }

    /// The ends of a wire, in forward order.
    pub fn ends(&self, wire: u32) -> (WireEnd, WireEnd) {
        match &self.shape {
            // A free wiring has no wires.
            WiringShape::Free => (WireEnd::Child(0), WireEnd::Child(0)),
            WiringShape::Mesh(mesh) => mesh.ends(wire),
            WiringShape::Torus(torus) => torus.ends(wire),
            WiringShape::Tree(tree) => tree.ends(wire),
            WiringShape::Table(table) => table.ends(wire),
        }
    }

    pub fn link(&self, wire: u32) -> LinkId {
        match &self.shape {
            WiringShape::Table(table) => table.link(wire),
            WiringShape::Free | WiringShape::Mesh(_) | WiringShape::Torus(_) | WiringShape::Tree(_) => {
                self.link
            }
        }
    }

    /// Factor on the number of the link type's lanes for a wire; more than 1 only in the upper part of a fat tree.
    pub fn multiple(&self, wire: u32) -> u32 {
        match &self.shape {
            WiringShape::Tree(tree) => tree.leaves_below(wire),
            WiringShape::Free | WiringShape::Mesh(_) | WiringShape::Torus(_) | WiringShape::Table(_) => 1,
        }
    }

    /// Number of resources of the wires of one container.
    pub fn resources(&self) -> u32 {
        match &self.shape {
            WiringShape::Table(table) => table.resources(),
            WiringShape::Free | WiringShape::Mesh(_) | WiringShape::Torus(_) | WiringShape::Tree(_) => {
                if self.half_duplex { self.wires() } else { 2 * self.wires() }
            }
        }
    }

    /// The resource that a step over a wire uses, counted from the first resource of the container.
    pub fn resource(&self, step: DirectedWire) -> u32 {
        match &self.shape {
            WiringShape::Table(table) => table.resource(step),
            WiringShape::Free | WiringShape::Mesh(_) | WiringShape::Torus(_) | WiringShape::Tree(_) => {
                if self.half_duplex { step.wire } else { 2 * step.wire + u32::from(!step.forward) }
            }
        }
    }

    /// The step over a wire that uses a resource; the forward step if the resource serves both directions.
    pub fn step(&self, resource: u32) -> DirectedWire {
        match &self.shape {
            WiringShape::Table(table) => table.step(resource),
            WiringShape::Free | WiringShape::Mesh(_) | WiringShape::Torus(_) | WiringShape::Tree(_) => {
                if self.half_duplex {
                    DirectedWire { wire: resource, forward: true }
                } else {
                    DirectedWire { wire: resource / 2, forward: resource.is_multiple_of(2) }
                }
            }
        }
    }
}
