//! Changes that a run suggests.

use super::remedy::Remedy;
use crate::case::Case;
use numalab_openmp::binding::Binding;
use numalab_results::Explanation;
use numalab_runtime::profile::BarrierKind;
use numalab_study::{Files, ResolvedRun, RunSpec};
use numalab_units::Bytes;
use numalab_workload::{
    Construct, LockKind, NodeSet, PageKind, Phase, Placement, QueueKind, Schedule, Slice, Victim,
};
use std::sync::Arc;

/// Regions that are looked at one by one.
const REGIONS: usize = 3;

/// Part of the time from which on a reason suggests changes.
const MATTERS: f64 = 0.01;

/// Everything worth a try, each about one thing.
pub(super) fn candidates(run: &ResolvedRun, case: &Case, seen: &Explanation, files: &Files) -> Vec<Remedy> {
    let mut all = first_touch(case, seen);
    all.extend(placements(case, seen));
    all.extend(schedules(case));
    all.extend(splits(run, case));
    all.extend(tasks(case));
    all.extend(bindings(run, files));
    all.extend(runtimes(case, seen));
    all.extend(pages(case, seen));
    all.extend(spacings(case));
    all
}

/// Part of the threads' time that goes to some rows.
fn part(seen: &Explanation, of: impl Fn(&numalab_results::Blame) -> bool) -> f64 {
    let whole = f64::from(seen.threads) * seen.makespan_ps as f64;
    let time: f64 = seen.blame.iter().filter(|row| of(row)).map(|row| row.time_ps() as f64).sum();
    if whole > 0.0 { time / whole } else { 0.0 }
}

/// Regions that most memory is waited for of.
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

/// The schedule of a loop.
fn schedule(case: &Case, phase: &Phase) -> Schedule {
    match phase.schedule.unwrap_or(case.schedule) {
        Schedule::Auto => case.runtime.auto,
        Schedule::Runtime => case.runtime.runtime,
        plain => plain,
    }
}

