//! Laws of ideals: runs with parts of the machine that cost nothing.

use crate::random::{Case, POLICIES, Sizes, cases};
use numalab_machine::Fabric;
use numalab_runtime::Profile;
use numalab_simulator::{EngineCounts, Ideal, Reach, RunOutcome, Setup, prepare};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Law: If no data takes a route, the run does not change when the route is made ideal.
    ///
    /// If no data crossed links, ideal links do not change the result. If no data came from remote memory, giving
    /// remote memory the latency of local memory does not change the result.
    #[test]
    fn a_way_that_nothing_takes_may_be_ideal(case in cases(Sizes::Any), local in prop::bool::weighted(0.8)) {
        let Case { machine, workload, team, seed, replica } = &case;
        let fabric = Fabric::new(machine).unwrap();
        let runtime = Profile::free();
        for policy in POLICIES {
            let run = |ideal| {
                let setup =
                    Setup { machine, fabric: &fabric, workload, runtime: &runtime, team, seed: *seed, replica: *replica, ideal, exact: false };
                let outcome = prepare(&setup, &()).and_then(|prepared| prepared.run(policy, &()));
                outcome.map(|run| (run.reach, RunOutcome { engine: EngineCounts::default(), reach: Reach::default(), ..run }))
            };
            let Ok((Reach { links, far }, plain)) = run(Ideal { local, ..Ideal::default() }) else { return Ok(()) };
            let (_, ideal) = run(Ideal { local, links: !links, near: !far, ..Ideal::default() }).unwrap();
            prop_assert_eq!(plain, ideal, "{}", policy);
        }
    }
}
