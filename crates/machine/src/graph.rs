//! The machine as a petgraph graph: NUMA nodes, controllers and switches, connected by links.
//!
//! Used for drawing, and as the oracle of the fabric's routes. It is built from the machine's
//! description alone and shares no code with the closed forms of the fabric. Among the edges that a
//! line may use (the interconnect of the container that holds both ends, and the exits of the
//! containers below it), the shortest path is the fabric's route.

use crate::{Interconnect, LevelKind, LinkEnd, LinkId, Machine, Shape, Unit};
use numalab_base::{Bandwidth, Span};
use petgraph::graph::{NodeIndex, UnGraph};
use std::collections::BTreeMap;

/// Vertices are all places where links end: nodes (node `i` is vertex `i`), cores, controllers, switches, and points
/// that cost nothing to cross.
pub type MachineGraph = UnGraph<LinkEnd, Wire>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeRole {
    /// Connects two children of one container.
    Siblings,
    /// Connects a child to the controller or the exit of its container.
    WayOut,
    /// Connects a node to the interconnect of the cores inside it.
    Entry,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Wire {
    pub role: EdgeRole,
    /// The container whose interconnect or exits include the edge; `None` for the machine.
    pub within: Option<Unit>,
    /// The link type; `None` if the machine file has no link and crossing costs nothing.
    pub link: Option<LinkId>,
    /// Bandwidth of all lanes in one direction (of both directions together, if half duplex); infinite if `link` is
    /// `None`.
    pub bandwidth: Bandwidth,
    /// One-way latency.
    pub latency: Span,
}

/// Builds the graph of a checked machine. The graph of a machine with problems may lack edges.
pub fn graph(machine: &Machine) -> MachineGraph {
    let inside_nodes = &machine.levels[machine.node_depth()..];
    let depth = match inside_nodes.iter().any(|level| level.interconnect.is_some()) {
        true => machine.levels.len(),
        false => machine.node_depth(),
    };
    let mut drawing = Drawing { machine, graph: MachineGraph::default(), places: BTreeMap::new() };
    drawing.nodes();
    for at in 0..depth {
        for container in 0..machine.units(at) {
            drawing.container(at, container);
        }
    }
    if depth > machine.node_depth() {
        drawing.entries();
    }
    drawing.graph
}

struct Drawing<'a> {
    machine: &'a Machine,
    graph: MachineGraph,
    places: BTreeMap<LinkEnd, NodeIndex>,
}

impl Drawing<'_> {
    fn place(&mut self, place: LinkEnd) -> NodeIndex {
        *self.places.entry(place).or_insert_with(|| self.graph.add_node(place))
    }

    fn node(&self, index: u32) -> LinkEnd {
        let depth = self.machine.node_depth();
        let kind = depth.checked_sub(1).map_or(LevelKind::Node, |last| self.machine.levels[last].kind);
        LinkEnd::Unit(Unit { kind, index })
    }

    /// Adds all nodes before other vertices, so that node `i` is vertex `i`.
    fn nodes(&mut self) {
        for index in 0..self.machine.units(self.machine.node_depth()) {
            self.place(self.node(index));
        }
    }

    /// End of the links of level `at` at one of its units: the node or core itself, otherwise the exit of the unit.
    fn port(&self, at: usize, index: u32) -> LinkEnd {
        let unit = Unit { kind: self.machine.levels[at].kind, index };
        if at + 1 == self.machine.node_depth() || at + 1 == self.machine.levels.len() {
            return LinkEnd::Unit(unit);
        }
        let inside = &self.machine.levels[at + 1];
        match inside.controller {
            Some(_) => LinkEnd::Controller(unit),
            None if inside.count == 1 => self.port(at + 1, index),
            None => LinkEnd::Exit(unit),
        }
    }

    /// The unit with number `container` that holds units of level `at`; `None` if that container is the machine.
    fn unit(&self, at: usize, container: u32) -> Option<Unit> {
        let kind = self.machine.levels[at.checked_sub(1)?].kind;
        Some(Unit { kind, index: container })
    }

    fn container(&mut self, at: usize, container: u32) {
        let level = &self.machine.levels[at];
        let within = self.unit(at, container);
        let child = |drawing: &Self, child| drawing.port(at, container * level.count + child);

        // Edges between siblings. The vertex of a node is no sibling of its cores: see `entries`.
        match &level.interconnect {
            Some(interconnect) => {
                for drawn in edges(interconnect, level.count) {
                    let [from, to] = [drawn.from, drawn.to].map(|end| match end {
                        DrawnEnd::Child(index) => child(self, index),
                        DrawnEnd::Switch(index) => LinkEnd::Switch { within, index },
                    });
                    self.join(from, to, EdgeRole::Siblings, within, Some(drawn.link), drawn.multiple);
                }
            }
            None if level.count > 1 => {
                for index in 0..level.count {
                    self.join(
                        child(self, index),
                        LinkEnd::Junction(within),
                        EdgeRole::Siblings,
                        within,
                        None,
                        1,
                    );
                }
            }
            None => {}
        }

        // The exit of each child. The machine has no exit, and a node's exit is its memory.
        let Some(unit) = within.filter(|_| at != self.machine.node_depth()) else { return };
        let (exit, link) = match &level.controller {
            Some(controller) => (LinkEnd::Controller(unit), Some(controller.link)),
            None if level.count > 1 => (LinkEnd::Exit(unit), None),
            None => return,
        };
        for index in 0..level.count {
            self.join(child(self, index), exit, EdgeRole::WayOut, within, link, 1);
        }
    }

    /// Connects each node to its cores' interconnect at its first core.
    fn entries(&mut self) {
        let (cores, last) = (self.machine.cores_per_node(), self.machine.levels.len() - 1);
        for index in 0..self.machine.units(self.machine.node_depth()) {
            let node = self.node(index);
            let unit = if let LinkEnd::Unit(unit) = node { Some(unit) } else { None };
            self.join(node, self.port(last, index * cores), EdgeRole::Entry, unit, None, 1);
        }
    }

    fn join(
        &mut self,
        from: LinkEnd,
        to: LinkEnd,
        role: EdgeRole,
        within: Option<Unit>,
        link: Option<LinkId>,
        multiple: u32,
    ) {
        let kind = link.and_then(|LinkId(link)| self.machine.links.get(link));
        let (bandwidth, latency) = kind.map_or((f64::INFINITY, Span::ZERO), |kind| {
            (kind.bandwidth.0 * f64::from(kind.lanes) * f64::from(multiple), kind.latency)
        });
        let wire = Wire { role, within, link, bandwidth: Bandwidth(bandwidth), latency };
        let (from, to) = (self.place(from), self.place(to));
        self.graph.add_edge(from, to, wire);
    }
}

