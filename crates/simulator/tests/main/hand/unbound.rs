//! Unbound threads on processors that they share: the system moves them.

use crate::builders::{MB, MS, US, add_cache, computing, looped, machine, near, setup, workload};
use numalab_base::Span;
use numalab_machine::{Fabric, Machine};
use numalab_runtime::Profile;
use numalab_simulator::{RunOutcome, Team, prepare};
use numalab_workload::{Mode, Phase, Schedule};

/// Three threads, of which the first and the last start on processor 0 and the second on processor 1.
fn three(machine: &Machine, bound: bool, phases: &[Phase]) -> RunOutcome {
    let fabric = Fabric::new(machine).expect("a sound machine");
    let team = Team::on(&fabric, [0, 1, 0]);
    let team = if bound { team } else { team.unbound([0, 1]) };
    let mut workload = workload(phases);
    workload.regions[0].placement = "bind:0".parse().expect("a placement");
    let runtime = Profile::free();
    let setup = setup((machine, &fabric), (&workload, &runtime), &team);
    prepare(&setup, &()).unwrap().run(Schedule::Static { chunk: None }, &()).expect("it fits")
}

fn moved(run: &RunOutcome) -> u64 {
    run.phases.iter().map(|phase| phase.threads_moved).sum()
}

/// Law: An idle processor takes a waiting thread, nearby first, and no thread waits while a processor is idle.
///
/// Each of three threads computes for 1 ms. After 1 ms the second thread has finished, and the two threads that share
/// a processor have half of their work left. The second thread's processor takes one of them, after 2 us: they end at
/// 1.5 ms and 1.502 ms. Bound, both take 2 ms.
#[test]
fn an_idle_processor_takes_who_waits() {
    let phases = [computing(&[1e6; 3])];
    let (unbound, bound) =
        (three(&machine("core:2"), false, &phases), three(&machine("core:2"), true, &phases));
    near(unbound.makespan_ps, MS + 2 * US + MS / 2);
    assert_eq!((bound.makespan_ps, moved(&unbound), moved(&bound)), (2 * MS, 1, 0));
    // The computing is as without moves; the context switch is overhead of the system.
    let times = |run: &RunOutcome| -> Vec<(u64, u64)> {
        run.team.iter().map(|member| (member.compute_ps / US, member.overhead_ps / US)).collect()
    };
    assert_eq!(times(&unbound), [(1500, 0), (1000, 0), (1500, 2)]);
    near(unbound.ideal_work_ps, 3 * MS);
}

/// Threads of `an_idle_processor_takes_who_waits` that compute for 10 us, so that a loop takes 17 us. Of the two
/// threads on one processor, the one that stays ends after 15 us, and its processor is idle for 2 us. After six such
/// short idle times a processor looks for threads no more: its mean idle time is then 2 + 998 x (7/8)^6 = 450 us,
/// less than the cost of a move, 500 us.
///
/// Threads wake up in the order of their numbers. In loop 1 threads 0 and 2 share processor 0. Thread 1's processor
/// takes thread 2; at the barrier thread 0 wakes up where it was, and thread 1 finds thread 2 on its processor: in
/// loop 2 threads 1 and 2 share processor 1. Now thread 0's processor takes thread 1. Thread 0 finds its processor
/// busy and goes to processor 1, where thread 2 finds it: in loop 3 threads 0 and 2 share processor 1, as they shared
/// processor 0 in loop 1. After four loops all threads are where they started, processors were idle in the order 0,
/// 1, 1, 0 and looked in the order 1, 0, 0, 1, and there were 6 moves. Before loop 12 the processors were idle 5 and
/// 6 times, and processor 1 looks no more: 11 loops take 17 us and all others 20 us, with 2 x 6 + 4 moves.
#[test]
fn a_processor_that_is_never_idle_for_long_does_not_look() {
    let mut machine = machine("core:2");
    // No processor looks at intervals.
    machine.os.balance_interval = Span(1_000 * MS);
    let phase = Phase { repeat: 20, ..computing(&[1e4; 3]) };
    let run = three(&machine, false, &[phase]);
    assert_eq!(moved(&run), 16);
    assert!(run.makespan_ps.abs_diff((11 * 17 + 9 * 20) * US) < 100, "{}", run.makespan_ps);
}

