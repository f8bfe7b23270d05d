use crate::lab::{Lab, drain, places, run};
use numalab_base::{Span, ThreadId, Time};
use numalab_coherence::AgentId;
use numalab_machine::NodeId;
use numalab_runtime::profile::LockProfile as Algorithm;
use numalab_runtime::{Arithmetic, CodeBuilder, Lock, Locks, Test};
use numalab_workload::LockKind;
use proptest::prelude::*;

pub fn algorithm(kind: LockKind, spin: Option<u64>) -> Algorithm {
    Algorithm { kind, spin: spin.map(Span), wake: Span(2_000_000) }
}

pub fn any_lock() -> impl Strategy<Value = Algorithm> {
    let kinds = LockKind::ALL.to_vec();
    let spins = vec![None, None, Some(0), Some(300_000), Some(5_000_000)];
    (prop::sample::select(kinds), prop::sample::select(spins)).prop_map(|(kind, spin)| algorithm(kind, spin))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// No increment under a lock is lost, at most one thread is inside at a time, and all threads end.
    #[test]
    fn one_at_a_time(
        (spec, stride) in places(),
        lock in any_lock(),
        threads in 1u32..14,
        rounds in 1u64..6,
        delays in prop::collection::vec((0u64..2_000_000, 0u64..500_000), 14),
    ) {
        let lab = Lab::new(spec);
        let (mut exec, _) = lab.exec(threads, stride);
        let locks = Locks::new(&lock, &mut exec, [NodeId(0), NodeId(1)], threads);
        let (sum, inside) = (exec.add_word(NodeId(1)), exec.add_word(NodeId(0)));
        let finished = run(&mut exec, threads, |code, thread| {
            let (away, busy) = delays[thread as usize];
            let (round, met) = (code.register(), code.register());
            code.set(round, 0u32);
            code.set(met, 0u32);
            let again = code.here();
            code.delay(away);
            locks.acquire(code, 1u32, thread);
            code.scope(|code| {
                let others = code.fetch_add(inside, 1u32);
                code.compute_to(met, met, Arithmetic::Add, others);
                let value = code.load(sum);
                code.delay(busy);
                code.compute_to(value, value, Arithmetic::Add, 1u32);
                code.store(sum, value);
                code.add(inside, u64::MAX);
            });
            locks.release(code, 1u32, thread);
            code.compute_to(round, round, Arithmetic::Add, 1u32);
            code.branch(round, Test::below(rounds), again);
            code.finish(met);
        });
        prop_assert_eq!(exec.value(sum), u64::from(threads) * rounds);
        prop_assert!(finished.iter().all(|end| end.result == 0));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// If few requests of a socket can be beyond its controller, the releaser of a lock gets the line in finite time,
    /// although its neighbours exchange continuously.
    #[test]
    fn who_waits_for_a_slot_is_served(
        requests in 1u32..4,
        home in 0u32..3,
        buffers in 0u32..3,
        threads in 5u32..14,
        stride in 1u32..3,
        busy in 1_000_000u64..4_000_000,
        delays in prop::collection::vec(0u64..3_000_000, 14),
    ) {
        let mut lab = Lab::new("board:3 socket:1 core:3 thread:2");
        lab.machine.levels[1].controller.as_mut().expect("boards have one").requests = Some(requests.into());
        lab.machine.core.store_buffers = buffers;
        prop_assert!(all_end(&lab, stride, NodeId(home), &delays[..threads as usize], busy));
    }

    /// A line leaves its core even if the core's threads write the line alternately without a gap, as threads do that
    /// spin on a lock with swaps.
    #[test]
    fn a_line_leaves_threads_of_one_core(
        atomic in 0u64..100_000,
        pause in prop_oneof![Just(0u64), 0u64..200_000],
        buffers in 0u32..3,
        stride in 1u32..3,
        busy in 1_000_000u64..4_000_000,
        delays in prop::collection::vec(0u64..3_000_000, 3..14),
    ) {
        let mut lab = Lab::new("socket:2 core:1 thread:8");
        (lab.machine.core.atomic, lab.machine.core.pause) = (Span(atomic), Span(pause));
        lab.machine.core.store_buffers = buffers;
        prop_assert!(all_end(&lab, stride, NodeId(0), &delays, busy));
    }
}

/// Lets threads take a test-and-set lock three times each, after delays, and hold it for `busy` picoseconds. Returns
/// true if all threads end within 60 us times the square of their number.
fn all_end(lab: &Lab, stride: u32, home: NodeId, delays: &[u64], busy: u64) -> bool {
    let threads = delays.len() as u32;
    let (mut exec, _) = lab.exec(threads, stride);
    let locks = Locks::new(&algorithm(LockKind::TestAndSet, None), &mut exec, [home], threads);
    for (thread, delay) in (0..threads).zip(delays) {
        let mut code = CodeBuilder::new();
        code.delay(*delay);
        for _ in 0..3 {
            locks.acquire(&mut code, 0u32, thread);
            // Long enough for other threads to fetch the line.
            code.delay(busy);
            locks.release(&mut code, 0u32, thread);
        }
        let code = exec.add_code(code.build());
        exec.start(Time::ZERO, AgentId::new(thread), code, &[]);
    }
    let mut ended = Vec::new();
    let until = Time(3 * u64::from(threads * threads) * 20_000_000);
    while exec.next().is_some_and(|at| at <= until) {
        exec.advance(until, &mut ended);
    }
    ended.len() == threads as usize
}

/// Order in which threads get a lock that is held while they arrive 20 µs apart.
fn order(kind: LockKind, threads: u32) -> Vec<u32> {
    let lab = Lab::new("board:2 socket:2 core:3");
    let (mut exec, _) = lab.exec(threads, 5);
    let lock = Lock::new(&algorithm(kind, None), &mut exec, NodeId(0), threads);
    let mut finished = Vec::new();
    for thread in 0..threads {
        exec.start(
            Time(u64::from(thread) * 20_000_000),
            AgentId::new(thread),
            lock.acquire(ThreadId::new(thread)),
            &[],
        );
        exec.advance(Time(u64::from(thread + 1) * 20_000_000 - 1), &mut finished);
    }
    let mut order = Vec::new();
    while let Some(holder) = finished.pop() {
        assert!(finished.is_empty(), "one at a time");
        order.push(holder.agent.number());
        let now = exec.next().unwrap_or(holder.at).max(holder.at + Span(u64::from(threads) * 20_000_000));
        exec.start(now, holder.agent, lock.release(ThreadId::new(holder.agent.number())), &[]);
        let both = drain(&mut exec);
        finished.extend(both.into_iter().filter(|end| end.agent != holder.agent));
    }
    order
}

#[test]
fn queues_serve_in_order() {
    for kind in [LockKind::Ticket, LockKind::Mcs] {
        assert_eq!(order(kind, 9), [0, 1, 2, 3, 4, 5, 6, 7, 8], "{kind:?}");
    }
}
