//! Contents of a machine file about the hierarchy.

use crate::quantity::Quantity;
use crate::table::Named;
use numalab_base::{Bandwidth, Span};
use numalab_machine::{LevelKind, Sharing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One level: so many children in each container of the level above.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LevelFile {
    /// Kind of the children.
    pub kind: Named<LevelKind>,
    /// Children in each container.
    #[schemars(range(min = 1))]
    pub count: u32,
    /// Interconnect that joins the children of one container; without it they are joined at no cost.
    pub interconnect: Option<InterconnectFile>,
    /// The node controller of the container, through which its children reach the rest.
    pub controller: Option<ControllerFile>,
    /// Time until a core has a line that a core of another child has written, where the two children are as close
    /// as any; what the caches and the way there and back take if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_to_core: Option<Quantity<Span>>,
    /// Mechanism by which the children share memory; only those of the outermost level may share it in software.
    /// `hardware` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sharing: Option<Named<Sharing>>,
}

/// Interconnect of siblings.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InterconnectFile {
    /// The graph.
    pub shape: ShapeWord,
    /// The kind of link of every edge; in a list of edges, of those that name none.
    pub link: Option<String>,
    /// `torus`: the dimensions; their product is the level's count.
    pub dims: Option<Vec<u32>>,
    /// `fat-tree`: children of each switch.
    pub arity: Option<u32>,
    /// `edges`: the undirected edges between siblings, which are counted from 0.
    pub edges: Option<Vec<EdgeFile>>,
}

/// The graph that joins siblings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ShapeWord {
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
pub struct EdgeFile {
    /// A sibling's number.
    pub from: u32,
    /// Another's.
    pub to: u32,
    /// The kind of link; the interconnect's if absent.
    pub link: Option<String>,
}

/// The node controller (hub, coherence switch) of one container.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ControllerFile {
    /// Link that joins each child to the controller.
    pub link: String,
    /// Cache lines that one child may have in flight through the controller at once.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub requests: Option<f64>,
    /// Most that the controller moves each way; all its links to the children together if absent.
    pub bandwidth: Option<Quantity<Bandwidth>>,
    /// Fraction of that left when so many cache lines are outstanding both ways, the lesser of those that its own side
    /// asked for and those that others did: `[[lines, fraction], …]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<[f64; 2]>")]
    pub crowding: Vec<(f64, f64)>,
}
