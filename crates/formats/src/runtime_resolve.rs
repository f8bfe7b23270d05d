//! From what a runtime file says to the profile: what its parts need is there, and nothing that means
//! nothing.

use crate::quantity::{Quantity, ScheduleText};
use crate::runtime_file::{BarrierWord, RuntimeFile};
use numalab_runtime::Profile;
use numalab_runtime::profile::{Barrier, Fork, LockProfile, TaskProfile};
use numalab_syntax::report::Report;
use numalab_units::Span;
use numalab_workload::Schedule;

/// Far beyond what anything in a runtime takes, and far from where sums of times would end.
const MOST: Span = Span(1_000_000_000_000);

/// Builds the profile.
pub(crate) fn resolve(file: &RuntimeFile, report: &mut Report<'_>) -> Profile {
    let (fork, lock, tasks) = (&file.fork, &file.lock, &file.tasks);
    if lock.spin.is_some() && report.root.get("lock").is_some_and(|lock| lock.get("wake").is_none()) {
        let message = "a thread that stops spinning sleeps, and the time to wake it is missing";
        report.at("lock.spin", message, "expected for example `wake = \"5 us\"` beside it");
    }
    let release_is_free = fork.release == BarrierWord::Free;
    if release_is_free != (file.barrier.kind == BarrierWord::Free) {
        let at = if release_is_free { "barrier.kind" } else { "fork.release" };
        let message = "`fork.release` and `barrier.kind` must both be `free`, or neither";
        report.at(at, message, "expected \"free\" for both, or for neither");
    }
    Profile {
        name: file.name.clone(),
        description: file.description.clone(),
        fork: Fork {
            fixed: time("fork.fixed", fork.fixed, report),
            open: time("fork.open", fork.open.unwrap_or(fork.fixed), report),
            enter: time("fork.enter", fork.enter, report),
            team_lines: fork.team_lines,
            member_lines: fork.member_lines,
            member_writes: fork.member_writes,
            release: barrier("fork", "release", fork.release, fork.branching, report),
            pool_barrier: fork.pool_barrier,
        },
        barrier_fixed: file.barrier.fixed.0,
        barrier: barrier("barrier", "kind", file.barrier.kind, file.barrier.branching, report),
        lock: LockProfile {
            kind: lock.kind.into(),
            spin: lock.spin.map(|spin| time("lock.spin", spin, report)),
            wake: time("lock.wake", lock.wake, report),
        },
        tasks: TaskProfile {
            queue: tasks.queue.into(),
            bound: tasks.bound,
            lock: tasks.lock.map(Into::into),
            create: time("tasks.create", tasks.create, report),
            dispatch: time("tasks.dispatch", tasks.dispatch, report),
            lines: tasks.lines,
        },
        reduction: file.reduction.kind.into(),
        auto: schedule("schedule.auto", file.schedule.auto, report),
        runtime: schedule("schedule.runtime", file.schedule.runtime, report),
    }
}

fn time(path: &str, Quantity(span): Quantity<Span>, report: &mut Report<'_>) -> Span {
    if span > MOST {
        report.at(path, format!("{path} is {span}"), format!("expected at most {MOST}"));
    }
    span.min(MOST)
}

/// A barrier, with its branching where it branches.
fn barrier(
    table: &str,
    key: &str,
    word: BarrierWord,
    branching: Option<u32>,
    report: &mut Report<'_>,
) -> Barrier {
    // A kind without one leaves it alone, so that `--set` can change the kind by itself.
    if matches!(word, BarrierWord::Tree | BarrierWord::Hypercube) && branching.is_none() {
        report.at(
            &format!("{table}.{key}"),
            format!("a {} needs `branching`", if word == BarrierWord::Tree { "tree" } else { "hypercube" }),
            "expected for example `branching = 4` beside it",
        );
    }
    let branching = branching.unwrap_or(2);
    match word {
        BarrierWord::Central => Barrier::Central,
        BarrierWord::Tree => Barrier::Tree { branching },
        BarrierWord::Hypercube => Barrier::Hypercube { branching },
        BarrierWord::Dissemination => Barrier::Dissemination,
        BarrierWord::Hierarchical => Barrier::Hierarchical,
        BarrierWord::Free => Barrier::Free,
    }
}

/// A schedule that shares out a loop by itself.
fn schedule(path: &str, ScheduleText(policy): ScheduleText, report: &mut Report<'_>) -> Schedule {
    let by_itself = policy.filter(|policy| match policy {
        Schedule::Static { .. }
        | Schedule::Dynamic { .. }
        | Schedule::Guided { .. }
        | Schedule::NumaSteal(_) => true,
        Schedule::Auto | Schedule::Runtime | Schedule::Tasks(_) => false,
    });
    by_itself.unwrap_or_else(|| {
        let name = policy.map_or("compared".to_owned(), |policy| policy.to_string());
        let label = "expected a schedule that shares out a loop by itself, such as \"static\"";
        report.at(path, format!("{path} cannot be \"{name}\""), label);
        Schedule::Static { chunk: None }
    })
}
