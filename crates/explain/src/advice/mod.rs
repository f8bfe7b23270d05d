//! Changes to a run, each simulated.
//!
//! | file | what |
//! |---|---|
//! | `remedy` | changes, in words and done |
//! | `candidates` | changes that a run suggests |

mod candidates;
mod remedy;

pub use remedy::{BRANCHING, Remedy};

use crate::case::Case;
use numalab_results::{Advice, Explanation};
use numalab_study::{Files, ResolvedRun};
use rayon::prelude::*;

/// How many of the best, each about something else, are also tried in pairs.
const IN_PAIRS: usize = 3;

/// A change that was simulated: the remedies, and the makespan.
struct Tried {
    remedies: Vec<Remedy>,
    makespan_ps: u64,
}

/// What helps, the best first, and the number of changes that do not, or cannot be simulated.
pub(crate) fn advice(
    run: &ResolvedRun,
    case: &Case,
    seen: &Explanation,
    files: &Files,
    how: &(dyn Fn(&Remedy) -> String + Sync),
) -> (Vec<Advice>, u64) {
    let singles: Vec<Vec<Remedy>> =
        candidates::candidates(run, case, seen, files).into_iter().map(|remedy| vec![remedy]).collect();
    let mut tried = all(case, &singles);
    tried.sort_by_key(|tried| tried.makespan_ps);
    // The best of those that can be made together.
    let mut best: Vec<&Remedy> = Vec::new();
    for remedy in
        tried.iter().filter(|tried| tried.makespan_ps < seen.makespan_ps).flat_map(|tried| &tried.remedies)
    {
        if best.len() < IN_PAIRS && best.iter().all(|other| other.goes_with(remedy)) {
            best.push(remedy);
        }
    }
    let mut pairs = Vec::new();
    for (at, first) in best.iter().enumerate() {
        pairs.extend(best[at + 1..].iter().map(|second| vec![(*first).clone(), (*second).clone()]));
    }
    let number = (singles.len() + pairs.len()) as u64;
    tried.extend(all(case, &pairs));
    tried.sort_by_key(|tried| tried.makespan_ps);
    tried.retain(|tried| tried.makespan_ps < seen.makespan_ps);
    let helps: Vec<Advice> = tried
        .iter()
        .map(|tried| Advice {
            changes: tried.remedies.iter().map(Remedy::words).collect(),
            makespan_ps: tried.makespan_ps,
            gain: 1.0 - tried.makespan_ps as f64 / seen.makespan_ps as f64,
            how: tried.remedies.iter().map(how).collect(),
        })
        .collect();
    let others = number - helps.len() as u64;
    (helps, others)
}

/// Simulates changes; those that change nothing or cannot be simulated are left out.
fn all(case: &Case, changes: &[Vec<Remedy>]) -> Vec<Tried> {
    let one = |remedies: &Vec<Remedy>| {
        let changed = remedies.iter().try_fold(case.clone(), |case, remedy| remedy.apply(&case))?;
        let outcome = changed.run().ok()?;
        Some(Tried { remedies: remedies.clone(), makespan_ps: outcome.makespan_ps })
    };
    changes.par_iter().with_max_len(1).map(one).collect::<Vec<_>>().into_iter().flatten().collect()
}
