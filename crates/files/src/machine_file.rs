//! Contents of a machine file: the hierarchy, and tables of parameters, which `numalab_machine` declares.

mod levels;

pub use levels::{ControllerFile, EdgeFile, InterconnectFile, LevelFile, ShapeWord};

use crate::origins::OriginsFile;
use crate::quantity::{NumberListText, NumberSequenceText};
use crate::table::{Named, Table};
use numalab_machine::{Cache, Core, Dsm, Link, Memory, MemoryAt, MemoryOnly, Numbering, Os, Protocol};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A NumaLab machine: description of the hardware.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("title" = "NumaLab machine"))]
pub struct MachineFile {
    /// Short name, used in results.
    #[schemars(example = &"bcs16")]
    pub name: String,
    /// One line for `numalab list`.
    #[serde(default)]
    pub description: String,
    /// Order in which the operating system numbers hardware threads.
    #[serde(default)]
    pub numbering: Named<Numbering>,
    /// The operating system's numbers of all hardware threads in the order of the hierarchy: core by core, and each
    /// core's hardware threads in turn. Absent: as `numbering` says.
    #[serde(default, skip_serializing_if = "NumberSequenceText::is_empty")]
    pub processors: NumberSequenceText,
    /// Hardware threads that the operating system does not use, by its numbers: off line, or missing on this chip. The
    /// hierarchy counts them, so that all its units are equal. Absent: none.
    #[serde(default, skip_serializing_if = "NumberListText::is_empty")]
    pub offline: NumberListText,
    /// The hierarchy, outermost first; the last level is `core`.
    #[schemars(length(min = 1))]
    pub level: Vec<LevelFile>,
    /// Kinds of link, by the names that interconnects and controllers use.
    #[serde(default)]
    pub link: BTreeMap<String, Table<Link>>,
    /// Parameters of every core.
    pub core: Table<Core>,
    /// Caches, innermost first.
    #[serde(default)]
    pub cache: Vec<Table<Cache>>,
    /// Coherence protocol of the caches.
    #[serde(default)]
    pub protocol: Named<Protocol>,
    /// The memory of every NUMA node that has processors.
    pub memory: Table<Memory>,
    /// Memory of single nodes with processors, by their numbers (`0,2-4`), as far as it differs from `memory`: nodes
    /// without modules (`capacity = "0 B"`), or with fewer ones.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(extend("propertyNames" = {"format": "list of numbers"}))]
    pub memory_at: BTreeMap<String, Table<MemoryAt>>,
    /// Memory-only nodes, by the name that placements use. They are numbered after the nodes with processors.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub memory_only: BTreeMap<String, Table<MemoryOnly>>,
    /// Costs of the operating system's services.
    #[serde(default)]
    pub os: Table<Os>,
    /// Memory that nodes share by pages in software, where the outermost level says `sharing = "dsm"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dsm: Option<Table<Dsm>>,
    /// OpenMP runtime with which the machine was measured: a name, or the path of a file beside this one. It is used
    /// unless the workload or the command line names a runtime.
    #[schemars(example = &"host.runtime.toml")]
    pub runtime: Option<String>,
    /// Where the values come from, and how far they may be off.
    #[serde(default, skip_serializing)]
    pub origins: OriginsFile,
}
