//! Litmus tests: values that two threads can read of each other's stores, at any timing; and the gain of store
//! buffers.

use crate::lab::{Lab, places, run};
use numalab_base::{Span, Time};
use numalab_machine::NodeId;
use numalab_runtime::{Arithmetic, Finished, Test};
use proptest::prelude::*;

proptest! {
    /// Both threads store to a word, then read the word that the other thread stores to. At least one thread sees the
    /// other's store if there is no store buffer, or if an atomic operation empties it in between.
    #[test]
    fn stores_are_not_delayed(
        (spec, stride) in places(),
        warm in any::<[bool; 2]>(),
        delays in any::<[(u8, u8); 2]>(),
        buffers in prop::sample::select(vec![0u32, 1, 32]),
    ) {
        let mut lab = Lab::new(spec);
        lab.machine.core.store_buffers = buffers;
        let (mut exec, _) = lab.exec(2, stride);
        let words = [exec.add_word(NodeId(0)), exec.add_word(NodeId(1))];
        let own = [exec.add_word(NodeId(0)), exec.add_word(NodeId(1))];
        let finished = run(&mut exec, 2, |code, thread| {
            let (mine, theirs) = (thread as usize, 1 - thread as usize);
            if warm[mine] {
                code.touch(words[theirs]);
                code.add(words[mine], 0u32);
            }
            code.delay(u64::from(delays[mine].0) * 2_000);
            code.store(words[mine], 1u32);
            if buffers > 0 {
                code.add(own[mine], 1u32);
            }
            code.delay(u64::from(delays[mine].1) * 500);
            let seen = code.load(words[theirs]);
            code.finish(seen);
        });
        prop_assert!(finished[0].result + finished[1].result >= 1);
    }

    /// Law: Stores become visible in program order, and loads pass them.
    ///
    /// A thread that reads the flag as set reads all values written before the flag.
    #[test]
    fn stores_keep_their_order(
        (spec, stride) in places(),
        warm in any::<bool>(),
        delay in 0u64..200_000,
        buffers in prop::sample::select(vec![0u32, 1, 32]),
    ) {
        let mut lab = Lab::new(spec);
        lab.machine.core.store_buffers = buffers;
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
                code.wait_until(flag, Test::equal(1u32));
                let seen = code.load(data);
                code.finish(seen);
            }
        });
        prop_assert_eq!(finished[1].result, 42);
    }
}

/// Law: Stores become visible in program order, and loads pass them.
///
/// A store is still in its buffer when the load after it is done. The load hits a copy that its core still has, since
/// the other thread's request needs 20 ns to leave its socket. Neither thread sees the other's store; without buffers
/// at least one thread does. Each thread sees its own store.
#[test]
fn loads_pass_stores() {
    for (buffers, sees) in [(0, true), (32, false)] {
        let mut lab = Lab::new("socket:2 core:4");
        lab.machine.core.store_buffers = buffers;
        let (mut exec, _) = lab.exec(2, 4);
        let words = [exec.add_word(NodeId(0)), exec.add_word(NodeId(0))];
        let finished = run(&mut exec, 2, |code, thread| {
            let (mine, theirs) = (thread as usize, 1 - thread as usize);
            code.touch(words[mine]);
            code.touch(words[theirs]);
            let now = code.clock();
            let rest = code.compute(10_000_000u64, Arithmetic::Subtract, now);
            code.delay(rest);
            code.store(words[mine], 1u32);
            let other = code.load(words[theirs]);
            let own = code.load(words[mine]);
            code.compute_to(own, own, Arithmetic::Multiply, 10u32);
            code.compute_to(own, own, Arithmetic::Add, other);
            code.finish(own);
        });
        let results: Vec<u64> = finished.iter().map(|end| end.result).collect();
        assert!(results.iter().all(|result| result / 10 == 1), "{results:?}");
        assert_eq!(results.iter().any(|result| result % 10 == 1), sees, "{buffers} {results:?}");
    }
}

/// Law: Requests for ownership by stores overlap.
///
/// Four lines that a neighbour has written, 40 ns each. Without a store buffer they are requested one after another.
/// With a buffer of 32 stores they are requested one hit apart, 2 ns, and the cache, which needs 4 ns for a line,
/// answers after 40, 44, 48 and 52 ns. With two helpers, two lines arrive after 40 and 44 ns; the next two requests
/// leave then. In a buffer of one store, the next store enters when the one before is visible.
#[test]
fn requests_for_stores_overlap() {
    const NS: u64 = 1000;
    for (buffers, together, takes) in [(0, 10.0, 160), (32, 10.0, 52), (32, 2.0, 84), (1, 10.0, 160)] {
        let mut lab = Lab::new("socket:1 core:2");
        lab.machine.core.store_buffers = buffers;
        lab.machine.core.outstanding = together;
        let (mut exec, _) = lab.exec(2, 1);
        let words: Vec<_> = (0..4).map(|_| exec.add_word(NodeId(0))).collect();
        let start = 10_000 * NS;
        let finished: Vec<Finished> = run(&mut exec, 2, |code, thread| {
            code.delay(if thread == 0 { start } else { 0 });
            words.iter().for_each(|word| code.store(*word, 1u32));
        });
        assert_eq!(finished[0].at.0 - start, takes * NS, "{buffers} buffers, {together} together");
    }
}

