//! Finding: tasks have too much overhead.

use super::account::{Account, percent, time};
use super::finding;
use numalab_results::Finding;

/// Ratio of work to overhead below which tasks are too fine. At ten, the usual advice for tasks, overhead is about a
/// tenth of the time, and larger tasks would save little.
const WORTH: f64 = 10.0;

/// Least share of the team time that is overhead, for the finding.
const MATTERS: f64 = 0.01;

pub(super) fn find(account: &Account<'_>) -> Option<Finding> {
    let (working, handling) = (account.tasks.working_ps as f64, account.handling());
    let matters = account.share(handling) >= MATTERS;
    if !matters || working >= WORTH * handling {
        return None;
    }
    let tasks = account.executed() as f64;
    let creating = account.tasks.creating_ps as f64;
    let evidence = format!(
        "a task works {} on average, and handling it takes {} ({} to create, {} to fetch and finish): {} of \
         the time for tasks",
        time(working / tasks),
        time(handling / tasks),
        time(creating / tasks),
        time((handling - creating) / tasks),
        percent(handling / (working + handling)),
    );
    finding("tasks-too-fine", evidence)
}
