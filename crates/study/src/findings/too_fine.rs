//! Tasks that cost more to handle than they are worth.

use super::account::{Account, percent, time};
use super::finding;
use numalab_results::Finding;

/// A task that works ten times as long as it takes to handle leaves a tenth of what threads do to the
/// runtime. That is what larger tasks could win back: less than that is hardly worth a change, and the
/// usual advice for tasks is this factor.
const WORTH: f64 = 10.0;

/// Part of the team's time: where all tasks together take less, their grain decides nothing.
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
         what threads do for tasks",
        time(working / tasks),
        time(handling / tasks),
        time(creating / tasks),
        time((handling - creating) / tasks),
        percent(handling / (working + handling)),
    );
    finding("tasks-too-fine", evidence)
}
