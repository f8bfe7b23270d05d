//! Constructs other than loops.

use crate::quantity::{Expression, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A construct by its name, or with what it can be told.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ConstructFile {
    /// parallel-for, for, parallel, reduction, serial, barrier, single, critical, lock, atomic or ordered;
    /// or the name of a parameter whose words are these.
    Word(Text),
    /// One that is told more.
    Told(ToldFile),
}

/// One of `for`, `lock`, `pipeline`, `update` and `echo`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToldFile {
    /// `for` inside a region, and whether its barrier is left out.
    #[serde(rename = "for")]
    pub shared: Option<ForFile>,
    /// The body under a lock of this kind: test-and-set, test-and-test-and-set, backoff, ticket or mcs; or
    /// the name of a parameter whose words are these.
    #[schemars(example = &"mcs")]
    pub lock: Option<Text>,
    /// A loop in steps: each thread does its share of a step when its neighbour has done its own.
    pub pipeline: Option<PipelineFile>,
    /// The body, then a store to the thread's own element of an array: false sharing.
    pub update: Option<UpdateFile>,
    /// Messages between nodes that share memory by pages, which come back: what their network carries.
    pub echo: Option<EchoFile>,
}

/// `for` inside a region.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForFile {
    /// No barrier at its end.
    #[serde(default)]
    pub nowait: bool,
}

/// A loop in steps that threads go through one after the other, as in a wavefront. The iterations of the loop are those of
/// one step after another, and in every step they are shared out as under `static`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PipelineFile {
    /// Number of steps. It divides the iterations.
    #[schemars(example = &"planes")]
    pub steps: Expression,
    /// The last thread begins, and each waits for the one after it.
    #[serde(default)]
    pub descending: bool,
}

/// Elements of an array, one for each thread.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateFile {
    /// Bytes from one thread's element to the next one's.
    #[schemars(example = &"8")]
    pub spacing: Expression,
    /// 1 where the store is an atomic exchange, which waits for its line; 0 if absent.
    #[schemars(example = &"stores == atomic")]
    pub atomic: Option<Expression>,
}

/// Messages from the first thread's node to those of the other threads in turn, each of which comes back.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EchoFile {
    /// Bytes of a message.
    #[schemars(example = &"4 KiB")]
    pub size: Expression,
    /// Messages that are on their way, or on their way back, at most.
    #[schemars(example = &"16")]
    pub in_flight: Expression,
    /// Messages in all.
    #[schemars(example = &"1000")]
    pub count: Expression,
}
