use crate::lab::{Lab, drain, places, run};
use numalab_base::{Bytes, Span, Time};
use numalab_coherence::AgentId;
use numalab_machine::NodeId;
use numalab_runtime::constructs::{
    Atomic, DynamicCounter, GuidedCounter, Ordered, Single, StealRanges, Update,
};
use numalab_runtime::{Arithmetic, Test};
use proptest::prelude::*;

#[test]
fn one_of_all_claims_an_encounter() {
    let lab = Lab::new("board:2 socket:2 core:3");
    let (mut exec, _) = lab.exec(12, 1);
    let single = Single::new(&mut exec, NodeId(0), Span::ZERO);
    for encounter in 0..5 {
        let now = encounter * 50_000_000;
        for thread in 0..12 {
            exec.start(Time(now), AgentId::new(thread), single.claim(), &Single::arguments(encounter));
        }
        assert_eq!(drain(&mut exec).iter().map(|end| end.result).sum::<u64>(), 1);
    }
}

#[test]
fn turns_go_round() {
    let lab = Lab::new("board:2 socket:2 core:3");
    let (mut exec, _) = lab.exec(6, 2);
    let ordered = Ordered::new(&mut exec, NodeId(0));
    (0..6).rev().for_each(|thread| {
        exec.start(Time::ZERO, AgentId::new(thread), ordered.wait(), &[u64::from(thread)])
    });
    let (mut finished, mut order) = (Vec::new(), Vec::new());
    while exec.next().is_some() {
        exec.advance(Time::NEVER, &mut finished);
        for end in finished.drain(..) {
            if order.last() != Some(&end.agent) {
                order.push(end.agent);
                exec.start(end.at, end.agent, ordered.pass(), &[u64::from(end.agent.number()) + 1]);
            }
        }
    }
    assert_eq!(order, AgentId::first(6).collect::<Vec<_>>());
}

proptest! {
    #[test]
    fn counters_hand_out_everything_once(
        (spec, stride) in places(),
        threads in 1u32..20,
        starts in prop::collection::vec(0u64..1_000_000, 20),
    ) {
        let lab = Lab::new(spec);
        let (mut exec, members) = lab.exec(threads, stride);
        let dynamic = DynamicCounter::new(&mut exec, NodeId(0));
        let steal = StealRanges::new(&mut exec, members.iter().map(|member| member.node));
        let atomic = Atomic::new(&mut exec, NodeId(1));
        let codes = [(dynamic.next(), 3, 3), (steal.take(), 0, 1), (atomic.add(), 2, 2)];
        let mut now = 0;
        for (code, argument, step) in codes {
            let mut order: Vec<u32> = (0..threads).collect();
            order.sort_by_key(|thread| starts[*thread as usize]);
            let mut finished = Vec::new();
            for thread in order {
                let start = now + starts[thread as usize];
                while exec.next().is_some_and(|due| due < Time(start)) {
                    exec.advance(Time(start - 1), &mut finished);
                }
                exec.start(Time(start), AgentId::new(thread), code, &[argument]);
            }
            finished.extend(drain(&mut exec));
            let mut results: Vec<u64> = finished.iter().map(|end| end.result).collect();
            results.sort_unstable();
            prop_assert_eq!(results, (0..u64::from(threads)).map(|at| at * step).collect::<Vec<_>>());
            now = (finished.iter().map(|end| end.at).max().unwrap_or(Time(now))).0;
        }
        exec.start(Time(now), AgentId::new(0), steal.scan(), &[]);
        prop_assert_eq!(drain(&mut exec).len(), 1);
    }
}

#[test]
fn a_counter_that_moved_is_not_written() {
    let lab = Lab::new("socket:1 core:2");
    let (mut exec, _) = lab.exec(2, 1);
    let guided = GuidedCounter::new(&mut exec, NodeId(0));
    let mut run = |now, thread, code, arguments: &[u64]| {
        exec.start(now, thread, code, arguments);
        drain(&mut exec)[0].result
    };
    assert_eq!(run(Time::ZERO, AgentId::new(0), guided.load(), &[]), 0);
    assert_eq!(run(Time(1_000_000), AgentId::new(1), guided.advance(), &[0, 50]), 0);
    assert_eq!(run(Time(2_000_000), AgentId::new(0), guided.advance(), &[0, 50]), 50);
    assert_eq!(run(Time(3_000_000), AgentId::new(0), guided.advance(), &[50, 75]), 50);
    assert_eq!(run(Time(4_000_000), AgentId::new(0), guided.load(), &[]), 75);
}

#[test]
fn elements_share_lines_as_their_spacing_says() {
    // Four threads store 100 times each. Elements 64 bytes apart: each thread fetches its line once. 8 bytes apart:
    // all are in one line, which every round fetches for each thread, except the one that still has it from the round
    // before: 4 fetches in the first round, 3 in the others. 32 bytes apart: two threads for each line, 2 fetches and
    // then 1.
    let lab = Lab::new("socket:1 core:4");
    let transactions = |spacing| {
        let (mut exec, _) = lab.exec(4, 1);
        let update = Update::new(&mut exec, NodeId(0), 4, Bytes(spacing), Bytes(64), false);
        for round in 0..100 {
            (0..4).for_each(|thread| {
                exec.start(
                    Time(round * 10_000_000),
                    AgentId::new(thread),
                    update.store(),
                    &[thread.into(), round],
                )
            });
            drain(&mut exec);
        }
        exec.counts().transactions()
    };
    assert_eq!([64, 128, 8, 32].map(transactions), [4, 4, 4 + 99 * 3, 2 * (2 + 99)]);
}

/// Thirty-two threads read a counter, and each adds 1 by compare-and-swap. A thread whose attempt fails has the line
/// then, and its next attempt ends before the line leaves: at most 32 reads, and 32 fetches of the line. If the line
/// left after each attempt, one thread would succeed in each of 32 rounds: 32 x 33 / 2 attempts.
#[test]
fn who_was_too_late_tries_again_before_the_line_is_gone() {
    let lab = Lab::new("socket:2 core:16");
    let (mut exec, _) = lab.exec(32, 1);
    let counter = exec.add_word(NodeId(0));
    run(&mut exec, 32, |code, _| {
        let seen = code.load(counter);
        let (again, done) = (code.here(), code.label());
        code.scope(|code| {
            let next = code.compute(seen, Arithmetic::Add, 1u32);
            let before = code.compare_swap(counter, seen, next);
            code.branch(before, Test::equal(seen), done);
            code.set(seen, before);
        });
        code.jump(again);
        code.bind(done);
    });
    assert_eq!(exec.value(counter), 32);
    let transactions = exec.counts().transactions();
    assert!(transactions <= 64, "{transactions}");
}
