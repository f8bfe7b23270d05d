//! Laws of perturbed replicas: times vary by the machine's noise, and equal steps are still counted.

use crate::builders::{MS, NS, RETURNING, computing, looped, machine, near, placed, setup, workload};
use crate::random::{Sizes, cases, runtime_cases};
use numalab_base::Span;
use numalab_machine::{Fabric, Machine, Noise};
use numalab_runtime::Profile;
use numalab_simulator::{EngineCounts, RunOutcome, Setup, Team, prepare};
use numalab_workload::{Construct, Mode, Phase, Workload};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// Two sockets of four cores whose computing varies by 10 %, and whose threads start up to 50 ns late.
fn noisy() -> Machine {
    let mut machine = machine("socket:2 core:4");
    machine.os.noise = Noise { work: 0.1, start: Span(50 * NS) };
    machine
}

/// Replica of a workload on eight threads.
fn replica(
    machine: &Machine,
    runtime: &Profile,
    workload: &Workload,
    policy: &str,
    replica: u32,
) -> RunOutcome {
    let fabric = Fabric::new(machine).expect("a sound machine");
    let team = Team::close(&fabric, 8);
    let setup = Setup { replica, ..setup((machine, &fabric), (workload, runtime), &team) };
    prepare(&setup, &()).and_then(|ready| ready.run(policy.parse().expect("a policy"), &())).expect("it fits")
}

/// Work of the engine: visits of the solver and of caches, and operations of programs.
fn work(run: &RunOutcome) -> u64 {
    let EngineCounts { solver_visits, cache_visits, operations } = run.engine;
    solver_visits + cache_visits + operations
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Law: A static loop that only computes varies by the machine's noise.
    ///
    /// Each piece takes at most the part `computing` more or less, each thread starts at most `start` later, and each
    /// piece is rounded up to a picosecond.
    #[test]
    fn computing_stays_within_the_noise(
        instructions in prop::collection::vec(1.0..1e6, 1..60),
        part in 0.0..0.9,
        start in 0u64..1_000_000,
        number in 1u32..1000,
    ) {
        let mut machine = machine("socket:2 core:4");
        machine.os.noise = Noise { work: part, start: Span(start) };
        let (runtime, workload) = (Profile::free(), workload(&[computing(&instructions)]));
        let makespan = |number| replica(&machine, &runtime, &workload, "static", number).makespan_ps as f64;
        let (nominal, varied) = (makespan(0), makespan(number));
        let rounding = instructions.len() as f64;
        prop_assert!(varied >= nominal * (1.0 - part) - rounding, "{varied} of {nominal}");
        prop_assert!(varied <= nominal * (1.0 + part) + start as f64 + rounding, "{varied} of {nominal}");
    }
}

/// Law: A replica is the same each time, and differs from every other replica.
#[test]
fn replicas_differ() {
    let (machine, runtime) = (noisy(), Profile::default());
    let computing = workload(&[computing(&[1000.0; 64])]);
    // Flows of equal rates begin at other times.
    let streaming = workload(&[looped(Mode::Read, &(0..=64).map(|at| at * 100_000).collect::<Vec<_>>())]);
    for workload in [computing, streaming] {
        for policy in ["static", "dynamic", "tasks:central", "numa-steal:random"] {
            let run = |number| replica(&machine, &runtime, &workload, policy, number);
            let mut makespans: Vec<u64> = (0..6).map(|number| run(number).makespan_ps).collect();
            assert_eq!(run(3), run(3), "{policy}");
            makespans.sort_unstable();
            makespans.dedup();
            assert_eq!(makespans.len(), 6, "{policy}");
        }
    }
}

/// A machine without noise has equal replicas under a policy without draws.
#[test]
fn replicas_without_noise_are_equal() {
    let mut machine = noisy();
    machine.os.noise = Noise { work: 0.0, start: Span::ZERO };
    let workload = workload(&[computing(&[1000.0; 64])]);
    let run = |number| replica(&machine, &Profile::default(), &workload, "dynamic", number);
    assert_eq!(run(0), run(7));
}

