//! Blocks (consecutive iterations of a thread whose data is small compared to its cache) give the same result if they
//! are planned together as if they are planned one by one, which an observer enforces.

use crate::builders::{add_cache, machine, workload};
use crate::random::POLICIES;
use numalab_base::{Bytes, Span};
use numalab_machine::Fabric;
use numalab_runtime::Profile;
use numalab_simulator::{EngineCounts, Ideal, Observer, RunOutcome, Setup, Team, observe, prepare};
use numalab_workload::{Access, Mode, NodeSet, Phase, Placement, Region, RegionId, Schedule, Slice};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::cell::Cell;

/// Observer that ignores all reports.
struct Bystander;

impl Observer for Bystander {}

/// Arrays, and the modes in which phases access all of the arrays.
#[derive(Clone, Debug)]
struct Case {
    /// Borders of the iterations in each array, in bytes.
    bounds: Vec<Vec<u64>>,
    modes: Vec<Vec<Mode>>,
    placements: Vec<Placement>,
    spec: &'static str,
    capacity: u64,
    fault: u64,
    policy: Schedule,
}

fn array(iterations: usize) -> impl Strategy<Value = Vec<u64>> {
    let even = (2_000u64..20_000, 0u64..100);
    (even, any::<bool>()).prop_map(move |((each, more), growing)| {
        let length =
            |i: u64| if growing { each * (i + 1) / iterations as u64 * 2 + more } else { each + more };
        let ends = (0..iterations as u64).scan(0, |at, i| {
            *at += length(i);
            Some(*at)
        });
        std::iter::once(0).chain(ends).collect()
    })
}

fn cases() -> impl Strategy<Value = Case> {
    let mode = prop_oneof![
        3 => Just(Mode::Read), 3 => Just(Mode::Write), 1 => Just(Mode::StreamingWrite), 1 => Just(Mode::Update)
    ];
    let placement = prop_oneof![
        4 => Just(Placement::FirstTouch), 1 => Just(Placement::Interleave(NodeSet::All)),
    ];
    (2usize..4, 60usize..160).prop_flat_map(move |(arrays, iterations)| {
        (
            prop::collection::vec(array(iterations), arrays),
            prop::collection::vec(prop::collection::vec(mode.clone(), arrays), 1..4),
            prop::collection::vec(placement.clone(), arrays),
            prop::sample::select(&["socket:2 core:2", "board:2 socket:1 core:3"][..]),
            prop_oneof![4 => Just(1u64 << 30), 1 => 1u64 << 20..4 << 20],
            prop_oneof![1 => Just(0u64), 2 => 1u64..2_000_000],
            prop_oneof![3 => Just(Schedule::Static { chunk: None }), 1 => prop::sample::select(&POLICIES[..])],
        )
            .prop_map(|(bounds, modes, placements, spec, capacity, fault, policy)| Case {
                bounds,
                modes,
                placements,
                spec,
                capacity,
                fault,
                policy,
            })
    })
}

/// Asserts that a run without and a run with an observer are equal. Returns the number of cache visits of each run;
/// `None` if a run fails.
fn agree(case: &Case) -> Option<(u64, u64)> {
    let mut machine = machine(case.spec);
    let cores = if case.spec.ends_with('2') { 2 } else { 3 };
    add_cache(&mut machine, 1 << 10, 1, 1, 1e11);
    add_cache(&mut machine, 256 << 10, cores, 10, 2e10);
    machine.memory.capacity = Bytes(case.capacity);
    machine.os.page_fault = Span(case.fault);
    let phases = case.modes.iter().enumerate().map(|(at, modes)| {
        let access = |(region, (bounds, mode)): (usize, (&Vec<u64>, &Mode))| {
            Access::new(RegionId(region), Slice::Partition(bounds.as_slice().into()), *mode)
        };
        let accesses = case.bounds.iter().zip(modes).enumerate().map(access).collect();
        let first = Schedule::Static { chunk: None };
        let schedule = Some(if at == 0 { first } else { case.policy });
        Phase { accesses, schedule, ..Phase::new("sweep", case.bounds[0].len() as u64 - 1) }
    });
    let mut workload = workload(&phases.collect::<Vec<Phase>>());
    let region = |(bounds, placement): (&Vec<u64>, &Placement)| {
        let size = Bytes(bounds.last().copied().unwrap_or(0));
        Region { placement: placement.clone(), ..Region::new("array", size) }
    };
    workload.regions = case.bounds.iter().zip(&case.placements).map(region).collect();
    let fabric = Fabric::new(&machine).expect("a sound machine");
    let team = Team::close(&fabric, 2 * cores);
    let setup = Setup {
        machine: &machine,
        fabric: &fabric,
        workload: &workload,
        runtime: &Profile::free(),
        team: &team,
        seed: 0,
        replica: 0,
        ideal: Ideal::default(),
        exact: false,
    };
    let alone = prepare(&setup, &()).and_then(|prepared| prepared.run(case.policy, &()));
    let watched = observe(&setup, case.policy, &(), &mut Bystander);
    let visits = |run: &RunOutcome| run.engine.cache_visits;
    let both = alone.as_ref().ok().zip(watched.as_ref().ok()).map(|(a, b)| (visits(a), visits(b)));
    let outcome = |run: RunOutcome| RunOutcome { engine: EngineCounts::default(), ..run };
    assert_eq!(alone.map(outcome), watched.map(outcome));
    both
}

/// Law: Blocks that are planned together equal blocks that are planned one by one.
#[test]
fn sweeps_are_blocks_one_by_one() {
    let saved = Cell::new(0);
    let mut runner = TestRunner::new(ProptestConfig::with_cases(200));
    let law = runner.run(&cases(), |case| {
        let visits = agree(&case);
        saved.set(saved.get() + u32::from(visits.is_some_and(|(alone, watched)| alone < watched * 9 / 10)));
        Ok(())
    });
    law.unwrap_or_else(|failure| panic!("{failure}"));
    // Cases that are not planned together do not test the law.
    assert!(saved.get() > 20, "{} of 200", saved.get());
}
