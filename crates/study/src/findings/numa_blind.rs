//! Finding: tasks are executed far from their data.

use super::account::{Account, percent};
use super::finding;
use numalab_results::{ByNode, Finding, Run};

/// Least fraction of remote bytes for the finding.
const AWAY: f64 = 0.5;

/// Least ratio of the possible to the actual fraction of local bytes, for the finding. If the nodes with the data
/// have too few threads to process it, no scheduler can make it local.
const POSSIBLE: f64 = 2.0;

/// Least share of the memory penalty (remote data, contention) in the team time, for the finding.
const MATTERS: f64 = 0.1;

pub(super) fn find(account: &Account<'_>) -> Option<Finding> {
    let run = account.run;
    let bytes = run.bytes_by_level.total() as f64;
    let inflation = account.share(run.memory_penalty_ps as f64);
    if bytes == 0.0 || inflation < MATTERS {
        return None;
    }
    let local = run.bytes_by_level.node as f64 / bytes;
    let possible = possible(run);
    if 1.0 - local < AWAY || possible < POSSIBLE * local {
        return None;
    }
    let tasks = account.tasks;
    let elsewhere = tasks.same_board.tasks.saturating_add(tasks.remote.tasks);
    let sequential = run.ideal_work_ps as f64;
    let evidence = format!(
        "{} of the bytes come from another node, where {} could be local, and {} of the tasks run on another \
         socket than their creator: the work takes {} as long as with local data; the difference is {} of the team's time",
        percent(1.0 - local),
        percent(possible),
        percent(elsewhere as f64 / account.executed() as f64),
        times((sequential + run.memory_penalty_ps as f64) / sequential),
        percent(inflation),
    );
    finding("numa-blind", evidence)
}

/// Fraction of the bytes that could be local if every thread processed equally many bytes: each node's bytes, as far
/// as its threads can process them.
fn possible(run: &Run) -> f64 {
    let (mut held, mut threads) = (ByNode::default(), ByNode::default());
    for member in &run.team {
        member.bytes_by_node.iter().for_each(|(node, bytes)| held.add(node, bytes));
        threads.add(member.node, 1);
    }
    let (bytes, team) = (held.total().max(1) as f64, run.team.len().max(1) as f64);
    held.iter().map(|(node, amount)| (amount as f64 / bytes).min(threads.get(node) as f64 / team)).sum()
}

fn times(ratio: f64) -> String {
    if ratio.is_finite() { format!("{ratio:.1} times") } else { "many times".to_owned() }
}
