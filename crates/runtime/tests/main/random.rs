//! Random programs of locks, barriers and atomics against the counts of a sequential machine.

use crate::barriers::any_barrier;
use crate::lab::{Lab, places, run};
use crate::locks::any_lock;
use numalab_machine::NodeId;
use numalab_runtime::barriers::BarrierLines;
use numalab_runtime::{Arithmetic, CodeBuilder, Locks, Test, Word};
use proptest::prelude::*;

/// Number of locks, each of which protects a sum.
pub const LOCKS: u32 = 3;

#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// Adds to a sum under its lock, with a pause between read and write.
    Locked {
        lock: u32,
        amount: u64,
        busy: u64,
    },
    /// Adds to the shared counter.
    Atomic {
        amount: u64,
    },
    /// Adds to the shared counter by compare-and-swap.
    Compared {
        amount: u64,
    },
    /// Adds to its own word, in a line that all threads share, by a load and a store.
    Own {
        amount: u64,
    },
    Pause(u64),
}

pub fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..LOCKS, 0u64..9, 0u64..300_000)
            .prop_map(|(lock, amount, busy)| Step::Locked { lock, amount, busy }),
        2 => (0u64..9).prop_map(|amount| Step::Atomic { amount }),
        1 => (0u64..9).prop_map(|amount| Step::Compared { amount }),
        1 => (0u64..9).prop_map(|amount| Step::Own { amount }),
        1 => (0u64..2_000_000).prop_map(Step::Pause),
    ]
}

/// Words that all programs use.
pub struct Shared {
    pub locks: Locks,
    pub sums: Vec<Word>,
    pub counter: Word,
    pub own: Vec<Word>,
}

pub fn write(code: &mut CodeBuilder, thread: u32, step: Step, shared: &Shared) {
    code.scope(|code| match step {
        Step::Locked { lock, amount, busy } => {
            let sum = shared.sums[lock as usize];
            shared.locks.acquire(code, lock, thread);
            let value = code.load(sum);
            code.delay(busy);
            code.compute_to(value, value, Arithmetic::Add, amount);
            code.store(sum, value);
            shared.locks.release(code, lock, thread);
        }
        Step::Atomic { amount } => code.add(shared.counter, amount),
        Step::Compared { amount } => {
            let seen = code.load(shared.counter);
            let (again, done) = (code.here(), code.label());
            code.scope(|code| {
                let next = code.compute(seen, Arithmetic::Add, amount);
                let before = code.compare_swap(shared.counter, seen, next);
                code.branch(before, Test::equal(seen), done);
                code.set(seen, before);
            });
            code.jump(again);
            code.bind(done);
        }
        Step::Own { amount } => {
            let own = shared.own[thread as usize];
            let value = code.load(own);
            code.compute_to(value, value, Arithmetic::Add, amount);
            code.store(own, value);
        }
        Step::Pause(span) => code.delay(span),
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    /// Every thread ends, and all counts are right, at each barrier as well.
    #[test]
    fn as_a_sequential_machine_counts(
        (spec, stride) in places(),
        lock in any_lock(),
        barrier in any_barrier(),
        // Steps of each thread before each barrier.
        programs in (1usize..16, 1usize..4).prop_flat_map(|(threads, parts)| {
            let part = prop::collection::vec(any_step(), 0..5);
            prop::collection::vec(prop::collection::vec(part, parts), threads)
        }),
    ) {
        let lab = Lab::new(spec);
        let threads = programs.len() as u32;
        let (mut exec, members) = lab.exec(threads, stride);
        let home = NodeId(0);
        let line = exec.add_line(home);
        let shared = Shared {
            locks: Locks::new(&lock, &mut exec, (0..LOCKS).map(|lock| NodeId(lock % 2)), threads),
            sums: (0..LOCKS).map(|_| exec.add_word(home)).collect(),
            counter: exec.add_word(NodeId(1)),
            own: (0..threads).map(|_| exec.add_word_in(line)).collect(),
        };
        let meeting = BarrierLines::new(barrier, &mut exec, home, &members);
        // Value of the counter after each part of the programs.
        let mut counts = vec![0; programs[0].len()];
        let mut sums = vec![0; LOCKS as usize];
        let mut own = vec![0; threads as usize];
        for (thread, parts) in programs.iter().enumerate() {
            let mut count = 0;
            for (part, steps) in parts.iter().enumerate() {
                for step in steps {
                    match *step {
                        Step::Locked { lock, amount, .. } => sums[lock as usize] += amount,
                        Step::Atomic { amount } | Step::Compared { amount } => count += amount,
                        Step::Own { amount } => own[thread] += amount,
                        Step::Pause(_) => {}
                    }
                }
                counts[part] += count;
            }
        }
        let finished = run(&mut exec, threads, |code, thread| {
            let (number, wrong) = (code.register(), code.register());
            code.set(number, 0u32);
            code.set(wrong, 0u32);
            for (part, steps) in programs[thread as usize].iter().enumerate() {
                for step in steps {
                    write(code, thread, *step, &shared);
                }
                code.compute_to(number, number, Arithmetic::Add, 1u32);
                meeting.whole(code, thread, number);
                code.scope(|code| {
                    let seen = code.load(shared.counter);
                    let right = code.label();
                    code.branch(seen, Test::at_least(counts[part]), right);
                    code.compute_to(wrong, wrong, Arithmetic::Add, 1u32);
                    code.bind(right);
                });
            }
            code.finish(wrong);
        });
        prop_assert!(finished.iter().all(|end| end.result == 0));
        prop_assert_eq!(exec.value(shared.counter), counts[counts.len() - 1]);
        for (word, sum) in shared.sums.iter().zip(&sums).chain(shared.own.iter().zip(&own)) {
            prop_assert_eq!(exec.value(*word), *sum);
        }
    }
}