/// Law: A moved thread leaves its caches and pages behind, and does all of its work.
///
/// The first and the last thread read 6.4 MB each on node 0. The second thread has no work, and its processor takes
/// the last thread at once. The first thread has its core to itself: 1 ms. The last thread reads its pages over a
/// link of 2 GB/s: 3.2 ms, after 2 us. Bound, both threads would share a core and read 3.2 GB/s each: 2 ms.
#[test]
fn who_is_moved_leaves_its_pages_behind() {
    let machine = machine("socket:2 core:1");
    let phases = [looped(Mode::Read, &[0, 6_400_000, 6_400_000, 12_800_000])];
    let run = three(&machine, false, &phases);
    near(run.makespan_ps, 2 * US + 3_200 * US);
    assert_eq!((moved(&run), run.phases[0].remote_bytes), (1, 6_400_000));
    near(three(&machine, true, &phases).makespan_ps, 2 * MS);
}

/// Law: A moved thread leaves its caches and pages behind, and does all of its work.
///
/// The last thread reads 640 kB, which fit in a core's cache, in four phases. In the first phase no thread waits, and
/// the bytes come into the cache of core 0. Then the first thread computes on core 0, and the second thread's core
/// takes the last thread in the middle of a read from that cache. In the third phase the last thread begins on core
/// 1, whose cache has none of the bytes; in the fourth phase all bytes are there.
#[test]
fn who_is_moved_leaves_its_caches_behind() {
    let mut machine = machine("core:2");
    add_cache(&mut machine, 1 << 20, 1, 10, 32e9);
    let phase = |name: &str, instructions: [f64; 3]| Phase {
        name: name.to_owned(),
        instructions: instructions.into(),
        ..looped(Mode::Read, &[0, 0, 0, 640_000])
    };
    let phases = [[0.0, 1e6, 0.0], [1e6, 0.0, 0.0], [1e6, 0.0, 0.0], [1e6, 0.0, 0.0]];
    let phases: Vec<Phase> = ["first", "moved", "cold", "warm"]
        .into_iter()
        .zip(phases)
        .map(|(name, all)| phase(name, all))
        .collect();
    let run = three(&machine, false, &phases);
    let seen: Vec<(u64, u64)> =
        run.phases.iter().map(|phase| (phase.threads_moved, phase.cached_bytes)).collect();
    assert_eq!(seen, [(0, 0), (1, 640_000), (0, 0), (0, 640_000)]);
}

/// Law: A flow is stopped at the byte that it has reached.
///
/// The first and the last thread share a core and read 6.4 MB and 12.8 MB at 3.2 GB/s each; the second thread
/// computes for 1 ms on the other core. Then 3.2 MB and 9.6 MB are left, and the second thread's core takes the last
/// thread. With memory of unlimited bandwidth each would now read at 6.4 GB/s and end at 1 ms + 0.5 ms and 1 ms + 2
/// us + 1.5 ms. One memory of 10 GB/s gives them 5 GB/s each while both read: the first reads its 3.2 MB in 0.64 ms,
/// less what it gains in the 2 us in which it is alone at 6.4 GB/s.
#[test]
fn a_stream_is_cut_where_it_is() {
    let mut phase = looped(Mode::Read, &[0, 6_400_000, 6_400_000, 19_200_000]);
    phase.instructions = [0.0, 1e6, 0.0].into();
    let run = three(&machine("core:2"), false, &[phase]);
    // The first: 2 us at 6.4 GB/s are 12.8 kB, then 3.1872 MB at 5 GB/s are 637.44 us. Then 9.6 MB - 3.1872 MB at 6.4 GB/s: 1002 us.
    let last = MS + 2 * US + 637_440_000 + (9_600_000 - 3_187_200) * 1_000 * 10 / 64;
    assert!(run.makespan_ps.abs_diff(last) < 1_000, "{} instead of {last}", run.makespan_ps);
    assert_eq!((moved(&run), run.phases[0].bytes), (1, 19_200_000));
    assert_eq!(run.team[2].bytes_by_node.iter().map(|entry| entry.1).sum::<u64>(), 12_800_000);
}

/// Law: A thread with a processor of its own is not moved.
///
/// If each thread has a processor of its own, no thread moves: the run equals that of bound threads on the same
/// processors.
#[test]
fn who_has_a_processor_stays() {
    let machine = machine("socket:2 core:2");
    let fabric = Fabric::new(&machine).unwrap();
    let phases = [looped(Mode::Write, &[0, MB, 3 * MB, 4 * MB]), computing(&[3e3, 1e3, 2e3])];
    let workload = workload(&phases);
    let runtime = Profile::default();
    let on = |team: Team| {
        let setup = setup((&machine, &fabric), (&workload, &runtime), &team);
        prepare(&setup, &()).unwrap().run(Schedule::Static { chunk: None }, &())
    };
    let bound = Team::on(&fabric, [0, 2, 1]);
    let unbound = bound.clone().unbound(0..4);
    assert_eq!(unbound.unbound, None);
    assert_eq!(on(bound), on(unbound));
}
