//! Costs of stealing. Two sockets of one core without caches. The range of each thread is a line on its own node: 100
//! ns from this node, 200 ns from the other socket, nothing for the thread that had the line last. A thread takes
//! from a range by a read and then a write, which fails if another thread wrote in between. The write costs nothing
//! if no other thread has the line, else as much as the read.

use crate::builders::{NS, computing, machine, near, run_on};
use numalab_simulator::RunOutcome;

/// Overhead, computing and idle time in nanoseconds, number of iterations, and number of stolen iterations, by
/// thread.
fn accounts(run: &RunOutcome) -> Vec<(u64, u64, u64, u64, u64)> {
    let account = |member: &numalab_simulator::ThreadOutcome| {
        let times = [member.overhead_ps, member.compute_ps, member.idle_ps].map(|time| time / NS);
        (times[0], times[1], times[2], member.iterations, member.stolen)
    };
    run.team.iter().map(account).collect()
}

/// Thread 0 has iterations 0 and 1 of 1000 ns and 2 of 500 ns, thread 1 has iterations 3 to 5 of 10 ns. Each reads
/// its range in 100 ns. At 130 ns thread 1 takes iteration 2 from the end of thread 0's range: 200 ns to read the
/// range, 200 ns to write it, 500 ns to compute, until 1030. Thread 1 now has the line of the range, so iteration 1
/// costs it nothing (thread 0 would begin it at 1100): until 2030. Both threads then read the shared word once more,
/// which says that nothing is left, thread 0 in 100 ns, thread 1 in 200 ns.
#[test]
fn a_thief_pays_the_way_to_its_victim() {
    let phase = computing(&[1000.0, 1000.0, 500.0, 10.0, 10.0, 10.0]);
    for policy in ["numa-steal:nearest", "numa-steal:random"] {
        let run = run_on(&machine("socket:2 core:1"), 2, policy, std::slice::from_ref(&phase));
        assert_eq!(accounts(&run), [(200, 1000, 1030, 1, 0), (700, 1530, 0, 5, 2)], "{policy}");
    }
}

/// As `a_thief_pays_the_way_to_its_victim`, but thread 1 first reads the ranges of both threads: its own (100 ns) and
/// thread 0's (200 ns), both in flight together: 200 ns. Reading and writing the victim's range takes 400 ns. Thread
/// 1 has iteration 2 at 730, ends it at 1230, and after another scan takes iteration 1 at no cost: 1430 to 2430. Both
/// threads end with a last scan of 200 ns.
#[test]
fn the_most_loaded_is_found_by_a_scan() {
    let phase = computing(&[2000.0, 1000.0, 500.0, 10.0, 10.0, 10.0]);
    let run = run_on(&machine("socket:2 core:1"), 2, "numa-steal:most-loaded", &[phase]);
    assert_eq!(accounts(&run), [(300, 2000, 330, 1, 0), (1100, 1530, 0, 5, 2)]);
}

/// As `the_most_loaded_is_found_by_a_scan`, with an iteration 0 of 1000 ns: thread 0 is back at 1100. Thread 1 has
/// the line of thread 0's range by then: 100 ns to read it, 100 ns to write it, and thread 0 executes iteration 1
/// from 1300 to 2300. Thread 1 saw iteration 1 in its scan from 1230 on. It reads the range in 200 ns from 1430 on,
/// writes it in 200 ns, and finds iteration 1 taken. Its last scan ends at 2030, that of thread 0 at 2500.
#[test]
fn a_thief_may_come_too_late() {
    let phase = computing(&[1000.0, 1000.0, 500.0, 10.0, 10.0, 10.0]);
    let run = run_on(&machine("socket:2 core:1"), 2, "numa-steal:most-loaded", &[phase]);
    assert_eq!(accounts(&run), [(500, 2000, 0, 2, 0), (100 + 600 + 600 + 200, 530, 470, 4, 1)]);
}

/// A core with one line in flight reads the ranges one after the other: 300 ns each time. Thread 1 executes iteration
/// 2 from 830 to 1330. By then thread 0 has begun iteration 1 (at 1300). Both give up after a scan, thread 0 at 2600.
#[test]
fn a_scan_is_limited_by_lines_in_flight() {
    let phase = computing(&[1000.0, 1000.0, 500.0, 10.0, 10.0, 10.0]);
    let mut machine = machine("socket:2 core:1");
    machine.core.outstanding = 1.0;
    let run = run_on(&machine, 2, "numa-steal:most-loaded", &[phase]);
    assert_eq!(accounts(&run), [(600, 2000, 0, 2, 0), (100 + 300 + 400 + 300, 530, 970, 4, 1)]);
}

/// Threads 0 and 1 are on socket 0, threads 2 and 3 on socket 1. Each has three iterations, of 1500, 1000, 1000 and 1
/// ns by thread, from 100 on. Thread 3 has none left at 103. It prefers the thread on its own socket to the threads
/// on the other socket, although these have as many left: 100 ns to read, 100 ns to write, iteration 8 of thread 2
/// from 303 to 1303. Thread 2 took its last iteration at 1300, so thread 3 steals from the other socket: 400 ns,
/// iteration 2 of thread 0 from 1703 to 3203. The other threads began their last iterations before, so thread 3 ends
/// after a read of the shared word, 200 ns away.
#[test]
fn the_nearest_victim_is_on_the_same_socket() {
    let instructions = [[1500.0; 3], [1000.0; 3], [1000.0; 3], [1.0; 3]].concat();
    let run = run_on(&machine("socket:2 core:2"), 4, "numa-steal:nearest", &[computing(&instructions)]);
    let stolen: Vec<_> = run.team.iter().map(|member| member.stolen).collect();
    assert_eq!(stolen, [0, 0, 0, 2]);
    near(run.team[3].compute_ps, (3 + 1000 + 1500) * NS);
    assert_eq!(run.team[3].overhead_ps, (100 + 200 + 400 + 200) * NS);
}
