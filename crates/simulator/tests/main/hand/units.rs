//! Recorded loops whose iterations are units: each stands for several iterations of the recorded loop. The simulator
//! plans several units together.

use crate::builders::{NS, looped, machine, run_on};
use numalab_workload::{Access, Mode, Phase, Pieces, RegionId, Slice, Sparse};

const UNITS: u64 = 2048;

/// A unit computes for 50 ns and then reads 640 bytes, which takes a thread 100 ns alone.
fn cut(unit: Option<u64>) -> Phase {
    let bounds: Vec<u64> = (0..=UNITS).map(|at| 640 * at).collect();
    Phase { instructions: vec![50.0; UNITS as usize].into(), unit, ..looped(Mode::Read, &bounds) }
}

/// Law: Units of a recorded loop are taken together where their data join.
///
/// A lone thread takes 2048 x 150 ns, however many units are planned together. An eighth of the granted units is
/// planned together, so that 8 parts remain of 2048.
#[test]
fn units_of_a_loop_are_taken_together() {
    let run = |unit: Option<u64>| run_on(&machine("core:1"), 1, "static", &[cut(unit)]);
    let (single, together) = (run(None), run(Some(16)));
    assert_eq!(single.makespan_ps, UNITS * 150 * NS);
    assert_eq!(together.makespan_ps, single.makespan_ps);
    assert!(40 * together.events < single.events, "{} {}", together.events, single.events);
    // Under `dynamic,1` each unit is taken by itself.
    let asked = |unit: Option<u64>| run_on(&machine("core:2"), 2, "dynamic,1", &[cut(unit)]);
    assert_eq!(asked(Some(16)).makespan_ps, asked(None).makespan_ps);
}

/// Law: Only computing apart from data is planned in parts.
///
/// Of 50 ns and 640 bytes at 0.3 ns each of computing, 50 of 242 ns are apart: 8 x 50 / 242 are 2 parts. Of 2 ns and
/// 192 ns it is one part. Each part is two events.
#[test]
fn parts_follow_the_computing_apart_from_data() {
    let run = |apart: f64| {
        let mut phase = cut(Some(16));
        phase.accesses[0].demand.instructions_per_byte = Some(0.3);
        phase.instructions = vec![apart; UNITS as usize].into();
        run_on(&machine("core:1"), 1, "static", &[phase]).events
    };
    assert_eq!(run(50.0) - run(2.0), 2);
}

/// Law: Units of a recorded loop are taken together where their data join.
///
/// Eight threads share a controller whose bandwidth two threads would use up: they compute and read in larger pieces,
/// at the same rates.
#[test]
fn threads_at_a_full_memory_take_as_long() {
    let run = |unit: Option<u64>| run_on(&machine("core:8"), 8, "static", &[cut(unit)]).makespan_ps as f64;
    let ratio = run(Some(16)) / run(None);
    assert!((ratio - 1.0).abs() < 0.02, "{ratio}");
}

/// Law: Units of a recorded loop are taken together where their data join.
///
/// Units with gaps between their data are planned one by one.
#[test]
fn gaps_are_not_read() {
    let slices: Vec<(u64, u64)> = (0..UNITS).map(|at| (1280 * at, 640)).collect();
    let run = |unit: Option<u64>| {
        let slice = Slice::Explicit(Pieces::new(slices.clone().into()));
        let accesses = vec![Access::new(RegionId(0), slice, Mode::Read)];
        run_on(&machine("core:1"), 1, "static", &[Phase { accesses, ..cut(unit) }])
    };
    let (single, together) = (run(None), run(Some(16)));
    assert_eq!((single.makespan_ps, single.events), (together.makespan_ps, together.events));
}

/// Law: Units of a recorded loop are taken together where their data join.
///
/// Six units of 640 bytes are below 4 KiB and are planned as one, although an eighth of a chunk of six is less than a unit.
#[test]
fn units_of_a_small_chunk_are_taken_together() {
    let run = |policy, unit| run_on(&machine("core:1"), 1, policy, &[cut(unit)]);
    let (single, together) = (run("dynamic,6", None), run("dynamic,96", Some(16)));
    assert_eq!(single.makespan_ps, together.makespan_ps);
    // Computing and reading are two events, six times a chunk or once.
    assert_eq!(single.events - together.events, 2 * (UNITS - UNITS.div_ceil(6)));
}

/// Law: Units of a recorded loop are taken together where their data join.
///
/// A gap behind the first unit cuts the first part to one unit. The next parts have 4, 16, 64, and again 256 units, 12
/// parts in place of 8; each is two events.
#[test]
fn parts_grow_after_a_gap() {
    let run = |gap: u64| {
        let windows: Vec<(u64, u64)> = (0..UNITS)
            .map(|at| if at == 0 { 0 } else { 640 * at + gap })
            .map(|start| (start, start + 640))
            .collect();
        let slice = Slice::Sparse(Sparse::new(windows.into(), vec![640; UNITS as usize], false));
        let accesses = vec![Access::new(RegionId(0), slice, Mode::Read)];
        run_on(&machine("core:1"), 1, "static", &[Phase { accesses, ..cut(Some(16)) }]).events
    };
    assert_eq!(run(640) - run(0), 2 * 4);
}
