//! What stealing costs. Two sockets of one core: 100 ns to a line at home, 200 ns to the other.

use crate::builders::{NS, computing, machine, near, run_on};
use numalab_results::Run;

/// Overhead, computing and idle time in nanoseconds, packages and how many of them were stolen.
fn accounts(run: &Run) -> Vec<(u64, u64, u64, u64, u64)> {
    let account = |member: &numalab_results::Member| {
        let times = [member.overhead_ps, member.compute_ps, member.idle_ps].map(|time| time / NS);
        (times[0], times[1], times[2], member.packages, member.stolen)
    };
    run.team.iter().map(account).collect()
}

/// Thread 0 has #0 and #1 of 1000 ns and #2 of 500 ns, thread 1 has #3 to #5 of 10 ns. At 30 ns thread 1
/// takes #2 from thread 0's back: 200 ns to see its range, 500 ns to compute, until 730. There is nothing
/// left by then but #1 (thread 0 begins it at 1000): 200 ns, 1000 ns, until 1930. Both then look once
/// more at the shared word that says so, thread 0 in 100 ns, thread 1 in 200 ns.
#[test]
fn a_thief_pays_the_way_to_its_victim() {
    let phase = computing(&[1000.0, 1000.0, 500.0, 10.0, 10.0, 10.0]);
    for policy in ["numa-steal:nearest", "numa-steal:random"] {
        let run = run_on(&machine("socket:2 core:1"), 2, policy, std::slice::from_ref(&phase));
        assert_eq!(accounts(&run), [(100, 1000, 1030, 1, 0), (600, 1530, 0, 5, 2)], "{policy}");
    }
}

/// As before, but thread 1 reads both counters each time: its own (100 ns) and thread 0's (200 ns),
/// together in flight, so the longest decides: 200 ns. Then the way to the victim, 200 ns. It has #2 at
/// 430, is done with it at 930, and still finds #1: 1330 to 2330. Both end with a last scan of 200 ns.
#[test]
fn the_most_loaded_is_found_by_a_scan() {
    let phase = computing(&[1000.0, 1000.0, 500.0, 10.0, 10.0, 10.0]);
    let run = run_on(&machine("socket:2 core:1"), 2, "numa-steal:most-loaded", &[phase]);
    assert_eq!(accounts(&run), [(200, 1000, 1330, 1, 0), (1000, 1530, 0, 5, 2)]);
}

/// A core with one line in flight reads the counters one after the other: 300 ns each time. #2 from 530
/// to 1030: by then thread 0 has begun #1, and both give up after a scan, thread 0 at 2300.
#[test]
fn a_scan_is_limited_by_lines_in_flight() {
    let phase = computing(&[1000.0, 1000.0, 500.0, 10.0, 10.0, 10.0]);
    let mut machine = machine("socket:2 core:1");
    machine.core.outstanding = 1.0;
    let run = run_on(&machine, 2, "numa-steal:most-loaded", &[phase]);
    assert_eq!(accounts(&run), [(300, 2000, 0, 2, 0), (800, 530, 970, 4, 1)]);
}

/// Threads 0 and 1 on socket 0, 2 and 3 on socket 1, three iterations each: of 1500, 1000, 1000 and 1 ns.
/// Thread 3 is dry at 3 ns and prefers the thread on its own socket to those across, although they have
/// as many left: #8 of thread 2 from 103 to 1103. Thread 2 is in its last one by then, so it goes across:
/// #2 of thread 0 from 1303 to 2803. The others began their last ones at 1500 and 2000, so a look at the
/// shared word, 200 ns away, is the end.
#[test]
fn the_nearest_victim_is_on_the_same_socket() {
    let instructions = [[1500.0; 3], [1000.0; 3], [1000.0; 3], [1.0; 3]].concat();
    let run = run_on(&machine("socket:2 core:2"), 4, "numa-steal:nearest", &[computing(&instructions)]);
    let stolen: Vec<_> = run.team.iter().map(|member| member.stolen).collect();
    assert_eq!(stolen, [0, 0, 0, 2]);
    near(run.team[3].compute_ps, (3 + 1000 + 1500) * NS);
    assert_eq!(run.team[3].overhead_ps, (100 + 200 + 200) * NS);
}
