//! Static loops that give every thread iterations of equal total cost, instead of equally many.

use super::{MATTERS, Remedy, schedule};
use crate::case::Case;
use numalab_base::ThreadId;
use numalab_study::ResolvedRun;
use numalab_workload::{Phase, Schedule, Slice};
use std::sync::Arc;

struct Costs {
    /// Sum of the costs of all iterations, in bytes or instructions.
    total: u128,
    /// Sum of the costs before each iteration, with the total as last entry; only their ratios count.
    sums: Arc<[u64]>,
    /// Access whose bytes are the costs; `None` if the costs are instructions.
    access: Option<usize>,
}

/// Remedy that splits the costliest static loop of the measured phases, and loops like it, into parts of equal cost.
/// None if the parts have nearly equal costs already.
pub(super) fn splits(run: &ResolvedRun, case: &Case) -> Vec<Remedy> {
    let even = |phase: &Phase| {
        phase.construct.is_loop()
            && phase.costs.is_none()
            && schedule(case, phase) == Schedule::Static { chunk: None }
    };
    let threads = case.team.members.len() as u32;
    let measured = case.workload.phases.iter().filter(|phase| phase.measured && even(phase));
    let weighed = measured.filter_map(|phase| Some((phase, costs(phase)?)));
    let heaviest = weighed.max_by_key(|(phase, costs)| costs.total * u128::from(phase.repeat));
    let Some((phase, costs)) = heaviest else { return Vec::new() };
    let share = |thread| {
        let range = numalab_openmp::share(phase.iterations, threads, thread);
        costs.sums[range.end as usize] - costs.sums[range.start as usize]
    };
    let most = ThreadId::first(threads).map(share).max().unwrap_or(0);
    // The parts have equal costs already.
    let total = costs.sums.last().copied().unwrap_or(0);
    if most as f64 * f64::from(threads) <= total as f64 * (1.0 + MATTERS) {
        return Vec::new();
    }
    // Loops that touch the pages first are split like this loop, also if they are not parallel yet.
    let touches_first = |other: &Phase| {
        !other.measured && matches!(schedule(case, other), Schedule::Static { chunk: Some(_) })
    };
    let alike = case
        .workload
        .phases
        .iter()
        .filter(|other| other.iterations == phase.iterations && (even(other) || touches_first(other)));
    let phases: Vec<String> = alike.map(|phase| phase.name.clone()).collect();
    let expression = expression(run, &phase.name, costs.access);
    vec![Remedy::SplitByCost { phases, costs: costs.sums, expression }]
}

/// Costs of a loop's iterations: bytes of the largest access with a partition, or instructions if there are more
/// instructions than bytes.
fn costs(phase: &Phase) -> Option<Costs> {
    let parts = phase.accesses.iter().enumerate().filter_map(|(at, access)| match &access.slice {
        Slice::Partition(bounds) => {
            let total = access.slice.total(phase.iterations);
            Some(Costs { total, sums: bounds.clone(), access: Some(at) })
        }
        Slice::Explicit(_) | Slice::Sparse(_) | Slice::Whole(_) | Slice::Partial(_) => None,
    });
    let largest = parts.max_by_key(|costs| costs.total);
    let instructions: f64 = phase.instructions.iter().sum();
    if largest.as_ref().is_some_and(|costs| costs.total as f64 >= instructions) || instructions <= 0.0 {
        return largest;
    }
    const WHOLE: f64 = (1u64 << 52) as f64;
    let mut sum = 0.0;
    let sums = phase.instructions.iter().map(|one| {
        sum += one;
        (sum / instructions * WHOLE) as u64
    });
    let sums = std::iter::once(0).chain(sums).collect();
    Some(Costs { total: instructions as u128, sums, access: None })
}

/// Expression of the workload file that states the cost of an iteration.
fn expression(run: &ResolvedRun, phase: &str, access: Option<usize>) -> Option<String> {
    let resolved = run.experiment.workload.resolved.json();
    let phases = resolved.get("phases")?.as_array()?;
    let named =
        |name: &str| phases.iter().find(|one| one.get("name").and_then(|found| found.as_str()) == Some(name));
    let body = named(phase)?.get("loop")?;
    let value = match access {
        None => body.get("instructions")?,
        Some(at) => body.get("touches")?.get(at)?.get("slice")?.get("partition")?,
    };
    value.as_str().map(str::to_owned).or_else(|| value.as_i64().map(|number| number.to_string()))
}
