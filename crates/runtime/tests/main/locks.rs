use crate::lab::{Lab, drain, places, run};
use numalab_machine::NodeId;
use numalab_runtime::profile::LockProfile as Algorithm;
use numalab_runtime::{Arithmetic, Lock, Locks, Test};
use numalab_units::{Span, ThreadId};
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

    /// Increments that are not atomic are not lost, nobody meets anybody inside, and all come through.
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

/// The order in which threads get a lock that is held while they come, 20 µs apart.
fn order(kind: LockKind, threads: u32) -> Vec<u32> {
    let lab = Lab::new("board:2 socket:2 core:3");
    let (mut exec, _) = lab.exec(threads, 5);
    let lock = Lock::new(&algorithm(kind, None), &mut exec, NodeId(0), threads);
    let mut finished = Vec::new();
    for thread in 0..threads {
        exec.start(u64::from(thread) * 20_000_000, thread, lock.acquire(ThreadId::new(thread)), &[]);
        exec.advance(u64::from(thread + 1) * 20_000_000 - 1, &mut finished);
    }
    let mut order = Vec::new();
    while let Some(holder) = finished.pop() {
        assert!(finished.is_empty(), "one at a time");
        order.push(holder.agent);
        let now = exec.next().unwrap_or(holder.at).max(u64::from(threads) * 20_000_000 + holder.at);
        exec.start(now, holder.agent, lock.release(ThreadId::new(holder.agent)), &[]);
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
