//! Random workloads: a few regions, perhaps first touched by a static loop, and one or two measured loops.

use super::draw::Draw;
use numalab_base::Bytes;
use numalab_workload::{
    Access, BindingText, Demand, Mode, Phase, Pieces, Region, RegionId, Schedule, Slice, Sparse, Workload,
};

/// Sizes of iterations: any, or such that no two iterations of a loop take equally long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sizes {
    /// Slices of any length, among them equal ones, empty ones and whole regions, and loops without iterations.
    Any,
    /// Every iteration touches a slice of its own length.
    Generic,
}

const MODES: [Mode; 4] = [Mode::Read, Mode::Write, Mode::StreamingWrite, Mode::Update];

pub fn workload(threads: u64, sizes: Sizes, draw: &mut Draw) -> Workload {
    let count = 1 + draw.below(3);
    let sized = |at| Region::new(format!("region{at}"), Bytes(1_000_000 + draw.below(40_000_000)));
    let regions: Vec<Region> = (0..count).map(sized).collect();
    let mut phases = Vec::new();
    for (at, region) in regions.iter().enumerate() {
        phases.extend(draw.perhaps(|draw| placing(at, region, threads, sizes, draw)));
    }
    for _ in 0..1 + draw.below(2) {
        phases.push(measured(&regions, sizes, draw));
    }
    Workload { regions, phases, ..no_workload() }
}

/// Workload without regions and phases.
pub fn no_workload() -> Workload {
    Workload {
        name: "random".to_owned(),
        description: String::new(),
        parameters: Vec::new(),
        regions: Vec::new(),
        phases: Vec::new(),
        rounds: 1,
        compare: Vec::new(),
        binding: BindingText::default(),
        runtime: None,
    }
}

/// Unmeasured loop of equal, or nearly equal, parts that touches a region first. With small chunks it scatters the
/// pages over the nodes.
fn placing(at: usize, region: &Region, threads: u64, sizes: Sizes, draw: &mut Draw) -> Phase {
    let parts = threads * (1 + draw.below(3));
    let shift = match sizes {
        Sizes::Any => 0,
        Sizes::Generic => region.size.0 / parts / 4,
    };
    let bounds = (0..=parts).map(|part| match part {
        0 => 0,
        _ if part == parts => region.size.0,
        _ => region.size.0 * part / parts + draw.below(shift + 1),
    });
    let bounds = bounds.collect();
    Phase {
        name: format!("place {}", region.name),
        measured: false,
        schedule: Some(Schedule::Static { chunk: draw.perhaps(|_| 1) }),
        iterations: parts,
        accesses: vec![Access::new(RegionId(at), Slice::Partition(bounds), draw.pick(&MODES))],
        ..empty()
    }
}

fn measured(regions: &[Region], sizes: Sizes, draw: &mut Draw) -> Phase {
    let generic = sizes == Sizes::Generic;
    let iterations = draw.below(24) + u64::from(generic);
    let accesses = (0..1 + draw.below(3)).map(|at| {
        let region = draw.below(regions.len() as u64) as usize;
        let slice = slice(regions[region].size.0, iterations, generic && at == 0, draw);
        let demand = Demand {
            outstanding: draw.perhaps(|draw| 0.5 + draw.below(40) as f64 / 4.0),
            instructions_per_byte: draw.perhaps(|draw| draw.real(0.0..2.0)),
        };
        let demand = if draw.below(3) == 0 { demand } else { Demand::default() };
        Access { demand, ..Access::new(RegionId(region), slice, draw.pick(&MODES)) }
    });
    let accesses = accesses.collect();
    let instructions = draw.perhaps(|draw| (0..iterations).map(|_| draw.real(1e3..1e7)).collect());
    Phase {
        name: "loop".to_owned(),
        repeat: 1 + draw.below(2) as u32,
        schedule: draw.pick(&[None, None, None, Some(Schedule::Dynamic { chunk: 2 })]),
        iterations,
        accesses,
        instructions_per_byte: draw.perhaps(|draw| draw.real(0.0..2.0)).unwrap_or(0.0),
        instructions: instructions.unwrap_or_else(|| [].into()),
        overlap: draw.pick(&[1.0, 0.0, 0.25, 0.7]),
        outstanding: draw.perhaps(|draw| 0.5 + draw.below(100) as f64 / 10.0),
        ..empty()
    }
}

fn slice(size: u64, iterations: u64, generic: bool, draw: &mut Draw) -> Slice {
    match draw.below(if generic { 2 } else { 5 }) {
        0 => {
            let mut bounds: Vec<u64> = (0..=iterations).map(|_| draw.below(size + 1)).collect();
            bounds.sort_unstable();
            Slice::Partition(bounds.into())
        }
        1 => {
            let piece = |draw: &mut Draw| {
                let start = draw.below(size);
                (start, 1 + draw.below(size - start))
            };
            Slice::Explicit(Pieces::new((0..iterations).map(|_| piece(draw)).collect()))
        }
        2 => {
            Slice::Explicit(Pieces::new((0..iterations).map(|at| (size / 2, (at % 2) * size / 4)).collect()))
        }
        3 => {
            let lines = (0..iterations).map(|_| 64 * draw.below(size / 64));
            let windows = (0..iterations).map(|_| (0, size)).collect();
            Slice::Sparse(Sparse::new(windows, lines.collect::<Vec<_>>(), true))
        }
        _ => Slice::Whole(size),
    }
}

fn empty() -> Phase {
    Phase { overlap: 1.0, ..Phase::new("", 0) }
}