/// Region without work under a runtime without costs: it takes as long as its last thread starts late, which is at
/// most 50 ns. No two threads start together.
#[test]
fn threads_start_late() {
    let workload = workload(&[computing(&[0.0; 8])]);
    let run = replica(&noisy(), &Profile::free(), &workload, "static", 1);
    let late: Vec<u64> = run.team.iter().map(|member| member.overhead_ps).collect();
    assert_eq!(late.iter().max(), Some(&run.makespan_ps));
    let mut others = late.clone();
    others.sort_unstable();
    others.dedup();
    assert!(run.makespan_ps <= 50 * NS && others.len() == 8, "{late:?}");
}

/// One thread receives 6.4 MB at 6.4 GB/s, for 1 ms. It is interrupted for up to 10 % of this time, 0.1 ms, and waits
/// for data as long as in the nominal run.
#[test]
fn data_is_late_within_the_noise() {
    let mut machine = noisy();
    machine.os.noise.start = Span::ZERO;
    let bounds = [0, 6_400_000];
    let workload = workload(&[placed(&bounds), looped(Mode::Read, &bounds)]);
    let run = |number| replica(&machine, &Profile::free(), &workload, "static", number);
    near(run(0).makespan_ps, MS);
    let late = |number| {
        let run = run(number);
        near(run.team[0].stall_ps, MS);
        assert_eq!(run.makespan_ps, run.team[0].stall_ps + run.team[0].overhead_ps);
        run.team[0].overhead_ps
    };
    let all: Vec<u64> = (1..20).map(late).collect();
    assert!(all.iter().all(|late| *late <= MS / 10), "{all:?}");
    assert!(all.iter().any(|late| *late > MS / 20) && all.iter().any(|late| *late < MS / 20), "{all:?}");
}

/// Random cases are replicas of all numbers, so all laws of random cases hold for replicas.
#[test]
fn random_cases_are_replicas() {
    let mut seen = [[0; 3]; 2];
    let mut runner = TestRunner::deterministic();
    for _ in 0..100 {
        let case = cases(Sizes::Any).new_tree(&mut runner).expect("a case").current();
        let with_runtime = runtime_cases().new_tree(&mut runner).expect("a case").current();
        seen[0][case.replica as usize] += 1;
        seen[1][with_runtime.case.replica as usize] += 1;
    }
    assert!(seen.iter().flatten().all(|count| *count > 10), "{seen:?}");
}

/// Law: Equal time steps of a replica are counted, not simulated.
///
/// A million steps are no more work for the engine than a hundred, as in the nominal run.
#[test]
fn steps_of_a_replica_are_counted() {
    let bounds: Vec<u64> = (0..=8).map(|at| at * 640_000).collect();
    let step = Phase { instructions: vec![5000.0; 8].into(), ..looped(Mode::Read, &bounds) };
    let steps = |rounds, number| {
        let workload = Workload { rounds, ..workload(&[step.clone(), computing(&[700.0; 40])]) };
        replica(&noisy(), &Profile::default(), &workload, "static", number)
    };
    for number in 0..4 {
        let (hundred, million) = (steps(100, number), steps(1_000_000, number));
        assert_eq!(hundred.engine, million.engine, "replica {number}");
        assert!(million.makespan_ps > 9_000 * hundred.makespan_ps);
    }
}

/// Law: Equal executions of a construct of a replica are counted, not simulated.
#[test]
fn executions_of_a_replica_are_counted() {
    for construct in RETURNING.into_iter().chain([Construct::ParallelFor]) {
        for number in 1..4 {
            let times = |times| {
                let workload = workload(&[Phase { construct, times, ..computing(&[100.0; 8]) }]);
                replica(&noisy(), &Profile::default(), &workload, "static", number)
            };
            let (some, many) = (times(1000), times(1_000_000));
            let (few, all) = (work(&some), work(&many));
            assert!(all < 2 * few, "{construct:?}, replica {number}: {all} and {few}");
        }
    }
}
