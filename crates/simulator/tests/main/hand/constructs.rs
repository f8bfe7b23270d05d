//! Costs of constructs inside a region, where the region itself costs nothing. Cores of one node without caches: a
//! line takes 100 ns; requests for the same line are served one after another. The thread that had a line last gets
//! it again in no time.

use crate::builders::{NS, computing, iterations, machine, run_under, times};
use numalab_base::{Bytes, Span};
use numalab_machine::synthetic;
use numalab_runtime::Profile;
use numalab_runtime::profile::{BarrierKind, Worksharing};
use numalab_simulator::RunOutcome;
use numalab_workload::{Construct, LockKind, Phase};

/// Outcome of one construct, executed by one thread on each core. Thread `i` executes `instructions[i]`, one each
/// nanosecond.
fn run(construct: Construct, times: u32, instructions: &[f64]) -> RunOutcome {
    let phase = Phase { construct, times, ..computing(instructions) };
    let threads = instructions.len() as u32;
    run_under(&Profile::free(), &machine(&format!("core:{threads}")), threads, &phase)
}

/// Critical section under a test-and-test-and-set lock, two threads. Times in ns:
///
/// | thread 0 | thread 1 |
/// |---|---|
/// | at 0 reads: 100, free; exchanges, after thread 1's read: 300 | at 0 reads, after thread 0: 200, still free |
/// | 300 to 1300: inside | at 200 exchanges, after thread 0: 400, taken; spins on its own line |
/// | at 1300 stores: 1400 | at 1400 reads: 1500, free; exchanges: 1600 |
/// | | 1600 to 2600: inside; it still has the line |
#[test]
fn critical_sections_exclude_each_other() {
    let mut runtime = Profile::free();
    runtime.lock.kind = LockKind::TestAndTestAndSet;
    let phase = Phase { construct: Construct::Critical, ..computing(&[1000.0, 1000.0]) };
    let run = run_under(&runtime, &machine("core:2"), 2, &phase);
    assert_eq!(times(&run), [(400, 1000, 1200), (1600, 1000, 0)]);
    assert_eq!(iterations(&run), [1, 1]);
}

/// Law: A core goes on past a lock that it finds free.
///
/// The threads of `critical_sections_exclude_each_other`, on cores whose window holds some instructions, one each
/// nanosecond. Thread 0 predicts that the lock is free. When it has the line at 300, it has executed as much of its
/// body as the window holds, but no more than 300 ns. Thread 1 finds the lock taken and executes nothing ahead: it
/// has the lock 300 ns after the store begins, and executes all of its body then. The exchange lets the core execute
/// only the part `atomic_past` of the work ahead.
#[test]
fn a_core_goes_on_past_a_lock_that_it_finds_free() {
    let mut runtime = Profile::free();
    runtime.lock.kind = LockKind::TestAndTestAndSet;
    let phase = Phase { construct: Construct::Critical, ..computing(&[1000.0, 1000.0]) };
    for (window, past, before) in [(150.0, 1.0, 150), (500.0, 1.0, 300), (500.0, 0.5, 150), (500.0, 0.0, 0)] {
        let mut machine = machine("core:2");
        (machine.core.window, machine.core.atomic_past) = (Some(window), past);
        let run = run_under(&runtime, &machine, 2, &phase);
        assert_eq!(times(&run), [(400, 1000 - before, 1200), (1600 - before, 1000, 0)]);
    }
}

/// Law: A core goes on past a lock that it finds free.
///
/// A lone thread has the line at 100, and has executed 100 instructions of its body by then. It releases the lock and
/// takes it again at once, since it still has the line: there is no wait in which to execute ahead.
#[test]
fn nothing_is_foreseen_where_nothing_is_waited_for() {
    let phase = Phase { construct: Construct::Critical, times: 3, ..computing(&[1000.0]) };
    let mut machine = machine("core:1");
    (machine.core.window, machine.core.atomic_past) = (Some(500.0), 1.0);
    let mut runtime = Profile::free();
    runtime.lock.kind = LockKind::TestAndSet;
    assert_eq!(times(&run_under(&runtime, &machine, 1, &phase)), [(100, 2900, 0)]);
}

