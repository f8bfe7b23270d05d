//! Loops, bodies of constructs, and accesses of iterations.

use super::slice::SliceFile;
use super::tasks::LoopTasksFile;
use crate::quantity::{Expression, ScheduleText, Text};
use numalab_workload::Schedule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A loop with its implied barrier.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoopFile {
    /// Number of iterations: an expression of the parameters.
    #[schemars(example = &"packages")]
    pub iterations: Expression,
    /// Names for expressions of iteration `i`, which the other values of the loop can use. Names may use each other.
    #[schemars(example = &serde_json::json!({ "degree": "8 + i % 5" }))]
    #[serde(rename = "let", default, skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<String, Expression>,
    /// The schedule clause; `compared`, the default, is the policy being compared.
    #[serde(default)]
    pub schedule: ScheduleText,
    /// Cost of iteration `i`, in any unit. Under `static` without a chunk each thread then has consecutive iterations
    /// of equal total cost instead of equal number.
    #[schemars(example = &"i + 1")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split_by: Option<Expression>,
    /// Regions that each iteration touches.
    #[serde(default)]
    pub touches: Vec<TouchFile>,
    /// Division of the loop into tasks, under a policy of tasks.
    pub tasks: Option<LoopTasksFile>,
    /// Memory that each iteration allocates and frees.
    pub allocate: Option<AllocateFile>,
    /// Section in which iterations exclude each other, after the other work of each iteration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub critical: Option<CriticalFile>,
    /// Instructions for each byte touched.
    #[schemars(example = &"2")]
    pub instructions_per_byte: Option<Expression>,
    /// Instructions of iteration `i`, in addition to `instructions_per_byte`.
    #[schemars(example = &"1000 * (i + 1)")]
    pub instructions: Option<Expression>,
    /// 0: computing and waiting for memory alternate; 1: they overlap perfectly.
    #[schemars(example = &"0.5")]
    pub overlap: Option<Expression>,
    /// Cache lines that this loop keeps in flight. Absent: as many as the core sustains.
    #[schemars(example = &"6")]
    pub outstanding: Option<Expression>,
    /// Floating-point operations of all iterations together. `numalab model` uses them.
    #[schemars(example = &"2 * n * n")]
    pub flops: Option<Expression>,
    /// Iterations between two virtual synchronisation points, at which nodes that share memory by pages may forward
    /// finished pages, if the technique divides loops. Absent: no such points.
    #[schemars(example = &"n / chops")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vsp: Option<Expression>,
    /// Name of another phase at the same place in the program: page use that nodes learn in one of both phases counts
    /// for both, if nodes share memory by pages. `none`: no page use is learned and no pages are sent ahead in this
    /// loop.
    #[schemars(example = &"none")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// `false`: the end of the loop forwards no finished pages, if nodes share memory by pages and send pages ahead.
    /// Only virtual synchronisation points inside the loop do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub presend: Option<bool>,
    /// Region with the variables of the loop's reduction clause. If `machine.dsm.reductions` is `page`, each thread
    /// adds to the region's first page at the end of its share, one thread after the other; otherwise the reduction
    /// is part of the join.
    #[schemars(example = &"sums")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reduction: Option<String>,
}

/// Work of every thread inside a construct.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodyFile {
    /// Names for expressions of thread `i`, which the other values of the body can use. Names may use each other.
    #[schemars(example = &serde_json::json!({ "degree": "8 + i % 5" }))]
    #[serde(rename = "let", default, skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<String, Expression>,
    /// Regions that thread `i` touches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub touches: Vec<TouchFile>,
    /// Memory that each thread allocates and frees.
    pub allocate: Option<AllocateFile>,
    /// Section in which threads exclude each other, after the other work of each thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub critical: Option<CriticalFile>,
    /// Instructions for each byte touched.
    #[schemars(example = &"2")]
    pub instructions_per_byte: Option<Expression>,
    /// Instructions of thread `i`, in addition to `instructions_per_byte`.
    #[schemars(example = &"200")]
    pub instructions: Option<Expression>,
    /// 0: computing and waiting for memory alternate; 1: they overlap perfectly.
    #[schemars(example = &"0.5")]
    pub overlap: Option<Expression>,
    /// Cache lines that a thread keeps in flight. Absent: as many as the core sustains.
    #[schemars(example = &"6")]
    pub outstanding: Option<Expression>,
}

impl BodyFile {
    /// The body as a loop with one iteration per thread.
    pub fn as_loop(&self) -> LoopFile {
        let body = self.clone();
        LoopFile {
            iterations: Expression("threads".to_owned()),
            names: body.names,
            schedule: ScheduleText(Some(Schedule::Static { chunk: None })),
            split_by: None,
            touches: body.touches,
            tasks: None,
            allocate: body.allocate,
            critical: body.critical,
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

/// A critical section, a section under a lock, or atomic additions, inside iterations or tasks. All critical sections of
/// a program exclude each other, and so do all sections under locks of one kind.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CriticalFile {
    /// `critical`; `atomic`: additions to one shared variable, after the instructions; `lock`, a lock of the runtime; a
    /// lock of a kind: test-and-set, test-and-test-and-set, backoff, ticket or mcs; or the name of a parameter that
    /// chooses one of these words. Absent: `critical`.
    #[schemars(example = &"atomic")]
    pub kind: Option<Text>,
    /// Number of executions by iteration `i` or a task; none if 0. Absent: 1.
    #[schemars(example = &"i % 128 == 0")]
    pub times: Option<Expression>,
    /// Instructions of each execution.
    #[schemars(example = &"40")]
    pub instructions: Option<Expression>,
}

/// A block that every iteration allocates and frees.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AllocateFile {
    /// Size of the block in bytes.
    #[schemars(example = &"1 MB")]
    pub size: Expression,
    /// Fraction of the calls, from 0 to 1, in which the allocator maps and unmaps memory. Other calls use memory that
    /// the allocator keeps for the thread.
    #[schemars(example = &"1")]
    pub mapped: Expression,
    /// Fraction of the calls, from 0 to 1, in which the allocator keeps the addresses and releases the pages; 0 if
    /// absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released: Option<Expression>,
}

/// Access of an iteration to one region.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TouchFile {
    /// Name of the region.
    pub region: String,
    /// Bytes of the region that the iteration accesses.
    #[serde(default)]
    pub slice: SliceFile,
    /// Kind of the access.
    pub mode: ModeFile,
    /// Condition: no access if this is 0.
    #[schemars(example = &"stores == streaming")]
    pub when: Option<Expression>,
    /// Cache lines that this access keeps in flight. Absent: the loop's number. Accesses with values of their own
    /// form a separate stream.
    #[schemars(example = &"1")]
    pub outstanding: Option<Expression>,
    /// Instructions per byte of this access. Absent: the loop's number.
    #[schemars(example = &"2")]
    pub instructions_per_byte: Option<Expression>,
}

/// Effect of an access on data, or on the pages of its region.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ModeFile {
    /// Effect by its name.
    Word(ModeWord),
    /// A page operation that names a node.
    Pages(PagesFile),
}

/// Effect of an access on data, or on the pages of its region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ModeWord {
    /// Loads.
    Read,
    /// Stores that fetch the line first and write it back later.
    Write,
    /// Stores that bypass the cache.
    StreamingWrite,
    /// Loads and stores of the same bytes.
    Update,
    /// Moves the pages to the thread's node.
    Fetch,
    /// Marks the pages: the next access moves each page to the accessing thread's node.
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
