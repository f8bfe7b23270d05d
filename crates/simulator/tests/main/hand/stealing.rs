//! Costs of stealing. Two sockets of one core without caches. The range of each thread is a line on its own node: 100
//! ns from there, 200 ns from the other socket, nothing for the thread that had it last. A thread takes from a range
//! by a read and then a write, which fails if another thread wrote in between. The write costs nothing if no other
//! thread has the line, else as much as the read.

use crate::builders::{NS, computing, machine, near, run_on};
use numalab_simulator::RunOutcome;

/// Overhead, computing and idle time in nanoseconds, iterations and how many of them were stolen.
fn accounts(run: &RunOutcome) -> Vec<(u64, u64, u64, u64, u64)> {
    let account = |member: &numalab_simulator::ThreadOutcome| {
        let times = [member.overhead_ps, member.compute_ps, member.idle_ps].map(|time| time / NS);
        (times[0], times[1], times[2], member.iterations, member.stolen)
    };
    run.team.iter().map(account).collect()
}

/// Thread 0 has #0 and #1 of 1000 ns and #2 of 500 ns, thread 1 has #3 to #5 of 10 ns. Each reads its range
/// in 100 ns. At 130 ns thread 1 takes #2 from thread 0's back: 200 ns to see its range, 200 ns to write it,
/// 500 ns to compute, until 1030. The range is its own now, so #1 costs it nothing (thread 0 would begin it
/// at 1100): until 2030. Both then look once more at the shared word that says that nothing is left, thread
/// 0 in 100 ns, thread 1 in 200 ns.
#[test]
fn a_thief_pays_the_way_to_its_victim() {
    let phase = computing(&[1000.0, 1000.0, 500.0, 10.0, 10.0, 10.0]);
    for policy in ["numa-steal:nearest", "numa-steal:random"] {
        let run = run_on(&machine("socket:2 core:1"), 2, policy, std::slice::from_ref(&phase));
        assert_eq!(accounts(&run), [(200, 1000, 1030, 1, 0), (700, 1530, 0, 5, 2)], "{policy}");
    }
}

/// As before, but thread 1 first reads the counters of both: its own (100 ns) and thread 0's (200 ns),
/// together in flight, so the longest decides: 200 ns. Then the 400 ns at the victim. It has #2 at 730, is
/// done with it at 1230, and after another scan takes #1 for nothing: 1430 to 2430. Both end with a last
/// scan of 200 ns.
#[test]
fn the_most_loaded_is_found_by_a_scan() {
    let phase = computing(&[2000.0, 1000.0, 500.0, 10.0, 10.0, 10.0]);
    let run = run_on(&machine("socket:2 core:1"), 2, "numa-steal:most-loaded", &[phase]);
    assert_eq!(accounts(&run), [(300, 2000, 330, 1, 0), (1100, 1530, 0, 5, 2)]);
}

/// With #0 of 1000 ns thread 0 is back at 1100. Its range is thread 1's by then: 100 ns to read it, 100 ns to write
/// it, and thread 0 executes #1 from 1300 to 2300. Thread 1 saw #1 in its scan from 1230 on. It reads the range in
/// 200 ns from 1430 on, writes it in 200 ns, and finds #1 taken. Its last scan ends at 2030, that of thread 0 at
/// 2500.
#[test]
fn a_thief_may_come_too_late() {
    let phase = computing(&[1000.0, 1000.0, 500.0, 10.0, 10.0, 10.0]);
    let run = run_on(&machine("socket:2 core:1"), 2, "numa-steal:most-loaded", &[phase]);
    assert_eq!(accounts(&run), [(500, 2000, 0, 2, 0), (100 + 600 + 600 + 200, 530, 470, 4, 1)]);
}

/// A core with one line in flight reads the counters one after the other: 300 ns each time. #2 from 830
/// to 1330: by then thread 0 has begun #1 (at 1300), and both give up after a scan, thread 0 at 2600.
#[test]
fn a_scan_is_limited_by_lines_in_flight() {
    let phase = computing(&[1000.0, 1000.0, 500.0, 10.0, 10.0, 10.0]);
    let mut machine = machine("socket:2 core:1");
    machine.core.outstanding = 1.0;
    let run = run_on(&machine, 2, "numa-steal:most-loaded", &[phase]);
    assert_eq!(accounts(&run), [(600, 2000, 0, 2, 0), (100 + 300 + 400 + 300, 530, 970, 4, 1)]);
}

/// Threads 0 and 1 on socket 0, 2 and 3 on socket 1, three iterations each: of 1500, 1000, 1000 and 1 ns,
/// from 100 on. Thread 3 is dry at 103 and prefers the thread on its own socket to those across, although
/// they have as many left: 100 ns to read, 100 ns to write, #8 of thread 2 from 303 to 1303. Thread 2 took
/// its last one at 1300, so it goes across: 400 ns, #2 of thread 0 from 1703 to 3203. The others began their
/// last ones before, so a look at the shared word, 200 ns away, is the end.
#[test]
fn the_nearest_victim_is_on_the_same_socket() {
    let instructions = [[1500.0; 3], [1000.0; 3], [1000.0; 3], [1.0; 3]].concat();
    let run = run_on(&machine("socket:2 core:2"), 4, "numa-steal:nearest", &[computing(&instructions)]);
    let stolen: Vec<_> = run.team.iter().map(|member| member.stolen).collect();
    assert_eq!(stolen, [0, 0, 0, 2]);
    near(run.team[3].compute_ps, (3 + 1000 + 1500) * NS);
    assert_eq!(run.team[3].overhead_ps, (100 + 200 + 400 + 200) * NS);
}
