//! Accesses of one loop that differ in the lines that they keep in flight, or in what is computed on each byte.

use crate::builders::{MB, MS, US, add_cache, looped, machine, near, placed, run_on};
use numalab_machine::LoadedLatency;
use numalab_workload::{Access, Demand, Mode, Phase, RegionId, Slice, Sparse};

const CHASE: Demand = Demand { outstanding: Some(1.0), instructions_per_byte: None };

/// A loop of reads, each of which has its own bytes for every iteration and its own demand.
fn reads(parts: &[(&[u64], Demand)]) -> Phase {
    let access = |(bounds, demand): &(&[u64], Demand)| Access {
        demand: *demand,
        ..Access::new(RegionId(0), Slice::Partition((*bounds).into()), Mode::Read)
    };
    Phase { accesses: parts.iter().map(access).collect(), ..looped(Mode::Read, parts[0].0) }
}

/// Law: Accesses of one loop can differ in their lines in flight.
///
/// 640 kB with one line in flight, 0.64 GB/s, take 1 ms. 6.4 MB with ten lines, 6.4 GB/s, take another 1 ms, since
/// the two are separate streams, one after the other. With 1 instruction a byte, 1 GB/s, the 6.4 MB take 6.4 ms.
#[test]
fn what_differs_is_a_stream_of_its_own() {
    let bounds = [0, 6_400_000];
    for (instructions_per_byte, streamed) in [(None, MS), (Some(1.0), 6_400 * US)] {
        let own = Demand { outstanding: None, instructions_per_byte };
        let phase = reads(&[(&[0, 640_000], CHASE), (&bounds, own)]);
        let run = run_on(&machine("core:1"), 1, "static", &[placed(&bounds), phase]);
        near(run.makespan_ps, MS + streamed);
        near(run.team[0].compute_ps, if instructions_per_byte.is_some() { streamed } else { 0 });
    }
}

/// Prefetchers fetch 4 lines ahead of each sequence: 4 lines for an access with a demand of its own, and 8 for two
/// accesses that share the loop's demand. That is 2.56 and 5.12 GB/s, for 2.56 MB each.
#[test]
fn prefetchers_look_ahead_in_the_sequences_of_one_demand() {
    let mut machine = machine("core:1");
    machine.core.stream_outstanding = Some(4.0);
    let part = |at: u64| [at * 2_560_000, (at + 1) * 2_560_000];
    let own = Demand { outstanding: Some(10.0), instructions_per_byte: None };
    let ours = Demand::default();
    let run = |third: Demand| {
        let phase = reads(&[(&part(0), ours), (&part(1), ours), (&part(2), third)]);
        run_on(&machine, 1, "static", &[placed(&[0, 7_680_000]), phase]).makespan_ps
    };
    near(run(own), MS + MS);
    // All three together have 10 lines, as many as the core.
    near(run(ours), 1_200 * US);
}

/// A pointer chase through data in a cache 40 ns away takes 40 ns for 64 bytes, 400 us for 640 kB. The same read
/// under the loop's demand runs at the cache's 32 GB/s, in 20 us.
#[test]
fn a_chase_sees_the_latency_of_a_cache() {
    let mut machine = machine("core:1");
    add_cache(&mut machine, 1 << 20, 1, 40, 32e9);
    let bounds = [0, 640_000];
    for (demand, took) in [(CHASE, 400 * US), (Demand::default(), 20 * US)] {
        let run = run_on(&machine, 1, "static", &[placed(&bounds), reads(&[(&bounds, demand)])]);
        near(run.makespan_ps, took);
    }
}

