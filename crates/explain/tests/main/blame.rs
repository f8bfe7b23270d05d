//! Tests of blame and of the critical path.

use crate::random::{Case, POLICIES, RuntimeCase, Sizes, cached_cases, cases, runtime_cases};
use numalab_base::{ThreadId, Time};
use numalab_explain::{Kind, Reason, Watch, Watched};
use numalab_machine::Fabric;
use numalab_runtime::Profile;
use numalab_simulator::{
    BookedSpan, Ideal, Loss, LostTime, Observer, Portion, RunOutcome, Served, Setup, observe,
};
use numalab_workload::{Construct, Phase, Schedule};
use proptest::prelude::*;

/// Checks that sums are exact, for each phase and for all: blame sums to threads × makespan, the path to the
/// makespan.
fn adds_up(setup: &Setup, policy: Schedule) -> Result<(), TestCaseError> {
    let mut watch = Watch::new(setup.fabric, setup.team);
    let Ok(outcome) = observe(setup, policy, &(), &mut watch) else { return Ok(()) };
    let watched = watch.finish();
    let threads = outcome.team.len() as u128;
    let blamed: u128 = watched.shares.iter().map(|(_, share)| share.own_ps + share.waited_ps).sum();
    prop_assert_eq!(blamed, threads * u128::from(outcome.makespan_ps), "{}", policy);
    let path: u64 = watched.shares.iter().map(|(_, share)| share.path_ps).sum();
    prop_assert_eq!(path, outcome.makespan_ps, "{}", policy);
    for (number, phase) in watched.phases.iter().enumerate() {
        let own = || watched.shares.iter().filter(|(reason, _)| reason.phase as usize == number);
        let blamed: u128 = own().map(|(_, share)| share.own_ps + share.waited_ps).sum();
        prop_assert_eq!(blamed, threads * u128::from(phase.time.0));
        prop_assert_eq!(own().map(|(_, share)| share.path_ps).sum::<u64>(), phase.time.0);
        prop_assert!(phase.alone <= phase.time);
    }
    waits_have_reasons(&watched, &outcome)?;
    sums_are_those_of_the_spans(setup, &watched, &outcome)
}

/// Checks that the losses that a run states equal sums over the spans that its observer received.
fn sums_are_those_of_the_spans(
    setup: &Setup,
    watched: &Watched,
    outcome: &RunOutcome,
) -> Result<(), TestCaseError> {
    let kept = |of: &dyn Fn(Loss) -> bool| -> f64 {
        let lost = outcome.losses.iter().flatten().filter(|lost| of(lost.to));
        lost.map(|lost| lost.time_ps as f64).sum()
    };
    let told = |of: &dyn Fn(&Reason) -> bool| -> f64 {
        watched.shares.iter().filter(|(reason, _)| of(reason)).map(|(_, share)| share.own_ps as f64).sum()
    };
    // Several roundings of each stream to whole picoseconds.
    let rounding =
        1e-9 * outcome.team.len() as f64 * outcome.makespan_ps as f64 + 20.0 * outcome.events as f64;
    let alike = |kept: f64, told: f64, what: &str| {
        prop_assert!((kept - told).abs() <= rounding, "{what}: {kept} of {told} +- {rounding}");
        Ok(())
    };
    let team = |part: fn(&numalab_simulator::ThreadOutcome) -> u64| -> f64 {
        outcome.team.iter().map(|member| part(member) as f64).sum()
    };
    alike(kept(&|to| matches!(to, Loss::Barrier | Loss::NoWork)), team(|member| member.idle_ps), "waits")?;
    alike(kept(&|to| to == Loss::Runtime), told(&|reason| reason.kind == Kind::Runtime), "runtime")?;
    alike(kept(&|to| to == Loss::Cache), told(&|reason| matches!(reason.kind, Kind::Cache(_))), "caches")?;
    // Computing on cached data beside a stream hides some of its waits, which the solver does not know.
    if setup.machine.caches.is_empty() {
        let full = |reason: &Reason| reason.kind == Kind::Memory && reason.limit.is_some();
        alike(kept(&|to| matches!(to, Loss::Full(_))), told(&full), "full resources")?;
        let near = |reason: &Reason| reason.kind == Kind::Memory && reason.limit.is_none();
        alike(kept(&|to| matches!(to, Loss::Latency(_))), told(&near), "latency")?;
        let all = team(|member| member.stall_ps + member.overhead_ps + member.idle_ps);
        alike(kept(&|_| true), all, "all")?;
    }
    let within = |lost: &LostTime| lost.from_ps <= lost.to_ps && lost.to_ps <= outcome.makespan_ps;
    prop_assert!(outcome.losses.iter().flatten().all(within));
    Ok(())
}

