//! The fast engine against the slow one.
//!
//! Both engines count in whole picoseconds and round the end of a flow up, so they mostly agree to the last
//! picosecond. They add up in different orders, though. If the noise of real numbers crosses a border between
//! picoseconds, an end comes one picosecond later. Crowded loops magnify this: a flow that ends later crowds the
//! others for longer. A real-valued clock was tried; with it one case of thousands drifted by 10^7 ps in 250 events.
//! Hence the tolerance of 10^-6, on loops of milliseconds (10^9 ps).
//!
//! Two events must not swap, since a thread would then get a different iteration. Sizes are drawn so finely that two
//! ends a few picoseconds apart do not occur. So the iterations that each thread executed on each node's data agree
//! exactly.

use crate::builders::try_run;
use crate::plain;
use crate::random::{Case, POLICIES, Sizes, cases};
use numalab_base::Span;
use numalab_machine::Fabric;
use proptest::prelude::*;

const TOLERANCE: f64 = 1e-6;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Law: The fast engine equals the slow plain engine.
    #[test]
    fn both_engines_agree(case in cases(Sizes::Generic)) {
        let Case { machine, workload, team, seed, replica } = &case;
        let fabric = Fabric::new(machine).unwrap();
        for policy in POLICIES {
            let fast = try_run(machine, &fabric, team, workload, policy, (*seed, *replica));
            let slow = plain::run(&case, &fabric, policy);
            let (Ok(fast), Ok(slow)) = (&fast, &slow) else {
                assert!(fast.is_err() && slow.is_err(), "{policy}: only one of them finds memory full");
                continue;
            };
            let same = |what: &str, actual: u64, Span(expected): Span| {
                assert!(
                    actual.abs_diff(expected) as f64 <= TOLERANCE * slow.makespan.0 as f64,
                    "{policy}: {what} is {actual} ps, should be {expected} ps"
                );
            };
            same("makespan", fast.makespan_ps, slow.makespan);
            assert_eq!(fast.transactions, slow.transactions, "{policy}: lines that moved");
            for (thread, (fast_member, account)) in fast.team.iter().zip(&slow.team).enumerate() {
                assert_eq!(fast_member.iterations, account.iterations, "{policy}: iterations of thread {thread}");
                assert_eq!(fast_member.stolen, account.stolen, "{policy}: stolen by thread {thread}");
                let by_node: Vec<u64> =
                    (0..fabric.nodes()).map(|node| fast_member.bytes_by_node.get(node)).collect();
                assert_eq!(by_node, account.bytes_by_node, "{policy}: bytes of thread {thread}");
                let busy = fast.makespan_ps - fast_member.idle_ps;
                same(&format!("end of thread {thread}"), busy, account.busy);
                same(&format!("overhead of thread {thread}"), fast_member.overhead_ps, account.overhead);
            }
        }
    }
}
