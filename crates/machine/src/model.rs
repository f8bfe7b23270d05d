//! The typed hierarchy: the contents of a machine file, with units and names resolved.

// Glossary: socket: A package of cores with one or more nodes.

// Glossary: node controller: Hub of a board or socket through which it reaches the rest of the machine, with
//   a limit of requests in flight.

// Glossary: board: A container of sockets whose node controller joins them to the other boards.

use crate::{
    Cache, Core, Crowding, Dsm, LevelKind, Link, Memory, MemoryAt, MemoryOnly, NodePort, Numbering, Os,
    Protocol,
};
use numalab_base::{Bandwidth, NumberList, NumberSequence, Span, ValueOrigins};

/// Index into [`Machine::links`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub usize);

/// A whole machine. Its fields are public; [`Machine::check`] checks them together.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// Short name, as on the command line.
    pub name: String,
    /// One line for `numalab list`.
    pub description: String,
    /// The hierarchy, outermost first; the last level is [`LevelKind::Core`].
    pub levels: Vec<Level>,
    /// Link types that interconnects refer to.
    pub links: Vec<Link>,
    /// Properties of every core.
    pub core: Core,
    /// Caches, innermost first.
    pub caches: Vec<Cache>,
    pub protocol: Protocol,
    /// The memory of every NUMA node with processors.
    pub memory: Memory,
    /// Nodes with processors whose memory differs from `memory`.
    pub memory_at: Vec<MemoryAt>,
    /// Memory-only nodes, by kind. Memory-only nodes are numbered after the nodes with processors, kind by kind.
    pub memory_only: Vec<MemoryOnly>,
    /// Order in which the operating system numbers processors.
    pub numbering: Numbering,
    /// Numbers of all hardware threads in the order of the hierarchy, core by core; empty if `numbering` states the
    /// order.
    pub processors: NumberSequence,
    /// Hardware threads that the operating system does not use, by its numbers. Levels count them.
    pub offline: NumberList,
    /// Costs of the operating system.
    pub os: Os,
    /// Software shared memory of the units of the outermost level; `None` on machines with hardware
    /// coherence.
    pub dsm: Option<Dsm>,
    /// The OpenMP runtime with which the machine was measured: name or path of a runtime file. The default unless a
    /// workload or the command line names another runtime.
    pub runtime: Option<String>,
    /// Origins and tolerances of the values. They change no run.
    pub origins: ValueOrigins,
}

impl Machine {
    /// Time of a hit in the first-level cache: its latency, or one cycle if the core has an out-of-order window that
    /// hides the latency.
    pub fn hit(&self) -> Span {
        match self.core.window {
            Some(_) => Span::from_secs_ceil(1.0 / self.core.clock.0).min(self.first_latency()),
            None => self.first_latency(),
        }
    }

    /// Index of the last cache that several cores share; `None` if all caches are private.
    pub fn shared_cache(&self) -> Option<usize> {
        self.caches.iter().rposition(|cache| cache.shared_by > 1)
    }

    /// Latency of the first-level cache; zero without caches.
    pub fn first_latency(&self) -> Span {
        self.caches.first().map_or(Span::ZERO, |cache| cache.latency)
    }
}

/// One level of the hierarchy: `count` children in each container of the level above.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// Kind of the children.
    pub kind: LevelKind,
    /// Number of children in each container.
    pub count: u32,
    /// Interconnect of the children of one container; `None` if children are connected at no cost.
    pub interconnect: Option<Interconnect>,
    /// The node controller of the container, through which its children reach the rest of the machine; `None` if
    /// children leave the container at no cost.
    pub controller: Option<Controller>,
    /// Port of each child to its node, for levels inside a node; `None` if only memory and links limit what the
    /// child's cores read and write.
    pub port: Option<NodePort>,
    /// Time until a core has a line that was written by a core of another child at the smallest distance. `None` if
    /// not measured: the time then follows from cache latencies and the round trip.
    pub core_to_core: Option<Span>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Interconnect {
    pub shape: Shape,
    /// The link type of every edge; unused for `Shape::Edges`, whose edges have their own link types.
    pub link: LinkId,
}

/// The graph that connects siblings `0..count`.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Every sibling linked to every other sibling.
    Mesh,
    /// Every sibling linked to the next sibling, and the last to the first.
    Ring,
    /// Wrapped grid with these numbers of siblings by dimension. The first dimension varies fastest; the product of
    /// all dimensions is the count.
    Torus(Vec<u32>),
    /// Siblings linked if their numbers differ in one bit; the count is a power of two.
    Hypercube,
    /// Switches of `arity` children each, with as many levels as needed. A link upwards has the lanes of its link
    /// type once for each leaf below the link.
    FatTree {
        /// Number of children of each switch.
        arity: u32,
    },
    /// Every sibling linked to one switch.
    Star,
    /// An explicit list of undirected edges.
    Edges(Vec<Edge>),
}

/// One undirected edge of [`Shape::Edges`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Index of a sibling.
    pub from: u32,
    /// Index of another sibling.
    pub to: u32,
    pub link: LinkId,
}

/// The node controller (hub, coherence switch) of one container.
#[derive(Clone, Debug, PartialEq)]
pub struct Controller {
    /// Link type between each child and the controller.
    pub link: LinkId,
    /// Cache lines that one child may have in flight through the controller at once. By Little's law this limit is a
    /// bandwidth: `requests × line / latency` of the nearest memory beyond the controller. `None` for no limit.
    pub requests: Option<f64>,
    /// Bandwidth of the controller in each direction; `None` for the bandwidth of all its links to the children.
    pub bandwidth: Option<Bandwidth>,
    /// Fraction of the bandwidth that is left, by number of outstanding lines: lines requested from inside or from
    /// outside, whichever are fewer.
    pub crowding: Crowding,
}

impl Controller {
    /// True if the controller has limits besides the bandwidths of its links.
    pub fn is_limited(&self) -> bool {
        self.bandwidth.is_some() || !self.crowding.0.is_empty()
    }
}
