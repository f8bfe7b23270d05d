//! Topology that a machine states itself: packages, nodes, cores, hardware threads and caches.
//!
//! Read from hwloc's XML (`hwloc`) or from files of `/sys` (`sys`). [`Topology::machine`] makes a
//! [`Machine`](numalab_machine::Machine) of it (`sketch`), still without measured values. Facts that a source lacks
//! are `None` or empty; [`Topology::fill_from`] takes them from another source.

mod assume;
mod chips;
mod core_designs;
mod file;
mod fill;
mod generations;
mod here;
mod hwloc;
mod lines;
mod lists;
mod nearest;
pub(crate) mod records;
mod reference;
mod sketch;
mod sys;
mod write_costs;

pub use assume::Assumption;
pub use file::{topology, topology_from_text};
pub use fill::Misfit;
pub use here::topology_here;
pub use sketch::{MachineSketch, Unsuited};

/// Numbers of the processors in a bitmap as hwloc and Linux write it; `None` if the text is no
/// bitmap.
pub fn processors_of_bitmap(text: &str) -> Option<Vec<u32>> {
    lists::bitmap(text).map(|set| set.into_iter().collect())
}

/// Limit of processor and node numbers. The largest machines have some thousands.
pub const MAX_NUMBER: u32 = 1 << 16;

/// A machine as its operating system, or hwloc, describes it. Lists are in ascending order of the numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Topology {
    /// Model name of the processors.
    pub model: Option<String>,
    /// Vendor of the processors as written, or else their architecture.
    pub vendor: Option<String>,
    /// Features of the processors (`avx2`, `asimd`), as Linux names its flags.
    pub features: Vec<String>,
    /// Highest clock of the processors, in hertz.
    pub clock: Option<f64>,
    /// Bytes of a base page.
    pub page: Option<u64>,
    /// Hardware threads that can be used.
    pub processors: Vec<Processor>,
    /// Numbers of processors by the kind of their cores, if there are several kinds.
    pub core_kinds: Vec<u32>,
    /// Numbers of hardware threads that are off-line or not available.
    pub offline: Vec<u32>,
    /// NUMA nodes; empty if unknown.
    pub nodes: Vec<Node>,
    /// Every data or unified cache, by level, then by its first processor. Instruction caches are left out.
    pub caches: Vec<CacheUnit>,
    /// Distances by row and column in the order of `nodes`, from the firmware (SLIT) or measured.
    pub distances: Option<Vec<Vec<f64>>>,
    /// Stated speeds of memory, from hwloc's memory attributes.
    pub speeds: Vec<Speed>,
}

/// Speed of a node's memory for some processors, as stated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Speed {
    /// The operating system's number of the node.
    pub node: u32,
    /// Numbers of the processors that read.
    pub from: Vec<u32>,
    /// Bytes a second.
    pub bandwidth: Option<f64>,
    /// Nanoseconds.
    pub latency: Option<f64>,
}

/// A hardware thread of the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Processor {
    /// The operating system's number of the hardware thread.
    pub number: u32,
    /// Package number, equal for processors of one package; `None` if unknown.
    pub package: Option<u32>,
    /// Core number, unique in the machine; `None` if unknown.
    pub core: Option<u32>,
}

/// A NUMA node: processors and memory, or memory alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node {
    /// The operating system's number of the node.
    pub number: u32,
    /// Bytes of memory. `Some(0)` is a node without memory.
    pub capacity: Option<u64>,
    /// Numbers of the node's processors; empty for memory-only nodes (CXL expander, high-bandwidth memory).
    pub processors: Vec<u32>,
    /// Processors next to a memory-only node; empty if unknown.
    pub near: Vec<u32>,
    /// Kind of a memory-only node as written (`HBM`, `MCDRAM`, `NVM`); `None` if unknown.
    pub kind: Option<String>,
}

/// A cache, with the processors that share it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct CacheUnit {
    /// Level of the cache; 1 is next to the core.
    pub level: u8,
    /// Capacity in bytes.
    pub size: u64,
    /// Bytes of a line of the cache; `None` if unknown.
    pub line: Option<u64>,
    /// Numbers of the processors that share the cache.
    pub processors: Vec<u32>,
}
