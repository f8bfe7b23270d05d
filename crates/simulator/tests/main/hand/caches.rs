//! Data that a core's own caches hold. Memory gives a thread 6.4 GB/s; a cache 10 ns away would give
//! 10 × 64 B / 10 ns = 64 GB/s, but carries 32 GB/s.

use crate::builders::{MS, US, add_cache, looped, machine, near, run_on};
use numalab_machine::Machine;
use numalab_simulator::RunOutcome;
use numalab_workload::{Access, Mode, Phase, RegionId, Slice};

const KB: u64 = 1_000;
const CACHE: u64 = 1 << 20;

/// A core with one cache of 1 MiB.
fn cached() -> Machine {
    let mut machine = machine("core:1");
    add_cache(&mut machine, CACHE, 1, 10, 32e9);
    machine
}

/// One thread reads the same `bytes`, `repeat` times in all. `change` edits the phase.
fn again(machine: &Machine, bytes: u64, repeat: u32, change: impl FnOnce(&mut Phase)) -> RunOutcome {
    let mut phase = looped(Mode::Read, &[0, bytes]);
    phase.repeat = repeat;
    change(&mut phase);
    run_on(machine, 1, "static", &[phase])
}

/// 640 kB from memory in 100 us, and again from the cache at its 32 GB/s in 20 us.
#[test]
fn the_second_time_the_cache_serves() {
    let run = again(&cached(), 640 * KB, 2, |_| ());
    near(run.makespan_ps, 120 * US);
    assert_eq!((run.cached_bytes, run.bytes_by_level.total()), (640 * KB, 640 * KB));
    assert_eq!(run.team[0].cached_bytes, 640 * KB);
    assert_eq!(run.resources[0].bytes, 640 * KB, "memory moved the first reading only");
    assert_eq!((run.phases[0].bytes, run.phases[0].cached_bytes), (1280 * KB, 640 * KB));
    assert_eq!((run.team[0].compute_ps, run.team[0].stall_ps), (0, run.makespan_ps));
}

/// Prefetchers hide that a cache is 40 ns away: 32 GB/s, 20 us. A loop that states 5 lines in flight has 3.2 GB/s
/// from memory and 8 GB/s from the cache: 200 us and 80 us.
#[test]
fn latency_limits_a_cache_where_the_loop_says_so() {
    let mut far = machine("core:1");
    add_cache(&mut far, CACHE, 1, 40, 32e9);
    near(again(&far, 640 * KB, 2, |_| ()).makespan_ps, 120 * US);
    near(again(&far, 640 * KB, 2, |phase| phase.outstanding = Some(5.0)).makespan_ps, 280 * US);
}

/// Computing for 1 / 6.4 ns on each byte takes 100 us. Depending on the overlap it hides the cache's 20 us fully,
/// half, or not at all. The first reading takes 100, 150 or 200 us, as without a cache.
#[test]
fn computing_overlaps_with_a_cache() {
    for (overlap, first, second) in [(1.0, 100, 100), (0.5, 150, 110), (0.0, 200, 120)] {
        let run = again(&cached(), 640 * KB, 2, |phase| {
            phase.instructions_per_byte = 1.0 / 6.4;
            phase.overlap = overlap;
        });
        near(run.makespan_ps, (first + second) * US);
        near(run.team[0].compute_ps, 200 * US);
        near(run.team[0].stall_ps, (first + second - 200) * US);
    }
}

/// A thread reads more bytes upwards than an LRU cache of 1 MiB holds, so each line is evicted before it is read
/// again. Three readings of 6.4 MB from memory take 1 ms each.
#[test]
fn what_exceeds_every_cache_is_never_there() {
    let run = again(&cached(), 6400 * KB, 3, |_| ());
    near(run.makespan_ps, 3 * MS);
    assert_eq!(run.cached_bytes, 0);
    assert_eq!(again(&cached(), CACHE + 64, 3, |_| ()).cached_bytes, 0, "one line too many");
    assert_eq!(again(&cached(), CACHE, 3, |_| ()).cached_bytes, 2 * CACHE, "the cache exactly");
}

/// Plain stores fetch lines from memory and leave them in the cache, which serves the second time. Streaming stores
/// go to memory every time, and leave nothing in a cache.
#[test]
fn streaming_stores_pass_the_cache() {
    let twice = |mode| again(&cached(), 640 * KB, 2, |phase| phase.accesses[0].mode = mode);
    assert_eq!(twice(Mode::Write).cached_bytes, 640 * KB);
    assert_eq!(twice(Mode::Update).cached_bytes, 640 * KB);
    let run = twice(Mode::StreamingWrite);
    assert_eq!(run.cached_bytes, 0);
    near(run.makespan_ps, 200 * US);
    let around = [Mode::Read, Mode::StreamingWrite, Mode::Read].map(|mode| looped(mode, &[0, 640 * KB]));
    assert_eq!(run_on(&cached(), 1, "static", &around).cached_bytes, 0);
}

