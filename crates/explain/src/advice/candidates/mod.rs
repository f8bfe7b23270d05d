//! Remedies that a run suggests.
//!
//! | file | about |
//! |---|---|
//! | `pages` | placement and size of pages |
//! | `loops` | schedules of loops, and tasks |
//! | `shared_pages` | pages that nodes share in software |
//! | `split` | loops split by cost |
//! | `threads` | binding, runtime, shared cache lines |

mod loops;
mod pages;
mod shared_pages;
mod split;
mod threads;

use super::remedy::Remedy;
use crate::case::Case;
use numalab_results::Explanation;
use numalab_study::{Files, ResolvedRun};
use numalab_workload::{Phase, Schedule};

/// Share of the threads' time above which a cause suggests remedies.
const MATTERS: f64 = 0.01;

/// Remedies that deserve a simulation, with one change each.
pub(crate) fn candidates(run: &ResolvedRun, case: &Case, seen: &Explanation, files: &Files) -> Vec<Remedy> {
    let mut all = pages::first_touch(case, seen);
    all.extend(pages::touched_alone(case, seen));
    all.extend(pages::placements(case, seen));
    all.extend(loops::schedules(case));
    all.extend(shared_pages::changes(case, seen));
    all.extend(split::splits(run, case));
    all.extend(loops::tasks(case));
    all.extend(threads::bindings(run, files));
    all.extend(threads::runtimes(case, seen));
    all.extend(threads::kinds_of_locks(case, seen));
    all.extend(pages::sizes(case, seen));
    all.extend(threads::spacings(case));
    all
}

/// Share of the threads' time in the blame rows for which `of` is true.
fn part(seen: &Explanation, of: impl Fn(&numalab_results::Blame) -> bool) -> f64 {
    let whole = f64::from(seen.threads) * seen.makespan_ps as f64;
    let time: f64 = seen.blame.iter().filter(|row| of(row)).map(|row| row.time_ps() as f64).sum();
    if whole > 0.0 { time / whole } else { 0.0 }
}

fn schedule(case: &Case, phase: &Phase) -> Schedule {
    phase.under(case.schedule).chosen(case.runtime.auto, case.runtime.runtime)
}
