//! Tables of software-shared pages, by loop and by node.

use crate::numbers::{TimeScale, grouped, percent, share};
use crate::page::Sheet;
use numalab_base::Bytes;
use numalab_results::{Comparison, NodeCounts, NodeTime, PhaseCounts, Run};

type RunPhase<'a> = (&'a Run, &'a PhaseCounts);

/// Function that returns one of a node's counts.
type Count = fn(&NodeCounts) -> u64;

/// Function that returns a part of the time of a node's threads, in picoseconds.
type Part = fn(&NodeTime) -> u64;

/// One row per policy and loop: compute, stop and idle time as means over the threads, and the faults of all threads.
pub(super) fn loops(comparison: &Comparison) -> Option<Sheet<RunPhase<'_>>> {
    let of = |run| move |phase| (run, phase);
    let rows: Vec<RunPhase<'_>> =
        comparison.runs.iter().flat_map(|run| run.phases.iter().map(of(run))).collect();
    let rows: Vec<RunPhase<'_>> = rows.into_iter().filter(|(_, phase)| !phase.sharing.is_none()).collect();
    let longest = rows.iter().map(|(_, phase)| phase.time_ps).max()?;
    let scale = TimeScale::of([longest, longest / 10]);
    let mean = |(run, phase): &RunPhase<'_>, part: Part| {
        let all: u64 = phase.sharing.nodes.iter().map(part).sum();
        all as f64 / run.team.len().max(1) as f64
    };
    let times: [(&str, Part); 3] = [
        ("computing\n(mean)", |node| node.compute_ps),
        ("stopped\nby faults", |node| node.stop_ps),
        ("idle\n", |node| node.idle_ps),
    ];
    let sheet = Sheet::of(rows)
        .text("policy", |(run, _)| run.policy.clone())
        .text("loop", |(_, phase)| phase.name.clone())
        .number("time", move |(_, phase)| scale.show(phase.time_ps as f64))
        .each(times, |sheet, (name, part)| sheet.number(name, move |row| scale.show(mean(row, part))))
        .number("read\nfaults", |(_, phase)| grouped(phase.page_faults.read))
        .number("write\nfaults", |(_, phase)| grouped(phase.page_faults.write))
        .number("upgrades", |(_, phase)| grouped(phase.page_faults.upgrade))
        .number("pages of\nseveral\nwriters", |(_, phase)| grouped(phase.sharing.written_by_several));
    Some(sheet)
}

/// One row per policy and node: faults, messages, bytes, and utilisation of the daemon. `None` if there are too many
/// rows.
pub(super) fn nodes(comparison: &Comparison) -> Option<Sheet<(&Run, usize, &NodeCounts)>> {
    /// Largest number of rows; longer tables tell less than the findings.
    const MOST: usize = 16;
    let mut rows: Vec<(&Run, usize, &NodeCounts)> = Vec::new();
    for run in &comparison.runs {
        let nodes = run.pages.iter().flat_map(|pages| pages.nodes.iter().enumerate());
        // Nodes that had no faults and received no messages are omitted.
        let nodes = nodes.filter(|(_, node)| node.took_part());
        rows.extend(nodes.map(|(at, node)| (run, at, node)));
    }
    let sheet = Sheet::of(rows.clone())
        .text("policy", |(run, ..)| run.policy.clone())
        .number("node", |(_, at, _)| at.to_string())
        .number("faults", |(_, _, node)| grouped(node.faults.total()))
        .number("messages\nsent", |(_, _, node)| grouped(node.messages.values().sum()))
        .number("bytes\nsent", |(_, _, node)| Bytes(node.bytes).to_string())
        .number("sent\nahead", |(_, _, node)| grouped(node.presends))
        .number("copies\ndropped", |(_, _, node)| grouped(node.invalidations))
        .number("daemon\nbusy", |(run, _, node)| {
            percent(share(node.daemon_busy_ps as f64, run.makespan_ps as f64))
        });
    let ahead: [(&str, Count); 3] = [
        ("came\nahead\nused", |node| node.ahead_used),
        ("late\n", |node| node.ahead_late),
        ("unused\n", NodeCounts::ahead_unused),
    ];
    let ahead = if rows.iter().any(|(_, _, node)| node.ahead > 0) { &ahead[..] } else { &[] };
    let sheet = sheet.each(ahead.iter().copied(), |sheet, (name, count)| {
        sheet.number(name, move |(_, _, node)| grouped(count(node)))
    });
    (1..=MOST).contains(&rows.len()).then_some(sheet)
}