/// Loops before the measured phases that one thread executes.
fn first_touch(case: &Case, seen: &Explanation) -> Vec<Remedy> {
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

/// Other placements, where memory is waited for.
fn placements(case: &Case, seen: &Explanation) -> Vec<Remedy> {
    if case.machine.fabric.nodes() < 2 || part(seen, |row| row.kind == "memory") < MATTERS {
        return Vec::new();
    }
    let interleave = Placement::Interleave(NodeSet::All);
    let whole = [interleave.clone(), Placement::FirstTouch, Placement::NextTouch, Placement::Fetch];
    let everywhere = whole.into_iter().chain([Placement::Balancing]);
    let mut all: Vec<Remedy> =
        everywhere.map(|placement| Remedy::Place { regions: Vec::new(), placement }).collect();
    if case.workload.regions.len() > 1 {
        let each = regions(seen).into_iter().take(REGIONS);
        all.extend(each.map(|region| Remedy::Place { regions: vec![region], placement: interleave.clone() }));
    }
    all
}

/// Iterations for each thread above which they are not looked at one by one: nobody shares a loop out so, and simulating
/// it would take longer than all else.
const ONE_BY_ONE: u64 = 256;

/// Chunks of a loop: 1 where there are few iterations, and those of which every thread has some 64, 16 and 4.
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

/// Other schedules.
fn schedules(case: &Case) -> Vec<Remedy> {
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
    let mut all = Vec::new();
    if let Some(iterations) =
        measured().filter(|phase| phase.schedule.is_none()).filter(shared).map(|phase| phase.iterations).min()
    {
        let fits = case.workload.phases.iter().all(|phase| phase.schedule.is_some() || !phase.needs_tasks());
        let others = alternatives(iterations).into_iter().filter(|_| fits);
        all.extend(others.map(|schedule| Remedy::Schedule { phase: None, schedule }));
    }
    // The phase with the most work of those that say their schedule.
    let bytes = |phase: &&Phase| {
        let sum: u128 = phase.accesses.iter().map(|access| access.slice.total(phase.iterations)).sum();
        sum + phase.instructions.iter().sum::<f64>() as u128
    };
    if let Some(phase) = measured().filter(|phase| phase.schedule.is_some()).filter(shared).max_by_key(bytes)
    {
        let name = Some(phase.name.clone());
        let others =
            alternatives(phase.iterations).into_iter().filter(|other| Some(*other) != phase.schedule);
        all.extend(others.map(|schedule| Remedy::Schedule { phase: name.clone(), schedule }));
    }
    all.retain(
        |remedy| !matches!(remedy, Remedy::Schedule { phase: None, schedule } if *schedule == case.schedule),
    );
    all
}

/// Even splits of uneven loops.
fn splits(run: &ResolvedRun, case: &Case) -> Vec<Remedy> {
    let even = |phase: &Phase| {
        phase.construct.is_loop()
            && phase.costs.is_none()
            && schedule(case, phase) == Schedule::Static { chunk: None }
    };
    let weigh = |phase: &Phase| -> Option<(u128, Arc<[u64]>, &'static [&'static str], usize)> {
        let largest = phase.accesses.iter().enumerate().filter_map(|(at, access)| match &access.slice {
            Slice::Partition(bounds) => Some((access.slice.total(phase.iterations), bounds.clone(), at)),
            Slice::Explicit(_) | Slice::Sparse(_) | Slice::Whole(_) => None,
        });
        let largest = largest.max_by_key(|entry| entry.0);
        let instructions: f64 = phase.instructions.iter().sum();
        match largest {
            // An instruction takes about as long as a byte.
            Some((bytes, bounds, at)) if bytes as f64 >= instructions => {
                Some((bytes, bounds, &["slice", "partition"][..], at))
            }
            _ if instructions > 0.0 => {
                const WHOLE: f64 = (1u64 << 52) as f64;
                let mut sum = 0.0;
                let sums = phase.instructions.iter().map(|one| {
                    sum += one;
                    (sum / instructions * WHOLE) as u64
                });
                Some((instructions as u128, std::iter::once(0).chain(sums).collect(), &[], 0))
            }
            _ => None,
        }
    };
    let threads = case.team.members.len() as u32;
    let measured = case.workload.phases.iter().filter(|phase| phase.measured && even(phase));
    let weighed = measured.filter_map(|phase| Some((phase, weigh(phase)?)));
    let Some((phase, (_, costs, path, at))) =
        weighed.max_by_key(|(phase, (weight, ..))| *weight * u128::from(phase.repeat))
    else {
        return Vec::new();
    };
    let total = costs.last().copied().unwrap_or(0);
    let share = |thread| {
        let range = numalab_openmp::share(phase.iterations, threads, thread);
        costs[range.end as usize] - costs[range.start as usize]
    };
    let most = numalab_units::ThreadId::first(threads).map(share).max().unwrap_or(0);
    // Even already.
    if most as f64 * f64::from(threads) <= total as f64 * (1.0 + MATTERS) {
        return Vec::new();
    }
    // Those that touch pages first are split alike, also where they are not shared out yet.
    let touches_first = |other: &Phase| {
        !other.measured && matches!(schedule(case, other), Schedule::Static { chunk: Some(_) })
    };
    let alike = case
        .workload
        .phases
        .iter()
        .filter(|other| other.iterations == phase.iterations && (even(other) || touches_first(other)));
    let phases: Vec<String> = alike.map(|phase| phase.name.clone()).collect();
    let expression = expression(run, &phase.name, path, at);
    vec![Remedy::SplitByCost { phases, costs, expression }]
}

/// The expression of a loop that says what its iterations cost, as its file has it.
fn expression(run: &ResolvedRun, phase: &str, path: &[&str], touch: usize) -> Option<String> {
    let phases = run.experiment.workload.resolved.get("phases")?.as_array()?;
    let found = phases.iter().find(|one| one.get("name").and_then(|name| name.as_str()) == Some(phase))?;
    let body = found.get("loop")?;
    let value = match path {
        [] => body.get("instructions")?,
        keys => keys.iter().try_fold(body.get("touches")?.get(touch)?, |value, key| value.get(key))?,
    };
    value.as_str().map(str::to_owned).or_else(|| value.as_i64().map(|number| number.to_string()))
}

/// Other tasks.
fn tasks(case: &Case) -> Vec<Remedy> {
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

/// Other places for the threads.
fn bindings(run: &ResolvedRun, files: &Files) -> Vec<Remedy> {
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

/// Other locks and barriers, where the runtime matters.
fn runtimes(case: &Case, seen: &Explanation) -> Vec<Remedy> {
    if part(seen, |row| row.kind == "runtime") < MATTERS {
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

/// Larger pages, where pages cost time.
fn pages(case: &Case, seen: &Explanation) -> Vec<Remedy> {
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

/// Elements with lines of their own.
fn spacings(case: &Case) -> Vec<Remedy> {
    let line = case.hardware().memory.line;
    let close =
        |phase: &&Phase| matches!(phase.construct, Construct::Update { spacing, .. } if spacing < line);
    let phases: Vec<String> =
        case.workload.phases.iter().filter(close).map(|phase| phase.name.clone()).collect();
    if phases.is_empty() { Vec::new() } else { vec![Remedy::Spacing { phases, spacing: line }] }
}
