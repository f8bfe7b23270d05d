//! Converts the sums of a watched run to results.

use crate::blame::{Kind, Reason, Share, Watched};
use crate::case::Case;
use numalab_machine::Closeness;
use numalab_results::{Amdahl, Blame, ByNode, ExplainedPhase, HotSpot, OriginTimes, RegionBytes};
use numalab_simulator::{Loss, RunOutcome};
use numalab_study::loss_name;
use std::collections::BTreeMap;

/// Rows of the blame table, largest first.
pub(crate) fn blame(case: &Case, watched: &Watched) -> Vec<Blame> {
    let fabric = &case.machine.fabric;
    let row = |(reason, share): &(Reason, Share)| Blame {
        phase: watched.phases[reason.phase as usize].name.clone(),
        kind: kind(case, reason.kind),
        region: reason.region.map(|region| case.workload.regions[region.0].name.clone()),
        level: reason.level.map(|level| level_name(level).to_owned()),
        resource: reason.limit.map(|resource| fabric.name(resource)),
        class: reason.limit.map(|resource| fabric.class_name(fabric.class(resource))),
        waits_for: loss(case, reason).map_or("computing".to_owned(), |loss| loss_name(loss, fabric)),
        own_ps: ps(share.own_ps),
        waited_ps: ps(share.waited_ps),
        path_ps: share.path_ps,
    };
    let mut rows: Vec<Blame> = watched.shares.iter().map(row).collect();
    rows.retain(|row| row.time_ps() > 0 || row.path_ps > 0);
    // Equal rows stay in the order of first occurrence.
    rows.sort_by_key(|row| std::cmp::Reverse(row.time_ps()));
    rows
}

/// Measured phases of a watched run, as results.
pub(crate) fn phases(watched: &Watched) -> Vec<ExplainedPhase> {
    let phase = |phase: &crate::blame::WatchedPhase| ExplainedPhase {
        name: phase.name.clone(),
        time_ps: phase.time.0,
        alone_ps: phase.alone.0,
        busy_ps: ps(phase.busy_ps),
    };
    watched.phases.iter().map(phase).collect()
}

/// Amdahl's law for the observed run: work counts as serial while at most one thread works.
pub(crate) fn amdahl(watched: &Watched, outcome: &RunOutcome) -> Amdahl {
    let threads = outcome.team.len().max(1) as f64;
    let busy: f64 = watched.phases.iter().map(|phase| phase.busy_ps as f64).sum();
    let alone: f64 = watched.phases.iter().map(|phase| phase.alone.0 as f64).sum();
    let alone = if outcome.team.len() == 1 { 0.0 } else { alone.min(busy) };
    let serial = if busy > 0.0 { alone / busy } else { 0.0 };
    Amdahl {
        parallel_fraction: 1.0 - serial,
        speedup: if outcome.makespan_ps > 0 { busy / outcome.makespan_ps as f64 } else { 1.0 },
        bound: 1.0 / (serial + (1.0 - serial) / threads),
        limit: (serial > 0.0).then(|| 1.0 / serial),
    }
}

/// Resources that delayed threads, worst first.
pub(crate) fn hot_spots(case: &Case, watched: &Watched) -> Vec<HotSpot> {
    let spot = |delaying: &crate::blame::Delaying| {
        let here =
            |reason: &Reason| (reason.phase, reason.limit) == (delaying.phase, Some(delaying.resource));
        let lost = watched.shares.iter().filter(|entry| here(&entry.0));
        HotSpot {
            phase: watched.phases[delaying.phase as usize].name.clone(),
            resource: case.machine.fabric.name(delaying.resource),
            lost_ps: ps(lost.map(|entry| entry.1.own_ps + entry.1.waited_ps).sum()),
            from_ps: delaying.from.0,
            to_ps: delaying.to.0,
        }
    };
    let mut spots: Vec<HotSpot> = watched.delaying.iter().map(spot).collect();
    spots.sort_by_key(|spot| std::cmp::Reverse(spot.lost_ps));
    spots
}

