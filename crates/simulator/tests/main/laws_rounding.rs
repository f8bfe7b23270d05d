//! Laws of runs whose accesses differ in the parts of their bytes on each node: rounded against exact.

use crate::builders::{PAGE, looped, machine, placed, setup, workload};
use numalab_machine::Fabric;
use numalab_runtime::Profile;
use numalab_simulator::{RunOutcome, Setup, Team, prepare};
use numalab_workload::{Mode, Phase, Placement};
use proptest::prelude::*;

/// Rows of a region: their lengths in bytes, threads, sockets, and instructions of each row.
#[derive(Clone, Debug)]
struct Rows {
    sockets: u32,
    cores: u32,
    lengths: Vec<u64>,
    instructions: f64,
    policy: &'static str,
}

fn rows() -> impl Strategy<Value = Rows> {
    let sockets = prop_oneof![Just(2u32), Just(4), Just(6), Just(8)];
    let policy = prop_oneof![Just("static"), Just("static,1"), Just("dynamic"), Just("guided")];
    (sockets, 1u32..5, 4u64..40, 40u64..120, 0.0..200_000.0, policy, any::<u64>()).prop_map(
        |(sockets, cores, least, more, instructions, policy, salt)| {
            let pages = |row: u64| {
                let drawn = (row.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ salt)
                    .wrapping_mul(0xbf58_476d_1ce4_e5b9)
                    >> 17;
                least * u64::from(sockets) * PAGE + drawn % (more * PAGE)
            };
            let lengths = (0..u64::from(sockets * cores) * 160).map(pages).collect();
            Rows { sockets, cores, lengths, instructions, policy }
        },
    )
}

fn outcome(rows: &Rows, exact: bool) -> RunOutcome {
    let machine = machine(&format!("socket:{} core:{}", rows.sockets, rows.cores));
    let fabric = Fabric::new(&machine).expect("a sound machine");
    let team = Team::close(&fabric, rows.sockets * rows.cores);
    let mut bounds = vec![0];
    rows.lengths.iter().for_each(|length| bounds.push(bounds[bounds.len() - 1] + length));
    let computing = rows.lengths.iter().map(|length| rows.instructions * *length as f64 / 1e6);
    let measured = Phase { instructions: computing.collect(), ..looped(Mode::Read, &bounds) };
    let mut workload = workload(&[placed(&bounds), measured]);
    workload.regions[0].placement = "interleave".parse::<Placement>().expect("a placement");
    let runtime = Profile::free();
    let setup = Setup { exact, ..setup((&machine, &fabric), (&workload, &runtime), &team) };
    prepare(&setup, &())
        .and_then(|ready| ready.run(rows.policy.parse().expect("a policy"), &()))
        .expect("it fits")
}

fn rounded(outcome: &RunOutcome) -> u64 {
    outcome.phases.iter().map(|phase| phase.rounded_accesses).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Law: Rounding the nodes of accesses changes a run by at most 2 %.
    ///
    /// Rows have at least four pages on each node. Under `static` every node delivers as many bytes to each thread,
    /// within an even part of the longest row.
    #[test]
    fn rounding_is_bounded(rows in rows()) {
        let (exact, near) = (outcome(&rows, true), outcome(&rows, false));
        prop_assert_eq!(rounded(&exact), 0);
        let off = near.makespan_ps as f64 / exact.makespan_ps as f64 - 1.0;
        prop_assert!(off.abs() <= 0.02, "{off} of {}", exact.makespan_ps);
        if rows.policy.starts_with("static") {
            let part = rows.lengths.iter().max().copied().unwrap_or_default() / u64::from(rows.sockets);
            for (one, other) in exact.team.iter().zip(&near.team) {
                for node in 0..rows.sockets {
                    let (one, other) = (one.bytes_by_node.get(node), other.bytes_by_node.get(node));
                    prop_assert!(one.abs_diff(other) <= part + PAGE, "{one} {other} of {part}");
                }
            }
        }
    }
}

/// Few kinds of accesses that are not near the turns are never rounded; hundreds are.
#[test]
fn only_many_blends_are_rounded() {
    let rows = |rows: u64| Rows {
        sockets: 4,
        cores: 2,
        lengths: (0..rows).map(|row| 22 * PAGE + PAGE / 4 + row * 50).collect(),
        instructions: 0.0,
        policy: "static",
    };
    assert_eq!(rounded(&outcome(&rows(40), false)), 0);
    assert!(rounded(&outcome(&rows(200), false)) > 0);
}
