//! Blocks from the heap: the lock of the address space. Mapping takes 4 us, waking the next 5 us.

use crate::builders::{NS, US, allocating, computing, machine, run_on, try_run, workload};
use numalab_machine::{Fabric, Machine};
use numalab_simulator::RunOutcome;
use numalab_simulator::Team;
use numalab_units::Span;
use numalab_workload::{Phase, Schedule};

fn system(spec: &str) -> Machine {
    let mut machine = machine(spec);
    machine.os.map = Span(4 * US);
    machine.os.wake = Span(5 * US);
    machine
}

/// So many threads, so many calls each.
fn calls(machine: &Machine, threads: u32, calls: usize) -> RunOutcome {
    run_on(machine, threads, "static", &[allocating(threads as usize * calls, 1.0)])
}

/// Nobody to interrupt, nobody to wake: 10 × 4 us.
#[test]
fn a_lonely_thread_pays_for_mapping() {
    let run = calls(&system("core:1"), 1, 10);
    assert_eq!(run.makespan_ps, 40 * US);
    assert_eq!(run.team[0].overhead_ps, 40 * US);
}

/// Three threads of a node at the lock, in turn. Each call holds it for 4 us and two processors to
/// interrupt, a line there and a line back each, 400 ns; then the next is woken in 5 us. Every thread gets
/// it once in 3 × 9.4 us. Ten calls each are 30 × 4.4 us, with 29 times waking between them; thread 0 has
/// its tenth at the 28th, and waits for the other two.
#[test]
fn threads_queue_in_turn() {
    let run = calls(&system("core:3"), 3, 10);
    assert_eq!(run.makespan_ps, 30 * 4_400 * NS + 29 * 5 * US);
    for (thread, after) in [(0, 2), (1, 1), (2, 0)] {
        assert_eq!(run.team[thread].idle_ps, after * 9_400 * NS);
        assert_eq!(run.team[thread].overhead_ps, run.makespan_ps - after * 9_400 * NS);
    }
}

/// Four threads on two sockets: each caller interrupts one processor beside it (2 × 100 ns) and two across
/// (2 × 200 ns each): 1 us. So 4 × 10 us from one call of a thread to its next.
#[test]
fn processors_far_away_take_longer_to_interrupt() {
    let run = calls(&system("socket:2 core:2"), 4, 5);
    assert_eq!(run.makespan_ps, 20 * 5 * US + 19 * 5 * US);
    let more = calls(&system("socket:2 core:2"), 4, 6);
    assert_eq!(more.makespan_ps - run.makespan_ps, 40 * US);
}

/// Two threads on one processor have nobody to interrupt, and still one lock.
#[test]
fn a_shared_processor_is_not_interrupted() {
    let machine = system("core:2");
    let fabric = Fabric::new(&machine).unwrap();
    let team = Team::on(&fabric, [0, 0]);
    let work = workload(&[allocating(2, 1.0)]);
    let run = try_run(&machine, &fabric, &team, &work, Schedule::Static { chunk: None }, 0).unwrap();
    assert_eq!(run.makespan_ps, 2 * 4 * US + 5 * US);
}

/// One call in four goes through the kernel: the fourth of each thread, before it computes for 1 us like
/// after the others. Both come at 3 us; thread 0 has the lock until 7.2 us, thread 1 is awake at 12.2 us and done
/// at 16.4 us, and computes for 1 us more.
#[test]
fn the_allocator_keeps_most_of_it_for_the_thread() {
    let mapped = allocating(8, 0.25).allocation;
    let run =
        run_on(&system("core:2"), 2, "static", &[Phase { allocation: mapped, ..computing(&[1000.0; 8]) }]);
    assert_eq!(run.makespan_ps, 17_400 * NS);
    let accounts: Vec<_> =
        run.team.iter().map(|member| (member.compute_ps / NS, member.overhead_ps / NS)).collect();
    assert_eq!(accounts, [(4000, 4200), (4000, 13_400)]);
    let none = Phase { allocation: allocating(8, 0.0).allocation, ..computing(&[1000.0; 8]) };
    assert_eq!(run_on(&system("core:2"), 2, "static", &[none]).makespan_ps, 4 * US);
}

/// Who computes longer than the others hold the lock never waits: 10 us of computing after each call of
/// 4.2 us, two threads. Thread 1 comes second at first, at 0, and holds the lock from 9.2 to 13.4 us;
/// thread 0 is back at 14.2 us, thread 1 at 23.4 us. From then on each finds it free: 5 × 14.2 us, thread 1
/// 9.2 us later.
#[test]
fn a_free_lock_costs_no_waking() {
    let phase = Phase { allocation: allocating(10, 1.0).allocation, ..computing(&[10_000.0; 10]) };
    let run = run_on(&system("core:2"), 2, "static", &[phase]);
    assert_eq!(run.team[0].idle_ps, 9_200 * NS);
    assert_eq!(run.makespan_ps, 5 * 14_200 * NS + 9_200 * NS);
}