#[derive(Clone, Copy)]
enum DrawnEnd {
    Child(u32),
    Switch(u32),
}

struct Drawn {
    from: DrawnEnd,
    to: DrawnEnd,
    link: LinkId,
    /// Number of parallel links; more than 1 only in a fat tree.
    multiple: u32,
}

/// Edges of one interconnect, directly from the definition of its shape.
fn edges(interconnect: &Interconnect, count: u32) -> Vec<Drawn> {
    let pair = |from, to| Drawn {
        from: DrawnEnd::Child(from),
        to: DrawnEnd::Child(to),
        link: interconnect.link,
        multiple: 1,
    };
    let everyone = 0..count;
    match &interconnect.shape {
        Shape::Mesh => everyone.flat_map(|low| (low + 1..count).map(move |high| pair(low, high))).collect(),
        Shape::Ring => torus(&[count]).into_iter().map(|(from, to)| pair(from, to)).collect(),
        Shape::Torus(dims) => torus(dims).into_iter().map(|(from, to)| pair(from, to)).collect(),
        Shape::Hypercube => everyone
            .flat_map(|from| (0..32).map(move |bit| (from, u64::from(from) ^ (1 << bit))))
            .filter(|(from, to)| u64::from(*from) < *to && *to < u64::from(count))
            .map(|(from, to)| pair(from, to as u32))
            .collect(),
        Shape::Star if count > 1 => {
            everyone.map(|child| Drawn { to: DrawnEnd::Switch(0), ..pair(child, child) }).collect()
        }
        Shape::Star => Vec::new(),
        Shape::FatTree { arity } => fat_tree(*arity, count, interconnect.link),
        Shape::Edges(edges) => {
            edges.iter().map(|edge| Drawn { link: edge.link, ..pair(edge.from, edge.to) }).collect()
        }
    }
}

/// Pairs of neighbours in a wrapped grid, each pair once.
fn torus(dims: &[u32]) -> Vec<(u32, u32)> {
    let count: u32 = dims.iter().product();
    let mut pairs = Vec::new();
    let mut stride = 1;
    for &size in dims {
        for from in 0..count {
            let coordinate = from / stride % size;
            if coordinate + 1 < size {
                pairs.push((from, from + stride));
            } else if size > 2 {
                pairs.push((from, from - coordinate * stride));
            }
        }
        stride *= size;
    }
    pairs
}

fn fat_tree(arity: u32, count: u32, link: LinkId) -> Vec<Drawn> {
    let mut edges = Vec::new();
    // All switches or leaves of one height, with the number of leaves below each.
    let mut row: Vec<(DrawnEnd, u32)> = (0..count).map(|leaf| (DrawnEnd::Child(leaf), 1)).collect();
    let mut switches = 0..;
    while row.len() > 1 {
        let groups = row.chunks(arity.max(2) as usize);
        row = groups
            .zip(&mut switches)
            .map(|(group, switch)| {
                let to = DrawnEnd::Switch(switch);
                edges.extend(group.iter().map(|&(from, multiple)| Drawn { from, to, link, multiple }));
                (to, group.iter().map(|(_, leaves)| leaves).sum())
            })
            .collect();
    }
    edges
}
