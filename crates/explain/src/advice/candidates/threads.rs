//! Remedies about the binding of threads, the runtime, and cache lines that threads share.

use super::{MATTERS, Remedy, part};
use crate::case::Case;
use numalab_openmp::binding::Binding;
use numalab_results::Explanation;
use numalab_runtime::profile::BarrierKind;
use numalab_study::{Files, ResolvedRun, RunSpec};
use numalab_workload::{Construct, LockKind, Phase, Schedule};
use std::sync::Arc;

/// Kind of the blame rows about locks.
const TURN: &str = "lock or turn";

/// Remedies: places and binding policies that give another team than the run's.
pub(super) fn bindings(run: &ResolvedRun, files: &Files) -> Vec<Remedy> {
    let choices = [("cores", "close"), ("cores", "spread"), ("sockets", "spread"), ("sockets", "close")];
    let bind = |(places, policy): (&str, &str)| {
        let binding = Binding::parse(Some(places), Some(policy)).ok()?;
        let spec = RunSpec { binding: binding.clone(), ..run.spec.clone() };
        let team = Arc::new(spec.resolve(files).ok()?.team);
        (*team != run.team).then_some(Remedy::Bind { binding, team })
    };
    let mut all: Vec<Remedy> = Vec::new();
    for remedy in choices.into_iter().filter_map(bind) {
        let Remedy::Bind { team, .. } = &remedy else { continue };
        let known = |other: &Remedy| matches!(other, Remedy::Bind { team: known, .. } if known == team);
        if !all.iter().any(known) {
            all.push(remedy);
        }
    }
    all
}

/// Remedies: other barriers of the runtime, and other locks if the program or its queues of tasks use the runtime's.
/// Empty if the runtime and locks cost little time.
pub(super) fn runtimes(case: &Case, seen: &Explanation) -> Vec<Remedy> {
    if part(seen, |row| row.kind == "runtime" || row.kind == TURN) < MATTERS {
        return Vec::new();
    }
    let locks = |phase: &Phase| matches!(phase.construct, Construct::Critical | Construct::Lock(None));
    let queues = matches!(case.schedule, Schedule::Tasks(_)) && case.runtime.tasks.lock.is_none();
    let locked = queues || case.workload.phases.iter().any(locks);
    let lock = LockKind::ALL.into_iter().filter(|kind| locked && *kind != case.runtime.lock.kind);
    let kinds =
        [BarrierKind::Hierarchical, BarrierKind::Dissemination, BarrierKind::Tree, BarrierKind::Central];
    let barriers = kinds.into_iter().filter(|kind| *kind != case.runtime.barrier.kind);
    lock.map(Remedy::Lock).chain(barriers.map(Remedy::Barrier)).collect()
}

/// Remedies: other kinds of the program's locks, if threads wait for these locks.
pub(super) fn kinds_of_locks(case: &Case, seen: &Explanation) -> Vec<Remedy> {
    if part(seen, |row| row.kind == TURN) < MATTERS {
        return Vec::new();
    }
    let of = |phase: &Phase| {
        let Construct::Lock(Some(kind)) = phase.construct else { return None };
        Some((phase.name.clone(), kind))
    };
    let locked: Vec<(String, LockKind)> = case.workload.phases.iter().filter_map(of).collect();
    let better = |kind: LockKind| {
        let other = locked.iter().filter(|(_, present)| *present != kind);
        let phases: Vec<String> = other.map(|(name, _)| name.clone()).collect();
        (!phases.is_empty()).then_some(Remedy::KindOfLock { phases, kind })
    };
    LockKind::ALL.into_iter().filter_map(better).collect()
}

/// Remedies: larger distances between elements that threads write, so that every element has a cache line of its own.
pub(super) fn spacings(case: &Case) -> Vec<Remedy> {
    let line = case.hardware().memory.line;
    let close =
        |phase: &&Phase| matches!(phase.construct, Construct::Update { spacing, .. } if spacing < line);
    let phases: Vec<String> =
        case.workload.phases.iter().filter(close).map(|phase| phase.name.clone()).collect();
    if phases.is_empty() { Vec::new() } else { vec![Remedy::Spacing { phases, spacing: line }] }
}
