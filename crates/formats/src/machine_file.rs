//! What a machine file may say. The JSON Schema, the checks and the documentation of every key come
//! from these types.

use crate::quantity::Quantity;
use numalab_machine::{Balancing, LevelKind, Numbering, Os};
use numalab_units::{Bandwidth, Bytes, Frequency, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

type Size = Quantity<Bytes>;
type Time = Quantity<Span>;
type Rate = Quantity<Bandwidth>;

/// Fraction of capacity left when so many cache lines are outstanding: `[[lines, fraction], …]`,
/// straight lines between the points.
type Crowding = Vec<[f64; 2]>;

/// A NumaLab machine: what the hardware is.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("title" = "NumaLab machine"))]
pub(crate) struct MachineFile {
    /// Short name, used in results.
    #[schemars(example = &"bcs16")]
    pub name: String,
    /// One line for `numalab list`.
    #[serde(default)]
    pub description: String,
    /// How the operating system numbers hardware threads.
    #[serde(default)]
    pub numbering: NumberingWord,
    /// The hierarchy, outermost first; the last level is `core`.
    #[schemars(length(min = 1))]
    pub level: Vec<LevelFile>,
    /// Kinds of link, by the names that interconnects and controllers use.
    #[serde(default)]
    pub link: BTreeMap<String, LinkFile>,
    /// Every core.
    pub core: CoreFile,
    /// Caches, innermost first.
    #[serde(default)]
    pub cache: Vec<CacheFile>,
    /// The memory of every NUMA node.
    pub memory: MemoryFile,
    /// What the operating system charges.
    #[serde(default)]
    pub os: OsFile,
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident for $target:ty { $($(#[$variant_doc:meta])* $variant:ident = $value:expr,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        pub(crate) enum $name { $($(#[$variant_doc])* $variant,)* }
        impl From<$name> for $target {
            fn from(word: $name) -> $target {
                match word { $($name::$variant => $value,)* }
            }
        }
    };
}

words! {
    /// How the operating system numbers hardware threads.
    #[derive(Default)]
    NumberingWord for Numbering {
        /// First hardware threads of all cores, then second ones.
        #[default]
        CoresFirst = Numbering::CoresFirst,
        /// All hardware threads of a core, then the next core.
        ThreadsFirst = Numbering::ThreadsFirst,
        /// As `cores-first`, but consecutive numbers go round the sockets.
        RoundRobinSockets = Numbering::RoundRobinSockets,
    }
}

words! {
    /// What a level is; levels nest in this order.
    KindWord for LevelKind {
        /// A board, blade or chassis.
        Board = LevelKind::Board,
        /// A processor package.
        Socket = LevelKind::Socket,
        /// A NUMA node, where a socket holds more than one.
        Node = LevelKind::Node,
        /// Cores that share a last-level cache, where a node holds more than one such group.
        Cluster = LevelKind::Cluster,
        /// A core; always the last level.
        Core = LevelKind::Core,
    }
}

/// One level: so many children in each container of the level above.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LevelFile {
    /// What the children are.
    pub kind: KindWord,
    /// Children in each container.
    #[schemars(range(min = 1))]
    pub count: u32,
    /// How the children of one container are joined; without it, at no cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interconnect: Option<InterconnectFile>,
    /// The node controller of the container, through which its children reach the rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub controller: Option<ControllerFile>,
}

/// How siblings are joined.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InterconnectFile {
    /// The graph.
    pub shape: ShapeWord,
    /// The kind of link of every edge; in a list of edges, of those that name none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// `torus`: the dimensions; their product is the level's count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dims: Option<Vec<u32>>,
    /// `fat-tree`: children of each switch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arity: Option<u32>,
    /// `edges`: the undirected edges between siblings, which are counted from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edges: Option<Vec<EdgeFile>>,
}

/// The graph that joins siblings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ShapeWord {
    /// Every sibling linked to every other.
    Mesh,
    /// Each linked to the next, the last to the first.
    Ring,
    /// A wrapped grid of `dims`; the first dimension varies fastest.
    Torus,
    /// Linked where the numbers differ in one bit; the count is a power of two.
    Hypercube,
    /// Switches of `arity` children each, with as many lanes at each step up as leaves below.
    FatTree,
    /// Every sibling linked to one switch.
    Star,
    /// As listed in `edges`.
    Edges,
}

/// One undirected edge.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EdgeFile {
    /// A sibling's number.
    pub from: u32,
    /// Another's.
    pub to: u32,
    /// The kind of link; the interconnect's if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

/// The node controller (hub, coherence switch) of one container.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ControllerFile {
    /// What joins each child to the controller.
    pub link: String,
    /// Cache lines that one child may have in flight through the controller at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub requests: Option<f64>,
}

/// A kind of link.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LinkFile {
    /// What one lane carries in one direction, or in both together if half duplex.
    pub bandwidth: Rate,
    /// Time for a cache line to cross, once.
    pub latency: Time,
    /// Parallel lanes between the same two ends.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    pub lanes: u32,
    /// Whether the directions have bandwidth of their own.
    #[serde(default)]
    pub duplex: DuplexWord,
    /// Fraction of capacity left when so many cache lines are outstanding: `[[lines, fraction], …]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub crowding: Crowding,
}

