//! Times of loops under the schedules of the portfolio, over perturbed replicas.

use super::portfolio::{Loop, assigned};
use crate::budget::{Budget, Meter};
use crate::case::Case;
use numalab_results::Replicas;
use numalab_simulator::{Loss, RunOutcome, SimulationError};
use numalab_workload::Schedule;

/// Largest number of runs with the same schedules, the nominal one included.
const REPLICAS: u32 = 6;

/// Part of the best time within which a schedule competes with the best one.
const CLOSE: f64 = 0.1;

/// Time of one loop in one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LoopTime {
    pub time_ps: u64,
    /// Percent imbalance: waiting time for the last thread over the loop's time, as a fraction; 0 in a region that
    /// several phases share.
    pub imbalance: f64,
}

/// A run of the whole program with a schedule for each loop.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    /// Schedule by loop; `None` for the present one.
    pub schedules: Vec<Option<Schedule>>,
    /// Makespans, one for each replica.
    pub makespans_ps: Vec<u64>,
    /// Times by replica and loop.
    pub times: Vec<Vec<LoopTime>>,
}

impl Measured {
    /// Times of a loop, one for each replica.
    pub fn times_of(&self, at: usize) -> impl Iterator<Item = LoopTime> + '_ {
        self.times.iter().map(move |times| times[at])
    }

    /// Range and median of a loop's times.
    pub fn range_of(&self, at: usize) -> Replicas {
        let times: Vec<u64> = self.times_of(at).map(|time| time.time_ps).collect();
        let alone = times.first().copied().unwrap_or(0);
        let one = Replicas { number: 1, low_ps: alone, median_ps: alone, high_ps: alone };
        Replicas::of(&times).unwrap_or(one)
    }
}

/// Runs that were simulated, and the number of those that were not.
pub(super) struct Runs {
    pub all: Vec<Measured>,
    /// Number of lists that the machine or the runtime refuses.
    pub refused: u64,
    pub left_out: u64,
}

/// Simulates the program with each list of schedules, and replicas where times vary or are close to the best. Lists
/// that the machine or the runtime refuses are dropped.
pub(super) fn measure(
    case: &Case,
    loops: &[Loop],
    lists: Vec<Vec<Option<Schedule>>>,
    budget: &mut Budget<'_>,
) -> Runs {
    let mut all: Vec<Measured> = lists
        .into_iter()
        .map(|schedules| Measured { schedules, makespans_ps: Vec::new(), times: Vec::new() })
        .collect();
    let (mut left_out, mut refused) = (0, 0);
    for replica in 0..REPLICAS {
        let chosen: Vec<usize> =
            (0..all.len()).filter(|at| replica < 2 || deserves_more(&all, *at, loops.len())).collect();
        let one = |at: &usize, meter: &Meter<'_>| {
            let changed = Case { replica, ..assigned(case, loops, &all[*at].schedules) };
            match changed.outcome(meter) {
                Ok(outcome) => Ok(Some(outcome)),
                Err(SimulationError::Stopped) => Err(SimulationError::Stopped),
                Err(_) => Ok(None),
            }
        };
        let found = budget.all(&chosen, |_| 1, one).unwrap_or_default();
        for (at, found) in chosen.iter().zip(found) {
            match found {
                Some(Some(outcome)) => {
                    all[*at].makespans_ps.push(outcome.makespan_ps);
                    let times = loops.iter().map(|one| time_of(&outcome, one)).collect();
                    all[*at].times.push(times);
                }
                Some(None) => refused += 1,
                None => left_out += 1,
            }
        }
        all.retain(|measured| !measured.times.is_empty());
    }
    Runs { all, refused, left_out }
}

/// True if more replicas of a run can change what is said: a loop's times vary, or are close to the best.
fn deserves_more(all: &[Measured], at: usize, loops: usize) -> bool {
    (0..loops).any(|one| {
        let range = all[at].range_of(one);
        let best = all.iter().map(|other| other.range_of(one).median_ps).min().unwrap_or(0);
        range.differ() || range.low_ps as f64 <= best as f64 * (1.0 + CLOSE)
    })
}

/// Time and imbalance of a loop.
fn time_of(outcome: &RunOutcome, one: &Loop) -> LoopTime {
    let threads = outcome.team.len() as f64;
    let of_name = outcome.phases.iter().zip(&outcome.losses).filter(|(phase, _)| phase.name == one.name);
    let (mut time_ps, mut waited) = (0, 0u128);
    for (phase, losses) in of_name {
        time_ps += phase.time_ps;
        let waits = losses.iter().filter(|lost| matches!(lost.to, Loss::Barrier | Loss::NoWork));
        waited += waits.map(|lost| lost.time_ps).sum::<u128>();
    }
    // Waiting time of the mean thread, over that of all but the last: max - mean over max, times P / (P - 1).
    let whole = time_ps as f64 * (threads - 1.0);
    // A wait at the end of a phase is booked when it ends, which may be in the next phase of the region.
    let is_known = !one.shares_region && whole > 0.0;
    LoopTime { time_ps, imbalance: if is_known { (waited as f64 / whole).min(1.0) } else { 0.0 } }
}
