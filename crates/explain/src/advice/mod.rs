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

pub(crate) use candidates::candidates;
pub use remedy::{BRANCHING, Remedy};

use crate::Request;
use crate::budget::{Budget, Meter};
use crate::case::Case;
use numalab_results::{Advice, Explanation};
use numalab_simulator::SimulationError;

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

/// A simulation ended early: the budget is used up, or the user stopped it.
struct Stopped;

/// Advice, and the numbers of remedies that gave none.
#[derive(Default)]
pub(crate) struct Advised {
    /// Helpful remedies, best first.
    pub advice: Vec<Advice>,
    /// Number of remedies without gain, or refused by the simulation.
    pub others: u64,
    /// Number of remedies, single or in pairs, that did not fit the budget.
    pub left_out: u64,
}

/// Simulates remedies one by one, and the best of them in pairs.
pub(crate) fn advice(
    case: &Case,
    other: Option<&Case>,
    singles: Vec<Remedy>,
    seen: &Explanation,
    request: &Request<'_>,
    mut budget: Budget<'_>,
) -> Advised {
    // Each remedy of a replay is also simulated at the other end.
    let mut for_the_other = budget.split(other.is_some().into(), 2);
    let climbed = ladder::climb(case, singles, seen.makespan_ps, &mut budget);
    let mut tried = climbed.found;
    tried.sort_by_key(|tried| tried.makespan_ps);
    let helpful = tried.iter().filter(|tried| tried.makespan_ps < seen.makespan_ps);
    let pairs = pairs(&helpful.flat_map(|tried| &tried.remedies).collect::<Vec<_>>());
    let (beside, missed) = all(case, &pairs, &mut budget);
    let number = climbed.number + pairs.len() as u64 - missed;
    let mut left_out = climbed.left_out + missed;
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
    for_the_other.join(budget);
    let others = other.map(|case| other_gains(case, &tried, seen.makespan_ps, for_the_other));
    let known = |at: usize| others.as_ref().is_none_or(|gains| gains[at].is_some());
    let mut helps: Vec<Advice> = tried
        .iter()
        .enumerate()
        .filter(|(at, _)| known(*at))
        .map(|(at, tried)| Advice {
            changes: tried.remedies.iter().map(Remedy::words).collect(),
            makespan_ps: tried.makespan_ps,
            gain: 1.0 - tried.makespan_ps as f64 / seen.makespan_ps as f64,
            other_gain: others.as_ref().and_then(|gains| gains[at].flatten()),
            how: tried.remedies.iter().map(request.how).collect(),
            on_machine: tried.remedies.iter().map(request.on_machine).collect(),
        })
        .collect();
    // Remedies that help at both ends of a replay come first.
    helps.sort_by_key(|advice| other.is_some() && advice.other_gain.is_none_or(|gain| gain <= 0.0));
    let one_ended = (tried.len() - helps.len()) as u64;
    left_out += one_ended;
    let others = number - helps.len() as u64 - one_ended;
    Advised { advice: helps, others, left_out }
}

/// Gains of remedies at the other end of a replay (`other_end`), as fractions of the makespan; `Some(None)` for
/// remedies that gain less than `MATTERS` at this end, `None` for those that do not fit the budget.
fn other_gains(
    case: &Case,
    tried: &[Tried],
    present: u64,
    mut budget: Budget<'_>,
) -> Vec<Option<Option<f64>>> {
    let matters = |tried: &Tried| tried.makespan_ps as f64 <= (1.0 - MATTERS) * present as f64;
    let chosen: Vec<&Tried> = tried.iter().filter(|tried| matters(tried)).collect();
    let small = || tried.iter().map(|tried| (!matters(tried)).then_some(None)).collect::<Vec<_>>();
    // A run that is refused for another reason than the budget has no gain.
    let whole = budget.all(&[case], |_| 1, |case, meter| case.makespan(meter));
    let whole = match whole.as_deref() {
        _ if chosen.is_empty() => return small(),
        Ok([Some(whole)]) => *whole,
        Ok(_) => return small(),
        Err(_) => return vec![Some(None); tried.len()],
    };
    let gains = budget.all(
        &chosen,
        |_| 1,
        |tried, meter| {
            let changed = tried.remedies.iter().try_fold(case.clone(), |case, remedy| remedy.apply(&case));
            // A remedy without effect at the other end saves nothing there.
            let makespan = match changed.map(|case| case.makespan(meter)) {
                None => Some(whole),
                Some(Err(SimulationError::Stopped)) => return Err(SimulationError::Stopped),
                Some(makespan) => makespan.ok(),
            };
            Ok(makespan.map(|makespan| 1.0 - makespan as f64 / whole.max(1) as f64))
        },
    );
    let mut gains = gains.unwrap_or_default().into_iter();
    let gain = |tried: &Tried| if matters(tried) { gains.next().flatten() } else { Some(None) };
    tried.iter().map(gain).collect()
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

/// Simulates sets of remedies. Sets without effect, and those that cannot be simulated, are dropped. Returns the
/// results, and the number of sets that did not fit the budget.
fn all(case: &Case, changes: &[Vec<Remedy>], budget: &mut Budget<'_>) -> (Vec<Tried>, u64) {
    let one = |remedies: &Vec<Remedy>, meter: &Meter<'_>| {
        tried(case, remedies, meter).map_err(|Stopped| SimulationError::Stopped)
    };
    let found = budget.all(changes, |_| 1, one).unwrap_or_default();
    let missed = found.iter().filter(|found| found.is_none()).count() as u64;
    (found.into_iter().flatten().flatten().collect(), missed)
}

/// Simulates some remedies together; `Ok(None)` if they have no effect or cannot be simulated.
fn tried(case: &Case, remedies: &[Remedy], meter: &Meter<'_>) -> Result<Option<Tried>, Stopped> {
    let changed = remedies.iter().try_fold(case.clone(), |case, remedy| remedy.apply(&case));
    match changed.map(|case| case.makespan(meter)) {
        Some(Ok(makespan_ps)) => Ok(Some(Tried { remedies: remedies.to_vec(), makespan_ps })),
        Some(Err(SimulationError::Stopped)) => Err(Stopped),
        Some(Err(_)) | None => Ok(None),
    }
}
