//! Constructs other than loops.

use crate::quantity::{Expression, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A construct: its name, or a table with its options.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ConstructFile {
    /// parallel-for, for, sections, parallel, reduction, serial, barrier, single, master, critical, lock, atomic or
    /// ordered; or the name of a parameter that chooses one of these words.
    Word(Text),
    /// A construct with options.
    Told(ToldFile),
}

/// One of `lock`, `pipeline`, `update` and `echo`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToldFile {
    /// The body under a lock of this kind: test-and-set, test-and-test-and-set, backoff, ticket or mcs; or the name
    /// of a parameter that chooses one of these words.
    #[schemars(example = &"mcs")]
    pub lock: Option<Text>,
    /// A loop in steps: each thread executes its share of a step after its neighbour has executed its share of the
    /// step.
    pub pipeline: Option<PipelineFile>,
    /// The body, then a store to the thread's own element of an array: false sharing.
    pub update: Option<UpdateFile>,
    /// Messages between nodes that share memory by pages, each of which is answered: they measure the network.
    pub echo: Option<EchoFile>,
}

/// A loop in steps that threads execute one after the other, as in a wavefront. Each step has equally many
/// consecutive iterations of the loop, distributed as under `static`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PipelineFile {
    /// Number of steps, a divisor of the number of iterations.
    #[schemars(example = &"planes")]
    pub steps: Expression,
    /// True if the last thread begins each step, and every other thread waits for the thread with the next higher
    /// number.
    #[serde(default)]
    pub descending: bool,
}

/// Elements of an array, one for each thread.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateFile {
    /// Bytes from one thread's element to the next.
    #[schemars(example = &"8")]
    pub spacing: Expression,
    /// 1 if the store is an atomic exchange, which waits for its line. Absent: 0.
    #[schemars(example = &"stores == atomic")]
    pub atomic: Option<Expression>,
}

/// Messages from the first thread's node to the nodes of the other threads in turn, each of which is answered.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EchoFile {
    /// Bytes of a message.
    #[schemars(example = &"4 KiB")]
    pub size: Expression,
    /// Largest number of messages in flight, answers included.
    #[schemars(example = &"16")]
    pub in_flight: Expression,
    /// Total number of messages.
    #[schemars(example = &"1000")]
    pub count: Expression,
}
