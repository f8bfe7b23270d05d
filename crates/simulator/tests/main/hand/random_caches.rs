//! Data in caches that replace lines at random. Memory gives a thread 6.4 GB/s, a cache 32 GB/s.

use crate::builders::{add_cache, looped, machine, near, placed, run_on, run_placed};
use numalab_machine::{Machine, Replacement};
use numalab_simulator::RunOutcome;
use numalab_workload::{Access, Mode, Phase, Placement, RegionId, Slice, Sparse};

const CACHE: u64 = 1 << 20;

/// The machine with one cache of 1 MiB for each core.
fn cached(spec: &str) -> Machine {
    let mut machine = machine(spec);
    add_cache(&mut machine, CACHE, 1, 10, 32e9);
    machine.caches[0].replacement = Replacement::Random;
    machine
}

fn close(took: f64, expected: f64) {
    assert!((took / expected - 1.0).abs() < 0.01, "{took} instead of {expected}");
}

/// One thread reads 1.25 times the size of its cache, again and again. In the steady state the cache has 0.629 of the
/// bytes (0.629 = exp(-0.371 × 1.25)): 0.371 × 1.25 MiB from memory take 76.0 us, the rest from the cache 25.8 us,
/// without overlap.
#[test]
fn sweeps_over_a_little_more_than_a_cache_find_most_of_it() {
    let sweeps = |times: u32| {
        let phase = Phase { repeat: times, overlap: 0.0, ..looped(Mode::Read, &[0, CACHE * 5 / 4]) };
        run_on(&cached("core:1"), 1, "static", &[phase])
    };
    let (most, all) = (sweeps(150), sweeps(200));
    let each = |measure: fn(&RunOutcome) -> u64| (measure(&all) - measure(&most)) as f64 / 50.0;
    close(each(|run| run.makespan_ps), 101.8e6);
    close(each(|run| run.cached_bytes), 0.629 * 1.25 * CACHE as f64);
    close(each(|run| run.bytes_by_level.total()), 0.371 * 1.25 * CACHE as f64);
    // Bytes that fit are found as in any cache: 655 360 bytes in 102.4 us, and then in 20.5 us.
    let phase = Phase { repeat: 2, ..looped(Mode::Read, &[0, CACHE * 5 / 8]) };
    near(run_on(&cached("core:1"), 1, "static", &[phase]).makespan_ps, 122_880_000);
}

/// Law: Missing bytes of a stretch come from where its pages are.
///
/// The bytes that a cache lacks are spread over all bytes of a sweep. If the first three quarters of a region are on
/// the reader's node, three quarters of the missing bytes come from there.
#[test]
fn what_is_missing_comes_from_where_it_is() {
    let bytes = 2 * CACHE;
    let halves = placed(&[0, bytes * 3 / 4, bytes]);
    // The other thread has nothing to do afterwards.
    let phase = Phase { repeat: 80, ..looped(Mode::Read, &[0, bytes, bytes]) };
    let run = run_placed(&cached("socket:2 core:1"), 2, Placement::FirstTouch, &[halves, phase]);
    let member = &run.team[0];
    let (near, far) = (member.bytes_by_node.get(0), member.bytes_by_node.get(1));
    assert!(member.cached_bytes > 0 && far > 0);
    close(near as f64 / (near + far) as f64, 0.75);
}

/// An iteration that passes five times over 1.25 MiB finds 0.629 of the bytes in the last four passes; over 4 MiB,
/// 0.0198.
#[test]
fn touched_again_as_sweeps_settle() {
    for (bytes, found) in [(CACHE * 5 / 4, 0.629), (CACHE * 4, 0.0198), (CACHE, 1.0)] {
        let mut phase = looped(Mode::Read, &[0; 6]);
        phase.accesses[0].slice = Slice::Whole(bytes);
        let run = run_on(&cached("core:1"), 1, "static", &[phase]);
        close(run.cached_bytes as f64, found * 4.0 * bytes as f64);
    }
}

/// As `what_streams_drives_random_lines_out`: a cache as large as the window, and one byte of a stream for each drawn
/// byte. With random replacement h = 1 / (1 + 2 - h) = 0.382 of the draws find their line, where LRU would keep
/// 0.433.
#[test]
fn what_streams_drives_drawn_lines_out() {
    const WINDOW: u64 = 640_000;
    let mut machine = cached("core:1");
    machine.caches[0].size.0 = WINDOW;
    machine.core.random_outstanding = Some(1.0);
    let drawn = 64 * WINDOW;
    let random = Slice::Sparse(Sparse::new([(0, WINDOW)].into(), [drawn], true));
    let stream = Slice::Partition([WINDOW, WINDOW + drawn].into());
    let accesses = [random, stream].map(|slice| Access::new(RegionId(0), slice, Mode::Read)).to_vec();
    let phase = Phase { accesses, overlap: 0.0, ..looped(Mode::Read, &[0, WINDOW]) };
    let run = run_on(&machine, 1, "static", &[placed(&[0, WINDOW + drawn]), phase]);
    close(run.cached_bytes as f64, 0.382 * 63.0 * WINDOW as f64);
}
