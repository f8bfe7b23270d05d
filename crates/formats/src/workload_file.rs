//! What a workload file may say. The JSON Schema, the checks and the documentation of every key come
//! from these types.

use crate::quantity::{Expression, Schedule};
use numalab_program::{Mode, Policy};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A NumaLab workload: what is asked of a machine.
///
/// Numbers may be expressions (`+ - * / % ^`, abs, ceil, cos, exp, floor, ln, log2, max, min, noise,
/// round, sin, sqrt) of the parameters and, where so described, of the iteration index `i`, which
/// counts from 0. Sizes may have units: `footprint / 3 + 1 MiB`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("title" = "NumaLab workload"))]
pub(crate) struct WorkloadFile {
    /// Short name, used in results.
    #[schemars(example = &"loadbal")]
    pub name: String,
    /// One line for `numalab list`.
    #[serde(default)]
    pub description: String,
    /// Named numbers, sizes, or expressions of those above; `--set workload.NAME=…` changes them.
    #[serde(default)]
    pub parameters: BTreeMap<String, Expression>,
    /// Allocations, by name.
    pub regions: BTreeMap<String, RegionFile>,
    /// What runs, in order; the measured phases come last.
    #[schemars(length(min = 1))]
    pub phases: Vec<PhaseFile>,
    /// Policies to compare when the command line names none; all if absent.
    #[serde(default = "all_policies")]
    #[schemars(length(min = 1))]
    pub compare: Vec<Schedule>,
}

fn all_policies() -> Vec<Schedule> {
    Policy::NAMES.iter().filter_map(|name| name.parse().ok()).map(|policy| Schedule(Some(policy))).collect()
}

/// One allocation; its pages are placed when they are first touched.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RegionFile {
    /// Bytes, rounded down.
    #[schemars(example = &"footprint / 3")]
    pub size: Expression,
}

/// One parallel loop, run `repeat` times.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PhaseFile {
    /// Name, used in messages and overrides.
    #[schemars(example = &"work")]
    pub name: String,
    /// Whether its time is part of the makespan.
    #[serde(default)]
    pub measured: bool,
    /// How often it runs.
    #[serde(default = "once")]
    #[schemars(range(min = 1))]
    pub repeat: u32,
    /// The loop.
    #[serde(rename = "loop")]
    pub body: LoopFile,
}

fn once() -> u32 {
    1
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
    pub mode: ModeWord,
}

/// Which bytes: `whole`, a share of a partition, or an explicit piece.
// The structure has been checked against the schema before this is read, so the vague errors of an
// untagged enum never show.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum SliceFile {
    /// The whole region, every time.
    Whole(WholeWord),
    /// A piece.
    Piece(PieceFile),
}

impl Default for SliceFile {
    fn default() -> Self {
        SliceFile::Whole(WholeWord::Whole)
    }
}

/// The word `whole`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum WholeWord {
    /// The whole region, every time.
    Whole,
}

/// Either `partition`, or `start` and `length`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PieceFile {
    /// Consecutive slices that cover the region, in proportion to this weight of iteration `i`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition: Option<Expression>,
    /// First byte of iteration `i`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Expression>,
    /// Bytes of iteration `i`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<Expression>,
}

/// What an access does to memory.
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
}

impl From<ModeWord> for Mode {
    fn from(word: ModeWord) -> Mode {
        match word {
            ModeWord::Read => Mode::Read,
            ModeWord::Write => Mode::Write,
            ModeWord::StreamingWrite => Mode::StreamingWrite,
            ModeWord::Update => Mode::Update,
        }
    }
}