/// Reads 640 kB that the cache holds from the loop before, 20 us, beside 640 kB from memory, 100 us.
fn beside(overlap: f64, instructions_per_byte: f64) -> RunOutcome {
    let bounds = [0, 640 * KB];
    let mut phase = looped(Mode::Read, &bounds);
    let cold = Slice::Partition([640 * KB, 1280 * KB].into());
    phase.accesses.push(Access::new(RegionId(0), cold, Mode::Read));
    phase.overlap = overlap;
    phase.instructions_per_byte = instructions_per_byte;
    let warm = Phase { measured: false, schedule: "static".parse().ok(), ..looped(Mode::Read, &bounds) };
    run_on(&cached(), 1, "static", &[warm, phase])
}

/// A thread can use the data in its cache while it waits for memory. With full overlap the 20 us of the cache are
/// hidden. With an overlap of a tenth, 10 of the 100 us of waiting hide 10 us of the cache. Without overlap the 20 us
/// are added.
#[test]
fn what_the_cache_has_passes_while_memory_is_waited_for() {
    for (overlap, took) in [(1.0, 100), (0.1, 110), (0.0, 120)] {
        let run = beside(overlap, 0.0);
        near(run.makespan_ps, took * US);
        assert_eq!((run.cached_bytes, run.bytes_by_level.total()), (640 * KB, 640 * KB));
    }
}

/// The thread computes for 100 us on the 640 kB from its cache and for 100 us on the 640 kB from memory. It never
/// waits for memory, so none of this is hidden behind a wait: 200 us.
#[test]
fn who_never_waits_hides_nothing() {
    let run = beside(1.0, 1.0 / 6.4);
    near(run.makespan_ps, 200 * US);
    near(run.team[0].compute_ps, 200 * US);
}

/// A core with 64 KiB at 10 ns and 64 GB/s, 1 MiB at 10 ns and 32 GB/s, and 4 MiB at 40 ns and 16 GB/s.
fn levels() -> Machine {
    let mut machine = machine("core:1");
    add_cache(&mut machine, 64 << 10, 1, 10, 64e9);
    add_cache(&mut machine, CACHE, 1, 10, 32e9);
    add_cache(&mut machine, 4 << 20, 1, 40, 16e9);
    machine
}

/// Each of five iterations passes over the whole region. The first pass comes from memory at 6.4 GB/s, the other four
/// from the innermost cache that holds the region, at 64, 32 and 16 GB/s, or from memory if no cache holds it.
/// Nothing overlaps.
#[test]
fn the_innermost_cache_that_holds_a_region_serves_it_again() {
    for (bytes, once, again) in [
        (64 * KB, 10 * US, US),
        (640 * KB, 100 * US, 20 * US),
        (3200 * KB, 500 * US, 200 * US),
        (6400 * KB, 1000 * US, 1000 * US),
    ] {
        let mut phase = looped(Mode::Read, &[0; 6]);
        phase.accesses[0].slice = Slice::Whole(bytes);
        phase.overlap = 0.0;
        let run = run_on(&levels(), 1, "static", &[phase]);
        near(run.makespan_ps, once + 4 * again);
        let cached = if bytes <= 4 << 20 { 4 * bytes } else { 0 };
        assert_eq!((run.cached_bytes, run.bytes_by_level.total()), (cached, 5 * bytes - cached));
    }
}

/// Machine and regions of `the_innermost_cache_that_holds_a_region_serves_it_again`, but a second loop reads the data
/// again instead of the same iteration. 64 kB are in all three caches, so the innermost serves.
#[test]
fn the_innermost_cache_serves_from_loop_to_loop() {
    near(again(&levels(), 64 * KB, 2, |_| ()).makespan_ps, 11 * US);
    near(again(&levels(), 640 * KB, 2, |_| ()).makespan_ps, 120 * US);
    near(again(&levels(), 3200 * KB, 2, |_| ()).makespan_ps, 700 * US);
}

/// Two threads of a core have 5 lines in flight each and half of the cache's bandwidth: from memory 3.2 GB/s, from
/// the cache 16 GB/s. Each reads 320 kB, first in 100 us, then in 20 us.
#[test]
fn mates_halve_what_a_cache_delivers() {
    let mut machine = cached();
    machine.core.threads = 2;
    let mut phase = looped(Mode::Read, &[0, 320 * KB, 640 * KB]);
    phase.repeat = 2;
    let run = run_on(&machine, 2, "static", &[phase]);
    near(run.makespan_ps, 120 * US);
    assert_eq!(run.cached_bytes, 640 * KB);
}
