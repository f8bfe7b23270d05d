use crate::lab::{Lab, places, run};
use numalab_base::Span;
use numalab_machine::NodeId;
use numalab_runtime::barriers::BarrierLines;
use numalab_runtime::profile::Barrier;
use numalab_runtime::{Arithmetic, Test};
use proptest::prelude::*;

pub fn any_barrier() -> impl Strategy<Value = Barrier> {
    prop_oneof![
        Just(Barrier::Central),
        (0u64..300_000).prop_map(|call| Barrier::Futex { call: Span(call) }),
        (1u32..9).prop_map(|branching| Barrier::Tree { branching }),
        (2u32..9).prop_map(|branching| Barrier::Hypercube { branching }),
        Just(Barrier::Dissemination),
        Just(Barrier::Hierarchical),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    /// No thread leaves a barrier before all have arrived, in any number of rounds.
    #[test]
    fn all_or_nobody(
        (spec, stride) in places(),
        barrier in any_barrier(),
        threads in 1u32..41,
        meetings in 1u64..5,
        delays in prop::collection::vec(0u64..3_000_000, 40),
    ) {
        let lab = Lab::new(spec);
        let (mut exec, members) = lab.exec(threads, stride);
        let meeting = BarrierLines::new(barrier, &mut exec, NodeId(0), &members);
        let come = exec.add_word(NodeId(0));
        let finished = run(&mut exec, threads, |code, thread| {
            let (number, early) = (code.register(), code.register());
            code.set(number, 1u32);
            code.set(early, 0u32);
            let again = code.here();
            code.delay(delays[thread as usize]);
            code.add(come, 1u32);
            meeting.whole(code, thread, number);
            code.scope(|code| {
                let all = code.compute(number, Arithmetic::Multiply, threads);
                let seen = code.load(come);
                let fine = code.label();
                code.branch(seen, Test::at_least(all), fine);
                code.compute_to(early, early, Arithmetic::Add, 1u32);
                code.bind(fine);
            });
            code.compute_to(number, number, Arithmetic::Add, 1u32);
            code.branch(number, Test::below(meetings + 1), again);
            code.finish(early);
        });
        prop_assert!(finished.iter().all(|end| end.result == 0));
    }

    /// A gathering blocks thread 0 until all threads have arrived; a release blocks the others until thread 0 has
    /// arrived.
    #[test]
    fn halves(
        (spec, stride) in places(),
        barrier in any_barrier(),
        threads in 2u32..41,
        delays in prop::collection::vec(0u64..3_000_000, 40),
    ) {
        let lab = Lab::new(spec);
        let (mut exec, members) = lab.exec(threads, stride);
        let opens = BarrierLines::new(barrier, &mut exec, NodeId(0), &members);
        let closes = BarrierLines::new(barrier, &mut exec, NodeId(0), &members);
        let (opened, come) = (exec.add_word(NodeId(0)), exec.add_word(NodeId(1)));
        let finished = run(&mut exec, threads, |code, thread| {
            let number = code.register();
            code.set(number, 1u32);
            code.delay(delays[thread as usize]);
            if thread == 0 {
                code.store(opened, 1u32);
            }
            opens.release(code, thread, number, &|_, _| {});
            let seen = code.load(opened);
            code.add(come, 1u32);
            closes.gather(code, thread, number);
            if thread == 0 {
                code.load_to(seen, come);
            }
            code.finish(seen);
        });
        prop_assert_eq!(finished[0].result, u64::from(threads));
        prop_assert!(finished[1..].iter().all(|end| end.result == 1));
    }
}
