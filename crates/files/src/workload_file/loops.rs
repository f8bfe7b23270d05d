//! Loops, bodies of constructs, and accesses of iterations.

use super::slice::SliceFile;
use super::tasks::LoopTasksFile;
use crate::quantity::{Expression, ScheduleText};
use numalab_workload::Schedule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A loop with its implied barrier.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoopFile {
    /// Number of iterations: an expression of the parameters.
    #[schemars(example = &"packages")]
    pub iterations: Expression,
    /// The schedule clause; `compared`, the default, is the policy being compared.
    #[serde(default)]
    pub schedule: ScheduleText,
    /// Cost of iteration `i`, in any unit: under `static` without a chunk every thread has consecutive iterations of
    /// equal cost instead of equal number.
    #[schemars(example = &"i + 1")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split_by: Option<Expression>,
    /// Regions that each iteration touches.
    #[serde(default)]
    pub touches: Vec<TouchFile>,
    /// Division of the loop into tasks, under a policy of tasks.
    pub tasks: Option<LoopTasksFile>,
    /// Memory that each iteration takes from the heap and gives back.
    pub allocate: Option<AllocateFile>,
    /// Instructions for each byte touched.
    #[schemars(example = &"2")]
    pub instructions_per_byte: Option<Expression>,
    /// Instructions of iteration `i` on top of those.
    #[schemars(example = &"1000 * (i + 1)")]
    pub instructions: Option<Expression>,
    /// 0: computing and waiting for memory alternate; 1: they overlap perfectly.
    #[schemars(example = &"0.5")]
    pub overlap: Option<Expression>,
    /// Cache lines that this loop keeps in flight; as many as the core sustains if absent.
    #[schemars(example = &"6")]
    pub outstanding: Option<Expression>,
    /// Floating-point operations of all iterations together. `numalab model` uses them.
    #[schemars(example = &"2 * n * n")]
    pub flops: Option<Expression>,
    /// Iterations from one virtual synchronisation point to the next: there a memory that nodes share by pages may forward
    /// what is done with, if it chops loops. No such points if absent.
    #[schemars(example = &"n / chops")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vsp: Option<Expression>,
    /// Name of another phase that is the same place in the program: what a memory that nodes share by pages learns in one
    /// counts for both. `none`: it learns nothing here and sends nothing ahead, as in a loop that is not prepared for it.
    #[schemars(example = &"none")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// `false`: the loop is only chopped, where a memory that nodes share by pages sends ahead what is done with: its points
    /// forward what they may, its end nothing more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub presend: Option<bool>,
    /// Region with the variables of the loop's reduction clause. Where `machine.dsm.reductions` says `page`, every thread adds
    /// to its first page at the end of its share, one thread after the other; elsewhere a reduction is a part of the join.
    #[schemars(example = &"sums")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reduction: Option<String>,
}

/// Work of every thread inside a construct.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodyFile {
    /// Regions that thread `i` touches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub touches: Vec<TouchFile>,
    /// Memory that it takes from the heap and gives back.
    pub allocate: Option<AllocateFile>,
    /// Instructions for each byte touched.
    #[schemars(example = &"2")]
    pub instructions_per_byte: Option<Expression>,
    /// Instructions of thread `i` on top of those.
    #[schemars(example = &"200")]
    pub instructions: Option<Expression>,
    /// 0: computing and waiting for memory alternate; 1: they overlap perfectly.
    #[schemars(example = &"0.5")]
    pub overlap: Option<Expression>,
    /// Cache lines that a thread keeps in flight; as many as the core sustains if absent.
    #[schemars(example = &"6")]
    pub outstanding: Option<Expression>,
}

impl BodyFile {
    /// The body as a loop with one iteration per thread.
    pub fn as_loop(&self) -> LoopFile {
        let body = self.clone();
        LoopFile {
            iterations: Expression("threads".to_owned()),
            schedule: ScheduleText(Some(Schedule::Static { chunk: None })),
            split_by: None,
            touches: body.touches,
            tasks: None,
            allocate: body.allocate,
            instructions_per_byte: body.instructions_per_byte,
            instructions: body.instructions,
            overlap: body.overlap,
            outstanding: body.outstanding,
            flops: None,
            vsp: None,
            context: None,
            presend: None,
            reduction: None,
        }
    }
}

/// A block that every iteration allocates and frees.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AllocateFile {
    /// Bytes.
    #[schemars(example = &"1 MB")]
    pub size: Expression,
    /// In what part of the calls the allocator maps and unmaps memory, from 0 to 1; the others it serves
    /// from what it keeps for the thread.
    #[schemars(example = &"1")]
    pub mapped: Expression,
    /// In what part of the calls the allocator keeps the addresses but gives the pages back, from 0 to 1; none if
    /// absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released: Option<Expression>,
}

/// Use of one region by an iteration.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TouchFile {
    /// Name of the region.
    pub region: String,
    /// Bytes of it that are touched.
    #[serde(default)]
    pub slice: SliceFile,
    /// Kind of the access.
    pub mode: ModeFile,
    /// A condition: the region is left alone where this is 0.
    #[schemars(example = &"stores == streaming")]
    pub when: Option<Expression>,
    /// Cache lines that this access keeps in flight; those of the loop if absent. What differs from the loop's is a
    /// stream of its own.
    #[schemars(example = &"1")]
    pub outstanding: Option<Expression>,
    /// Instructions for each byte of this access; those of the loop if absent.
    #[schemars(example = &"2")]
    pub instructions_per_byte: Option<Expression>,
}

/// Kind of an access: what it does to memory, or to the pages that hold it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ModeFile {
    /// A word.
    Word(ModeWord),
    /// A page operation with a node.
    Pages(PagesFile),
}

/// Kind of an access: what it does to memory, or to the pages that hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ModeWord {
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
pub struct PagesFile {
    /// Moves the pages to this node.
    #[schemars(example = &"nodes - 1")]
    pub migrate: Expression,
}
