//! Findings about a run with tasks, over pages that nodes share, or slower than one thread: what stands out in it, each
//! with the figures that show it.
//!
//! | file | what |
//! |---|---|
//! | `account` | where the team's time went, as findings read it |
//! | `too_fine` | tasks that cost more to handle than they are worth |
//! | `too_coarse` | too few tasks, or one too long, to keep the team busy |
//! | `producer_bound` | threads that wait for one that creates tasks |
//! | `numa_blind` | tasks that run away from their data |
//! | `slower` | teams that take longer than one thread |
//! | `pages` | faults over pages that nodes share, pages of several writers, busy daemons |

// Glossary: finding: Something that stands out in a run (of its tasks, of pages that nodes share, of a team
//   that is slower than one thread), with the figures that show it.

mod account;
mod numa_blind;
mod pages;
mod producer_bound;
mod slower;
mod too_coarse;
mod too_fine;

use account::Account;
use numalab_results::{Finding, Run};

/// Everything that holds of a run, in a fixed order. What one thread takes has to be known by then.
pub(crate) fn findings(run: &Run) -> Vec<Finding> {
    slower::find(run).into_iter().chain(of_tasks_and_pages(run)).collect()
}

/// Nothing of a run without tasks or shared pages.
fn of_tasks_and_pages(run: &Run) -> Vec<Finding> {
    let Some(account) = Account::of(run) else { return pages::find(run) };
    let producer = producer_bound::find(&account);
    // What a producer makes the team wait for is no matter of the last tasks' size.
    let coarse = too_coarse::find(&account).filter(|_| producer.is_none());
    let fine = too_fine::find(&account);
    // A grain is not too fine and too coarse at once: what costs the team more is the trouble.
    let (fine, coarse) = match (fine, coarse) {
        (Some(fine), Some(_)) if account.handling() >= account.waiting() => (Some(fine), None),
        (Some(_), Some(coarse)) => (None, Some(coarse)),
        either => either,
    };
    [fine, coarse, producer, numa_blind::find(&account)].into_iter().flatten().collect()
}

/// A finding of this name.
fn finding(name: &str, evidence: String) -> Option<Finding> {
    Some(Finding { name: name.to_owned(), evidence })
}

#[cfg(test)]
mod tests;
