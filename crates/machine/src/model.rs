//! The typed hierarchy: what a machine file says, after units and names are resolved.

use crate::Protocol;
use numalab_units::{Bandwidth, Bytes, Frequency, Span};

/// Kind of a level of the hierarchy. The order is the order of nesting, outermost first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LevelKind {
    /// A board, blade or chassis: what a node controller joins to the rest of the machine.
    Board,
    /// A processor package.
    Socket,
    /// A NUMA node, where a socket holds more than one. Absent when every socket is one node.
    Node,
    /// Cores that share a last-level cache, where a node holds more than one such group.
    Cluster,
    /// A core; always the last level.
    Core,
}

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
    /// The memory of every NUMA node.
    pub memory: Memory,
    /// Order in which the operating system numbers processors.
    pub numbering: Numbering,
    /// Costs of the operating system.
    pub os: Os,
    /// The OpenMP runtime that it was measured with: the name or path of a runtime file. Where nobody says which
    /// runtime there is, this is it.
    pub runtime: Option<String>,
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
}

/// A kind of link.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Name used in the file and in resource names.
    pub name: String,
    /// Bandwidth of one lane in one direction (or in both together if `half_duplex`).
    pub bandwidth: Bandwidth,
    /// Time for a line to cross, once.
    pub latency: Span,
    /// Parallel lanes between the same two ends.
    pub lanes: u32,
    /// Both directions share the bandwidth.
    pub half_duplex: bool,
    /// Efficiency under crowding.
    pub crowding: Crowding,
}

/// Fraction of capacity left when so many cache lines are outstanding on a resource: straight lines
/// between the points, flat before the first and after the last. Empty means 1 everywhere.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Crowding(pub Vec<(f64, f64)>);

/// One core.
#[derive(Clone, Debug, PartialEq)]
pub struct Core {
    /// Clock.
    pub clock: Frequency,
    /// Peak floating-point operations per cycle.
    pub flops_per_cycle: f64,
    /// Instructions per cycle that one thread sustains on cached data.
    pub instructions_per_cycle: f64,
    /// Cache lines that it keeps in flight when it streams.
    pub outstanding: f64,
    /// Most of them that one sequence of addresses gets, as far as its prefetchers look ahead; `None` for all.
    pub stream_outstanding: Option<f64>,
    /// Most that one core moves to and from memory, fetches and write-backs together, whatever the latency; `None`
    /// for no limit of its own.
    pub copy_bandwidth: Option<Bandwidth>,
    /// Part of computing that passes while loads that prefetchers foresee are waited for: 1 all, 0 none. Workloads
    /// may ask for it; it does nothing by itself.
    pub overlap: f64,
    /// Time that an atomic operation takes longer than a store, once the core has the line.
    pub atomic: Span,
    /// Hardware threads.
    pub threads: u32,
}

/// A cache.
#[derive(Clone, Debug, PartialEq)]
pub struct Cache {
    /// 1 is next to the core.
    pub level: u8,
    /// Capacity.
    pub size: Bytes,
    /// Cores that share one instance.
    pub shared_by: u32,
    /// Load-to-use latency.
    pub latency: Span,
    /// Bandwidth to one core.
    pub bandwidth: Bandwidth,
    /// Until a core has a line that another of those that share the cache has written, or the other has lost
    /// its copy; `None` for twice the latency: there to ask, and what the other's cache takes.
    pub core_to_core: Option<Span>,
}

impl Cache {
    /// Until a request that another of the sharing cores has to hear of is answered.
    pub fn between_cores(&self) -> Span {
        self.core_to_core.unwrap_or(self.latency + self.latency)
    }
}

/// The memory of one NUMA node.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// Bytes of each node.
    pub capacity: Bytes,
    /// Idle latency of a local miss.
    pub latency: Span,
    /// Reads and writes together, as the controller moves them.
    pub bandwidth: Bandwidth,
    /// Most that reads alone take of it, where reads have lanes of their own.
    pub read_bandwidth: Option<Bandwidth>,
    /// Most that writes alone take of it.
    pub write_bandwidth: Option<Bandwidth>,
    /// Cache line.
    pub line: Bytes,
    /// Page that first touch places.
    pub page: Bytes,
    /// Evenly spaced stops of the cores' interconnect at which the controllers sit, lines interleaved
    /// over them. 1 when the cores have no interconnect.
    pub stops: u32,
    /// Efficiency under crowding.
    pub crowding: Crowding,
}

/// Costs of the operating system.
#[derive(Clone, Debug, PartialEq)]
pub struct Os {
    /// Fault and zeroing of one fresh page of [`Memory::page`] bytes, with nobody else faulting.
    pub page_fault: Span,
    /// Zeroing of fresh memory, a part of `page_fault`. What a larger page costs more.
    pub zeroing: Bandwidth,
    /// The part of `page_fault` during which the lock of the node's free pages is held; at most all of it.
    pub page_lock: Span,
    /// Mapping and unmapping a block of memory, with nobody else at the lock of the address space.
    pub map: Span,
    /// Waking the next thread that sleeps at that lock.
    pub wake: Span,
    /// Moving one page, less the copy and the interruption of the other processors.
    pub page_migration: Span,
    /// The fault of a page marked for next touch, less the move.
    pub next_touch: Span,
    /// Automatic balancing.
    pub balancing: Balancing,
}

impl Default for Os {
    /// A recent Linux on a small machine; what balancing does is the kernel's own default.
    fn default() -> Os {
        const US: u64 = 1_000_000;
        Os {
            page_fault: Span(US),
            zeroing: Bandwidth(10e9),
            page_lock: Span(US / 10),
            map: Span(4 * US),
            wake: Span(5 * US),
            page_migration: Span(US),
            next_touch: Span(10 * US),
            balancing: Balancing {
                hint_fault: Span(US),
                scan_size: Bytes(256 << 20),
                scan_period: Span(1_000_000 * US),
                scan_delay: Span(1_000_000 * US),
                scan_page: Span::ZERO,
            },
        }
    }
}

/// Parameters of automatic NUMA balancing, by which the operating system finds pages that other nodes use.
#[derive(Clone, Debug, PartialEq)]
pub struct Balancing {
    /// A fault that only tells who accesses the page.
    pub hint_fault: Span,
    /// Memory unmapped at a time.
    pub scan_size: Bytes,
    /// Time between two such steps.
    pub scan_period: Span,
    /// Time before the first.
    pub scan_delay: Span,
    /// Processor time that unmapping one page takes, from a thread that computes there. Zero where it was not
    /// measured: then scans take no time.
    pub scan_page: Span,
}

/// Order in which the operating system numbers hardware threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numbering {
    /// First hardware threads of all cores, then second ones (Linux on most machines).
    #[default]
    CoresFirst,
    /// All hardware threads of a core, then the next core.
    ThreadsFirst,
    /// As [`Numbering::CoresFirst`], but consecutive numbers go round the sockets.
    RoundRobinSockets,
}
