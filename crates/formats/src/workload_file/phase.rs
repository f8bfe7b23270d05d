//! Phases, their loops, and what iterations do.

use super::slice::SliceFile;
use crate::quantity::{Expression, Schedule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

/// One parallel loop, run `repeat` times.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PhaseFile {
    /// Name, used in messages, overrides and measures.
    #[schemars(example = &"work")]
    pub name: String,
    /// Whether its time is part of the makespan.
    #[serde(default)]
    pub measured: bool,
    /// A condition: the phase is left out where this is 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"init == parallel")]
    pub when: Option<Expression>,
    /// How often it runs.
    #[serde(default = "once", serialize_with = "as_number")]
    #[schemars(example = &"10")]
    pub repeat: Expression,
    /// The loop.
    #[serde(rename = "loop")]
    pub body: LoopFile,
}

fn once() -> Expression {
    Expression("1".to_owned())
}

/// Plain numbers as numbers.
fn as_number<S: Serializer>(text: &Expression, serializer: S) -> Result<S::Ok, S::Error> {
    match text.0.parse::<u32>() {
        Ok(number) => serializer.serialize_u32(number),
        Err(_) => text.serialize(serializer),
    }
}

/// A loop with its implied barrier.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LoopFile {
    /// How many iterations: an expression of the parameters.
    #[schemars(example = &"packages")]
    pub iterations: Expression,
    /// The schedule clause; `compared`, the default, is the policy being compared.
    #[serde(default)]
    pub schedule: Schedule,
    /// What each iteration touches.
    #[serde(default)]
    pub touches: Vec<TouchFile>,
    /// What each iteration takes from the heap and gives back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocate: Option<AllocateFile>,
    /// Instructions for each byte touched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"2")]
    pub instructions_per_byte: Option<Expression>,
    /// Instructions of iteration `i` on top of those.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"1000 * (i + 1)")]
    pub instructions: Option<Expression>,
    /// 0: computing and waiting for memory alternate; 1: they overlap perfectly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"0.5")]
    pub overlap: Option<Expression>,
    /// Cache lines that this loop keeps in flight; as many as the core sustains if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"6")]
    pub outstanding: Option<Expression>,
    /// Floating-point operations of all iterations together. `numalab model` uses them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"2 * n * n")]
    pub flops: Option<Expression>,
}

/// A block that every iteration allocates and frees.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AllocateFile {
    /// Bytes.
    #[schemars(example = &"1 MB")]
    pub size: Expression,
    /// In what part of the calls the allocator maps and unmaps memory, from 0 to 1; the others it serves
    /// from what it keeps for the thread.
    #[schemars(example = &"1")]
    pub mapped: Expression,
}

/// How an iteration uses one region.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TouchFile {
    /// Which region.
    pub region: String,
    /// Which bytes of it.
    #[serde(default)]
    pub slice: SliceFile,
    /// What it does to them.
    pub mode: ModeFile,
    /// A condition: the region is left alone where this is 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"stores == streaming")]
    pub when: Option<Expression>,
}

/// What an access does to memory, or to the pages that hold it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum ModeFile {
    /// A word.
    Word(ModeWord),
    /// A page operation with a node.
    Pages(PagesFile),
}

/// What an access does to memory, or to the pages that hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ModeWord {
    /// Loads.
    Read,
    /// Stores that fetch the line first and write it back later.
    Write,
    /// Stores past the cache.
    StreamingWrite,
    /// Loads and stores of the same bytes.
    Update,
    /// Moves the pages to the thread's node.
    Fetch,
    /// Marks the pages: the next access moves each to the accessor's node.
    NextTouch,
}

/// An operation on pages that names a node.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PagesFile {
    /// Moves the pages to this node.
    #[schemars(example = &"nodes - 1")]
    pub migrate: Expression,
}
