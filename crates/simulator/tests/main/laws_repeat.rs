//! Equal repetitions are counted instead of simulated, with the same result.

use crate::builders::{RETURNING, add_cache, computing, looped, machine, run_on, run_under, setup, workload};
use crate::random::{Case, POLICIES, RuntimeCase, Sizes, cached_cases, cases, runtime_cases};
use numalab_base::Span;
use numalab_machine::Fabric;
use numalab_runtime::Profile;
use numalab_simulator::{EngineCounts, Observer, RunOutcome, Setup, Team, observe, prepare};
use numalab_workload::{
    Access, Construct, LockKind, Mode, Phase, Pieces, RegionId, Schedule, Slice, Workload,
};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::cell::Cell;

/// Observer that forces every event to be simulated.
struct Witness;

impl Observer for Witness {}

/// Work of the engine: visits of the solver and of caches, and operations of programs.
fn work(run: &RunOutcome) -> u64 {
    let EngineCounts { solver_visits, cache_visits, operations } = run.engine;
    solver_visits + cache_visits + operations
}

/// Compares a run with all repetitions simulated and a run with repetitions counted. Returns true if counting saved
/// more than half of the work.
fn agrees(setup: &Setup, policy: Schedule) -> Result<bool, TestCaseError> {
    let alone = prepare(setup, &()).and_then(|prepared| prepared.run(policy, &()));
    let watched = observe(setup, policy, &(), &mut Witness);
    let less =
        alone.as_ref().is_ok_and(|alone| watched.as_ref().is_ok_and(|all| 2 * work(alone) < work(all)));
    let without = |run: RunOutcome| RunOutcome { engine: EngineCounts::default(), ..run };
    prop_assert_eq!(alone.map(without), watched.map(without), "{}", policy);
    Ok(less)
}

/// Workload in which constructs are executed `times` times, phases `repeat` times, and all phases `rounds` times.
fn repeated(workload: &Workload, [times, repeat, rounds]: [u32; 3]) -> Workload {
    let mut workload = workload.clone();
    workload.rounds = rounds;
    for phase in &mut workload.phases {
        (phase.times, phase.repeat) = (phase.times.max(times), repeat);
    }
    workload
}

/// Checks random cases whose phases repeat often. Counting must save work in at least one of every `part` cases.
fn laws(cases: u32, of: impl Strategy<Value = (Case, Profile, Schedule)>, part: u32) {
    let shortened = Cell::new(0);
    let config = ProptestConfig { source_file: Some(file!()), ..ProptestConfig::with_cases(cases) };
    let often = prop::sample::select(vec![[1, 1, 30], [1, 40, 1], [1, 7, 9], [50, 1, 1], [30, 3, 6]]);
    // From scans at every step to none at all.
    let scans = prop::sample::select(vec![1_000_000, 50_000_000, 1_000_000_000, 100_000_000_000]);
    let all = (of, often, scans);
    TestRunner::new(config)
        .run(&all, |((case, runtime, policy), often, scan)| {
            let Case { mut machine, workload, team, seed, replica } = case;
            (machine.os.balancing.scan_delay, machine.os.balancing.scan_period) = (Span(scan), Span(scan));
            let (fabric, workload) = (Fabric::new(&machine).unwrap(), repeated(&workload, often));
            let workload = &workload;
            let setup = Setup {
                machine: &machine,
                fabric: &fabric,
                workload,
                runtime: &runtime,
                team: &team,
                seed,
                replica,
                ideal: numalab_simulator::Ideal::default(),
                // Counted, not estimated.
                exact: true,
            };
            shortened.set(shortened.get() + u32::from(agrees(&setup, policy)?));
            Ok(())
        })
        .unwrap();
    assert!(shortened.get() * part >= cases, "only {} of {cases} runs were shortened", shortened.get());
}

/// Law: The sums of every run equal what an observer receives, and are counted with repetitions.
#[test]
fn loops_that_come_back_are_counted() {
    let policies = prop::sample::select(POLICIES.to_vec());
    laws(160, (cases(Sizes::Any), policies).prop_map(|(case, policy)| (case, Profile::free(), policy)), 4);
}

/// Law: Counted repetitions give the same result as simulated ones.
#[test]
fn caches_that_come_back_are_counted() {
    let policies = prop::sample::select(POLICIES.to_vec());
    laws(96, (cached_cases(), policies).prop_map(|(case, policy)| (case, Profile::free(), policy)), 6);
}

/// Law: Counted repetitions give the same result as simulated ones.
#[test]
fn runtimes_that_come_back_are_counted() {
    let split = |RuntimeCase { case, runtime, policy }| (case, runtime, policy);
    laws(160, runtime_cases().prop_map(split), 5);
}

/// Law: Teams of one phase have their own lines, and their repetitions are counted.
#[test]
fn own_teams_that_come_back_are_counted() {
    let apart = |(RuntimeCase { case, runtime, policy }, bits)| (case.with_own_teams(bits), runtime, policy);
    laws(160, (runtime_cases(), any::<u32>()).prop_map(apart), 6);
}