/// Checks that the kinds of reasons match the thread's own accounts, and that only waits are passed on, including
/// those for locks and turns.
fn waits_have_reasons(watched: &Watched, outcome: &RunOutcome) -> Result<(), TestCaseError> {
    let sum = |of: &dyn Fn(Kind) -> bool| -> u128 {
        watched.shares.iter().filter(|(reason, _)| of(reason.kind)).map(|(_, share)| share.own_ps).sum()
    };
    let team = |part: fn(&numalab_simulator::ThreadOutcome) -> u64| -> u128 {
        outcome.team.iter().map(|member| u128::from(part(member))).sum()
    };
    prop_assert_eq!(sum(&|kind| kind == Kind::Computing), team(|member| member.compute_ps));
    let lost = outcome.losses.iter().flatten().filter(|lost| lost.to == Loss::Turn);
    let turns: u128 = lost.map(|lost| lost.time_ps).sum();
    let (taking, acts) = (sum(&|kind| kind == Kind::Turn), sum(&|_| true));
    prop_assert!(taking <= turns);
    let waiting = turns - taking;
    prop_assert_eq!(acts + waiting, team(|member| member.compute_ps + member.stall_ps + member.overhead_ps));
    let waited: u128 = watched.shares.iter().map(|(_, share)| share.waited_ps).sum();
    prop_assert_eq!(waited, team(|member| member.idle_ps) + waiting);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Law: Blame and the critical path are exact: both sum to the makespan, and the sums of a run equal what an observer receives.
    ///
    /// Loops on any machine with any placement.
    #[test]
    fn blame_and_path_add_up(case in cases(Sizes::Any)) {
        let Case { machine, workload, team, seed, replica } = &case;
        let fabric = Fabric::new(machine).unwrap();
        let runtime = Profile::free();
        let ideal = Ideal::default();
        let setup = Setup { machine, fabric: &fabric, workload, runtime: &runtime, team, seed: *seed, replica: *replica, ideal, exact: false };
        for policy in POLICIES {
            adds_up(&setup, policy)?;
        }
    }

    /// Law: Blame and the critical path are exact: both sum to the makespan.
    ///
    /// Loops whose data stays in caches.
    #[test]
    fn blame_and_path_add_up_with_caches(case in cached_cases()) {
        let Case { machine, workload, team, seed, replica } = &case;
        let fabric = Fabric::new(machine).unwrap();
        let runtime = Profile::free();
        let ideal = Ideal::default();
        let setup = Setup { machine, fabric: &fabric, workload, runtime: &runtime, team, seed: *seed, replica: *replica, ideal, exact: false };
        adds_up(&setup, Schedule::Static { chunk: None })?;
        adds_up(&setup, Schedule::Dynamic { chunk: 1 })?;
    }

    /// Law: Blame and the critical path are exact: both sum to the makespan.
    ///
    /// Constructs, tasks and inner teams under any runtime.
    #[test]
    fn blame_and_path_add_up_under_runtimes(all in runtime_cases()) {
        let RuntimeCase { case: Case { machine, workload, team, seed, replica }, runtime, policy } = &all;
        let fabric = Fabric::new(machine).unwrap();
        let ideal = Ideal::default();
        let setup = Setup { machine, fabric: &fabric, workload, runtime, team, seed: *seed, replica: *replica, ideal, exact: false };
        adds_up(&setup, *policy)?;
    }
}

