//! Contents of a machine file about the hierarchy.

use crate::quantity::Quantity;
use crate::table::{Named, Table};
use numalab_base::{Bandwidth, Span};
use numalab_machine::{LevelKind, NodePort, Sharing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One level of the hierarchy: `count` children in each container of the level above.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LevelFile {
    /// Kind of the children.
    pub kind: Named<LevelKind>,
    /// Children in each container.
    #[schemars(range(min = 1))]
    pub count: u32,
    /// Interconnect of the children of one container. Absent: children are connected at no cost.
    pub interconnect: Option<InterconnectFile>,
    /// The node controller of the container, through which its children reach the rest of the machine. Absent:
    /// children leave the container at no cost.
    pub controller: Option<ControllerFile>,
    /// Port of each child to its node, on levels inside a node. Absent: only memory and links limit what the child's
    /// cores read and write.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<Table<NodePort>>,
    /// Time until a core has a line that was written by a core of another child at the smallest distance. Absent: the
    /// time follows from cache latencies and the round trip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_to_core: Option<Quantity<Span>>,
    /// Mechanism by which the children share memory. Only children of the outermost level can share memory in
    /// software. Absent: `hardware`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sharing: Option<Named<Sharing>>,
}

/// Interconnect of the children of one container, called siblings.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InterconnectFile {
    /// Graph that connects the siblings.
    pub shape: ShapeWord,
    /// Link type of every edge; in a list of edges, of the edges that name none.
    pub link: Option<String>,
    /// `torus`: the dimensions; their product is the level's count.
    pub dims: Option<Vec<u32>>,
    /// `fat-tree`: children of each switch.
    pub arity: Option<u32>,
    /// `edges`: the undirected edges between siblings, which are counted from 0.
    pub edges: Option<Vec<EdgeFile>>,
}

/// Graph that connects siblings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ShapeWord {
    /// Every sibling linked to every other sibling.
    Mesh,
    /// Every sibling linked to the next sibling, and the last to the first.
    Ring,
    /// A wrapped grid of `dims`; the first dimension varies fastest.
    Torus,
    /// Siblings linked if their numbers differ in one bit; the count is a power of two.
    Hypercube,
    /// Switches of `arity` children each. A link upwards has as many lanes as leaves are below the link.
    FatTree,
    /// Every sibling linked to one switch.
    Star,
    /// As listed in `edges`.
    Edges,
}

/// One undirected edge.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EdgeFile {
    /// Number of a sibling, from 0.
    pub from: u32,
    /// Number of another sibling.
    pub to: u32,
    /// Link type. Absent: the link type of the interconnect.
    pub link: Option<String>,
}

/// The node controller (hub, coherence switch) of one container.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ControllerFile {
    /// Link type between each child and the controller.
    pub link: String,
    /// Cache lines that one child may have in flight through the controller at once. Absent: no limit.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub requests: Option<f64>,
    /// Bandwidth of the controller in each direction. Absent: the bandwidth of all its links to the children.
    pub bandwidth: Option<Quantity<Bandwidth>>,
    /// Fraction of the bandwidth that is left, by number of outstanding lines (lines requested from inside or from
    /// outside, whichever are fewer): `[[lines, fraction], …]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<[f64; 2]>")]
    pub crowding: Vec<(f64, f64)>,
}