/// Law: Moves of threads are counted with repetitions, and an observer sees them.
#[test]
fn moves_that_come_back_are_counted() {
    let unbound = |(RuntimeCase { case, runtime, policy }, bits): (RuntimeCase, u32)| {
        let fabric = Fabric::new(&case.machine).unwrap();
        (case.unbound(&fabric, bits), runtime, policy)
    };
    laws(160, (runtime_cases(), any::<u32>()).prop_map(unbound), 10);
}

/// Law: A repetition costs nothing once its period is proved.
///
/// Two threads read 640 kB each out of their caches again and again. The engine's counts of visits and operations are
/// equal for a million repetitions and for a hundred. The simulated time grows by the same span with every repetition
/// after the first, which fills the caches.
#[test]
fn a_million_times_are_no_more_work_than_a_hundred() {
    let mut machine = machine("socket:2 core:1");
    add_cache(&mut machine, 1 << 20, 1, 10, 32e9);
    let times = |repeat| {
        let phase = Phase { repeat, ..looped(Mode::Read, &[0, 640_000, 1_280_000]) };
        run_on(&machine, 2, "static", &[phase])
    };
    let (once, twice, hundred, million) = (times(1), times(2), times(100), times(1_000_000));
    assert_eq!(hundred.engine, million.engine);
    let each = twice.makespan_ps - once.makespan_ps;
    assert_eq!(hundred.makespan_ps, once.makespan_ps + 99 * each);
    assert_eq!(million.makespan_ps, once.makespan_ps + 999_999 * each);
    assert_eq!(million.cached_bytes, 999_999 * 1_280_000);
}

/// Loop whose iterations go to threads in turn. Each iteration accesses `rows` rows from one of `starts` on, both
/// counted in rows.
fn dealt(mode: Mode, rows: u64, starts: impl Iterator<Item = u64>) -> Phase {
    let slices: Vec<(u64, u64)> = starts.map(|start| (start * ROW, rows * ROW)).collect();
    let phase = Phase::new("rows", slices.len() as u64);
    let access = Access::new(RegionId(0), Slice::Explicit(Pieces::new(slices.into())), mode);
    Phase { accesses: vec![access], schedule: "static,1".parse().ok(), measured: true, ..phase }
}

/// Size of a row, in bytes.
const ROW: u64 = 2624;

/// Law: Caches that are fragmented settle between repetitions.
///
/// Threads of four sockets update whole planes, then read and update their own rows of all planes, upwards and
/// downwards. All data fits the caches, which do not keep the order of so many pieces.
#[test]
fn rounds_that_cut_caches_up_are_counted() {
    let mut machine = machine("socket:4 core:10");
    add_cache(&mut machine, 32 << 10, 1, 2, 32e9);
    add_cache(&mut machine, 32 << 20, 10, 10, 32e9);
    let (threads, planes) = (40, 62);
    let plane = threads + 2;
    let rows = |turn: u64| (0..threads).map(move |thread| (turn, thread));
    let up = |(turn, thread): (u64, u64)| turn * plane + thread;
    let down = move |(turn, thread): (u64, u64)| (planes - 1 - turn) * plane + threads - 1 - thread;
    let phases = [
        dealt(Mode::Update, plane, (0..threads).map(|thread| thread * plane)),
        dealt(Mode::Read, 2, (0..planes).flat_map(rows).map(up)),
        dealt(Mode::Update, 1, (0..planes).flat_map(rows).map(|row| up(row) + 1)),
        dealt(Mode::Read, 2, (0..planes).flat_map(rows).map(down)),
        dealt(Mode::Update, 1, (0..planes).flat_map(rows).map(down)),
    ];
    let fabric = Fabric::new(&machine).unwrap();
    let (team, runtime) = (Team::close(&fabric, threads as u32), Profile::free());
    let policy = Schedule::Static { chunk: None };
    let of = |rounds| Workload { rounds, ..workload(&phases) };
    let visits = |rounds| {
        let workload = of(rounds);
        let setup = setup((&machine, &fabric), (&workload, &runtime), &team);
        prepare(&setup, &()).unwrap().run(policy, &()).unwrap().engine.cache_visits
    };
    assert_eq!(visits(12), visits(1000));
    let workload = of(24);
    assert!(agrees(&setup((&machine, &fabric), (&workload, &runtime), &team), policy).unwrap());
}

/// Law: A repetition costs nothing once its period is proved.
///
/// A construct executed a million times, by eight threads of two sockets, is no more work for the engine than a few
/// hundred executions.
#[test]
fn a_million_executions_are_no_more_work_than_some_hundred() {
    let machine = machine("socket:2 core:4");
    for construct in RETURNING.into_iter().chain([Construct::Lock(Some(LockKind::Mcs))]) {
        let times = |times| {
            let phase = Phase { construct, times, ..computing(&[100.0; 8]) };
            run_under(&Profile::default(), &machine, 8, &phase)
        };
        let (some, many) = (times(1000), times(1_000_000));
        assert!(work(&many) < 2 * work(&some), "{construct:?}: {} and {}", work(&many), work(&some));
        assert!(many.makespan_ps > 900 * some.makespan_ps, "{construct:?}");
    }
}
