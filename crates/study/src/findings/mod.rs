//! Findings: problems of a run, each with its figures. They are about tasks, software-shared pages, teams slower
//! than one thread, and makespans that vary.
//!
//! | file | finding |
//! |---|---|
//! | `account` | use of the team's time, as findings read it |
//! | `too_fine` | tasks with too much overhead |
//! | `too_coarse` | too few tasks, or one too long, to keep the team busy |
//! | `producer_bound` | threads that wait for one that creates tasks |
//! | `numa_blind` | tasks executed far from their data |
//! | `slower` | teams slower than one thread |
//! | `unstable` | replicas whose makespans differ much |
//! | `pages` | faults on software-shared pages, pages with several writers, busy daemons |

// Glossary: finding: Something that stands out in a run (of its tasks, of pages that nodes share, of a team
//   that is slower than one thread, of a makespan that varies), with the figures that show it.

mod account;
mod numa_blind;
mod pages;
mod producer_bound;
mod slower;
mod too_coarse;
mod too_fine;
mod unstable;

use account::Account;
use numalab_results::{Finding, Run};

/// All findings of a run, in a fixed order. Call it after the run's time on one thread is set.
pub(crate) fn findings(run: &Run) -> Vec<Finding> {
    unstable::find(run).into_iter().chain(slower::find(run)).chain(of_tasks_and_pages(run)).collect()
}

/// Findings about tasks and shared pages; empty if the run has neither.
fn of_tasks_and_pages(run: &Run) -> Vec<Finding> {
    let Some(account) = Account::of(run) else { return pages::find(run) };
    let producer = producer_bound::find(&account);
    // Threads that wait for a producer do not show that tasks are too coarse.
    let coarse = too_coarse::find(&account).filter(|_| producer.is_none());
    let fine = too_fine::find(&account);
    // Tasks cannot be both too fine and too coarse: the larger cost decides.
    let (fine, coarse) = match (fine, coarse) {
        (Some(fine), Some(_)) if account.handling() >= account.waiting() => (Some(fine), None),
        (Some(_), Some(coarse)) => (None, Some(coarse)),
        either => either,
    };
    [fine, coarse, producer, numa_blind::find(&account)].into_iter().flatten().collect()
}

fn finding(name: &str, evidence: String) -> Option<Finding> {
    Some(Finding { name: name.to_owned(), evidence })
}

#[cfg(test)]
mod tests;
