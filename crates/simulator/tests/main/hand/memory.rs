//! Streams from local memory.

use crate::builders::{MB, MS, looped, machine, near, placed, run_on};
use numalab_base::Bandwidth;
use numalab_machine::{Crowding, LoadedLatency, Machine};
use numalab_simulator::RunOutcome;
use numalab_workload::{Access, Mode, RegionId, Slice, Sparse};

/// 6.4 MB at 10 × 64 B / 100 ns = 6.4 GB/s take 1 ms, all of it waiting.
#[test]
fn littles_law_limits_a_lonely_thread() {
    let bounds = [0, 6_400_000];
    let run = run_on(&machine("core:1"), 1, "static", &[placed(&bounds), looped(Mode::Read, &bounds)]);
    near(run.makespan_ps, MS);
    assert_eq!((run.team[0].compute_ps, run.team[0].stall_ps), (0, run.makespan_ps));
    assert_eq!(run.team[0].time_by_node_ps.get(0), run.makespan_ps);
    assert_eq!((run.bytes_by_level.node, run.bytes_by_level.total()), (6_400_000, 6_400_000));
    // The controller moved 6.4 of its 10 GB/s, all the time.
    let memory = &run.resources[0];
    assert_eq!((memory.name.as_str(), memory.bytes), ("memory of node 0", 6_400_000));
    assert_eq!(memory.busy_ps, run.makespan_ps);
    assert!((memory.peak_utilisation - 0.64).abs() < 1e-9);
}

/// A loop that keeps 5 lines in flight runs at 3.2 GB/s: 2 ms. It cannot keep more than the 10 lines of the core.
#[test]
fn a_loop_may_keep_less_in_flight_than_the_core() {
    let bounds = [0, 6_400_000];
    let timed = |outstanding| {
        let mut phase = looped(Mode::Read, &bounds);
        phase.outstanding = outstanding;
        run_on(&machine("core:1"), 1, "static", &[placed(&bounds), phase]).makespan_ps
    };
    near(timed(Some(5.0)), 2 * MS);
    near(timed(Some(50.0)), MS);
}

/// Law: Lines in random order have a bandwidth of their own.
///
/// Lines in random order have 4 of the 10 GB/s, and streams the rest. Two threads that gather get 2 GB/s each, two
/// that stream beside them 3 GB/s each: 2 ms for 4 MB and 6 MB each. Four threads that stream get 2.5 GB/s each: 2.5
/// MB each in 1 ms. Two threads that gather alone are no faster.
#[test]
fn lines_in_random_order_have_a_bandwidth_of_their_own() {
    let mut machine = machine("core:4");
    machine.memory.random_bandwidth = Some(Bandwidth(4e9));
    let size = 1_000 * MB;
    let run = |gathered: [u64; 4], streamed: &[u64]| {
        let gather = Slice::Sparse(Sparse::new([(0, size); 4].into(), gathered, true));
        let mut phase = looped(Mode::Read, streamed);
        phase.accesses.insert(0, Access::new(RegionId(0), gather, Mode::Read));
        run_on(&machine, 4, "static", &[phase])
    };
    // Slices may differ by a byte at the end.
    let near = |run: &RunOutcome, expected: u64| {
        let off = run.makespan_ps.abs_diff(expected);
        assert!(off * 1000 < expected, "{} instead of {expected}", run.makespan_ps);
    };
    near(&run([4 * MB, 4 * MB, 0, 0], &[0, 0, 0, 6 * MB, 12 * MB]), 2 * MS);
    near(&run([4 * MB, 4 * MB, 0, 0], &[0, 0, 0, 0, 0]), 2 * MS);
    near(&run([0; 4], &[0, 2_500_000, 5 * MB, 7_500_000, 10 * MB]), MS);
    let both = run([4 * MB, 4 * MB, 0, 0], &[0, 0, 0, 6 * MB, 12 * MB]);
    let bytes: Vec<u64> = both.resources.iter().map(|resource| resource.bytes).collect();
    assert_eq!(bytes, [20 * MB, 8 * MB], "all of them, and the random ones");
}

/// Loads keep 10 lines in flight, stores 5: 6.4 MB are read in 1 ms, and written in 2 ms. A loop that reads 3.2 MB
/// and writes 3.2 MB takes 0.5 + 1 ms. The load of an update has fetched the line before its store, so the memory decides:
/// 12.8 MB in 1.28 ms.
#[test]
fn stores_may_keep_less_in_flight() {
    let mut machine = machine("core:1");
    machine.core.store_outstanding = Some(5.0);
    let bounds = [0, 6_400_000];
    let run = |phase| run_on(&machine, 1, "static", &[placed(&bounds), phase]).makespan_ps;
    near(run(looped(Mode::Read, &bounds)), MS);
    near(run(looped(Mode::Write, &bounds)), 2 * MS);
    near(run(looped(Mode::Update, &bounds)), MS * 128 / 100);
    let mut both = looped(Mode::Read, &[0, 3_200_000]);
    both.accesses.extend(looped(Mode::Write, &[3_200_000, 6_400_000]).accesses);
    near(run(both), 3 * MS / 2);
}

