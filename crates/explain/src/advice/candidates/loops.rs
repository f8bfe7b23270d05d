//! Remedies about schedules of loops and about tasks.

use super::Remedy;
use crate::case::Case;
use crate::clinic::ONE_BY_ONE;
use numalab_workload::{Phase, QueueKind, Schedule, Victim};

/// Chunk sizes to try: 1 for few iterations, and sizes that give every thread about 64, 16 and 4 chunks.
fn chunks(iterations: u64, threads: u64) -> Vec<u64> {
    let each = (iterations / threads).max(1);
    let mut all = if each <= ONE_BY_ONE { vec![1] } else { Vec::new() };
    for count in [64, 16, 4] {
        let chunk = each / count;
        if chunk > 1 && !all.contains(&(1 << chunk.ilog2())) {
            all.push(1 << chunk.ilog2());
        }
    }
    all
}

/// Other schedules for all loops that follow the run's policy, and for the largest loop that fixes its own schedule.
pub(super) fn schedules(case: &Case) -> Vec<Remedy> {
    let threads = case.team.members.len() as u64;
    let measured = || case.workload.phases.iter().filter(|phase| phase.measured);
    let shared = |phase: &&Phase| phase.construct.is_loop() && !phase.needs_tasks() && phase.iterations > 1;
    let alternatives = |iterations: u64| {
        let chunks = chunks(iterations, threads);
        let dynamic = chunks.iter().map(|&chunk| Schedule::Dynamic { chunk });
        let cyclic = chunks.iter().map(|&chunk| Schedule::Static { chunk: Some(chunk) });
        let steal = [Victim::Nearest, Victim::MostLoaded].map(Schedule::NumaSteal);
        let tasks = [Schedule::Tasks(Some(QueueKind::Locality))];
        let few = iterations / threads <= ONE_BY_ONE;
        let one_by_one = steal.into_iter().chain(tasks).filter(|_| few);
        let plain = [Schedule::Static { chunk: None }, Schedule::Guided { chunk: 1 }];
        let all: Vec<Schedule> = plain.into_iter().chain(dynamic).chain(cyclic).chain(one_by_one).collect();
        all
    };
    let iterations = |phase: &Phase| phase.iterations.saturating_mul(phase.unit.unwrap_or(1));
    let mut all = Vec::new();
    if let Some(iterations) =
        measured().filter(|phase| phase.schedule.is_none()).filter(shared).map(iterations).min()
    {
        let fits = case.workload.phases.iter().all(|phase| phase.schedule.is_some() || !phase.needs_tasks());
        let others = alternatives(iterations).into_iter().filter(|_| fits);
        all.extend(others.map(|schedule| Remedy::Schedule { phase: None, schedule }));
    }
    // The phase with the most accessed bytes and instructions, of those that fix their schedule.
    let bytes = |phase: &&Phase| {
        let sum: u128 = phase.accesses.iter().map(|access| access.slice.total(phase.iterations)).sum();
        sum + phase.instructions.iter().sum::<f64>() as u128
    };
    if let Some(phase) = measured().filter(|phase| phase.schedule.is_some()).filter(shared).max_by_key(bytes)
    {
        let name = Some(phase.name.clone());
        let others = alternatives(iterations(phase))
            .into_iter()
            .filter(|other| Some(other.in_units_of(phase.unit.unwrap_or(1))) != phase.schedule);
        all.extend(others.map(|schedule| Remedy::Schedule { phase: name.clone(), schedule }));
    }
    all.retain(
        |remedy| !matches!(remedy, Remedy::Schedule { phase: None, schedule } if *schedule == case.schedule),
    );
    all
}

/// Remedies: other queues of tasks, larger tasks, and tasks near their data.
pub(super) fn tasks(case: &Case) -> Vec<Remedy> {
    let Schedule::Tasks(present) = case.schedule else { return Vec::new() };
    let present = present.unwrap_or(case.runtime.tasks.queue);
    let queues = QueueKind::ALL.into_iter().filter(|kind| *kind != present);
    let mut all: Vec<Remedy> =
        queues.map(|kind| Remedy::Schedule { phase: None, schedule: Schedule::Tasks(Some(kind)) }).collect();
    for phase in case.workload.phases.iter().filter(|phase| phase.measured && phase.schedule.is_none()) {
        let name = phase.name.clone();
        if phase.tasking.tree.is_none() && phase.construct.is_loop() {
            let tasks = phase.iterations / phase.tasking.grain.max(1);
            let coarser = [4, 16].into_iter().filter(|more| tasks / more >= case.team.members.len() as u64);
            all.extend(
                coarser.map(|more| Remedy::Grain { phase: name.clone(), grain: phase.tasking.grain * more }),
            );
        }
        let data = phase.accesses.iter().filter(|access| access.mode.is_data());
        let largest = data.max_by_key(|access| access.slice.total(phase.iterations));
        if let Some(access) = largest.filter(|_| phase.tasking.affinity.is_none()) {
            let region = (access.region, case.workload.regions[access.region.0].name.clone());
            let schedule = Schedule::Tasks(Some(QueueKind::Locality));
            all.push(Remedy::Affinity { phase: name, region, schedule });
        }
    }
    all
}