/// Law: Stores that request one line at a time take the sum of the lines' times, but for lines in sequence.
///
/// Four lines that a neighbour has written, 40 ns each, as in `requests_for_stores_overlap`. One at a time: 160 ns. Two at
/// a time: as with two helpers. In sequence a prefetcher requests all: 52 ns. Two lines apart, then two in sequence: the
/// third and the fourth are requested with the first. The second is requested at its turn, at 40 ns, and arrives at 80; the
/// others are there, and become visible 2 ns apart.
#[test]
fn stores_take_their_lines_one_after_another() {
    const NS: u64 = 1000;
    let cases: [(Option<u32>, [bool; 4], u64); 5] = [
        (Some(1), [false; 4], 160),
        (Some(2), [false; 4], 84),
        (None, [false; 4], 52),
        (Some(1), [true; 4], 52),
        (Some(1), [false, false, true, true], 84),
    ];
    for (together, in_sequence, takes) in cases {
        let mut lab = Lab::new("socket:1 core:2");
        lab.machine.core.store_requests = together;
        let (mut exec, _) = lab.exec(2, 1);
        let words: Vec<_> = (0..4).map(|_| exec.add_word(NodeId(0))).collect();
        let start = 10_000 * NS;
        let finished: Vec<Finished> = run(&mut exec, 2, |code, thread| {
            code.delay(if thread == 0 { start } else { 0 });
            for (word, in_sequence) in words.iter().zip(in_sequence) {
                match in_sequence {
                    true => code.store_in_sequence(*word, 1u32),
                    false => code.store(*word, 1u32),
                }
            }
        });
        assert_eq!(finished[0].at.0 - start, takes * NS, "{together:?} {in_sequence:?}");
    }
}

/// Four stores to each of two lines that a core of the other socket has written, 20 + 2 x 25 + 40 = 110 ns, and a
/// buffer of four. The first line is requested at 0, and the buffer is full. The line arrives at 110, its other
/// stores follow 2 ns apart, and at 116 the thread continues: the second line arrives at 226, its last store is
/// visible at 232. With a buffer for all stores, the second line is requested at 8 ns, and arrives 8 ns after the
/// first.
#[test]
fn stores_to_a_line_take_room() {
    const NS: u64 = 1000;
    for (buffers, takes) in [(4, 232), (32, 124)] {
        let mut lab = Lab::new("socket:2 core:2");
        lab.machine.core.store_buffers = buffers;
        let (mut exec, _) = lab.exec(2, 2);
        let words: Vec<_> = (0..2).map(|_| exec.add_word(NodeId(1))).collect();
        let start = 10_000 * NS;
        let finished: Vec<Finished> = run(&mut exec, 2, |code, thread| {
            code.delay(if thread == 0 { start } else { 0 });
            for word in &words {
                (0..if thread == 0 { 4 } else { 1 }).for_each(|_| code.store(*word, 1u32));
            }
        });
        assert_eq!(finished[0].at.0 - start, takes * NS, "{buffers} buffers");
    }
}

/// Law: A thread that pauses between polls sees a change at its next poll.
///
/// The thread owns the word, polls at 10 000 ns and reads 0, a hit of 2 ns, and then every 30 + 2 ns. Its neighbour's
/// store has the line 40 ns after its request at 10 100 ns. The thread's first poll after that is at 10 002 + 5 x 32
/// = 10 162 ns, and has the line 40 ns later. A thread without pauses requests the line immediately, at 10 140 ns, as
/// does a thread that waits by `watch_until`.
#[test]
fn who_rests_sees_a_change_at_the_next_look() {
    const NS: u64 = 1000;
    for (pause, rests, sees) in [(0, true, 10_180), (30, true, 10_202), (30, false, 10_180)] {
        let mut lab = Lab::new("socket:1 core:2");
        lab.machine.core.pause = Span(pause * NS);
        let (mut exec, _) = lab.exec(2, 1);
        let word = exec.add_word(NodeId(0));
        let finished = run(&mut exec, 2, |code, thread| match thread {
            0 => {
                code.store(word, 0u32);
                let now = code.clock();
                let rest = code.compute(10_000_000u64, Arithmetic::Subtract, now);
                code.delay(rest);
                match rests {
                    true => code.wait_until(word, Test::equal(1u32)),
                    false => code.watch_until(word, Test::equal(1u32)),
                }
            }
            _ => {
                code.delay(10_100_000u64);
                code.add(word, 1u32);
            }
        });
        assert_eq!(finished[0].at, Time(sees * NS), "a rest of {pause} ns, {rests}");
    }
}

/// Law: A thread that watches a word sees what another thread of its core writes after `core.between_threads`.
///
/// Without a value it sees the store after a hit in the first-level cache, 2 ns.
#[test]
fn threads_of_a_core_see_each_other_as_measured() {
    let seen = |between: Option<u64>| {
        let mut lab = Lab::new("socket:1 core:2 thread:2");
        lab.machine.core.between_threads = between.map(Span);
        let (mut exec, _) = lab.exec(2, 0);
        let word = exec.add_word(NodeId(0));
        let finished = run(&mut exec, 2, |code, thread| {
            if thread == 0 {
                code.delay(1_000_000u64);
                code.store(word, 1u32);
            } else {
                code.watch_until(word, Test::equal(1u32));
            }
        });
        finished[1].at.0
    };
    assert_eq!(seen(Some(7_000)) - seen(None), 7_000 - 2_000);
}