/// Case with only these phases, on an otherwise shipped workload. `phases` receives the number of instructions per
/// millisecond.
fn only(machine: &str, phases: impl FnOnce(f64) -> Vec<Phase>) -> numalab_explain::Case {
    let mut case = crate::case(machine, "compute", Some("static"), &[]);
    let core = &case.hardware().core;
    let phases = phases(1e-3 * core.clock.0 * core.instructions_per_cycle);
    let workload = std::sync::Arc::make_mut(&mut case.workload);
    (workload.phases, workload.rounds) = (phases, 1);
    workload.regions.clear();
    case
}

/// Law: A wait at a barrier is blamed on the thread that arrived last, a wait for a lock on its holder.
///
/// Two threads take a lock once each, at the same time, and compute 1 ms while they hold it. In the first ms thread 1
/// waits for thread 0; in the second, thread 0 waits at the end of the region. Of 2 × 2 ms, 2 are computing and 2 are
/// waiting for computing. One thread works at a time, except during the hand-over of the lock.
#[test]
fn waits_for_a_lock_are_attributed_to_its_holder() {
    let locked = |millisecond| Phase {
        instructions: [millisecond; 2].into(),
        construct: Construct::Critical,
        ..Phase::new("locked", 2)
    };
    let case = only("core:2", |millisecond| vec![locked(millisecond)]);
    let (outcome, watched) = case.watch(&()).unwrap();
    let ms = |ps: u128| (ps as f64 / 1e9 * 1e2).round() / 1e2;
    assert_eq!(ms(outcome.makespan_ps.into()), 2.0);
    let computing: Vec<(f64, f64)> = watched
        .shares
        .iter()
        .filter(|(reason, _)| reason.kind == Kind::Computing)
        .map(|(_, share)| (ms(share.own_ps), ms(share.waited_ps)))
        .collect();
    assert_eq!(computing, [(2.0, 2.0)]);
    assert_eq!(ms(watched.phases[0].alone.0.into()), 2.0);
    // The path goes back from the end of the region to thread 1, the last holder of the lock, and from there to
    // thread 0.
    assert_eq!(watched.handed_over, 2);
}

/// Law: Releasing a lock is time of the lock.
/// A thread that releases a lock on which others spin needs the line that all of them request. That time is the
/// lock's; the runtime's time is only that of opening and closing the region.
#[test]
fn releasing_a_lock_is_time_of_the_lock() {
    for kind in ["test-and-set", "ticket", "mcs"] {
        let case = crate::case("board:2 socket:2 core:4", "locks", None, &[&format!("workload.kind={kind}")]);
        let (_, watched) = case.watch(&()).unwrap();
        let of = |kind: Kind| -> u128 {
            let shares = watched.shares.iter().filter(|(reason, _)| reason.kind == kind);
            shares.map(|(_, share)| share.own_ps + share.waited_ps).sum()
        };
        let (lock, runtime) = (of(Kind::Turn), of(Kind::Runtime));
        assert!(lock > 10 * runtime, "{kind}: {lock} and {runtime}");
    }
}

/// Observer that keeps the engine from counting periods, so that every repetition is simulated.
struct Everything<'a>(Watch<'a>);

impl Observer for Everything<'_> {
    fn phase(&mut self, name: &str, measured: bool, at: Time) {
        self.0.phase(name, measured, at);
    }

    fn span(&mut self, span: BookedSpan) {
        self.0.span(span);
    }

    fn data(&mut self, thread: ThreadId, portions: &[Portion]) {
        self.0.data(thread, portions);
    }

    fn released(&mut self, thread: ThreadId, by: ThreadId, at: Time) {
        self.0.released(thread, by, at);
    }

    fn served(&mut self, served: Served) {
        self.0.served(served);
    }
}

