//! Tries the chunk sizes of one schedule from the largest down, and stops where they only get worse.

use super::{Remedy, Tried, tried};
use crate::case::Case;
use numalab_workload::Schedule;
use rayon::prelude::*;

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
/// ones are left out. Returns the results and the number of runs.
pub(super) fn climb(case: &Case, changes: Vec<Remedy>, present: u64) -> (Vec<Tried>, u64) {
    let ladders = ladders(changes);
    let one = |ladder: &Vec<Remedy>| {
        let (mut found, mut number, mut last) = (Vec::new(), 0, present);
        for remedy in ladder {
            number += 1;
            let Some(tried) = tried(case, std::slice::from_ref(remedy)) else { continue };
            let worse = tried.makespan_ps > last.max(present);
            last = tried.makespan_ps;
            // The first chunk has no larger one to compare with.
            let over = worse && !found.is_empty();
            found.push(tried);
            if over {
                break;
            }
        }
        (found, number)
    };
    let found: Vec<(Vec<Tried>, u64)> = ladders.par_iter().with_max_len(1).map(one).collect();
    let number = found.iter().map(|one| one.1).sum();
    (found.into_iter().flat_map(|one| one.0).collect(), number)
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
