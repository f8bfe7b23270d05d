//! Cost of a shared counter. Two sockets of one core without caches: requests for a line are served at its home one
//! after the other, in the 100 ns that memory takes. From the other socket a request takes 50 ns to the home, and the
//! line 50 ns back. The thread that had the line last gets it again in no time.

use crate::builders::{NS, computing, iterations, looped, machine, run_on, times};
use numalab_base::Bandwidth;
use numalab_workload::{Mode, Phase};

/// The counter is on thread 0's node. Four iterations (#0 to #3) of 1000 ns. Times in ns:
///
/// | thread 0 | thread 1 |
/// |---|---|
/// | asks at 0: #0 from 100 to 1100 | asks at 0, served at the home from 100 to 200: #1 from 250 to 1250 |
/// | asks at 1100: #2 from 1200 to 2200 | asks at 1250: #3 from 1450 to 2450 |
/// | asks at 2200: nothing left, ends at 2300 | asks at 2450: nothing left, ends at 2650 |
#[test]
fn a_dynamic_loop_asks_the_node_of_thread_0() {
    let run = run_on(&machine("socket:2 core:1"), 2, "dynamic", &[computing(&[1000.0; 4])]);
    assert_eq!(run.makespan_ps, 2650 * NS);
    assert_eq!(times(&run), [(300, 2000, 350), (650, 2000, 0)]);
    assert_eq!(iterations(&run), [2, 2]);
    assert_eq!(run.transactions, 6);
}

/// Chunks of two: each thread requests work twice. Thread 1 takes 250 + 2000 + 200 ns.
#[test]
fn larger_chunks_ask_less() {
    let run = run_on(&machine("socket:2 core:1"), 2, "dynamic,2", &[computing(&[1000.0; 4])]);
    assert_eq!(times(&run), [(200, 2000, 250), (450, 2000, 0)]);
}

/// Thread 0 is alone, and owns the counter's line from its first request on.
#[test]
fn who_asks_again_has_the_counter_already() {
    let run = run_on(&machine("socket:2 core:1"), 1, "dynamic", &[computing(&[1000.0; 4])]);
    assert_eq!(times(&run), [(100, 4000, 0)]);
    assert_eq!(run.transactions, 1);
}

/// `guided`: a thread reads the counter, calculates, and writes the next value, unless the other thread wrote in
/// between. Eight iterations of 1000 ns. Times in ns:
///
/// | at | thread 0 | thread 1 |
/// |---|---|---|
/// | 0 | reads until 100; writes until 300, since the home serves thread 1 until 200 | request arrives at 50, is served from 100 to 200; has read at 250 |
/// | 300 | 8 / 2 = 4 until 4300 | its write arrives; it has the line at 450, finds thread 0's value, and writes again at once |
/// | 450 | | 4 / 2 = 2 until 2450; then 2 / 2 = 1 until 3450 and the last one until 4450, the line being its own |
/// | 4300 | reads until 4400: none | at 4450 reads the copy that it still has: none |
#[test]
fn guided_chunks_shrink() {
    let run = run_on(&machine("socket:2 core:1"), 2, "guided", &[computing(&[1000.0; 8])]);
    assert_eq!(iterations(&run), [4, 4]);
    assert_eq!(times(&run), [(400, 4000, 50), (450, 4000, 0)]);
}

/// Under `static` chunks are known beforehand: no thread requests work, and none pays. Thread 0 executes iterations 0
/// and 2.
#[test]
fn static_chunks_are_free() {
    let run = run_on(&machine("socket:2 core:1"), 2, "static,1", &[computing(&[1000.0, 10.0, 500.0])]);
    assert_eq!(times(&run), [(0, 1500, 0), (0, 10, 1490)]);
}

/// Both threads of a node get the counter in 100 ns, thread 1 after thread 0, and both end their first iteration at
/// 1100 ns: thread 0 computes for 1000 ns, thread 1 reads 3600 bytes at the 4 GB/s that the core copies. Thread 0 is
/// served first, since its number is lower: it has iteration 2 of 20 ns at 1200. Thread 1 has iteration 3 of 30 ns at
/// 1300, although it had the counter last. Thread 0 requests work again at 1220 and is served after thread 1, until
/// 1400; thread 1 requests at 1330 and is served until 1500.
#[test]
fn simultaneous_threads_ask_in_order() {
    let mut machine = machine("core:2");
    machine.core.copy_bandwidth = Some(Bandwidth(4e9));
    let mut phase = looped(Mode::Read, &[0, 0, 3600, 3600, 3600]);
    phase.instructions = [1000.0, 0.0, 20.0, 30.0].into();
    let run = run_on(&machine, 2, "dynamic", &[phase]);
    assert_eq!(times(&run), [(100 + 100 + 180, 1020, 100), (200 + 200 + 170, 30, 0)]);
}

/// In a loop without iterations every thread requests work once.
#[test]
fn an_empty_loop_is_asked_for_too() {
    let run = run_on(&machine("socket:2 core:1"), 2, "dynamic", &[computing(&[])]);
    assert_eq!(times(&run), [(100, 0, 150), (250, 0, 0)]);
}

/// The counter and the owner of its line persist from loop to loop. Thread 1 was the last to request work in the
/// first loop, so it still has the line. In the second loop it accesses the counter before the request of thread 0
/// for the line arrives.
#[test]
fn the_next_loop_finds_the_counter_where_it_was_left() {
    let twice = Phase { repeat: 2, ..computing(&[]) };
    let run = run_on(&machine("socket:2 core:1"), 2, "dynamic", &[twice]);
    assert_eq!(times(&run), [(200, 0, 150), (250, 0, 100)]);
    let alone = Phase { repeat: 2, ..computing(&[]) };
    assert_eq!(times(&run_on(&machine("socket:2 core:1"), 1, "dynamic", &[alone])), [(100, 0, 0)]);
}