/// Whether directions share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum DuplexWord {
    /// Each direction has the bandwidth.
    #[default]
    Full,
    /// Both share it.
    Half,
}

/// One core.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CoreFile {
    /// Clock.
    pub clock: Quantity<Frequency>,
    /// Peak floating-point operations per cycle.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub flops_per_cycle: f64,
    /// Instructions per cycle that one thread sustains on cached data.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub instructions_per_cycle: f64,
    /// Cache lines kept in flight when streaming.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub outstanding: f64,
    /// Most that one core copies, whatever the latency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copy_bandwidth: Option<Rate>,
    /// Hardware threads.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    pub threads: u32,
}

/// A cache.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CacheFile {
    /// 1 is next to the core.
    #[schemars(range(min = 1, max = 9))]
    pub level: u8,
    /// Capacity.
    pub size: Size,
    /// Cores that share one instance.
    #[schemars(range(min = 1))]
    pub shared_by: u32,
    /// Load-to-use latency.
    pub latency: Time,
    /// Bandwidth to one core.
    pub bandwidth: Rate,
}

/// The memory of one NUMA node.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MemoryFile {
    /// Bytes of each node.
    pub capacity: Size,
    /// Idle latency of a local miss.
    pub latency: Time,
    /// Reads and writes together, as the controller moves them.
    pub bandwidth: Rate,
    /// Most that reads alone take of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_bandwidth: Option<Rate>,
    /// Most that writes alone take of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_bandwidth: Option<Rate>,
    /// Cache line; 64 B if absent.
    #[serde(default = "line")]
    pub line: Size,
    /// Page that first touch places; 4 KiB if absent.
    #[serde(default = "page")]
    pub page: Size,
    /// Stops of the cores' interconnect at which the controllers sit.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    pub stops: u32,
    /// Fraction of capacity left when so many cache lines are outstanding: `[[lines, fraction], …]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub crowding: Crowding,
}

/// What the operating system charges. What is absent is a recent Linux's on a small machine.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct OsFile {
    /// Fault and zeroing of one fresh page, with nobody else faulting.
    pub page_fault: Time,
    /// Rate of zeroing fresh memory, a part of `page_fault`: what a larger page costs more.
    pub zeroing: Rate,
    /// The part of `page_fault` that holds the lock of the node's free pages.
    pub page_lock: Time,
    /// Mapping and unmapping a block of memory, alone.
    pub map: Time,
    /// Waking the next thread that sleeps at the lock of the address space.
    pub wake: Time,
    /// Moving one page, less the copy and the interruption of the other processors.
    pub page_migration: Time,
    /// The fault of a page that is marked for next touch, less the move.
    pub next_touch: Time,
    /// Automatic NUMA balancing.
    pub balancing: BalancingFile,
}

/// How the operating system finds pages that are used from elsewhere.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct BalancingFile {
    /// A fault that only tells who accesses the page.
    pub hint_fault: Time,
    /// Memory unmapped at a time.
    pub scan_size: Size,
    /// Time between two such steps.
    pub scan_period: Time,
    /// Time before the first.
    pub scan_delay: Time,
}

impl Default for OsFile {
    fn default() -> Self {
        (&Os::default()).into()
    }
}

impl Default for BalancingFile {
    fn default() -> Self {
        (&Os::default().balancing).into()
    }
}

impl From<&Os> for OsFile {
    fn from(os: &Os) -> OsFile {
        OsFile {
            page_fault: Quantity(os.page_fault),
            zeroing: Quantity(os.zeroing),
            page_lock: Quantity(os.page_lock),
            map: Quantity(os.map),
            wake: Quantity(os.wake),
            page_migration: Quantity(os.page_migration),
            next_touch: Quantity(os.next_touch),
            balancing: (&os.balancing).into(),
        }
    }
}

impl From<&Balancing> for BalancingFile {
    fn from(balancing: &Balancing) -> BalancingFile {
        BalancingFile {
            hint_fault: Quantity(balancing.hint_fault),
            scan_size: Quantity(balancing.scan_size),
            scan_period: Quantity(balancing.scan_period),
            scan_delay: Quantity(balancing.scan_delay),
        }
    }
}

impl From<&OsFile> for Os {
    fn from(file: &OsFile) -> Os {
        Os {
            page_fault: file.page_fault.0,
            zeroing: file.zeroing.0,
            page_lock: file.page_lock.0,
            map: file.map.0,
            wake: file.wake.0,
            page_migration: file.page_migration.0,
            next_touch: file.next_touch.0,
            balancing: Balancing {
                hint_fault: file.balancing.hint_fault.0,
                scan_size: file.balancing.scan_size.0,
                scan_period: file.balancing.scan_period.0,
                scan_delay: file.balancing.scan_delay.0,
            },
        }
    }
}

fn one() -> u32 {
    1
}

fn line() -> Size {
    Quantity(Bytes(64))
}

fn page() -> Size {
    Quantity(Bytes(4096))
}
