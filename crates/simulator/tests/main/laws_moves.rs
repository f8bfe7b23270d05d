//! Laws of threads that the system moves.

use crate::random::{Case, POLICIES, Sizes, cases};
use numalab_machine::Fabric;
use numalab_runtime::Profile;
use numalab_simulator::{Ideal, RunOutcome, Setup, SimulationError, prepare};
use numalab_workload::Schedule;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::cell::Cell;

fn run(case: &Case, fabric: &Fabric, policy: Schedule) -> Result<RunOutcome, SimulationError> {
    let Case { machine, workload, team, seed, replica } = case;
    let runtime = &Profile::free();
    let setup = Setup {
        machine,
        fabric,
        workload,
        runtime,
        team,
        seed: *seed,
        replica: *replica,
        ideal: Ideal::default(),
        exact: false,
    };
    prepare(&setup, &())?.run(policy, &())
}

/// Law: A moved thread leaves its caches and pages behind, and does all of its work.
///
/// All of the work is done once, with as many iterations and bytes as without moves. The same seed gives the same
/// run. Some cases have moves.
#[test]
fn threads_that_are_moved_do_all_of_the_work() {
    let moved = Cell::new(0);
    let config = ProptestConfig { source_file: Some(file!()), ..ProptestConfig::with_cases(128) };
    let all = (cases(Sizes::Any), prop::sample::select(POLICIES.to_vec()), any::<u32>());
    TestRunner::new(config)
        .run(&all, |(case, policy, bits)| {
            let fabric = Fabric::new(&case.machine).unwrap();
            let case = case.unbound(&fabric, bits);
            let mut bound = case.clone();
            bound.team.unbound = None;
            let (unbound, again) = (run(&case, &fabric, policy), run(&case, &fabric, policy));
            prop_assert_eq!(&unbound, &again);
            // The order of first touches decides which node is full, so either run can fail.
            let (Ok(unbound), Ok(bound)) = (unbound, run(&bound, &fabric, policy)) else { return Ok(()) };
            let work = |run: &RunOutcome| -> (u64, u64) {
                let iterations = run.team.iter().map(|member| member.iterations).sum();
                (iterations, run.phases.iter().map(|phase| phase.bytes).sum())
            };
            prop_assert_eq!(work(&unbound), work(&bound));
            let moves: u64 = unbound.phases.iter().map(|phase| phase.threads_moved).sum();
            moved.set(moved.get() + u32::from(moves > 0));
            Ok(())
        })
        .unwrap();
    assert!(moved.get() > 10, "only {} of 128 runs had moves", moved.get());
}
