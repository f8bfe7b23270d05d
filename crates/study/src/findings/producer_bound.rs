//! Threads that wait for one that creates tasks.

use super::account::{Account, percent, time};
use super::finding;
use numalab_results::Finding;

/// A team that waits less than a quarter of its time gets its tasks fast enough.
const WAITS: f64 = 0.25;

/// A creator that is busy creating for more than half of the time is what the rest waits for.
const BUSY: f64 = 0.5;

/// A producer for at least so many threads. Where there are more producers, they are not what is scarce.
const PRODUCERS: u32 = 16;

pub(super) fn find(account: &Account<'_>) -> Option<Finding> {
    let (tasks, threads) = (account.tasks, account.run.threads);
    // Programs that create tasks in tasks have many creators, and none of them is the bottleneck.
    let few = tasks.creators == 1 || tasks.creators > 0 && tasks.creators <= threads / PRODUCERS;
    let (creating, waits) = (tasks.busiest_creator_ps as f64, account.waits());
    // The team would consume all tasks in the time that its threads are busy on average.
    let consuming = (account.team() - account.waiting()) / f64::from(threads);
    if !few || waits < WAITS || creating <= BUSY * account.span() || creating <= consuming {
        return None;
    }
    let who = match tasks.creators {
        1 => format!("1 of {threads} threads creates the tasks and spends"),
        some => format!("{some} of {threads} threads create the tasks, and the busiest spends"),
    };
    let evidence = format!(
        "{who} {} of the time on it, {} for each, while the team waits {} of its time",
        percent(creating / account.span()),
        time(tasks.creating_ps as f64 / tasks.created.max(1) as f64),
        percent(waits),
    );
    finding("producer-bound", evidence)
}