/// Law: Requests leave before their turn.
///
/// A thread computes for 1000 ns and adds to a word that no cache holds. The word's line takes 100 ns. The request
/// leaves as soon as the instruction is in the window, which is `window` ns before its turn; the fraction
/// `atomic_ahead` of this time shortens the wait.
#[test]
fn a_lock_is_on_its_way_while_its_thread_computes() {
    let phase = Phase { construct: Construct::Atomic, ..computing(&[1000.0]) };
    for (window, ahead, left) in
        [(None, 1.0, 100), (Some(60.0), 1.0, 40), (Some(60.0), 0.5, 70), (Some(200.0), 1.0, 0)]
    {
        let mut machine = machine("core:1");
        (machine.core.window, machine.core.atomic_ahead) = (window, ahead);
        assert_eq!(times(&run_under(&Profile::free(), &machine, 1, &phase)), [(left, 1000, 0)]);
    }
}

#[test]
fn every_lock_excludes() {
    let machine = synthetic("board:2 socket:2 core:2").expect("a machine");
    for kind in LockKind::ALL {
        let phase = Phase { construct: Construct::Lock(Some(kind)), times: 3, ..computing(&[1e6; 8]) };
        let run = run_under(&Profile::default(), &machine, 8, &phase);
        let inside: u64 = run.team.iter().map(|member| member.compute_ps).sum();
        assert!(run.makespan_ps > inside, "{kind}: {} ps for {inside} ps inside", run.makespan_ps);
        assert_eq!(iterations(&run), [3; 8], "{kind}");
    }
}

/// Threads that spin on one core take the line from each other at no cost, and the simulated time still advances.
#[test]
fn threads_of_one_core_spin_too() {
    for kind in LockKind::ALL {
        let phase = Phase { construct: Construct::Lock(Some(kind)), times: 2, ..computing(&[100.0; 3]) };
        let run = run_under(&Profile::free(), &machine("core:1"), 3, &phase);
        assert!(run.makespan_ps >= 6 * 100 * NS, "{kind}: {} ps", run.makespan_ps);
    }
}

/// Three barriers of a lone thread. GNU's barrier ends with a system call of 50 ns each time, even without sleepers;
/// other barriers make no call.
#[test]
fn who_is_alone_at_a_barrier_calls_the_system_too() {
    let took = |kind: BarrierKind, call: u64| {
        let mut runtime = Profile::default();
        (runtime.barrier.kind, runtime.barrier.wake_call) = (kind, Span(call * NS));
        let phase = Phase { construct: Construct::Barrier, times: 3, ..computing(&[1000.0]) };
        run_under(&runtime, &machine("core:1"), 1, &phase).makespan_ps
    };
    assert_eq!(took(BarrierKind::Futex, 50) - took(BarrierKind::Futex, 0), 150 * NS);
    assert_eq!(took(BarrierKind::Central, 50), took(BarrierKind::Central, 0));
}

/// Law: Calls for loops, chunks and single regions take their time, and so do wake-ups of sleepers.
///
/// A lone thread executes three loops of four iterations, and three `single` regions. Under `static`, in chunks of
/// two as well, it calls the runtime once for each loop. Under `dynamic` it calls five times, the last time in vain.
/// Under `guided`, which gives a lone thread all remaining iterations, it calls twice.
#[test]
fn calls_take_their_time() {
    let took = |construct: Construct, schedule: &str, (static_loop, chunk, single): (u64, u64, u64)| {
        let [static_loop, chunk, single] = [static_loop, chunk, single].map(|time| Span(time * NS));
        let runtime = Profile {
            worksharing: Worksharing { static_loop, chunk, single, ..Worksharing::default() },
            ..Profile::free()
        };
        let schedule = Some(schedule.parse().expect("a schedule"));
        let phase = Phase { construct, times: 3, schedule, ..computing(&[1000.0; 4]) };
        run_under(&runtime, &machine("core:1"), 1, &phase).makespan_ps / NS
    };
    let each = |construct: Construct, schedule: &str| {
        let without = took(construct, schedule, (0, 0, 0));
        [(70, 0, 0), (0, 30, 0), (0, 0, 20)].map(|calls| took(construct, schedule, calls) - without)
    };
    let loops = Construct::For { nowait: true };
    assert_eq!(each(loops, "static"), [3 * 70, 0, 0]);
    assert_eq!(each(loops, "static,2"), [3 * 70, 0, 0]);
    assert_eq!(each(loops, "dynamic"), [0, 3 * 5 * 30, 0]);
    assert_eq!(each(loops, "guided"), [0, 3 * 2 * 30, 0]);
    assert_eq!(each(Construct::Single { nowait: false }, "static"), [0, 0, 3 * 20]);
}

