//! Finding: threads wait for a thread that creates tasks.

use super::account::{Account, percent, time};
use super::finding;
use numalab_results::Finding;

/// Least share of the team time that threads wait, for the finding.
const WAITS: f64 = 0.25;

/// Least share of the makespan of task phases in which the busiest creator creates tasks, for the finding.
const BUSY: f64 = 0.5;

/// Least number of threads per creator of tasks for the finding, unless one thread creates all tasks. With more
/// creators, none of them is the bottleneck.
const PRODUCERS: u32 = 16;

pub(super) fn find(account: &Account<'_>) -> Option<Finding> {
    let (tasks, threads) = (account.tasks, account.run.threads);
    // Programs whose tasks create tasks have many creators, none of which is the bottleneck.
    let few = tasks.creators == 1 || tasks.creators > 0 && tasks.creators <= threads / PRODUCERS;
    let (creating, waits) = (tasks.busiest_creator_ps as f64, account.waits());
    // Time in which the team would execute all tasks if it never waited.
    let consuming = (account.team() - account.waiting()) / f64::from(threads);
    if !few || waits < WAITS || creating <= BUSY * account.span() || creating <= consuming {
        return None;
    }
    let subject = match tasks.creators {
        1 => format!("1 of {threads} threads creates the tasks and spends"),
        some => format!("{some} of {threads} threads create the tasks, and the busiest spends"),
    };
    let evidence = format!(
        "{subject} {} of the time on it, {} for each, while the team waits {} of its time",
        percent(creating / account.span()),
        time(tasks.creating_ps as f64 / tasks.created.max(1) as f64),
        percent(waits),
    );
    finding("producer-bound", evidence)
}
