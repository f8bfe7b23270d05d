//! Loops under all schedules, converted to results.

use super::learn::{Candidate, learners};
use super::measured::{LoopTime, Measured};
use super::portfolio::Loop;
use super::{SAME, Typed};
use crate::case::Case;
use numalab_results::{LoopSchedule, LoopSchedules, Replicas};
use numalab_workload::Schedule;

pub(super) fn loops(
    case: &Case,
    loops: &[Loop],
    all: &[Measured],
    makespan_ps: u64,
    typed: &(dyn Fn(Schedule) -> Typed + Sync),
) -> Vec<LoopSchedules> {
    let one = |(at, one): (usize, &Loop)| {
        let timed = timed(one, at, all);
        let of_present = timed.iter().find(|(schedule, _)| *schedule == one.present);
        let time = of_present.map_or(0, |(_, run)| run.times[0][at].time_ps);
        LoopSchedules {
            name: one.name.clone(),
            iterations: one.iterations,
            steps: one.steps,
            present: one.present.to_string(),
            share: time as f64 / makespan_ps.max(1) as f64,
            schedules: rows(one, &timed, at, typed),
            learners: learned(one, &timed, at, case.seed),
        }
    };
    loops.iter().enumerate().map(one).collect()
}

/// Runs of a loop, one for each schedule: the first with it.
fn timed<'a>(one: &Loop, at: usize, all: &'a [Measured]) -> Vec<(Schedule, &'a Measured)> {
    let mut timed: Vec<(Schedule, &Measured)> = Vec::new();
    for run in all {
        let schedule = run.schedules[at].unwrap_or(one.present);
        if !timed.iter().any(|(known, _)| *known == schedule) {
            timed.push((schedule, run));
        }
    }
    timed
}

fn rows(
    one: &Loop,
    timed: &[(Schedule, &Measured)],
    at: usize,
    typed: &(dyn Fn(Schedule) -> Typed + Sync),
) -> Vec<LoopSchedule> {
    let ranges: Vec<Replicas> = timed.iter().map(|(_, run)| run.range_of(at)).collect();
    let Some(best) = ranges.iter().min_by_key(|range| range.median_ps).copied() else { return Vec::new() };
    let row = |((schedule, run), range): (&(Schedule, &Measured), &Replicas)| {
        let Typed { text, needs, is_common } = typed(*schedule);
        let nominal = run.times[0][at];
        LoopSchedule {
            schedule: schedule.to_string(),
            time_ps: nominal.time_ps,
            low_ps: range.low_ps,
            median_ps: range.median_ps,
            high_ps: range.high_ps,
            replicas: range.number,
            regret: range.median_ps as f64 / best.median_ps.max(1) as f64 - 1.0,
            ties: range.low_ps as f64 <= best.high_ps as f64 * (1.0 + SAME),
            unstable: range.is_unstable(),
            imbalance: (!one.shares_region).then_some(nominal.imbalance),
            typed: text,
            needs,
            is_common,
        }
    };
    let mut rows: Vec<LoopSchedule> = timed.iter().zip(&ranges).map(row).collect();
    rows.sort_by_key(|row| row.median_ps);
    rows
}

/// Schedules that methods of learning choose from, in the order of LB4OMP's portfolio: of growing cost and power to
/// balance.
const LEARNED: [&str; 12] = [
    "static",
    "dynamic",
    "trapezoidal",
    "guided-llvm",
    "guided",
    "fac2",
    "static_steal",
    "awf-b",
    "awf-c",
    "awf-d",
    "awf-e",
    "maf",
];

fn learned(
    one: &Loop,
    timed: &[(Schedule, &Measured)],
    at: usize,
    seed: u64,
) -> Vec<numalab_results::Learner> {
    let steps = |run: &Measured| -> Vec<LoopTime> {
        let step = |time: LoopTime| LoopTime { time_ps: time.time_ps / one.steps.max(1), ..time };
        run.times_of(at).map(step).collect()
    };
    let candidate =
        |schedule: &Schedule, run: &Measured| Candidate { name: schedule.to_string(), steps: steps(run) };
    // Of several chunks the smallest that was simulated.
    let chunk = |schedule: &Schedule| {
        let text = schedule.to_string();
        text.split_once(',').and_then(|(_, chunk)| chunk.parse::<u64>().ok()).unwrap_or(0)
    };
    let named = |name: &str| {
        let is_named = |schedule: &Schedule| schedule.to_string().split(',').next() == Some(name);
        let of_name = timed.iter().filter(|(schedule, _)| is_named(schedule));
        of_name.min_by_key(|(schedule, _)| chunk(schedule)).map(|(schedule, run)| candidate(schedule, run))
    };
    let candidates: Vec<Candidate> = LEARNED.into_iter().filter_map(named).collect();
    let present = timed.iter().find(|(schedule, _)| *schedule == one.present);
    match present {
        Some((schedule, run)) => learners(&candidates, &candidate(schedule, run), seed),
        None => Vec::new(),
    }
}
