//! Bytes that each thread of a simulated run accessed on each node.

use super::{RunCountsError, ThreadNodeTable};
use numalab_results::{Comparison, RecordError, Run, read_record};
use numalab_syntax::diagnostics::{Diagnostic, Source, line_at};
use numalab_syntax::nearest::hint;
use numalab_syntax::text_file;
use numalab_syntax::tree::{TextRange, shorten};
use numalab_syntax::yaml_tree;
use std::path::Path;

/// Largest number of counts: 32 768 threads on 2048 nodes.
const MOST_COUNTS: u64 = 1 << 26;

/// Largest file: results of several schedules of 32 768 threads.
const MOST_BYTES: u64 = 256 << 20;

/// Reads the bytes that each thread accessed on each node from JSON results of `numalab sim`. `policy` selects the
/// run if the file has several.
pub fn run_counts(path: &Path, policy: Option<&str>) -> Result<ThreadNodeTable, RunCountsError> {
    let source = text_file::read(path, MOST_BYTES, "results of a simulation as JSON")?;
    let comparison: Comparison = match read_record(&source.text) {
        Ok(comparison) => comparison,
        Err(RecordError::Version(version)) => {
            return Err(RunCountsError::Version { file: place(&source, "schema_version"), version });
        }
        Err(RecordError::Json(error)) => {
            let span = position(&source.text, error.line(), error.column());
            let label = "expected the results of a simulation as JSON";
            let at = Box::new(Diagnostic::new(span, format!("these are no results: {error}"), label));
            return Err(RunCountsError::NoResults { source, at });
        }
    };
    let (at, run) = choose(&comparison, policy, &source)?;
    let nodes = comparison.layout.nodes;
    check(run, nodes, |path| place(&source, &format!("runs[{at}].{path}")))?;
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

/// Name of the file and line of the value at `path`, or of the last part of the path that there is.
fn place(source: &Source, path: &str) -> String {
    // JSON is a subset of YAML, and serde keeps no positions.
    let start = yaml_tree::parse(&source.text, 0).root.locate(path).start;
    format!("{}:{}", source.name, line_at(&source.text, start))
}

/// Checks that the run's counts are of the machine's `nodes` nodes and fit a table. `place` names the file and line of
/// a value in the run.
fn check(run: &Run, nodes: u32, place: impl Fn(&str) -> String) -> Result<(), RunCountsError> {
    let (policy, threads) = (run.policy.clone(), run.team.len());
    if nodes == 0 || run.team.is_empty() {
        return Err(RunCountsError::NoTeam { file: place("team"), policy });
    }
    if threads as u64 * u64::from(nodes) > MOST_COUNTS {
        let file = place("team");
        return Err(RunCountsError::TooMany { file, policy, threads, nodes, most: MOST_COUNTS });
    }
    for (at, member) in run.team.iter().enumerate() {
        if let Some((node, _)) = member.bytes_by_node.iter().find(|(node, _)| *node >= nodes) {
            let file = place(&format!("team[{at}].bytes_by_node"));
            return Err(RunCountsError::NoSuchNode { file, policy, thread: member.thread, node, nodes });
        }
    }
    Ok(())
}

/// The run of a policy, or the only run, with its index.
fn choose<'a>(
    comparison: &'a Comparison,
    policy: Option<&str>,
    source: &Source,
) -> Result<(usize, &'a Run), RunCountsError> {
    let policies = || comparison.runs.iter().map(|run| run.policy.as_str());
    let file = || place(source, "runs");
    match (policy, &comparison.runs[..]) {
        (_, []) => Err(RunCountsError::NoRuns { file: file() }),
        (None, [run]) => Ok((0, run)),
        (None, _) => Err(RunCountsError::SeveralPolicies {
            file: file(),
            policies: policies().map(str::to_owned).collect(),
        }),
        (Some(policy), runs) => {
            let found = runs.iter().enumerate().find(|(_, run)| run.policy == policy);
            found.ok_or_else(|| RunCountsError::NoSuchPolicy {
                file: file(),
                policy: shorten(policy).to_string(),
                nearest: hint(policy, policies()),
            })
        }
    }
}

/// Position of an error of the JSON library, which counts lines and bytes from 1.
fn position(text: &str, line: usize, column: usize) -> TextRange {
    let begin = match line.checked_sub(2) {
        None => 0,
        Some(before) => text.match_indices('\n').nth(before).map_or(text.len(), |(at, _)| at + 1),
    };
    let start = (begin + column.saturating_sub(1)).min(text.len());
    TextRange { source: 0, start, end: (start + 1).min(text.len()) }
}
