//! Tests of losses by ideal.

use crate::random::{Case as Random, Sizes, cases};
use numalab_explain::{Case, Ideal, Lab, ideals};
use numalab_files::Loaded;
use numalab_runtime::Profile;
use numalab_study::SealedMachine;
use numalab_workload::Schedule;
use proptest::prelude::*;
use std::sync::Arc;

/// Explanation case of a random machine, workload and team, with the default runtime profile.
fn explainable(random: &Random, schedule: Schedule) -> Case {
    Case {
        machine: Arc::new(SealedMachine::new(Loaded::in_memory(random.machine.clone())).unwrap()),
        workload: Arc::new(random.workload.clone()),
        runtime: Arc::new(Profile::default()),
        team: Arc::new(random.team.clone()),
        schedule,
        seed: random.seed,
        replica: 0,
        exact: false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Law: Shares of ideals add up to the whole gain.
    ///
    /// The shares sum to what all ideals gain together, and no static loop is longer with all of them.
    #[test]
    fn shares_add_up(random in cases(Sizes::Any), dynamic in any::<bool>()) {
        let schedule =
            if dynamic { Schedule::Dynamic { chunk: 1 } } else { Schedule::Static { chunk: None } };
        let case = explainable(&random, schedule);
        let Ok(outcome) = case.run() else { return Ok(()) };
        let found = ideals(&case).unwrap().unwrap();
        let shares: f64 = found.shares.iter().map(|ideal| ideal.share_ps).sum();
        let gained = outcome.makespan_ps as f64 - found.ideal_ps as f64;
        // Shares are exact fractions; each is rounded to a float once.
        prop_assert!((shares - gained).abs() <= 1e-9 * outcome.makespan_ps as f64, "{shares} of {gained}");
        if !dynamic && random.workload.phases.iter().all(|phase| phase.schedule.is_none()) {
            prop_assert!(found.ideal_ps <= outcome.makespan_ps + outcome.events);
        }
    }
}

/// On one node without shared data, locality gains nothing, and links have no effect.
#[test]
fn ideals_that_change_nothing_are_left_out() {
    let case = crate::case("core:4", "loadbal", Some("static"), &["workload.footprint=64 MB"]);
    let found = ideals(&case).unwrap().unwrap();
    let names: Vec<&str> = found.shares.iter().map(|share| share.name.as_str()).collect();
    for absent in [Ideal::Locality, Ideal::LinkBandwidth, Ideal::LinkLatency] {
        assert!(!names.contains(&absent.name()), "{names:?}");
    }
    assert!(names.contains(&Ideal::Balance.name()), "{names:?}");
}

/// With serial initialisation and ideal locality, `cg` takes about as long as with parallel initialisation.
#[test]
fn locality_is_what_parallel_first_touch_gives() {
    let serial = crate::case("bcs16", "cg", None, &["workload.variant=serial_init", "workload.steps=1"]);
    let parallel = crate::case("bcs16", "cg", None, &["workload.variant=parallel_init", "workload.steps=1"]);
    let local = Lab::of(&serial).unwrap().makespan(&[Ideal::Locality]).unwrap();
    let touched = parallel.run().unwrap().makespan_ps;
    let off = local as f64 / touched as f64 - 1.0;
    // The vector from which rows gather becomes local, too, which first touch cannot achieve.
    assert!((-0.2..0.05).contains(&off), "{off}");
}
