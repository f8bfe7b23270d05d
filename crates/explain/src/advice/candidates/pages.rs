//! Remedies about the placement and size of pages.

use super::{MATTERS, Remedy, part, schedule};
use crate::case::Case;
use numalab_base::Bytes;
use numalab_results::Explanation;
use numalab_workload::{Construct, NodeSet, PageKind, Phase, Placement, RegionId, Schedule};

/// Number of regions for which remedies are also tried one by one.
const REGIONS: usize = 3;

/// Names of the regions that cause the longest waits for memory.
fn regions(seen: &Explanation) -> Vec<String> {
    let mut sums: Vec<(&str, u64)> = Vec::new();
    for row in seen.blame.iter().filter(|row| row.kind == "memory") {
        let Some(region) = row.region.as_deref() else { continue };
        match sums.iter_mut().find(|sum| sum.0 == region) {
            Some(sum) => sum.1 = sum.1.saturating_add(row.time_ps()),
            None => sums.push((region, row.time_ps())),
        }
    }
    sums.sort_by_key(|sum| std::cmp::Reverse(sum.1));
    sums.into_iter().map(|sum| sum.0.to_owned()).collect()
}

/// Parallel first touch, for loops before the measured phases that a single thread executes.
pub(super) fn first_touch(case: &Case, seen: &Explanation) -> Vec<Remedy> {
    let alone = |phase: &&Phase| {
        let Schedule::Static { chunk: Some(chunk) } = schedule(case, phase) else { return false };
        !phase.measured && phase.construct.is_loop() && chunk >= phase.iterations && phase.iterations > 1
    };
    let mut all = Vec::new();
    let waited = regions(seen);
    for phase in case.workload.phases.iter().filter(alone) {
        all.push(Remedy::ParallelFirstTouch { phase: phase.name.clone(), only: None });
        let touches = |name: &&String| {
            phase.accesses.iter().any(|access| case.workload.regions[access.region.0].name == **name)
        };
        let several = phase.accesses.iter().any(|access| access.region != phase.accesses[0].region);
        let each = waited.iter().filter(touches).take(REGIONS).filter(|_| several);
        all.extend(each.map(|region| Remedy::ParallelFirstTouch {
            phase: phase.name.clone(),
            only: Some(region.clone()),
        }));
    }
    all
}

/// Parallel first touch, for regions that a single thread touches first, outside of loops.
pub(super) fn touched_alone(case: &Case, seen: &Explanation) -> Vec<Remedy> {
    let alone = |name: &String| {
        let touches = |phase: &&Phase| {
            phase.accesses.iter().any(|access| case.workload.regions[access.region.0].name == *name)
        };
        let first = case.workload.phases.iter().find(touches);
        first.is_some_and(|phase| {
            matches!(phase.construct, Construct::Serial | Construct::Single { .. } | Construct::Master)
        })
    };
    let found: Vec<String> = regions(seen).into_iter().filter(alone).take(REGIONS).collect();
    let together = (found.len() > 1).then(|| found.clone());
    let each = found.into_iter().map(|region| vec![region]);
    together.into_iter().chain(each).map(|regions| Remedy::TouchInParallel { regions }).collect()
}

/// Remedies: other placements, if threads wait for memory.
pub(super) fn placements(case: &Case, seen: &Explanation) -> Vec<Remedy> {
    if case.machine.fabric.nodes() < 2 || part(seen, |row| row.kind == "memory") < MATTERS {
        return Vec::new();
    }
    let interleave = Placement::Interleave(NodeSet::All);
    let whole = [interleave.clone(), Placement::FirstTouch, Placement::NextTouch, Placement::Fetch];
    let everywhere = whole.into_iter().chain([Placement::Balancing]);
    let mut all: Vec<Remedy> =
        everywhere.map(|placement| Remedy::Place { regions: Vec::new(), placement }).collect();
    let is_read = |name: &String| {
        let at = case.workload.regions.iter().position(|region| region.name == *name);
        at.is_some_and(|at| case.workload.written_in(RegionId(at)).is_none())
    };
    let read: Vec<String> = regions(seen).into_iter().filter(is_read).collect();
    if !read.is_empty() && case.hardware().dsm.is_none() {
        all.push(Remedy::Place { regions: read, placement: Placement::Replicate });
    }
    if case.workload.regions.len() > 1 {
        let each = regions(seen).into_iter().take(REGIONS);
        all.extend(each.map(|region| Remedy::Place { regions: vec![region], placement: interleave.clone() }));
    }
    all
}

/// Remedies: larger pages, if page faults, moves of pages or the scanner cost time.
pub(super) fn sizes(case: &Case, seen: &Explanation) -> Vec<Remedy> {
    let paging = |row: &numalab_results::Blame| matches!(&*row.kind, "faults" | "kernel" | "scanner");
    if part(seen, paging) < MATTERS {
        return Vec::new();
    }
    let mut all = vec![Remedy::Page { page: PageKind::Transparent }];
    let huge = Bytes(2 << 20);
    if case.hardware().memory.page < huge {
        all.push(Remedy::Page { page: PageKind::Fixed(huge) });
    }
    all
}