/// Law: Blame of counted periods equals blame of shown periods.
///
/// Counted phases and rounds have the same blame as simulated ones, for less work.
#[test]
fn counted_repetitions_are_attributed() {
    let runs: [(&str, &str, &[&str]); 3] = [
        ("cg", "static", &["workload.steps=40", "workload.n=20000", "workload.nnz=2800000"]),
        ("nas_lu", "static", &["workload.n=12", "workload.steps=30"]),
        ("stream", "static", &["workload.caches=warm", "workload.repeats=30"]),
    ];
    for (workload, policy, set) in runs {
        let case = crate::case("bcs16", workload, Some(policy), set);
        let mut all = Everything(Watch::new(&case.machine.fabric, &case.team));
        let shown = observe(&case.setup(), case.schedule, &(), &mut all).unwrap();
        let (counted, watched) = case.watch(&()).unwrap();
        assert_eq!(counted.makespan_ps, shown.makespan_ps, "{workload}");
        assert_eq!(watched, all.0.finish(), "{workload}");
        let work = |run: &RunOutcome| run.engine.operations + run.engine.solver_visits;
        assert!(2 * work(&counted) < work(&shown), "{workload}: {} of {}", work(&counted), work(&shown));
    }
}

/// Law: A wait at a barrier is blamed on the thread that arrived last, a wait for a lock on its holder.
///
/// Thread 0 computes 1 ms alone. Then thread n of 4 computes n ms, so the others wait for the last. Of 4 × 1 ms, 1 is
/// computing and 3 are waiting for it. Of 4 × 3 ms, 0 + 1 + 2 + 3 are computing and 3 + 2 + 1 are waiting. One thread
/// works alone in the first ms and in the last. The path is handed over once, from thread 0 to thread 3.
#[test]
fn waits_at_a_barrier_are_attributed_to_the_last_thread() {
    let mut case = only("core:4", |millisecond| {
        let computing = |name: &str, amounts: &[f64]| Phase {
            instructions: amounts.iter().map(|amount| amount * millisecond).collect(),
            ..Phase::new(name, amounts.len() as u64)
        };
        let alone = Phase { construct: Construct::Serial, ..computing("alone", &[1.0]) };
        vec![alone, computing("together", &[0.0, 1.0, 2.0, 3.0])]
    });
    case.runtime = std::sync::Arc::new(Profile::free());
    let (outcome, watched) = case.watch(&()).unwrap();
    let ms = |ps: u128| (ps as f64 / 1e9 * 1e3).round() / 1e3;
    assert_eq!(ms(outcome.makespan_ps.into()), 4.0);
    let shares: Vec<(u32, Kind, f64, f64)> = watched
        .shares
        .iter()
        .filter(|(_, share)| share.own_ps + share.waited_ps > 0)
        .map(|(reason, share)| (reason.phase, reason.kind, ms(share.own_ps), ms(share.waited_ps)))
        .collect();
    assert_eq!(shares, [(0, Kind::Computing, 1.0, 3.0), (1, Kind::Computing, 6.0, 6.0)]);
    let alone: Vec<f64> = watched.phases.iter().map(|phase| ms(phase.alone.0.into())).collect();
    assert_eq!(alone, [1.0, 1.0]);
    assert_eq!(watched.handed_over, 1);
}

/// The table of `sim` and an explanation name the same bottleneck, with the same share of the time, also if it is a
/// wait for other threads, which blame passes on.
#[test]
fn explanation_and_table_name_the_same_wait() {
    for policy in ["static", "dynamic", "tasks:locality-strict"] {
        let run = crate::resolved("bcs16", "loadbal", Some(policy), &[]);
        let table = run.simulate(Some(1), &()).unwrap()[0].bottleneck.clone();
        let explained = numalab_explain::blame(&run, &()).unwrap().explanation;
        assert!(table.is_some());
        assert_eq!(table, explained.bottleneck, "{policy}");
    }
}