/// The core copies at most 1.6 GB/s, at any latency: 4 ms.
#[test]
fn the_core_limits_its_copies() {
    let mut machine = machine("core:1");
    machine.core.copy_bandwidth = Some(Bandwidth(1.6e9));
    let bounds = [0, 6_400_000];
    let run = run_on(&machine, 1, "static", &[placed(&bounds), looped(Mode::Read, &bounds)]);
    near(run.makespan_ps, 4 * MS);
}

/// Two threads could take 12.8 of 10 GB/s, so each gets 5. After 1 ms the first has its 5 MB and waits
/// at the barrier; the second has 6.4 of its 11.4 MB to go, alone at 6.4 GB/s: 1 ms more.
#[test]
fn two_threads_share_a_controller_until_one_ends() {
    let bounds = [0, 5 * MB, 16_400_000];
    let run = run_on(&machine("core:2"), 2, "static", &[placed(&bounds), looped(Mode::Read, &bounds)]);
    near(run.makespan_ps, 2 * MS);
    near(run.team[0].stall_ps, MS);
    near(run.team[0].idle_ps, MS);
    assert_eq!(run.team[1].idle_ps, 0);
    assert_eq!(run.resources[0].peak_utilisation, 1.0);
    // One thread alone would need 16.4 MB / 6.4 GB/s = 2.5625 ms; the two worked 1 + 2 ms.
    near(run.ideal_work_ps, 2_562_500_000);
    near(run.memory_penalty_ps as u64, 437_500_000);
}

/// A plain store moves every byte twice (the line comes in and goes out), a streaming store once: of
/// 10 GB/s each of two threads gets 2.5 or 5 GB/s. 5 MB each take 2 ms or 1 ms. An update is a plain
/// store.
#[test]
fn plain_stores_move_twice_what_streaming_stores_do() {
    let bounds = [0, 5 * MB, 10 * MB];
    let run = |mode| run_on(&machine("core:2"), 2, "static", &[placed(&bounds), looped(mode, &bounds)]);
    for (mode, took, moved) in
        [(Mode::Write, 2 * MS, 20 * MB), (Mode::Update, 2 * MS, 20 * MB), (Mode::StreamingWrite, MS, 10 * MB)]
    {
        let run = run(mode);
        near(run.makespan_ps, took);
        assert_eq!((run.resources[0].bytes, run.bytes_by_level.total()), (moved, 10 * MB));
    }
}

/// Law: Memory channels that switch between reads and writes move less, and lines wait for it.
///
/// A written byte takes the channels 1.5 times as long as a read byte. Two threads that update get 10 / 2.5 = 4 GB/s
/// of fetches, 2 GB/s each: 5 MB take 2.5 ms. Streaming stores get 10 / 1.5, 3.33 GB/s each: 1.5 ms; reads get 5 GB/s
/// each: 1 ms. The memory's bytes are counted as moved, and the channels' time separately.
#[test]
fn a_channel_turns_round_between_reads_and_writes() {
    let mut machine = machine("core:2");
    machine.memory.write_cost = Some(1.5);
    let bounds = [0, 5 * MB, 10 * MB];
    let run = |mode| run_on(&machine, 2, "static", &[placed(&bounds), looped(mode, &bounds)]);
    for (mode, took, moved) in [
        (Mode::Update, 5 * MS / 2, [20 * MB, 25 * MB]),
        (Mode::StreamingWrite, 3 * MS / 2, [10 * MB, 15 * MB]),
        (Mode::Read, MS, [10 * MB, 10 * MB]),
    ] {
        let run = run(mode);
        near(run.makespan_ps, took);
        let bytes: Vec<u64> = run.resources.iter().map(|resource| resource.bytes).collect();
        assert!(bytes.iter().zip(moved).all(|(bytes, moved)| bytes.abs_diff(moved) <= 1), "{bytes:?}");
    }
}

/// Law: Memory channels that switch between reads and writes move less, and lines wait for it.
///
/// As `lines_wait_longer_at_a_loaded_memory`: a line takes 200 ns × 2/3 u, where u is the part of the channels' time
/// in use. Each of three threads that update keeps 10 lines in flight and fetches 4.8 / u GB/s, and each byte takes
/// 1 + 1.5 of the channels' time: 3 x 2.5 x 4.8 / u = 40 u, u = √0.9. A thread fetches 5.059644 GB/s: 3.2 MB in
/// 0.632456 ms.
#[test]
fn turning_round_makes_lines_wait() {
    let mut machine = machine("core:3");
    machine.memory.bandwidth = Bandwidth(40e9);
    machine.memory.write_cost = Some(1.5);
    machine.memory.loaded_latency = LoadedLatency(vec![(0.5, 1.0), (1.0, 2.0)]);
    let bounds = [0, 3_200_000, 6_400_000, 9_600_000];
    let run = run_on(&machine, 3, "static", &[placed(&bounds), looped(Mode::Update, &bounds)]);
    near(run.makespan_ps, 632_455_532);
}

