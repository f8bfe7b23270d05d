//! Oracle of routes: Dijkstra's algorithm on the graph of the machine, among the edges that a line
//! may use.

use numalab_machine::{EdgeRole, LevelKind, LinkEnd, Machine, MachineGraph, Unit, Wire, graph};
use petgraph::algo::dijkstra;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeFiltered;
use std::collections::BTreeMap;

pub struct Oracle<'a> {
    machine: &'a Machine,
    pub graph: MachineGraph,
    vertices: BTreeMap<LinkEnd, NodeIndex>,
}

impl Oracle<'_> {
    pub fn new(machine: &Machine) -> Oracle<'_> {
        let graph = graph(machine);
        let vertices = graph.node_indices().map(|vertex| (graph[vertex], vertex)).collect();
        Oracle { machine, graph, vertices }
    }

    /// The unit of this level that contains a core.
    fn unit(&self, at: usize, core: u32) -> Unit {
        let cores: u32 = self.machine.levels[at + 1..].iter().map(|level| level.count).product();
        Unit { kind: self.machine.levels[at].kind, index: core / cores }
    }

    /// Vertex of the graph at which links of a unit end.
    pub fn vertex(&self, place: LinkEnd) -> NodeIndex {
        if let Some(found) = self.vertices.get(&place) {
            return *found;
        }
        let LinkEnd::Unit(unit) = place else { panic!("{place} is not drawn") };
        if let Some(found) =
            self.vertices.get(&LinkEnd::Controller(unit)).or(self.vertices.get(&LinkEnd::Exit(unit)))
        {
            return *found;
        }
        // A container of one child without a controller has the vertex of that child.
        let at = self.machine.levels.iter().position(|level| level.kind == unit.kind).unwrap();
        assert_eq!(self.machine.levels[at + 1].count, 1, "{place} is not drawn");
        self.vertex(LinkEnd::Unit(Unit { kind: self.machine.levels[at + 1].kind, ..unit }))
    }

    /// Vertex of a core if `inside`, otherwise of its node.
    pub fn end(&self, core: u32, inside: bool) -> NodeIndex {
        let nodes = self.machine.levels.iter().take_while(|level| level.kind <= LevelKind::Node).count();
        self.vertex(LinkEnd::Unit(match (inside, nodes) {
            (true, _) => Unit { kind: LevelKind::Core, index: core },
            (false, 0) => Unit { kind: LevelKind::Node, index: 0 },
            (false, nodes) => self.unit(nodes - 1, core),
        }))
    }

    /// True if a line between two cores may cross an edge: between siblings in the container that holds
    /// both cores, or on an exit in the containers below it.
    pub fn may_cross(&self, wire: &Wire, from: u32, to: u32) -> bool {
        let depth = self.machine.levels.len();
        let Some(parting) = (0..depth).find(|at| self.unit(*at, from) != self.unit(*at, to)) else {
            return false;
        };
        match wire.role {
            EdgeRole::Siblings => wire.within == parting.checked_sub(1).map(|above| self.unit(above, from)),
            EdgeRole::WayOut => (parting..depth).any(|at| {
                wire.within.is_some_and(|within| within == self.unit(at, from) || within == self.unit(at, to))
            }),
            EdgeRole::Entry => false,
        }
    }

    /// Latency of the shortest path between two cores if `inside`, otherwise between their nodes.
    pub fn latency(&self, from: u32, to: u32, inside: bool) -> u64 {
        let (start, goal) = (self.end(from, inside), self.end(to, inside));
        let allowed = EdgeFiltered::from_fn(&self.graph, |edge| self.may_cross(edge.weight(), from, to));
        dijkstra(&allowed, start, Some(goal), |edge| edge.weight().latency.0)[&goal]
    }
}