/// Two threads claim a `single` region. Thread 0 has the line first, at 100, and executes the body until 1100. Thread
/// 1 learns at 200 that its claim has failed, and waits. The second execution goes like the first.
#[test]
fn single_executes_once() {
    let run = run(Construct::Single { nowait: false }, 2, &[1000.0, 5000.0]);
    assert_eq!(iterations(&run), [2, 0]);
    assert_eq!(times(&run), [(200, 2000, 0), (400, 0, 1800)]);
}

/// Bodies of an `ordered` construct on three threads. Times in ns:
///
/// | thread 0 | thread 1 | thread 2 |
/// |---|---|---|
/// | reads the turn: 100 | 200, spins | 300, spins |
/// | body until 1100; stores: 1200 | at 1200 reads: 1300 | reads after thread 1: 1400, spins |
/// | | body until 2300; stores: 2400 | reads: 2500 |
/// | | | body until 3500; stores: 3600 |
#[test]
fn ordered_goes_in_order() {
    let run = run(Construct::Ordered, 1, &[1000.0; 3]);
    assert_eq!(times(&run), [(200, 1000, 2400), (1400, 1000, 1200), (2600, 1000, 0)]);
}

/// Two executions of an `ordered` construct: the last thread of the first execution is followed by the first thread
/// of the second. There are six bodies, and between two bodies at least the store of one thread and the read of the
/// other. Thread 0 is in the second execution as soon as thread 2 has passed on the turn.
#[test]
fn ordered_goes_round() {
    let run = run(Construct::Ordered, 2, &[1000.0; 3]);
    assert_eq!(iterations(&run), [2; 3]);
    assert!(run.makespan_ps >= (6 * 1000 + 5 * 200) * NS, "{} ps", run.makespan_ps);
    assert_eq!(run.team[2].idle_ps, 0);
}

/// Two threads, and a pipeline of two steps with one iteration for each thread. The second thread does its first step
/// while the first thread does its second step. All steps take three bodies, and the time to raise, see and lower a
/// flag in between; one after the other they would take four bodies. The first step waits for no flag.
#[test]
fn pipelines_overlap_steps() {
    for (descending, first) in [(false, 0), (true, 1)] {
        let construct = Construct::Pipeline { steps: 2, descending };
        let phase = Phase { construct, ..computing(&[1000.0; 4]) };
        let run = run_under(&Profile::free(), &machine("core:2"), 2, &phase);
        assert_eq!(iterations(&run), [2, 2]);
        // Between two bodies in a row a flag is raised (read and stored: 200) and seen (100), and may have to wait for a
        // request of the other thread.
        assert!((3200 * NS..3900 * NS).contains(&run.makespan_ps), "{} ps", run.makespan_ps);
        assert!(run.team[first].overhead_ps < run.team[1 - first].overhead_ps);
    }
}

/// Two threads add twice to a variable. Its line alternates between them: thread 0 has it at 100 and 300, thread 1 at
/// 200 and 400.
#[test]
fn atomic_additions_take_turns() {
    let run = run(Construct::Atomic, 2, &[0.0, 0.0]);
    assert_eq!(times(&run), [(300, 0, 100), (400, 0, 0)]);
    assert_eq!(run.transactions, 4);
}

/// Elements of 8 bytes are in one line, which alternates between the threads; elements of a line's length are fetched
/// once.
#[test]
fn false_sharing_costs_what_a_ping_pong_costs() {
    let packed = run(Construct::Update { spacing: Bytes(8), atomic: false }, 3, &[0.0, 0.0]);
    assert_eq!(times(&packed), [(500, 0, 100), (600, 0, 0)]);
    let padded = run(Construct::Update { spacing: Bytes(64), atomic: false }, 3, &[0.0, 0.0]);
    assert_eq!(times(&padded), [(100, 0, 0), (100, 0, 0)]);
    assert_eq!((packed.transactions, padded.transactions), (6, 2));
}
