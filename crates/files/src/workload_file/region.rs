//! Regions of a workload: allocations, and the placement of their pages.

use crate::quantity::{Expression, PlacementText, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One allocation; its pages are placed when they are first touched.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RegionFile {
    /// Bytes, rounded down.
    #[schemars(example = &"footprint / 3")]
    pub size: Expression,
    /// Where its pages go; first touch if absent.
    pub placement: Option<PlacementFile>,
    /// Size of its pages, a power of two, or `transparent` for transparent huge pages; the machine's if absent.
    pub page: Option<Expression>,
}

/// A placement as the command line writes it, or with nodes and conditions that are expressions.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum PlacementFile {
    /// `first-touch`, `bind:NODES`, `preferred:NODE`, `preferred-many:NODES`, `interleave[:NODES]`,
    /// `weighted-interleave[:NODES[:WEIGHT],…]`, `hbw`, `fetch`, `migrate:NODE`, `next-touch`, `balancing` or `tiering`.
    /// NODES are numbers and names of the machine's memory-only nodes: `0-1,hbm`.
    Text(PlacementText),
    /// Nodes or conditions that are expressions.
    Table(PlacementTable),
}

/// One of `bind`, `preferred`, `interleave` and `migrate`, or `if`, `then` and `else`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlacementTable {
    /// Only on these nodes: a list such as `0-3,6`, or one number as an expression.
    #[schemars(example = &"0-3")]
    pub bind: Option<Text>,
    /// On this node while it has room.
    #[schemars(example = &"nodes - 1")]
    pub preferred: Option<Expression>,
    /// Page by page round these nodes: a list such as `0-3,6`, or one number as an expression.
    #[schemars(example = &"0-3")]
    pub interleave: Option<Text>,
    /// Before the measured phases, one thread moves the region to this node.
    #[schemars(example = &"nodes - 1")]
    pub migrate: Option<Expression>,
    /// A condition: not 0 takes `then`, 0 takes `else`.
    #[serde(rename = "if")]
    #[schemars(example = &"init == serial")]
    pub condition: Option<Expression>,
    /// The placement where `if` holds.
    pub then: Option<Box<PlacementFile>>,
    /// The placement where it does not; first touch if absent.
    #[serde(rename = "else")]
    pub otherwise: Option<Box<PlacementFile>>,
}
