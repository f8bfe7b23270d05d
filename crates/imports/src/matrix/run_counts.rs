//! The thread-node table of a simulated run: what each thread accessed, in bytes.

use super::ThreadNodeTable;
use numalab_results::{Comparison, RecordError, Run, read_record};
use numalab_syntax::diagnostics::{Diagnostic, Diagnostics, Source};
use numalab_syntax::nearest::hint;
use numalab_syntax::text_file;
use numalab_syntax::tree::{TextRange, shorten};
use std::path::Path;

/// Counts of a table: 32 768 threads on 2048 nodes.
const MOST_COUNTS: u64 = 1 << 26;

const SIMULATE_AGAIN: &str = "run \"numalab sim MACHINE WORKLOAD --format json\" again with this program";
const READ_ELSEWHERE: &str = "read it with the NumaLab that wrote it, or a later one";

/// Results of several schedules of 32 768 threads.
const MOST_BYTES: u64 = 256 << 20;

/// Reads the bytes that each thread accessed on each node from results of `numalab sim` as JSON. Where
/// the file has runs of several policies, `policy` says of which.
pub fn run_counts(path: &Path, policy: Option<&str>) -> Result<ThreadNodeTable, Diagnostics> {
    let source = text_file::read(path, MOST_BYTES, "results of numalab sim as JSON")?;
    let comparison: Comparison = match read_record(&source.text) {
        Ok(comparison) => comparison,
        Err(RecordError::Version(version)) => {
            let help = if version.is_later() { READ_ELSEWHERE } else { SIMULATE_AGAIN };
            return Err(Diagnostics::plain(format!("{} {version}", source.name), help));
        }
        Err(RecordError::Json(error)) => {
            let span = position(&source.text, error.line(), error.column());
            let label = "expected what `numalab sim --format json` writes";
            return Err(Diagnostics::new(
                vec![source],
                vec![Diagnostic::new(span, format!("these are no results: {error}"), label)],
            ));
        }
    };
    let run = choose(&comparison, policy, &source)?;
    let nodes = comparison.layout.nodes;
    check(run, nodes).map_err(|(message, help)| {
        Diagnostics::plain(format!("{}: the run of {} {message}", source.name, run.policy), help)
    })?;
    Ok(ThreadNodeTable {
        threads: run.team.iter().map(|member| member.thread.to_string()).collect(),
        nodes: (0..nodes).map(|node| node.to_string()).collect(),
        counts: run
            .team
            .iter()
            .map(|member| (0..nodes).map(|node| member.bytes_by_node.get(node)).collect())
            .collect(),
    })
}

/// Whether the run's counts are of these nodes and fit a table, or what is wrong and what was expected.
fn check(run: &Run, nodes: u32) -> Result<(), (String, String)> {
    if nodes == 0 || run.team.is_empty() {
        let expected = "expected `layout.nodes` and a `team`, as `numalab sim --format json` writes them";
        return Err(("counts no nodes or no threads".to_owned(), expected.to_owned()));
    }
    if run.team.len() as u64 * u64::from(nodes) > MOST_COUNTS {
        let message = format!("has {} threads on {nodes} nodes", run.team.len());
        return Err((message, format!("expected at most {MOST_COUNTS} counts, threads times nodes")));
    }
    for member in &run.team {
        if let Some((node, _)) = member.bytes_by_node.iter().find(|(node, _)| *node >= nodes) {
            let message = format!("has bytes of node {node} in thread {}", member.thread);
            return Err((message, format!("expected nodes below {nodes}, which is `layout.nodes`")));
        }
    }
    Ok(())
}

fn choose<'a>(
    comparison: &'a Comparison,
    policy: Option<&str>,
    source: &Source,
) -> Result<&'a Run, Diagnostics> {
    let policies = || comparison.runs.iter().map(|run| run.policy.as_str());
    match (policy, &comparison.runs[..]) {
        (_, []) => Err(Diagnostics::plain(format!("{} has no runs", source.name), "")),
        (None, [run]) => Ok(run),
        (None, _) => Err(Diagnostics::plain(
            format!("{} has runs of {} policies", source.name, comparison.runs.len()),
            format!("say which: --policy {}", policies().collect::<Vec<_>>().join(", ")),
        )),
        (Some(policy), runs) => runs.iter().find(|run| run.policy == policy).ok_or_else(|| {
            let message = format!("{} has no run of policy `{}`", source.name, shorten(policy));
            Diagnostics::plain(message, hint(policy, policies()))
        }),
    }
}

/// Where the JSON library stopped; it counts lines and bytes from 1.
fn position(text: &str, line: usize, column: usize) -> TextRange {
    let begin = match line.checked_sub(2) {
        None => 0,
        Some(before) => text.match_indices('\n').nth(before).map_or(text.len(), |(at, _)| at + 1),
    };
    let start = (begin + column.saturating_sub(1)).min(text.len());
    TextRange { source: 0, start, end: (start + 1).min(text.len()) }
}
