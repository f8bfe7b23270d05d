//! Heap blocks and the lock of the address space. Mapping a block takes 4 us, waking the next waiter 5 us.

use crate::builders::{MB, NS, US, add_cache, allocating, computing, machine, run_on, try_run, workload};
use numalab_base::Span;
use numalab_machine::{Fabric, Machine, ReleaseLock};
use numalab_simulator::RunOutcome;
use numalab_simulator::Team;
use numalab_workload::{Allocation, Phase, Schedule};

fn system(spec: &str) -> Machine {
    let mut machine = machine(spec);
    machine.os.map = Span(4 * US);
    machine.os.wake = Span(5 * US);
    machine
}

/// Outcome of `threads` threads that each allocate `calls` blocks.
fn calls(machine: &Machine, threads: u32, calls: usize) -> RunOutcome {
    run_on(machine, threads, "static", &[allocating(threads as usize * calls, 1.0)])
}

/// One thread with no threads to interrupt or wake: 10 calls of 4 us.
#[test]
fn a_lonely_thread_pays_for_mapping() {
    let run = calls(&system("core:1"), 1, 10);
    assert_eq!(run.makespan_ps, 40 * US);
    assert_eq!(run.team[0].overhead_ps, 40 * US);
}

/// Three threads of a node queue at the lock. A call holds the lock for 4 us, and until two processors have
/// acknowledged, 100 ns each. Then the next thread wakes in 5 us. Every thread gets the lock once in 3 × 9.2 us.
/// Three threads with ten calls each take 30 × 4.2 us, with 29 wake-ups between the calls. Thread 0 makes its tenth
/// call as the 28th of all, and waits for the other two threads.
#[test]
fn threads_queue_in_turn() {
    let run = calls(&system("core:3"), 3, 10);
    assert_eq!(run.makespan_ps, 30 * 4_200 * NS + 29 * 5 * US);
    for (thread, after) in [(0, 2), (1, 1), (2, 0)] {
        assert_eq!(run.team[thread].idle_ps, after * 9_200 * NS);
        assert_eq!(run.team[thread].overhead_ps, run.makespan_ps - after * 9_200 * NS);
    }
}

/// Four threads on two sockets. Each caller interrupts one processor on its own socket (100 ns) and two on the other
/// socket (200 ns each): 500 ns. So a thread's calls begin 4 × 9.5 us apart.
#[test]
fn processors_far_away_take_longer_to_interrupt() {
    let run = calls(&system("socket:2 core:2"), 4, 5);
    assert_eq!(run.makespan_ps, 20 * 4_500 * NS + 19 * 5 * US);
    let more = calls(&system("socket:2 core:2"), 4, 6);
    assert_eq!(more.makespan_ps - run.makespan_ps, 38 * US);
}

/// Two threads on one processor interrupt no other processor, and still share one lock.
#[test]
fn a_shared_processor_is_not_interrupted() {
    let machine = system("core:2");
    let fabric = Fabric::new(&machine).unwrap();
    let team = Team::on(&fabric, [0, 0]);
    let work = workload(&[allocating(2, 1.0)]);
    let run = try_run(&machine, &fabric, &team, &work, Schedule::Static { chunk: None }, (0, 0)).unwrap();
    assert_eq!(run.makespan_ps, 2 * 4 * US + 5 * US);
}

/// One allocation in four calls the kernel: the fourth of each thread. After each allocation a thread computes for 1
/// us. Both threads come to the lock at 3 us. Thread 0 holds it until 7.1 us; thread 1 is awake at 12.1 us, has
/// mapped its block at 16.2 us, and computes for 1 us more.
#[test]
fn the_allocator_keeps_most_of_it_for_the_thread() {
    let mapped = allocating(8, 0.25).allocation;
    let run =
        run_on(&system("core:2"), 2, "static", &[Phase { allocation: mapped, ..computing(&[1000.0; 8]) }]);
    assert_eq!(run.makespan_ps, 17_200 * NS);
    let accounts: Vec<_> =
        run.team.iter().map(|member| (member.compute_ps / NS, member.overhead_ps / NS)).collect();
    assert_eq!(accounts, [(4000, 4100), (4000, 13_200)]);
    let none = Phase { allocation: allocating(8, 0.0).allocation, ..computing(&[1000.0; 8]) };
    assert_eq!(run_on(&system("core:2"), 2, "static", &[none]).makespan_ps, 4 * US);
}

/// A thread does not wait for the lock if it computes for longer than the other threads hold the lock. Two threads
/// compute for 10 us after each call of 4.1 us. Thread 1 comes second at 0, and holds the lock from 9.1 to 13.2 us.
/// Thread 0 is back at 14.1 us, thread 1 at 23.2 us. From then on each thread finds the lock free: thread 0 takes 5 ×
/// 14.1 us, thread 1 ends 9.1 us later.
#[test]
fn a_free_lock_costs_no_waking() {
    let phase = Phase { allocation: allocating(10, 1.0).allocation, ..computing(&[10_000.0; 10]) };
    let run = run_on(&system("core:2"), 2, "static", &[phase]);
    assert_eq!(run.team[0].idle_ps, 9_100 * NS);
    assert_eq!(run.makespan_ps, 5 * 14_100 * NS + 9_100 * NS);
}

/// As [`calls`], but calls release pages to the kernel and map none.
fn releases(machine: &Machine, threads: u32, calls: usize) -> RunOutcome {
    let mut phase = allocating(threads as usize * calls, 0.0);
    phase.allocation = phase.allocation.map(|block| Allocation { released: 1.0, ..block });
    run_on(machine, threads, "static", &[phase])
}

/// Four threads on two sockets of two cores, whose L2 caches pass a line on in 30 ns. A call takes 1 us, three
/// interrupts of 300 ns, 30 ns for the answer of the core on the same socket, and 200 ns for each of the other two:
/// 2.33 us. Calls follow one after the other, and waiters do not sleep.
#[test]
fn answers_of_processors_come_one_after_another() {
    let mut machine = system("socket:2 core:2");
    add_cache(&mut machine, MB, 2, 15, 1e12);
    (machine.os.release, machine.os.interrupt) = (Span(US), Span(300 * NS));
    assert_eq!(releases(&machine, 4, 5).makespan_ps, 20 * 2_330 * NS);
    // With mapping instead: 4 us in place of 1 us, and a wake between two calls.
    assert_eq!(calls(&machine, 4, 5).makespan_ps, 20 * 5_330 * NS + 19 * 5 * US);
    machine.os.release_lock = ReleaseLock::Exclusive;
    assert_eq!(releases(&machine, 4, 5).makespan_ps, 20 * 2_330 * NS + 19 * 5 * US);
}

/// Two cores of two hardware threads each. A call takes three interrupts of 300 ns, but only one line of 100 ns: the
/// other core's second thread finds the line on its core, and the caller's own core has it anyway.
#[test]
fn threads_of_a_core_share_the_acknowledgement() {
    let mut machine = system("core:2");
    machine.core.threads = 2;
    machine.os.interrupt = Span(300 * NS);
    assert_eq!(releases(&machine, 4, 5).makespan_ps, 20 * 1_000 * NS);
}
