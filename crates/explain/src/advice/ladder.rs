//! Tries the chunk sizes of one schedule from the largest down, and stops where they only get worse.

use super::{Remedy, Stopped, Tried, tried};
use crate::budget::{Budget, Meter};
use crate::case::Case;
use numalab_workload::Schedule;

/// Family of a remedy's schedule, and its chunk size; `None` if the schedule has no chunk. Remedies of a family have
/// the same phase and the same kind of schedule: true for `dynamic`, false for `static`.
fn family(remedy: &Remedy) -> Option<(Option<&str>, bool, u64)> {
    let Remedy::Schedule { phase, schedule } = remedy else { return None };
    if let Schedule::Dynamic { chunk } = *schedule {
        return Some((phase.as_deref(), true, chunk));
    }
    let Schedule::Static { chunk: Some(chunk) } = *schedule else { return None };
    Some((phase.as_deref(), false, chunk))
}

/// Groups remedies: chunk sizes of one family from the largest down, and every other remedy alone.
fn ladders(changes: Vec<Remedy>) -> Vec<Vec<Remedy>> {
    let mut all: Vec<Vec<Remedy>> = Vec::new();
    for change in changes {
        let kin = |other: &Vec<Remedy>| match (family(&other[0]), family(&change)) {
            (Some(first), Some(second)) => (first.0, first.1) == (second.0, second.1),
            _ => false,
        };
        match all.iter_mut().find(|ladder| kin(ladder)) {
            Some(ladder) => ladder.push(change),
            None => all.push(vec![change]),
        }
    }
    for ladder in &mut all {
        ladder.sort_by_key(|remedy| std::cmp::Reverse(family(remedy).map_or(0, |family| family.2)));
    }
    all
}

/// Simulates remedies one by one. Once a chunk is worse than the present run and than the next larger chunk, smaller
/// ones are skipped.
pub(super) fn climb(case: &Case, changes: Vec<Remedy>, present: u64, budget: &mut Budget<'_>) -> Climbed {
    let ladders = ladders(changes);
    let one = |ladder: &Vec<Remedy>, meter: &Meter<'_>| {
        let (mut climbed, mut last) = (Climbed::default(), present);
        for (at, remedy) in ladder.iter().enumerate() {
            climbed.number += 1;
            let tried = match tried(case, std::slice::from_ref(remedy), meter) {
                Ok(Some(tried)) => tried,
                Ok(None) => continue,
                Err(Stopped) => {
                    climbed.number -= 1;
                    climbed.left_out = (ladder.len() - at) as u64;
                    break;
                }
            };
            let worse = tried.makespan_ps > last.max(present);
            last = tried.makespan_ps;
            // The first chunk has no larger one to compare with.
            let over = worse && !climbed.found.is_empty();
            climbed.found.push(tried);
            if over {
                break;
            }
        }
        Ok(climbed)
    };
    // Without an error of its own, the computation of a ladder fails for no reason.
    let found = budget.all_whole(&ladders, |ladder| ladder.len() as u64, one, |one| one.left_out == 0);
    let found = found.unwrap_or_default();
    let mut all = Climbed::default();
    for (ladder, climbed) in ladders.iter().zip(found) {
        match climbed {
            Some(climbed) => {
                all.found.extend(climbed.found);
                all.number += climbed.number;
                all.left_out += climbed.left_out;
            }
            None => all.left_out += ladder.len() as u64,
        }
    }
    all
}

/// Remedies that were simulated alone.
#[derive(Default)]
pub(super) struct Climbed {
    pub found: Vec<Tried>,
    /// Number of runs.
    pub number: u64,
    /// Number of remedies that did not fit the budget.
    pub left_out: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_of_one_schedule_come_from_the_largest_down() {
        let of =
            |phase: Option<&str>, schedule| Remedy::Schedule { phase: phase.map(str::to_owned), schedule };
        let dynamic = |chunk| Schedule::Dynamic { chunk };
        let changes = [
            of(None, Schedule::Guided { chunk: 1 }),
            of(None, dynamic(1)),
            of(None, dynamic(16)),
            of(None, Schedule::Static { chunk: Some(4) }),
            of(Some("sweep"), dynamic(2)),
            of(None, dynamic(4)),
        ];
        let words: Vec<Vec<String>> =
            ladders(changes.into()).iter().map(|ladder| ladder.iter().map(Remedy::words).collect()).collect();
        let expected = [
            vec!["schedule guided"],
            vec!["schedule dynamic,16", "schedule dynamic,4", "schedule dynamic"],
            vec!["schedule static,4"],
            vec!["schedule dynamic,2 in sweep"],
        ];
        assert_eq!(words, expected);
    }
}
