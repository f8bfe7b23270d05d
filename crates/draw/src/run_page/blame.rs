//! Time account, data by region and advice as JSON: one entry per policy of the page.

use numalab_report::views::explanation::{waits_for, worst_of_all};
use numalab_results::{Comparison, Explanation};
use serde_json::{Value, json};

/// Largest number of a policy's rows that name single resources; further rows are summed by kind of resource.
const ROWS: usize = 400;
/// Largest number of columns (nodes or groups of nodes) of the matrix of regions.
const COLUMNS: u32 = 64;

/// JSON with one entry per run of a comparison; null for runs without an explanation.
pub(super) fn blame(comparison: &Comparison, explanations: &[Explanation]) -> Value {
    let of = |policy: &str| explanations.iter().find(|explanation| explanation.policy == policy);
    let of_run = |run: &numalab_results::Run| {
        of(&run.policy).map_or(Value::Null, |explanation| entry(explanation, comparison.layout.nodes))
    };
    comparison.runs.iter().map(of_run).collect()
}

fn entry(explanation: &Explanation, nodes: u32) -> Value {
    let each = nodes.div_ceil(COLUMNS).max(1);
    let regions = explanation.region_bytes.iter().map(|row| {
        let mut bytes = vec![0u64; nodes.div_ceil(each) as usize];
        for (node, amount) in row.by_node.iter() {
            if let Some(sum) = bytes.get_mut((node / each) as usize) {
                *sum += amount;
            }
        }
        json!([row.region, bytes])
    });
    let origins = explanation.origins.iter().map(|origin| json!([origin.level, origin.steps]));
    let advice = explanation.advice.iter().map(|advice| {
        let (changes, how) = (advice.changes.join(" and "), advice.how.join("; "));
        let gain = 1.0 - advice.makespan_ps as f64 / explanation.makespan_ps.max(1) as f64;
        json!([changes, advice.makespan_ps, gain, how])
    });
    let ideals = explanation.ideals.iter().flat_map(|ideals| &ideals.shares);
    let ideals = ideals.map(|ideal| json!([ideal.name, ideal.share_ps, ideal.alone_ps, ideal.description]));
    json!({
        "whole": f64::from(explanation.threads) * explanation.makespan_ps as f64,
        "makespan": explanation.makespan_ps,
        "said": worst_of_all(explanation),
        "rows": rows(explanation),
        "nodesEach": each,
        "regions": regions.collect::<Vec<_>>(),
        "origins": origins.collect::<Vec<_>>(),
        "advice": advice.collect::<Vec<_>>(),
        "ideals": ideals.collect::<Vec<_>>(),
    })
}

/// Rows as arrays: phase, cause of the wait, region, home, resource, own time, time of waiting threads, time on the
/// critical path.
fn rows(explanation: &Explanation) -> Vec<Value> {
    type Names<'a> = [&'a str; 5];
    let mut sums: Vec<(Names<'_>, [u64; 3])> = Vec::new();
    for (at, row) in explanation.blame.iter().enumerate() {
        let resource = if at < ROWS { text(row.resource.as_ref()) } else { "" };
        let home = row.level.as_deref().map_or("", home);
        let names = [row.phase.as_str(), waits_for(row), text(row.region.as_ref()), home, resource];
        let parts = [row.own_ps, row.waited_ps, row.path_ps];
        match sums.iter_mut().find(|sum| at >= ROWS && sum.0 == names) {
            Some((_, sum)) => {
                sum.iter_mut().zip(parts).for_each(|(sum, part)| *sum = sum.saturating_add(part))
            }
            None => sums.push((names, parts)),
        }
    }
    sums.into_iter()
        .map(|([a, b, c, d, e], [own, waited, path])| json!([a, b, c, d, e, own, waited, path]))
        .collect()
}

fn text(name: Option<&String>) -> &str {
    name.map_or("", String::as_str)
}

fn home(level: &str) -> &str {
    match level {
        "node" => "own node",
        "socket" => "same socket",
        "board" => "same board",
        _ => "farther",
    }
}
