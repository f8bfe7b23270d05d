//! Contents of a policy file.

use crate::quantity::{Expression, Quantity};
use numalab_base::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A NumaLab policy: how a loop is divided among threads.
///
/// Expressions read `N` (iterations of the loop), `P` (threads), `R` (what is left where the chunk is taken from), `i`
/// (chunks taken from there before), `batch` (the whole part of `i / P`), `batch_rest` (what was left at the first chunk
/// of the batch), `chunk` (the number after the comma of the policy's name), `thread`, `seed` and `step` (earlier
/// executions of the loop). Measured values are `measured` (chunks of all threads so far), `mu` and `sigma` (mean and
/// deviation of an iteration's time in seconds), `h` (mean time from request to chunk), and, of the thread alone,
/// `my_measured`, `my_mu`, `my_sigma` and `my_pace`. With a `unit`, all of these count units instead of iterations.
///
/// A chunk is rounded down. It has at least one iteration and at most what is left, whatever an expression says.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("title" = "NumaLab policy"))]
pub struct PolicyFile {
    /// Short name, used in results.
    #[schemars(example = &"tss")]
    pub name: String,
    /// One line for `numalab list`.
    #[serde(default)]
    pub description: String,
    /// Further names by which `OMP_SCHEDULE` and flags name the policy.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// Division of the loop before it starts.
    pub first: FirstWord,
    /// With `first: part`: iterations that each thread has of its own.
    #[schemars(example = &"N / (2 * P)")]
    pub part: Option<Expression>,
    /// Number of iterations that always stay together. Absent: 1.
    #[schemars(example = &"chunk")]
    pub unit: Option<Expression>,
    /// Value of `chunk` if no number follows the policy's name. Absent: no number may follow.
    #[schemars(range(min = 1))]
    pub chunk: Option<u64>,
    /// Names for expressions, which the other expressions can use. Names may use each other.
    #[schemars(example = &serde_json::json!({ "largest": "ceil(N / (2 * P))" }))]
    #[serde(rename = "let", default, skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<String, Expression>,
    /// Names for sums over all threads of expressions of a thread's own values.
    #[schemars(example = &serde_json::json!({ "rates": "1 / my_mu" }))]
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sums: BTreeMap<String, Expression>,
    /// Iterations of the next chunk. Absent: all of a thread's own iterations, or one if others may steal them.
    #[schemars(example = &"max(chunk, R / P)")]
    pub take: Option<Expression>,
    /// Access to the shared counter. `fetch-and-add` is possible only if the chunk does not depend on what is left.
    /// Absent: `fetch-and-add` where it is possible.
    pub counter: Option<CounterWord>,
    /// Stealing by threads that have no iterations left. Absent: none.
    pub steal: Option<StealFile>,
    /// Measuring of the chunks' times. Absent: nothing is measured, and measured values are 0.
    pub measures: Option<MeasuresFile>,
}

/// Division of a loop before it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FirstWord {
    /// Nothing is divided: threads take chunks from one shared counter.
    Shared,
    /// Each thread has an equal range of its own.
    Even,
    /// Units go round the threads.
    Cyclic,
    /// Each thread has `part` iterations of its own, which it takes at once. The rest is in a shared counter.
    Part,
}

/// Access to the shared counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CounterWord {
    /// One atomic addition, which always succeeds.
    FetchAndAdd,
    /// A load, and a compare-and-swap that is repeated if another thread came first.
    CompareAndSwap,
}

/// Stealing by threads whose own range is empty.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StealFile {
    /// Steps of the search for a victim, one after the other until one finds work.
    #[schemars(length(min = 1, max = 16))]
    pub search: Vec<SearchFile>,
    /// Iterations that the thief takes; `R` is what the victim has left. Absent: 1.
    #[schemars(example = &"R / 2")]
    pub amount: Option<Expression>,
    /// A victim with fewer iterations left is passed over. Absent: 1.
    #[schemars(range(min = 1))]
    pub least: Option<u64>,
    /// End of the victim's range from which the thief takes. Absent: `back`. The owner works from the front.
    pub end: Option<EndWord>,
    /// True: what the thief took becomes its own range, from which others can steal. Absent or false: it executes all of
    /// it at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keeps: Option<bool>,
    /// Searches without success after which a thread leaves the loop. Absent: 1.
    #[schemars(range(min = 1, max = 16))]
    pub rounds: Option<u32>,
    /// Wait between two searches, doubled each time. Absent: none.
    pub wait: Option<Quantity<Span>>,
    /// Longest of these waits. Absent: 64 times the first one.
    pub longest_wait: Option<Quantity<Span>>,
}

/// Step of a search for a victim. A thread that is asked and has too little is passed over; its range was read, which
/// costs the line.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchFile {
    /// Part of the machine around the thief in which it looks. Absent: `machine`.
    pub within: Option<WithinWord>,
    /// Order in which threads are asked.
    pub order: OrderWord,
    /// Largest number of threads that are asked. Absent: as many as there are.
    #[schemars(range(min = 1, max = 100_000))]
    pub tries: Option<u32>,
    /// True: only threads with work left are asked, which the thief finds without reading their ranges. Absent: false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loaded_only: Option<bool>,
}

/// Part of the machine around a thief.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WithinWord {
    /// The thief's NUMA node.
    Node,
    /// The thief's socket.
    Socket,
    /// The thief's board.
    Board,
    /// All of the machine.
    Machine,
}

/// Order in which threads are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OrderWord {
    /// The last thread from which the thief took work, and then those with the next numbers.
    Last,
    /// Threads in the order of their numbers, from the thief's on.
    Next,
    /// Nearest first, by the latency of a line; of equally near threads the next number.
    Nearest,
    /// At random.
    Random,
    /// The thread with most iterations left, after the thief has read the ranges of all.
    MostLoaded,
}

/// End of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EndWord {
    /// The last iterations, which the owner would reach last.
    Back,
    /// The next iterations of the owner.
    Front,
}

/// Measuring of chunks.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeasuresFile {
    /// Instant at which measured values change for the expressions.
    pub update: UpdateWord,
    /// True if the time from request to chunk counts as time of the chunk. Absent: false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with_overhead: Option<bool>,
}

/// Instant at which measured values change for the expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum UpdateWord {
    /// At the end of each execution of the loop.
    Step,
    /// After each chunk.
    Chunk,
}
