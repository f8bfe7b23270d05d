//! Regions of a workload: allocations, and the placement of their pages.

use crate::quantity::{Expression, PlacementText, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One allocation; its pages are placed when they are first touched.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RegionFile {
    /// Size in bytes, rounded down.
    #[schemars(example = &"footprint / 3")]
    pub size: Expression,
    /// Placement of the region's pages. Absent: first touch.
    pub placement: Option<PlacementFile>,
    /// Size of the region's pages, a power of two, or `transparent` for transparent huge pages. Absent: the machine's
    /// page size.
    pub page: Option<Expression>,
}

/// A placement in the command line's notation, or a table with expressions for nodes and conditions.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum PlacementFile {
    /// `first-touch`, `bind:NODES`, `preferred:NODE`, `preferred-many:NODES`, `interleave[:NODES]`,
    /// `weighted-interleave[:NODES[:WEIGHT],…]`, `hbw`, `fetch`, `migrate:NODE`, `next-touch`, `replicate`,
    /// `balancing` or `tiering`. NODES are numbers and names of the machine's memory-only nodes: `0-1,hbm`.
    Text(PlacementText),
    /// A placement whose nodes or conditions are expressions.
    Table(PlacementTable),
}

/// One of `bind`, `preferred`, `interleave` and `migrate`, or `if`, `then` and `else`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlacementTable {
    /// Pages only on these nodes: a list such as `0-3,6`, or one number as an expression.
    #[schemars(example = &"0-3")]
    pub bind: Option<Text>,
    /// Pages on this node while it has room.
    #[schemars(example = &"nodes - 1")]
    pub preferred: Option<Expression>,
    /// Pages round-robin over these nodes: a list such as `0-3,6`, or one number as an expression.
    #[schemars(example = &"0-3")]
    pub interleave: Option<Text>,
    /// Before the measured phases, one thread moves the region to this node.
    #[schemars(example = &"nodes - 1")]
    pub migrate: Option<Expression>,
    /// A condition: not 0 takes `then`, 0 takes `else`.
    #[serde(rename = "if")]
    #[schemars(example = &"init == serial")]
    pub condition: Option<Expression>,
    /// Placement if `if` is not 0.
    pub then: Option<Box<PlacementFile>>,
    /// Placement if `if` is 0. Absent: first touch.
    #[serde(rename = "else")]
    pub otherwise: Option<Box<PlacementFile>>,
}
