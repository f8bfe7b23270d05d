//! Finding: tasks have too much overhead.

use super::account::{Account, percent, time};
use super::finding;
use numalab_results::Finding;

/// Ratio of work to overhead below which tasks are too fine. At ten, overhead is about a tenth of the time; larger
/// tasks would save less than is worth a change. Ten is also the usual advice for tasks.
const WORTH: f64 = 10.0;

/// Least share of overhead in the team time for the finding.
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
