//! Contents of a runtime file: tables of parameters, which `numalab_runtime::profile` declares, and the schedules
//! that `auto` and `runtime` stand for.

use crate::origins::OriginsFile;
use crate::quantity::ScheduleText;
use crate::table::{Named, Table};
use numalab_runtime::Profile;
use numalab_runtime::profile::{
    BarrierProfile, Fork, LockProfile, Reduction, TaskProfile, WaitProfile, Worksharing,
};
use numalab_workload::{PlaceRules, Schedule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A NumaLab runtime: algorithms and costs of an OpenMP runtime.
///
/// The cost of a construct follows from the cache lines that its algorithm moves on the machine. Times are
/// those that remain when no line has to move.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("title" = "NumaLab runtime"))]
pub struct RuntimeFile {
    /// Short name, used in results.
    #[schemars(example = &"plain")]
    pub name: String,
    /// One line for `numalab list`.
    #[serde(default)]
    pub description: String,
    /// Costs of opening and closing a parallel region.
    pub fork: Table<Fork>,
    /// Algorithm and costs of a team's barrier.
    pub barrier: Table<BarrierProfile>,
    /// Waiting at barriers and between regions: spinning, and then sleep.
    #[serde(default, skip_serializing_if = "Table::is_default")]
    pub wait: Table<WaitProfile>,
    /// Algorithm and costs of the lock behind `critical` and `omp_set_lock`.
    pub lock: Table<LockProfile>,
    /// Loops and `single` regions: time of a thread's calls, without the time of moving lines.
    #[serde(default, skip_serializing_if = "Table::is_default")]
    pub worksharing: Table<Worksharing>,
    /// Costs of explicit tasks.
    pub tasks: Table<TaskProfile>,
    /// Algorithm that combines the values of a reduction.
    #[serde(default)]
    pub reduction: ReductionFile,
    /// Meaning of the schedules that leave the choice to the runtime.
    #[serde(default)]
    pub schedule: ScheduleFile,
    /// Places of the threads of a team, if the standard leaves the choice to the runtime.
    #[serde(default, skip_serializing_if = "PlacesFile::is_standard")]
    pub places: PlacesFile,
    /// Where the values come from, and how far they may be off.
    #[serde(default, skip_serializing)]
    pub origins: OriginsFile,
}

/// Algorithm that combines the values of a reduction.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ReductionFile {
    /// Algorithm of the reduction.
    pub kind: Named<Reduction>,
}

/// Places of the threads of a team, if the standard leaves the choice to the runtime.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PlacesFile {
    /// Rules by which threads get places.
    pub rules: Named<PlaceRules>,
}

impl PlacesFile {
    fn is_standard(&self) -> bool {
        self.rules.0 == PlaceRules::Standard
    }
}

/// Meaning of the schedules that leave the choice to the runtime.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ScheduleFile {
    /// Schedule of `schedule(auto)`.
    pub auto: ScheduleText,
    /// Schedule of `schedule(runtime)` if `OMP_SCHEDULE` is not set.
    pub runtime: ScheduleText,
}

impl Default for ScheduleFile {
    fn default() -> ScheduleFile {
        let even = ScheduleText(Some(Schedule::Static { chunk: None }));
        ScheduleFile { auto: even, runtime: even }
    }
}

impl RuntimeFile {
    /// Contents of the runtime file that describes `profile`.
    pub fn of(profile: &Profile) -> RuntimeFile {
        let Profile {
            name,
            description,
            fork,
            barrier,
            wait,
            lock,
            worksharing,
            tasks,
            reduction,
            auto,
            runtime,
            places,
            origins,
        } = profile.clone();
        RuntimeFile {
            name,
            description,
            fork: Table(fork),
            barrier: Table(barrier),
            wait: Table(wait),
            lock: Table(lock),
            worksharing: Table(worksharing),
            tasks: Table(tasks),
            reduction: ReductionFile { kind: Named(reduction) },
            schedule: ScheduleFile { auto: ScheduleText(Some(auto)), runtime: ScheduleText(Some(runtime)) },
            places: PlacesFile { rules: Named(places) },
            origins: OriginsFile::of(&origins),
        }
    }
}
