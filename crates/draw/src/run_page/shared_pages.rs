//! Tables of software-shared pages: stop times by thread and loop, counts by node, and a picture of where faults
//! occur.

use crate::pictures::shared_pages::svg_of;
use numalab_base::Bytes;
use numalab_report::numbers::{grouped, percent, share, time};
use numalab_results::{Comparison, NodeCounts, PageSharing, Run};
use serde_json::{Value, json};

/// Largest number of threads, and of nodes, with a row.
const ROWS: usize = 64;

/// Function that returns one of a node's counts.
type Count = fn(&NodeCounts) -> u64;

/// JSON with tables and picture of a run; null without shared pages.
pub(super) fn shared_pages(comparison: &Comparison, run: &Run) -> Value {
    let Some(pages) = &run.pages else { return Value::Null };
    json!({
        "tables": [threads(run, pages), loops(run), nodes(run, pages)],
        "svg": svg_of(comparison, std::iter::once(run)),
    })
}

/// A table of texts: the first column has names, the others numbers.
fn table(title: &str, head: &[String], rows: Vec<Vec<String>>) -> Value {
    json!({ "title": title, "head": head, "rows": rows })
}

fn threads(run: &Run, pages: &PageSharing) -> Value {
    let mut parts: Vec<&String> = pages.stops.iter().flat_map(|stop| stop.by_part_ps.keys()).collect();
    parts.sort_unstable();
    parts.dedup();
    let mut head = vec!["thread".to_owned(), "computing".to_owned()];
    head.extend(parts.iter().map(|part| format!("stopped: {part}")));
    head.extend(["other memory", "runtime", "idle"].map(str::to_owned));
    let rows = run.team.iter().zip(&pages.stops).take(ROWS).map(|(member, stop)| {
        let mut row = vec![member.thread.to_string(), time(member.compute_ps)];
        row.extend(parts.iter().map(|part| time(stop.by_part_ps.get(*part).copied().unwrap_or(0))));
        let other = member.stall_ps.saturating_sub(stop.stop_ps);
        row.extend([other, member.overhead_ps, member.idle_ps].map(time));
        row
    });
    table("Time by thread", &head, rows.collect())
}

fn loops(run: &Run) -> Value {
    let head =
        ["loop", "time", "computing", "stopped by faults", "idle", "read faults", "write faults", "upgrades"];
    let head: Vec<String> = head.into_iter().chain(["pages of several writers"]).map(str::to_owned).collect();
    let rows = run.phases.iter().filter(|phase| !phase.sharing.is_none()).map(|phase| {
        let mean = |part: fn(&numalab_results::NodeTime) -> u64| {
            time(phase.sharing.nodes.iter().map(part).sum::<u64>() / run.team.len().max(1) as u64)
        };
        let faults = phase.page_faults;
        let times = [mean(|node| node.compute_ps), mean(|node| node.stop_ps), mean(|node| node.idle_ps)];
        let counts =
            [faults.read, faults.write, faults.upgrade, phase.sharing.written_by_several].map(grouped);
        [phase.name.clone(), time(phase.time_ps)].into_iter().chain(times).chain(counts).collect()
    });
    table("Loops (mean times of a thread)", &head, rows.collect())
}

fn nodes(run: &Run, pages: &PageSharing) -> Value {
    let counts: [(&str, Count); 9] = [
        ("faults", |node| node.faults.total()),
        ("messages sent", |node| node.messages.values().sum()),
        ("sent ahead", |node| node.presends),
        ("came ahead: used", |node| node.ahead_used),
        ("late", |node| node.ahead_late),
        ("unused", NodeCounts::ahead_unused),
        ("copies dropped", |node| node.invalidations),
        ("diffs made", |node| node.diffs),
        ("notices heard", |node| node.notices),
    ];
    // Counts that are zero everywhere are omitted.
    let counts = counts.iter().filter(|(_, count)| pages.nodes.iter().any(|node| count(node) > 0));
    let counts: Vec<_> = counts.collect();
    let mut head = vec!["node".to_owned()];
    head.extend(counts.iter().map(|(name, _)| (*name).to_owned()));
    head.extend(["bytes sent", "daemon busy"].map(str::to_owned));
    let busy = |node: &NodeCounts| percent(share(node.daemon_busy_ps as f64, run.makespan_ps as f64));
    // Nodes that had no faults and received no messages are omitted.
    let busy_nodes = pages.nodes.iter().enumerate().filter(|(_, node)| node.took_part());
    let rows = busy_nodes.take(ROWS).map(|(at, node)| {
        let mut row = vec![at.to_string()];
        row.extend(counts.iter().map(|(_, count)| grouped(count(node))));
        row.extend([Bytes(node.bytes).to_string(), busy(node)]);
        row
    });
    table("Nodes", &head, rows.collect())
}
