//! Random caches, placements and page operations on top of a random case.

use super::{Case, Sizes, cases, wide};
use numalab_base::{Bandwidth, Bytes, Span};
use numalab_machine::{Cache, Fabric, Replacement};
use numalab_workload::{Access, Mode, Phase, Placement, RegionId, Schedule, Slice};
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// A machine with one to three levels of caches, from tiny to the size of a few regions. Regions have any placement
/// on nodes that exist; loops move pages, and there are several rounds.
pub fn cached_cases() -> impl Strategy<Value = Case> {
    let levels = proptest::collection::vec((1u64..64, any::<Index>(), 0u64..50_000, 4e9..64e9), 1..4);
    let placements = proptest::collection::vec((any::<Index>(), any::<Index>()), 3);
    let mode = select(vec![Mode::Fetch, Mode::Migrate(0), Mode::NextTouch]);
    let operations = proptest::collection::vec((any::<Index>(), mode), 0..3);
    let odd = (any::<bool>(), proptest::option::weighted(0.3, 1u64..64), any::<[bool; 3]>());
    (cases(Sizes::Any), levels, placements, operations, 1u32..3, any::<bool>(), odd).prop_map(
        |(mut case, levels, placements, operations, rounds, locked, (inclusive, coverage, random))| {
            let fabric = Fabric::new(&case.machine).expect("a sound machine");
            let (nodes, cores) = (fabric.nodes(), fabric.cores_per_node());
            let (mut size, mut shared) = (0, 1);
            for (at, (grows, shares, latency, bandwidth)) in levels.into_iter().enumerate() {
                size += grows << (12 + 3 * at);
                shared = *shares.get(&wide(shared, cores));
                case.machine.caches.push(Cache {
                    level: at as u8 + 1,
                    size: Bytes(size),
                    shared_by: shared,
                    core_to_core: None,
                    passed_on: 0.5,
                    inclusive,
                    random_outstanding: None,
                    ways: None,
                    replacement: replacement(random[at] && (inclusive || at == 0 || !random[at - 1])),
                    latency: Span(1_000 + latency),
                    bandwidth: Bandwidth(bandwidth),
                });
            }
            case.machine.memory.directory_coverage = coverage.map(|pages| Bytes(pages << 12));
            if locked {
                case.machine.os.page_lock = Span(case.machine.os.page_fault.0 / 2);
            }
            let balancing = &mut case.machine.os.balancing;
            (balancing.scan_delay, balancing.scan_period) = (Span(1_000_000), Span(1_000_000_000));
            for (region, (kind, node)) in case.workload.regions.iter_mut().zip(placements) {
                region.placement = placement(&kind, node.index(nodes as usize) as u32);
            }
            for (region, mode) in operations {
                let phase = operation(&case, &region, mode);
                let last = case.workload.phases.len() - 1;
                case.workload.phases.insert(last, phase);
            }
            case.workload.rounds = rounds;
            case
        },
    )
}

fn replacement(random: bool) -> Replacement {
    if random { Replacement::Random } else { Replacement::Lru }
}

fn placement(kind: &Index, node: u32) -> Placement {
    let name = *kind.get(&Placement::NAMES);
    let takes_node = matches!(name, "preferred" | "migrate");
    let text = match name {
        "bind" | "preferred-many" => format!("{name}:all"),
        _ if takes_node => format!("{name}:{node}"),
        _ => name.to_owned(),
    };
    text.parse().expect("a placement")
}

/// A measured loop in which each of some iterations moves, or marks, its part of a region's pages.
fn operation(case: &Case, region: &Index, mode: Mode) -> Phase {
    /// Number of iterations, each of which operates on an equal part of the region.
    const PARTS: u64 = 8;
    let region = region.index(case.workload.regions.len());
    let size = case.workload.regions[region].size.0;
    let slice = Slice::Partition((0..=PARTS).map(|part| size * part / PARTS).collect());
    Phase {
        schedule: Some(Schedule::Static { chunk: Some(1) }),
        accesses: vec![Access::new(RegionId(region), slice, mode)],
        overlap: 1.0,
        ..Phase::new("operate", PARTS)
    }
}
