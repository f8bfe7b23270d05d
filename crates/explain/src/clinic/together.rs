//! The best schedule of each loop, and the program with all of them.

use super::measured::{Measured, Runs, measure};
use super::portfolio::Loop;
use super::{SAME, Typed};
use crate::budget::Budget;
use crate::case::Case;
use numalab_results::Together;
use numalab_workload::Schedule;

/// Schedules for all loops, simulated in one program.
struct Simulated {
    /// Schedule by loop; `None` for the present one.
    schedules: Vec<Option<Schedule>>,
    makespan_ps: u64,
}

/// The schedules to choose, if any are better than the present ones.
#[derive(Default)]
pub(super) struct Choice {
    best: Option<Simulated>,
    /// Best schedules that common compilers have; `None` if those of `best` are.
    common: Option<Simulated>,
    /// Number of runs that did not fit the budget.
    pub left_out: u64,
}

impl Choice {
    /// Simulates the program with the best schedule of each loop, and with the best that common compilers have.
    pub fn of(
        case: &Case,
        loops: &[Loop],
        all: &[Measured],
        typed: &(dyn Fn(Schedule) -> Typed + Sync),
        present: u64,
        budget: &mut Budget<'_>,
    ) -> Choice {
        let is_common = |schedule: Schedule| typed(schedule).is_common;
        let best = fastest(loops, all, |_| true);
        let common = fastest(loops, all, is_common);
        let mut wanted = vec![best.clone()];
        if common != best {
            wanted.push(common.clone());
        }
        wanted.retain(|schedules| !all.iter().any(|run| run.schedules == *schedules));
        let mut found = measure(case, loops, wanted, budget);
        found.all.extend(all.iter().cloned());
        let Runs { all, left_out, refused: _ } = found;
        let are_common = |run: &Measured| {
            loops.iter().zip(&run.schedules).all(|(one, own)| is_common(own.unwrap_or(one.present)))
        };
        let shortest = |runs: &mut dyn Iterator<Item = &Measured>| {
            let shortest = runs.min_by_key(|run| run.makespans_ps[0])?;
            let makespan_ps = shortest.makespans_ps[0];
            let is_shorter = (makespan_ps as f64) < present as f64 * (1.0 - SAME);
            is_shorter.then(|| Simulated { schedules: shortest.schedules.clone(), makespan_ps })
        };
        let best = shortest(&mut all.iter());
        let common = match &best {
            Some(best) if best.schedules.iter().flatten().any(|schedule| !is_common(*schedule)) => {
                shortest(&mut all.iter().filter(|run| are_common(run)))
            }
            _ => None,
        };
        Choice { best, common, left_out }
    }

    /// Schedules that a reader can use: those that common compilers have, or else the best.
    pub fn schedules(&self) -> Option<&[Option<Schedule>]> {
        let chosen = self.common.as_ref().or(self.best.as_ref())?;
        Some(&chosen.schedules)
    }

    /// Results: the best schedules, and the best that common compilers have.
    pub fn to_results(&self, loops: &[Loop], present: u64) -> (Option<Together>, Option<Together>) {
        let together = |simulated: &Simulated| Together {
            schedules: loops
                .iter()
                .zip(&simulated.schedules)
                .map(|(one, schedule)| schedule.unwrap_or(one.present).to_string())
                .collect(),
            makespan_ps: simulated.makespan_ps,
            gain: 1.0 - simulated.makespan_ps as f64 / present.max(1) as f64,
        };
        (self.best.as_ref().map(together), self.common.as_ref().map(together))
    }
}

/// Fastest schedule of each loop that `may` allows; of schedules within [`SAME`] the first in the order of the
/// portfolio, in which simpler ones come first.
fn fastest(loops: &[Loop], all: &[Measured], may: impl Fn(Schedule) -> bool) -> Vec<Option<Schedule>> {
    let of_loop = |(at, one): (usize, &Loop)| {
        let allowed = || all.iter().filter(|run| may(run.schedules[at].unwrap_or(one.present)));
        let best = allowed().map(|run| run.range_of(at).median_ps).min()? as f64;
        allowed().find(|run| run.range_of(at).median_ps as f64 <= best * (1.0 + SAME))?.schedules[at]
    };
    loops.iter().enumerate().map(of_loop).collect()
}
