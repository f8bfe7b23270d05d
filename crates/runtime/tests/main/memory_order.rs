//! Litmus tests: what two threads may see of each other's stores, whenever they run.

use crate::lab::{Lab, places, run};
use numalab_machine::NodeId;
use proptest::prelude::*;

proptest! {
    /// Both store, then read what the other stores: at least one sees the other's.
    #[test]
    fn stores_are_not_delayed(
        (spec, stride) in places(),
        warm in any::<[bool; 2]>(),
        delays in any::<[(u8, u8); 2]>(),
    ) {
        let lab = Lab::new(spec);
        let (mut exec, _) = lab.exec(2, stride);
        let words = [exec.add_word(NodeId(0)), exec.add_word(NodeId(1))];
        let finished = run(&mut exec, 2, |code, thread| {
            let (mine, theirs) = (thread as usize, 1 - thread as usize);
            if warm[mine] {
                code.touch(words[theirs]);
                code.add(words[mine], 0u32);
            }
            code.delay(u64::from(delays[mine].0) * 2_000);
            code.store(words[mine], 1u32);
            code.delay(u64::from(delays[mine].1) * 500);
            let seen = code.load(words[theirs]);
            code.finish(seen);
        });
        prop_assert!(finished[0].result + finished[1].result >= 1);
    }

    /// A thread that sees the flag sees what was written before it.
    #[test]
    fn stores_keep_their_order(
        (spec, stride) in places(),
        warm in any::<bool>(),
        delay in 0u64..200_000,
    ) {
        let lab = Lab::new(spec);
        let (mut exec, _) = lab.exec(2, stride);
        let (data, flag) = (exec.add_word(NodeId(0)), exec.add_word(NodeId(1)));
        let finished = run(&mut exec, 2, |code, thread| {
            if thread == 0 {
                code.delay(delay);
                code.store(data, 42u32);
                code.store(flag, 1u32);
            } else {
                if warm {
                    code.touch(data);
                }
                code.wait_until(flag, numalab_runtime::Test::equal(1u32));
                let seen = code.load(data);
                code.finish(seen);
            }
        });
        prop_assert_eq!(finished[1].result, 42);
    }
}
