//! Turns a runtime file into a profile. Required parts must be present, and no value may be without effect.

use crate::origins;
use numalab_base::ValueOrigins;
use numalab_files::quantity::ScheduleText;
use numalab_files::runtime_file::RuntimeFile;
use numalab_runtime::Profile;
use numalab_runtime::profile::BarrierKind;
use numalab_syntax::report::Report;
use numalab_workload::Schedule;

pub(crate) fn resolve(file: &RuntimeFile, report: &mut Report<'_>) -> Profile {
    file.fork.check("fork", report);
    file.barrier.check("barrier", report);
    file.wait.check("wait", report);
    file.lock.check("lock", report);
    file.worksharing.check("worksharing", report);
    file.tasks.check("tasks", report);
    let (mut fork, mut barrier, lock) = (file.fork.0.clone(), file.barrier.0.clone(), file.lock.0.clone());
    if lock.spin.is_some() && report.root.get("lock").is_some_and(|lock| lock.get("wake").is_none()) {
        let message = "a thread that stops spinning sleeps, and the time to wake it is missing";
        report.at("lock.spin", message, "expected for example `wake = \"5 us\"` beside it");
    }
    let release_is_free = fork.release == BarrierKind::Free;
    if release_is_free != (barrier.kind == BarrierKind::Free) {
        let at = if release_is_free { "barrier.kind" } else { "fork.release" };
        let message = "`fork.release` and `barrier.kind` must both be `free`, or neither";
        report.at(at, message, "expected \"free\" for both, or for neither");
    }
    for (path, kind, branching) in
        [("fork.release", fork.release, fork.branching), ("barrier.kind", barrier.kind, barrier.branching)]
    {
        if kind.branches() && branching.is_none() {
            let label = "expected for example `branching = 4` beside it";
            report.at(path, format!("a {kind} needs `branching`"), label);
        }
    }
    fork.open = fork.open.filter(|open| *open != fork.fixed);
    // A kind without branching accepts `branching` and ignores it, so that `--set` can change the kind alone.
    (fork.release, fork.branching) = fork.opening(barrier.wake_call).parts();
    (barrier.kind, barrier.branching) = barrier.algorithm().parts();
    let mut profile = Profile {
        name: file.name.clone(),
        description: file.description.clone(),
        fork,
        barrier,
        wait: file.wait.0.clone(),
        lock,
        worksharing: file.worksharing.0.clone(),
        tasks: file.tasks.0.clone(),
        reduction: file.reduction.kind.0,
        auto: schedule("schedule.auto", file.schedule.auto, report),
        runtime: schedule("schedule.runtime", file.schedule.runtime, report),
        places: file.places.rules.0,
        origins: ValueOrigins::default(),
    };
    profile.origins = origins::resolve(&file.origins, &profile.file_values(), report);
    profile
}

/// Schedule from its text; it must distribute a loop by itself.
fn schedule(path: &str, ScheduleText(policy): ScheduleText, report: &mut Report<'_>) -> Schedule {
    let by_itself = policy.filter(|policy| policy.is_self_contained());
    by_itself.unwrap_or_else(|| {
        let name = policy.map_or("compared".to_owned(), |policy| policy.to_string());
        let label = "expected a schedule that shares out a loop by itself, such as \"static\"";
        report.at(path, format!("{path} cannot be \"{name}\""), label);
        Schedule::Static { chunk: None }
    })
}