/// Law: Accesses of one loop can differ in their lines in flight.
///
/// Three threads read at a pace of 1 instruction for 2 bytes, 2 GB/s each, and a fourth thread follows a chain of
/// pointers. The readers use 6.0 of 10 GB/s, the chain 64 bytes in each latency, which is 100 ns times a factor `f`.
/// The factor is 1 up to half of the bandwidth in use by others, and rises from there by 2 times the use. The load
/// that the chain meets is the readers' 6 GB/s of the demand of 6.64 GB/s: f = 1 + 2 ((0.6 + 0.064 / f) 6 / 6.64 -
/// 0.5), f² - 1.0843 f = 0.11566, f = 1.1822. The chain's 10 000 lines take 1.1822 ms; the streams last longer.
#[test]
fn a_chase_beside_streams_in_one_loop_waits_longer() {
    let mut machine = machine("core:4");
    machine.memory.loaded_latency = LoadedLatency(vec![(0.5, 1.0), (1.0, 2.0)]);
    let slow = Demand { outstanding: None, instructions_per_byte: Some(0.5) };
    let chain = [0, 640_000, 640_000, 640_000, 640_000];
    let streams = [640_000, 640_000, 5 * MB, 10 * MB, 15 * MB];
    let run = run_on(
        &machine,
        4,
        "static",
        &[placed(&[0, 4 * MB, 8 * MB, 12 * MB, 15 * MB]), reads(&[(&chain, CHASE), (&streams, slow)])],
    );
    let (first, last) = (7.2 / 6.64_f64, 0.768 / 6.64);
    let (actual, expected) =
        (run.team[0].stall_ps as f64, (first + (first * first + 4.0 * last).sqrt()) / 2.0 * 1e9);
    assert!((actual / expected - 1.0).abs() < 1e-6, "{actual} instead of {expected}");
}

/// Loop that reads `bytes` in random order beside a stream of as many bytes, with half an instruction for each byte;
/// before it, a phase that places the pages.
fn gather_beside_stream(bytes: u64) -> [Phase; 2] {
    let random = Slice::Sparse(Sparse::new([(0, bytes)].into(), [bytes], true));
    let stream = Slice::Partition([bytes, 2 * bytes].into());
    let accesses = [random, stream].map(|slice| Access::new(RegionId(0), slice, Mode::Read)).to_vec();
    let phase =
        Phase { accesses, instructions_per_byte: 0.5, overlap: 1.0, ..looped(Mode::Read, &[0, bytes]) };
    [placed(&[0, 2 * bytes]), phase]
}

/// Law: Random lines in flight are limited by the core's window and its buffers.
///
/// Computing takes 0.64 ms for each of 1.28 MB in random order and 1.28 MB of a stream; the stream itself takes no
/// longer. From one random line to the next there are 64 bytes of either kind, 64 instructions. A window of 128
/// instructions holds two random lines: 1.28 GB/s, 1 ms. A window of 32 instructions holds only the line that the
/// core waits for: 2 ms. A window of 1280 instructions allows as many lines as the core, 6.4 GB/s. Four buffers for
/// random lines allow 2.56 GB/s: 0.5 ms, less than computing. Of 16 buffers the core uses ten.
#[test]
fn no_more_random_lines_than_the_window_and_its_buffers() {
    let (alone, computing) = (|gather: u64| gather + 640 * US, 640 * US);
    for (window, buffers, took) in [
        (Some(128.0), None, alone(MS)),
        (Some(32.0), None, alone(2 * MS)),
        (Some(1280.0), None, alone(computing)),
        (Some(128.0), Some(1.0), alone(2 * MS)),
        (None, Some(2.0), alone(MS)),
        (None, Some(4.0), alone(computing)),
        (None, Some(16.0), alone(computing)),
    ] {
        let mut machine = machine("core:1");
        (machine.core.window, machine.core.random_outstanding) = (window, buffers);
        let run = run_on(&machine, 1, "static", &gather_beside_stream(1_280_000));
        near(run.makespan_ps, took);
    }
}