/// Law: Lines wait longer, the larger the part of a memory's time that goes to writes.
///
/// As `turning_round_makes_lines_wait`, but with as many bytes written as read, a line takes three times as long at a
/// full memory: 100 ns x (4 x 2/3 u - 1). Each thread fetches 6.4 / (8/3 u - 1) GB/s: 3 x 2.5 x 6.4 / (8/3 u - 1) =
/// 40 u, u = (3 + √124.2) / 16. A thread fetches 4.714835 GB/s: 3.2 MB in 0.678709 ms. Threads that only read wait
/// for two thirds of the load: 3 x 4.8 / u = 16 u for channels of 16 GB/s.
#[test]
fn reads_wait_behind_batches_of_writes() {
    let mut machine = machine("core:3");
    machine.memory.bandwidth = Bandwidth(40e9);
    machine.memory.write_cost = Some(1.5);
    machine.memory.loaded_latency = LoadedLatency(vec![(0.5, 1.0), (1.0, 2.0)]);
    machine.memory.mixed_latency = LoadedLatency(vec![(0.5, 1.0), (1.0, 3.0)]);
    let bounds = [0, 3_200_000, 6_400_000, 9_600_000];
    let run =
        |machine: &Machine, mode| run_on(machine, 3, "static", &[placed(&bounds), looped(mode, &bounds)]);
    near(run(&machine, Mode::Update).makespan_ps, 678_708_781);
    machine.memory.bandwidth = Bandwidth(16e9);
    near(run(&machine, Mode::Read).makespan_ps, 632_455_532);
}

/// Reads have 4 of the 10 GB/s, writes 2. Two threads with 5 MB each read at 2 GB/s (2.5 ms), stream stores at 1 GB/s
/// (5 ms), and store plainly at 1 GB/s, too, since the write direction limits them.
#[test]
fn reads_and_writes_have_lanes_of_their_own() {
    let mut machine = machine("core:2");
    machine.memory.read_bandwidth = Some(Bandwidth(4e9));
    machine.memory.write_bandwidth = Some(Bandwidth(2e9));
    let bounds = [0, 5 * MB, 10 * MB];
    for (mode, took, names) in [
        (Mode::Read, 5 * MS / 2, vec!["memory of node 0", "memory of node 0 (reads)"]),
        (Mode::StreamingWrite, 5 * MS, vec!["memory of node 0", "memory of node 0 (writes)"]),
        (
            Mode::Write,
            5 * MS,
            vec!["memory of node 0", "memory of node 0 (reads)", "memory of node 0 (writes)"],
        ),
    ] {
        let run = run_on(&machine, 2, "static", &[placed(&bounds), looped(mode, &bounds)]);
        near(run.makespan_ps, took);
        assert_eq!(run.resources.iter().map(|resource| resource.name.as_str()).collect::<Vec<_>>(), names);
    }
}

/// With 20 lines outstanding half of the capacity is left: 2.5 GB/s for each of two threads, which read 5 and 7.5 MB.
/// After 2 ms the first thread ends, and the second continues at 6.4 GB/s (10 lines cause no crowding): 2.5 MB in
/// 390.625 us.
#[test]
fn crowding_costs_capacity() {
    let mut machine = machine("core:2");
    machine.memory.crowding = Crowding(vec![(10.0, 1.0), (20.0, 0.5)]);
    let bounds = [0, 5 * MB, 12_500_000];
    let run = run_on(&machine, 2, "static", &[placed(&bounds), looped(Mode::Read, &bounds)]);
    near(run.makespan_ps, 2 * MS + 390_625_000);
}

/// Law: A loaded resource delivers what its flows move while they wait as long as that load makes them.
///
/// Lines of a memory of 16 GB/s take 100 ns while others use at most half of the bandwidth. Above this they take 200
/// ns × the part in use by others, twice as long at a full memory. One thread has 6.4 GB/s: 3.2 MB in 0.5 ms. Each of
/// two threads meets the other's 0.4 of the bandwidth: also 0.5 ms. Each of three threads meets two thirds of the
/// load u: 3 × 640 / (133.3 u) = 16 u, u = √0.9, 5.059644 GB/s each, 0.632456 ms. Four threads would get 1.03 of the
/// bandwidth: the memory is full, 4 GB/s each, 0.8 ms.
#[test]
fn lines_wait_longer_at_a_loaded_memory() {
    let mut machine = machine("core:4");
    machine.memory.bandwidth = Bandwidth(16e9);
    machine.memory.loaded_latency = LoadedLatency(vec![(0.5, 1.0), (1.0, 2.0)]);
    let timed = |threads: u64| {
        let bounds: Vec<u64> = (0..=threads).map(|thread| thread * 3_200_000).collect();
        run_on(&machine, threads as u32, "static", &[placed(&bounds), looped(Mode::Read, &bounds)])
    };
    near(timed(1).makespan_ps, 500_000_000);
    near(timed(2).makespan_ps, 500_000_000);
    near(timed(3).makespan_ps, 632_455_532);
    assert!((timed(3).resources[0].peak_utilisation - 0.9f64.sqrt()).abs() < 1e-9);
    near(timed(4).makespan_ps, 800_000_000);
}
