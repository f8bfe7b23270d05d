//! Contents of a machine file. The JSON Schema, the checks and the documentation of every key come
//! from these types.

mod levels;
mod os;

pub(crate) use levels::{ControllerFile, EdgeFile, InterconnectFile, LevelFile, ShapeWord};
pub(crate) use os::OsFile;

use crate::mirror::{mirror, words};
use crate::quantity::Quantity;
use numalab_machine::{Cache, Core, Memory, Numbering, Protocol};
use numalab_units::{Bandwidth, Bytes, Frequency, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub(crate) type Size = Quantity<Bytes>;
pub(crate) type Time = Quantity<Span>;
pub(crate) type Rate = Quantity<Bandwidth>;

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
    /// Order in which the operating system numbers hardware threads.
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
    /// Protocol by which caches agree on who may write a line.
    #[serde(default)]
    pub protocol: ProtocolWord,
    /// The memory of every NUMA node.
    pub memory: MemoryFile,
    /// Charges of the operating system.
    #[serde(default)]
    pub os: OsFile,
    /// The OpenMP runtime that it was measured with, for where none is named: a name, or the path of
    /// a file beside this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"host.runtime.toml")]
    pub runtime: Option<String>,
}

words! {
    /// Order in which the operating system numbers hardware threads.
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
    /// Protocol by which caches agree on who may write a line, named after the states of a line in a cache.
    #[derive(Default)]
    ProtocolWord for Protocol {
        /// Memory serves what several caches share.
        #[default]
        Mesi = Protocol::Mesi,
        /// One of the sharers forwards the line in the place of memory.
        Mesif = Protocol::Mesif,
        /// An owner shares what it wrote before memory has it.
        Moesi = Protocol::Moesi,
    }
}

/// A kind of link.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LinkFile {
    /// Bandwidth of one lane in one direction, or in both together if half duplex.
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
    /// Most of them that one sequence of addresses gets, as far as prefetchers look ahead; all if not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub stream_outstanding: Option<f64>,
    /// Most that one core moves to and from memory, fetches and write-backs together, whatever the latency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copy_bandwidth: Option<Rate>,
    /// Fraction of computing that passes while loads that prefetchers foresee are waited for: 1 all, 0 none. For
    /// workloads that ask for it as `core_overlap`.
    #[serde(default = "all", skip_serializing_if = "is_all")]
    #[schemars(range(min = 0, max = 1))]
    pub overlap: f64,
    /// Time that an atomic operation on a line takes longer than a store, once the core has the line.
    #[serde(default = "nothing", skip_serializing_if = "is_nothing")]
    pub atomic: Time,
    /// Hardware threads.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    pub threads: u32,
}

mirror!(CoreFile for Core {
    clock,
    flops_per_cycle,
    instructions_per_cycle,
    outstanding,
    stream_outstanding,
    copy_bandwidth,
    overlap,
    atomic,
    threads,
});

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
    /// Until a core has a line that another of the sharing cores has written; twice the latency if not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub core_to_core: Option<Time>,
}

mirror!(CacheFile for Cache { level, size, shared_by, latency, bandwidth, core_to_core });

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

mirror!(MemoryFile for Memory {
    capacity,
    latency,
    bandwidth,
    read_bandwidth,
    write_bandwidth,
    line,
    page,
    stops,
    crowding,
});

fn one() -> u32 {
    1
}

fn line() -> Size {
    Quantity(Bytes(64))
}

fn page() -> Size {
    Quantity(Bytes(4096))
}

fn nothing() -> Time {
    Quantity(Span::ZERO)
}

fn is_nothing(time: &Time) -> bool {
    time.0 == Span::ZERO
}

fn all() -> f64 {
    1.0
}

fn is_all(part: &f64) -> bool {
    *part == 1.0
}