/// A cache 40 ns away holds all data and delivers 32 GB/s, so a loop takes at least its computing: 0.16 ms for each
/// 320 kB. Random lines take 0.1 ms with two in flight, 3.2 GB/s, and 0.2 ms with one.
#[test]
fn random_lines_wait_for_a_cache_too() {
    for (buffers, took) in [(None, 320 * US), (Some(2.0), 320 * US), (Some(1.0), 360 * US)] {
        let mut machine = machine("core:1");
        add_cache(&mut machine, 1 << 20, 1, 40, 32e9);
        machine.core.random_outstanding = buffers;
        near(run_on(&machine, 1, "static", &gather_beside_stream(320_000)).makespan_ps, took);
    }
}

/// Law: Computing overlaps with random lines from a cache, and a cache can have fewer of them in flight.
///
/// A cache 40 ns away, and 64 bytes of either kind from one random line to the next: 32 instructions, 32 ns.
/// Computing takes 160 us for the 5000 random lines. With one line in flight, 8 ns of each line's wait remain if all
/// instructions overlap with it: 40 us more. If half of them overlap, 24 ns remain: 120 us more. With two lines in
/// flight each takes 20 ns: nothing remains beside all instructions, and 4 ns beside half of them. Without the loop's
/// own overlap the stream's 10 us, at 32 GB/s, are added. If the loop states one line in flight, only its own overlap
/// counts: without it, the 200 us of the random lines are added, too.
#[test]
fn computing_passes_while_a_cache_delivers_random_lines() {
    for (window, part, outstanding, overlap, took) in [
        (32.0, 1.0, None, 1.0, 200 * US),
        (32.0, 1.0, None, 0.0, 210 * US),
        (32.0, 0.5, None, 1.0, 280 * US),
        (64.0, 1.0, None, 1.0, 160 * US),
        (64.0, 0.5, None, 0.0, 190 * US),
        (64.0, 1.0, Some(1.0), 0.0, 370 * US),
    ] {
        let mut machine = machine("core:1");
        add_cache(&mut machine, 1 << 20, 1, 40, 32e9);
        (machine.core.window, machine.core.random_overlap) = (Some(window), Some(part));
        let mut phases = gather_beside_stream(320_000);
        (phases[1].instructions_per_byte, phases[1].overlap) = (0.25, overlap);
        phases[1].accesses[0].demand.outstanding = outstanding;
        near(run_on(&machine, 1, "static", &phases).makespan_ps, took);
    }
}

/// Law: Computing overlaps with random lines from a cache, and a cache can have fewer of them in flight.
///
/// Lines in random order, 320 kB in a cache 40 ns away, one at a time, take 200 us. A stream of as many bytes from
/// memory waits for 50 us. The fraction `part` of this wait hides waits for random lines, but not more than there
/// are: beside a stream eight times as long, which waits for 400 us, all 200 us are hidden.
#[test]
fn caches_deliver_random_lines_while_streams_are_waited_for() {
    for (part, streamed, took) in [
        (None, 320_000, 250 * US),
        (Some(0.0), 320_000, 250 * US),
        (Some(0.5), 320_000, 225 * US),
        (Some(1.0), 320_000, 200 * US),
        (Some(1.0), 2_560_000, 400 * US),
    ] {
        let mut machine = machine("core:1");
        add_cache(&mut machine, 1 << 20, 1, 40, 1e15);
        (machine.core.random_outstanding, machine.core.random_beside_streams) = (Some(1.0), part);
        // The bytes written last are in the cache; those of the stream are not any more.
        let at = streamed + (1 << 20);
        let random = Slice::Sparse(Sparse::new([(at, at + 320_000)].into(), [320_000], true));
        let stream = Slice::Partition([0, streamed].into());
        let accesses = [random, stream].map(|slice| Access::new(RegionId(0), slice, Mode::Read)).to_vec();
        let phase = Phase { accesses, overlap: 0.0, ..looped(Mode::Read, &[0, 320_000]) };
        near(run_on(&machine, 1, "static", &[placed(&[0, at + 320_000]), phase]).makespan_ps, took);
    }
}