/// Bytes of each region by node.
pub(crate) fn region_bytes(case: &Case, watched: &Watched) -> Vec<RegionBytes> {
    let mut rows: Vec<RegionBytes> = Vec::new();
    for (&(region, home), &bytes) in &watched.origins.regions {
        let name = &case.workload.regions[region.0].name;
        if rows.last().is_none_or(|last| last.region != *name) {
            rows.push(RegionBytes { region: name.clone(), by_node: ByNode::default() });
        }
        if let Some(last) = rows.last_mut() {
            last.by_node.add(home.0, bytes);
        }
    }
    rows
}

/// Times of lines by origin, nearest first.
pub(crate) fn origins(watched: &Watched) -> Vec<OriginTimes> {
    let mut rows: Vec<OriginTimes> = Vec::new();
    for (&(level, step), &bytes) in &watched.origins.times {
        let name = level_name(level);
        if rows.last().is_none_or(|last| last.level != name) {
            rows.push(OriginTimes { level: name.to_owned(), steps: Vec::new() });
        }
        if let Some(last) = rows.last_mut() {
            last.steps.push((step, bytes));
        }
    }
    rows
}

/// Time lost by cause, if the loss lengthens the run: the threads' own time, and that of threads that wait for them.
/// Causes that never occur on the critical path are left out: without them, their threads would only wait longer for
/// others.
pub fn losses(case: &Case, watched: &Watched) -> BTreeMap<Loss, u128> {
    let mut lost: BTreeMap<Loss, (u128, u64)> = BTreeMap::new();
    for (reason, share) in &watched.shares {
        let Some(loss) = loss(case, reason) else { continue };
        let (time, path) = lost.entry(loss).or_default();
        *time += share.own_ps + share.waited_ps;
        *path += share.path_ps;
    }
    lost.into_iter().filter(|(_, (_, path))| *path > 0).map(|(loss, (time, _))| (loss, time)).collect()
}

/// Cause of lost time for a reason; `None` for computing.
fn loss(case: &Case, reason: &Reason) -> Option<Loss> {
    Some(match (reason.kind, reason.limit) {
        (Kind::Computing, _) => return None,
        (Kind::Memory, Some(resource)) => Loss::Full(case.machine.fabric.class(resource)),
        (Kind::Memory, None) => Loss::Latency(reason.level.unwrap_or(Closeness::Node)),
        (Kind::Cache(_), _) => Loss::Cache,
        (Kind::Fault, _) => Loss::Fault,
        (Kind::Page(_), _) => Loss::Pages,
        (Kind::Kernel, _) => Loss::Kernel,
        (Kind::AddressSpace, _) => Loss::AddressSpace,
        (Kind::Scanner, _) => Loss::Scanner,
        (Kind::Runtime, _) => Loss::Runtime,
        (Kind::Turn, _) => Loss::Turn,
        (Kind::Line, _) => Loss::Line,
        (Kind::NoWork, _) => Loss::NoWork,
    })
}

/// Name of a kind of reason in results.
fn kind(case: &Case, kind: Kind) -> String {
    match kind {
        Kind::Computing => "computing".to_owned(),
        Kind::Cache(cache) => {
            let level = case.hardware().caches.get(cache as usize).map_or(0, |cache| cache.level);
            format!("L{level} cache")
        }
        Kind::Memory => "memory".to_owned(),
        Kind::Fault => "faults".to_owned(),
        Kind::Kernel => "kernel".to_owned(),
        Kind::AddressSpace => "address space".to_owned(),
        Kind::Page(part) => format!("shared pages: {}", part.words()),
        Kind::Scanner => "scanner".to_owned(),
        Kind::Runtime => "runtime".to_owned(),
        Kind::Turn => "lock or turn".to_owned(),
        Kind::Line => "lines".to_owned(),
        Kind::NoWork => "no work".to_owned(),
    }
}

fn level_name(level: Closeness) -> &'static str {
    match level {
        Closeness::Node => "node",
        Closeness::Socket => "socket",
        Closeness::Board => "board",
        Closeness::Machine => "machine",
    }
}

fn ps(time: u128) -> u64 {
    time.try_into().unwrap_or(u64::MAX)
}
