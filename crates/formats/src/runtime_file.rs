//! Contents of a runtime file. The JSON Schema, the checks and the documentation of every key come from
//! these types.

mod words;

pub(crate) use words::{BarrierWord, LockWord, QueueWord, ReductionWord};

use crate::quantity::{Quantity, ScheduleText};
use numalab_units::Span;
use numalab_workload::Schedule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

type Time = Quantity<Span>;

/// A NumaLab runtime: how an OpenMP runtime does what programs ask of it.
///
/// The cost of a construct follows from the cache lines that its algorithm moves on the machine. Times are
/// those that remain when no line has to move.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("title" = "NumaLab runtime"))]
pub(crate) struct RuntimeFile {
    /// Short name, used in results.
    #[schemars(example = &"plain")]
    pub name: String,
    /// One line for `numalab list`.
    #[serde(default)]
    pub description: String,
    /// Opening and closing a parallel region.
    pub fork: ForkFile,
    /// The barrier of a team.
    pub barrier: BarrierFile,
    /// The lock behind `critical` and `omp_set_lock`.
    pub lock: LockFile,
    /// Explicit tasks.
    pub tasks: TasksFile,
    /// Algorithm that combines the values of a reduction.
    #[serde(default)]
    pub reduction: ReductionFile,
    /// Meaning of the schedules that leave the choice to the runtime.
    #[serde(default)]
    pub schedule: ScheduleFile,
}

/// Opening and closing a parallel region.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ForkFile {
    /// Time of a region of a team of one.
    pub fixed: Time,
    /// Time of the first thread of a larger team for opening a region, apart from lines; as `fixed` if
    /// absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<Time>,
    /// Time of every other member for entering a region, apart from lines.
    #[serde(default = "nothing")]
    pub enter: Time,
    /// Lines that describe the team: the first thread writes each, every member reads each.
    #[serde(default)]
    #[schemars(range(max = 1024))]
    pub team_lines: u32,
    /// Lines that the first thread (or the parent in a tree) writes for each member, and the member reads.
    #[serde(default)]
    #[schemars(range(max = 1024))]
    pub member_lines: u32,
    /// Whether the member writes its lines as well when it enters, because they are its own record.
    #[serde(default)]
    pub member_writes: bool,
    /// Algorithm by which members learn that a region opens.
    pub release: BarrierWord,
    /// `tree`: children of each thread; `hypercube`: the base in which thread numbers are compared. No other
    /// kind uses it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 2, max = 1024))]
    pub branching: Option<u32>,
    /// Whether members meet once more at the end of a region before they wait for the next one.
    #[serde(default)]
    pub pool_barrier: bool,
}

/// The barrier of a team.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BarrierFile {
    /// Algorithm of a barrier.
    pub kind: BarrierWord,
    /// `tree`: children of each thread; `hypercube`: the base in which thread numbers are compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 2, max = 1024))]
    pub branching: Option<u32>,
    /// Time of the construct for each thread by itself, apart from lines.
    #[serde(default = "nothing")]
    pub fixed: Time,
}

/// The lock behind `critical` and `omp_set_lock`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LockFile {
    /// The algorithm.
    pub kind: LockWord,
    /// Time that a thread spins before it sleeps in the kernel; for ever if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spin: Option<Time>,
    /// Time that waking a sleeping thread takes.
    #[serde(default = "nothing")]
    pub wake: Time,
}

/// Explicit tasks.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TasksFile {
    /// Where tasks wait for a thread, unless the policy says so.
    pub queue: QueueWord,
    /// Most tasks in a queue (`central`: for each thread of the team); one more is executed at once. No
    /// bound if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub bound: Option<u32>,
    /// The lock of a queue; as in `lock` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lock: Option<LockWord>,
    /// Allocating and filling a task.
    pub create: Time,
    /// Starting and finishing one.
    pub dispatch: Time,
    /// Lines of a task's description: the creator writes, the executor reads.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 1024))]
    pub lines: u32,
}

fn one() -> u32 {
    1
}

/// Algorithm that combines the values of a reduction.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ReductionFile {
    /// The algorithm.
    pub kind: ReductionWord,
}

/// Meaning of the schedules that leave the choice to the runtime.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ScheduleFile {
    /// `schedule(auto)`.
    pub auto: ScheduleText,
    /// `schedule(runtime)`, where nothing is said in the environment.
    pub runtime: ScheduleText,
}

impl Default for ScheduleFile {
    fn default() -> ScheduleFile {
        let even = ScheduleText(Some(Schedule::Static { chunk: None }));
        ScheduleFile { auto: even, runtime: even }
    }
}

fn nothing() -> Time {
    Quantity(Span::ZERO)
}