/// Law: Computing overlaps with random lines from a cache, and a cache can have fewer of them in flight.
///
/// Of ten lines that a core keeps in flight, a cache 40 ns away allows two: 5000 lines take 0.1 ms, less than the 160
/// us of computing on them. If the cache allows one line, they take 0.2 ms, 40 us more. The limit does not apply to
/// the stream, which adds 160 us of computing.
#[test]
fn a_cache_has_fewer_random_lines_in_flight() {
    for (lines, took) in [(None, 320 * US), (Some(2.0), 320 * US), (Some(1.0), 360 * US)] {
        let mut machine = machine("core:1");
        add_cache(&mut machine, 1 << 20, 1, 40, 32e9);
        machine.caches[0].random_outstanding = lines;
        near(run_on(&machine, 1, "static", &gather_beside_stream(320_000)).makespan_ps, took);
    }
}

/// Threads of one core share its window and its buffers: two lines in flight are one for each of two threads.
#[test]
fn threads_of_a_core_share_its_window() {
    let mut machine = machine("core:1");
    machine.core.threads = 2;
    machine.core.window = Some(256.0);
    let mut phases = gather_beside_stream(640_000);
    // Both gather from the same bytes, and stream their own.
    let random = Slice::Sparse(Sparse::new([(0, 640_000); 2].into(), [640_000; 2], true));
    phases[1].iterations = 2;
    phases[1].accesses[0].slice = random;
    phases[1].accesses[1].slice = Slice::Partition([0, 640_000, 1_280_000].into());
    phases[1].instructions_per_byte = 1.0;
    // From line to line 128 instructions: 2 lines for the core, 1 for each thread, 0.64 GB/s: 1 ms. Computing on 640
    // kB takes 1.28 ms at half of the core's speed.
    phases[1].overlap = 0.0;
    let run = run_on(&machine, 2, "static", &phases);
    // Random lines wait for 1 ms and the stream for 0.2 ms; computing takes 1.28 ms for each of the two.
    near(run.makespan_ps, 1_000 * US + 200 * US + 2 * 1_280 * US);
}

/// Law: Random lines in flight are limited by the core's window and its buffers.
///
/// A cache of 640 kB, and draws from a window of the same size; for each drawn byte a byte of a stream passes. The
/// cache holds the bytes used during the last t windows of draws: 1 - exp(-t) + t = 1, t = 0.567, which is 1 -
/// exp(-0.567) = 0.433 of the window. In 64 windows of draws, 63 touch bytes again: 0.433 of these bytes come from
/// the cache. Without computing, each line from the cache takes 40 ns, 640 kB in 0.4 ms, and each line from memory
/// 100 ns, 1 ms. Memory delivers the stream at 6.4 GB/s, 0.1 ms for each 640 kB.
#[test]
fn what_streams_drives_random_lines_out() {
    const WINDOW: u64 = 640_000;
    let mut machine = machine("core:1");
    add_cache(&mut machine, WINDOW, 1, 40, 1e15);
    machine.core.random_outstanding = Some(1.0);
    let drawn = 64 * WINDOW;
    let run = |streamed: u64| {
        let random = Slice::Sparse(Sparse::new([(0, WINDOW)].into(), [drawn], true));
        let stream = Slice::Partition([WINDOW, WINDOW + streamed].into());
        let accesses = [random, stream].map(|slice| Access::new(RegionId(0), slice, Mode::Read)).to_vec();
        let phase = Phase { accesses, overlap: 0.0, ..looped(Mode::Read, &[0, WINDOW]) };
        run_on(&machine, 1, "static", &[placed(&[0, WINDOW + streamed]), phase]).makespan_ps as f64
    };
    let near = |took: f64, expected: f64| {
        assert!((took / expected - 1.0).abs() < 0.02, "{took} instead of {expected}");
    };
    let (cached, fetched) = (0.4e9, 1e9);
    near(run(drawn), 63.0 * (0.433 * cached + 0.567 * fetched) + fetched + 64.0 * 0.1e9);
    near(run(0), 64.0 * cached);
}
