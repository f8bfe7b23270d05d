//! The thread-node table of a simulated run: what each thread accessed, in bytes.

use super::ThreadNodeTable;
use numalab_results::{Comparison, Run};
use numalab_syntax::diagnostics::{Diagnostic, Diagnostics, Source};
use numalab_syntax::nearest::hint;
use numalab_syntax::text_file;
use numalab_syntax::tree::{TextRange, shorten};
use std::path::Path;

/// Results of some thousand threads on some hundred nodes.
const MOST_BYTES: u64 = 256 << 20;

/// Reads the bytes that each thread accessed on each node from results of `numalab sim` as JSON. Where
/// the file has runs of several policies, `policy` says of which.
pub fn run_counts(path: &Path, policy: Option<&str>) -> Result<ThreadNodeTable, Diagnostics> {
    let source = text_file::read(path, MOST_BYTES, "results of numalab sim as JSON")?;
    let comparison: Comparison = match serde_json::from_str(&source.text) {
        Ok(comparison) => comparison,
        Err(error) => {
            let span = position(&source.text, error.line(), error.column());
            let label = "expected what `numalab sim --format json` writes";
            return Err(Diagnostics::new(
                vec![source],
                vec![Diagnostic::new(span, format!("these are no results: {error}"), label)],
            ));
        }
    };
    let run = choose(&comparison, policy, &source)?;
    let nodes = run.team.first().map_or(0, |member| member.bytes_by_node.nodes());
    if nodes == 0 || run.team.iter().any(|member| member.bytes_by_node.nodes() != nodes) {
        let message = format!("{}: the threads of {} do not count the same nodes", source.name, run.policy);
        return Err(Diagnostics::plain(message, "expected a count for every node from every thread"));
    }
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
