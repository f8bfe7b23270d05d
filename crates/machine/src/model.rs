//! The typed hierarchy: what a machine file says, after units and names are resolved.

// Glossary: socket: A package of cores with one or more nodes.

// Glossary: node controller: Hub of a board or socket through which it reaches the rest of the machine, with
//   a limit of requests in flight.

// Glossary: board: A container of sockets whose node controller joins them to the other boards.

use crate::{Cache, Core, Crowding, Dsm, LevelKind, Link, Memory, MemoryOnly, Numbering, Os, Protocol};
use numalab_base::{Bandwidth, Span};

/// Index into [`Machine::links`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub usize);

/// A whole machine. Public fields, checked as a whole by [`Machine::check`].
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// Short name, as on the command line.
    pub name: String,
    /// One line for `numalab list`.
    pub description: String,
    /// The hierarchy, outermost first; the last level is [`LevelKind::Core`].
    pub levels: Vec<Level>,
    /// The kinds of link that interconnects name.
    pub links: Vec<Link>,
    /// Every core.
    pub core: Core,
    /// Caches, innermost first.
    pub caches: Vec<Cache>,
    /// Coherence protocol.
    pub protocol: Protocol,
    /// The memory of every NUMA node that has processors.
    pub memory: Memory,
    /// Nodes that are memory alone, by kind. They are numbered after those with processors, kind by kind.
    pub memory_only: Vec<MemoryOnly>,
    /// Order in which the operating system numbers processors.
    pub numbering: Numbering,
    /// Costs of the operating system.
    pub os: Os,
    /// Memory that the units of the outermost level share by pages in software, where they do.
    pub dsm: Option<Dsm>,
    /// The OpenMP runtime that it was measured with: the name or path of a runtime file. Where nobody says which
    /// runtime there is, this is it.
    pub runtime: Option<String>,
}

impl Machine {
    /// Time of an access that hits the first-level cache: its latency; or a cycle, where the core has a window in which what
    /// comes next goes on beside it.
    pub fn hit(&self) -> Span {
        match self.core.window {
            Some(_) => Span::from_secs_ceil(1.0 / self.core.clock.0).min(self.first_latency()),
            None => self.first_latency(),
        }
    }

    /// Place of the last cache that several cores share, if there is one.
    pub fn shared_cache(&self) -> Option<usize> {
        self.caches.iter().rposition(|cache| cache.shared_by > 1)
    }

    /// Latency of the first-level cache.
    pub fn first_latency(&self) -> Span {
        self.caches.first().map_or(Span::ZERO, |cache| cache.latency)
    }
}

/// One level: so many children in each container of the level above.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// Kind of the children.
    pub kind: LevelKind,
    /// Children in each container.
    pub count: u32,
    /// Interconnect of the children of one container; `None` joins them at no cost.
    pub interconnect: Option<Interconnect>,
    /// The node controller of the container, through which its children reach the rest of the
    /// machine; `None` when they leave it at no cost.
    pub controller: Option<Controller>,
    /// Time until a core has a line that a core of another child has written, where the two children are as close as
    /// any; what the caches and the way there and back take if absent.
    pub core_to_core: Option<Span>,
}

/// Shape of an interconnect.
#[derive(Clone, Debug, PartialEq)]
pub struct Interconnect {
    /// The graph.
    pub shape: Shape,
    /// The link type of every edge; for [`Shape::Edges`] the edges name their own.
    pub link: LinkId,
}

/// The graph that joins siblings `0..count`.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Every sibling linked to every other.
    Mesh,
    /// Each linked to the next, the last to the first.
    Ring,
    /// Wrapped grid; the first dimension varies fastest; the product is the count.
    Torus(Vec<u32>),
    /// Linked where the numbers differ in one bit; the count is a power of two.
    Hypercube,
    /// Switches of `arity` children each, as many levels as needed, a fat link at every step
    /// (each step up carries as many lanes as the subtree has leaves).
    FatTree {
        /// Children of each switch.
        arity: u32,
    },
    /// Every sibling linked to one switch.
    Star,
    /// As listed; undirected.
    Edges(Vec<Edge>),
}

/// One undirected edge of [`Shape::Edges`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// A sibling's index.
    pub from: u32,
    /// Another's.
    pub to: u32,
    /// Link type that joins them.
    pub link: LinkId,
}

/// The node controller (hub, coherence switch) of one container.
#[derive(Clone, Debug, PartialEq)]
pub struct Controller {
    /// Link type that joins each child to the controller.
    pub link: LinkId,
    /// Cache lines that one child may have in flight through the controller at once.
    /// Little's law turns it into a bandwidth: `requests × line / latency` of the nearest memory beyond it.
    pub requests: Option<f64>,
    /// Most that the controller moves each way; all its links to the children together if not said.
    pub bandwidth: Option<Bandwidth>,
    /// Fraction of that left when so many lines are outstanding both ways: of those that its own side asked for and
    /// those that others did, the lesser.
    pub crowding: Crowding,
}

impl Controller {
    /// Whether it limits anything besides its links.
    pub fn is_limited(&self) -> bool {
        self.bandwidth.is_some() || !self.crowding.0.is_empty()
    }
}
