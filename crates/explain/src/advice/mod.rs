//! Remedies for a run, each of them simulated.
//!
//! | file | what |
//! |---|---|
//! | `remedy` | kinds of remedies and their wording |
//! | `apply` | remedies applied to a run |
//! | `candidates/` | remedies that a run suggests |
//! | `ladder` | chunk sizes, tried from the largest down |

mod apply;
mod candidates;
mod ladder;
mod remedy;

pub use remedy::{BRANCHING, Remedy};

use crate::Request;
use crate::case::Case;
use numalab_results::{Advice, Explanation};
use numalab_study::ResolvedRun;
use rayon::prelude::*;

/// Number of subjects whose best remedy is tried in pairs, number of following subjects that each of them is paired
/// with, and number of remedies of each following subject that are tried.
const IN_PAIRS: usize = 3;

/// Gain above which a remedy is also tried at the other end of a replay, where recorded time has the least computing.
/// Smaller gains are shown in JSON only.
const MATTERS: f64 = 0.01;

/// A pair of remedies is reported if its makespan is below this fraction of the better single remedy's makespan.
const BETTER: f64 = 0.99;

/// Remedies that are simulated together in one run, with the run's makespan.
struct Tried {
    remedies: Vec<Remedy>,
    makespan_ps: u64,
}

/// Advice from helpful remedies, best first, and the number of other remedies: without gain, or refused by the
/// simulation.
pub(crate) fn advice(
    run: &ResolvedRun,
    case: &Case,
    other: Option<&Case>,
    seen: &Explanation,
    request: &Request<'_>,
) -> (Vec<Advice>, u64) {
    let singles = candidates::candidates(run, case, seen, request.files);
    let (mut tried, number) = ladder::climb(case, singles, seen.makespan_ps);
    tried.sort_by_key(|tried| tried.makespan_ps);
    let helpful = tried.iter().filter(|tried| tried.makespan_ps < seen.makespan_ps);
    let pairs = pairs(&helpful.flat_map(|tried| &tried.remedies).collect::<Vec<_>>());
    let number = number + pairs.len() as u64;
    let beside = all(case, &pairs);
    // A pair is reported only if neither member gains as much alone.
    let alone = |remedy: &Remedy| {
        let same = |tried: &&Tried| tried.remedies.len() == 1 && tried.remedies[0].words() == remedy.words();
        tried.iter().find(same).map_or(seen.makespan_ps, |tried| tried.makespan_ps)
    };
    let better = |pair: &Tried| {
        let best = pair.remedies.iter().map(alone).min().unwrap_or(seen.makespan_ps);
        (pair.makespan_ps as f64) < BETTER * best as f64
    };
    let beside: Vec<Tried> = beside.into_iter().filter(better).collect();
    tried.extend(beside);
    tried.sort_by_key(|tried| tried.makespan_ps);
    tried.retain(|tried| tried.makespan_ps < seen.makespan_ps);
    let others = other.map(|case| other_gains(case, &tried, seen.makespan_ps));
    let mut helps: Vec<Advice> = tried
        .iter()
        .enumerate()
        .map(|(at, tried)| Advice {
            changes: tried.remedies.iter().map(Remedy::words).collect(),
            makespan_ps: tried.makespan_ps,
            gain: 1.0 - tried.makespan_ps as f64 / seen.makespan_ps as f64,
            other_gain: others.as_ref().and_then(|gains| gains[at]),
            how: tried.remedies.iter().map(request.how).collect(),
        })
        .collect();
    // Remedies that help at both ends of a replay come first.
    helps.sort_by_key(|advice| other.is_some() && advice.other_gain.is_none_or(|gain| gain <= 0.0));
    let others = number - helps.len() as u64;
    (helps, others)
}

/// Gains of remedies at the other end of a replay (`other_end`), as fractions of the makespan; `None` for remedies
/// that gain less than `MATTERS` at this end.
fn other_gains(case: &Case, tried: &[Tried], present: u64) -> Vec<Option<f64>> {
    let makespan = |case: &Case| case.run().ok().map(|outcome| outcome.makespan_ps);
    let matters = |tried: &Tried| tried.makespan_ps as f64 <= (1.0 - MATTERS) * present as f64;
    if !tried.iter().any(matters) {
        return vec![None; tried.len()];
    }
    let Some(whole) = makespan(case) else { return vec![None; tried.len()] };
    let one = |tried: &Tried| {
        if !matters(tried) {
            return None;
        }
        let changed = tried.remedies.iter().try_fold(case.clone(), |case, remedy| remedy.apply(&case));
        // A remedy without effect at the other end saves nothing there.
        let makespan = changed.as_ref().map_or(Some(whole), makespan)?;
        Some(1.0 - makespan as f64 / whole.max(1) as f64)
    };
    tried.par_iter().with_max_len(1).map(one).collect()
}

/// Pairs of compatible remedies: the best of one subject with several of another, since the best remedy alone need
/// not be the best beside another one.
fn pairs(helpful: &[&Remedy]) -> Vec<Vec<Remedy>> {
    // Remedies grouped by subject; groups are ordered by their best remedy. Remedies of one subject exclude each
    // other.
    let mut kinds: Vec<Vec<&Remedy>> = Vec::new();
    for remedy in helpful {
        match kinds.iter_mut().find(|kind| !kind[0].goes_with(remedy)) {
            Some(kind) => kind.push(remedy),
            None => kinds.push(vec![remedy]),
        }
    }
    let mut pairs = Vec::new();
    for (at, kind) in kinds.iter().enumerate().take(IN_PAIRS) {
        for other in kinds[at + 1..].iter().take(IN_PAIRS) {
            pairs.extend(other.iter().take(IN_PAIRS).map(|second| vec![kind[0].clone(), (*second).clone()]));
        }
    }
    pairs
}

/// Simulates sets of remedies. Sets without effect, and those that cannot be simulated, are dropped.
fn all(case: &Case, changes: &[Vec<Remedy>]) -> Vec<Tried> {
    let found = changes.par_iter().with_max_len(1).map(|remedies| tried(case, remedies));
    found.collect::<Vec<_>>().into_iter().flatten().collect()
}

fn tried(case: &Case, remedies: &[Remedy]) -> Option<Tried> {
    let changed = remedies.iter().try_fold(case.clone(), |case, remedy| remedy.apply(&case))?;
    let outcome = changed.run().ok()?;
    Some(Tried { remedies: remedies.to_vec(), makespan_ps: outcome.makespan_ps })
}
