//! What a shared counter costs. Two sockets of one core: 100 ns to a line at home, 200 ns to the other.

use crate::builders::{NS, computing, looped, machine, run_on};
use numalab_program::Mode;
use numalab_results::Run;
use numalab_units::Bandwidth;

/// Overhead, computing and idle time of each thread, in nanoseconds.
fn times(run: &Run) -> Vec<(u64, u64, u64)> {
    let times = |member: &numalab_results::Member| {
        (member.overhead_ps / NS, member.compute_ps / NS, member.idle_ps / NS)
    };
    run.team.iter().map(times).collect()
}

fn packages(run: &Run) -> Vec<u64> {
    run.team.iter().map(|member| member.packages).collect()
}

/// The counter lives with thread 0, which asks in 100 ns; thread 1 needs 200 ns. Four iterations of
/// 1000 ns:
///
/// | thread 0 | thread 1 |
/// |---|---|
/// | 0 asks: #0, 100 to 1100 | 0 asks: #1, 200 to 1200 |
/// | 1100 asks: #2, 1200 to 2200 | 1200 asks: #3, 1400 to 2400 |
/// | 2200 asks: none, 2300 done | 2400 asks: none, 2600 done |
#[test]
fn a_dynamic_loop_asks_the_node_of_thread_0() {
    let run = run_on(&machine("socket:2 core:1"), 2, "dynamic", &[computing(&[1000.0; 4])]);
    assert_eq!(run.makespan_ps, 2600 * NS);
    assert_eq!(times(&run), [(300, 2000, 300), (600, 2000, 0)]);
    assert_eq!(packages(&run), [2, 2]);
}

/// Chunks of two: each thread asks twice. Thread 1: 200 + 2000 + 200.
#[test]
fn larger_chunks_ask_less() {
    let run = run_on(&machine("socket:2 core:1"), 2, "dynamic,2", &[computing(&[1000.0; 4])]);
    assert_eq!(times(&run), [(200, 2000, 200), (400, 2000, 0)]);
}

/// Guided over eight: 8 / 2 = 4 for thread 0, 4 / 2 = 2 for thread 1, which is back at 2200 and takes
/// 2 / 2 = 1 until 3400. There it takes the last one, until 4600, before thread 0 is back at 4100; so
/// thread 0 gets none and is done at 4200, thread 1 at 4800.
#[test]
fn guided_chunks_shrink() {
    let run = run_on(&machine("socket:2 core:1"), 2, "guided", &[computing(&[1000.0; 8])]);
    assert_eq!(packages(&run), [4, 4]);
    assert_eq!(times(&run), [(200, 4000, 600), (800, 4000, 0)]);
}

/// Static chunks are known beforehand: nobody asks, nobody pays. #0 and #2 for thread 0.
#[test]
fn static_chunks_are_free() {
    let run = run_on(&machine("socket:2 core:1"), 2, "static,1", &[computing(&[1000.0, 10.0, 500.0])]);
    assert_eq!(times(&run), [(0, 1500, 0), (0, 10, 1490)]);
}

/// Both threads of a node have the counter in 100 ns and are back at 1100 ns: thread 0 from computing for
/// 1000 ns, thread 1 from 4000 bytes at the 4 GB/s that the core copies. Thread 0 is first by number and
/// gets #2, thread 1 gets #3.
#[test]
fn simultaneous_threads_ask_in_order() {
    let mut machine = machine("core:2");
    machine.core.copy_bandwidth = Some(Bandwidth(4e9));
    let mut phase = looped(Mode::Read, &[0, 0, 4000, 4000, 4000]);
    phase.instructions = [1000.0, 0.0, 20.0, 30.0].into();
    let run = run_on(&machine, 2, "dynamic", &[phase]);
    assert_eq!(times(&run), [(300, 1020, 10), (300, 30, 0)]);
}

/// A loop without iterations: everybody asks once.
#[test]
fn an_empty_loop_is_asked_for_too() {
    let run = run_on(&machine("socket:2 core:1"), 2, "dynamic", &[computing(&[])]);
    assert_eq!(times(&run), [(100, 0, 100), (200, 0, 0)]);
}
