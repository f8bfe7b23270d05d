//! Finding: too few tasks, or one too long, to keep the team busy.

use super::account::{Account, percent, time};
use super::finding;
use numalab_results::Finding;

/// Least share of the team time that threads wait, for the finding; every run waits a little at its start and end.
const MATTERS: f64 = 0.1;

pub(super) fn find(account: &Account<'_>) -> Option<Finding> {
    let (tasks, threads) = (account.tasks, account.run.threads);
    let waits = account.waits();
    if waits < MATTERS {
        return None;
    }
    let (executed, phases) = (account.executed(), tasks.phases.max(1));
    let team_waits = format!("the team waits {} of its time", percent(waits));
    if executed < phases.saturating_mul(u64::from(threads)) {
        let each = if phases > 1 { format!(" in {phases} phases") } else { String::new() };
        let plural = if executed == 1 { "" } else { "s" };
        let evidence = format!("{executed} task{plural}{each} for {threads} threads: {team_waits}");
        return finding("tasks-too-coarse", evidence);
    }
    // A thread without work waits for running tasks, so each phase ends at most one longest task
    // later: only a longest task of at least the mean wait explains it.
    let wait = account.waiting() / f64::from(threads) / phases as f64;
    let longest = tasks.longest_task_ps as f64;
    if longest < wait {
        return None;
    }
    let evidence = format!(
        "the longest task takes {}, and a thread has {} of work in {} tasks: {team_waits}",
        time(longest),
        time(tasks.working_ps as f64 / f64::from(threads) / phases as f64),
        mean(executed as f64 / f64::from(threads) / phases as f64),
    );
    finding("tasks-too-coarse", evidence)
}

fn mean(count: f64) -> String {
    if count < 9.95 { format!("{count:.1}") } else { format!("{count:.0}") }
}
