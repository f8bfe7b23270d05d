//! Content of the page as JSON. Values over time have at most as many bins as a slider can
//! distinguish.

use super::blame::blame;
use super::packed::{spans, steps};
use super::shared_pages::shared_pages;
use crate::activities::{CLASSES, class};
use numalab_report::replay_sentences;
use numalab_report::views::summary::{Summary, best_ps, that_matters, when, worst_place};
use numalab_results::{Account, Comparison, Explanation, ResourceKind, Run, Timeline};
use serde_json::{Value, json};

/// Largest number of time bins.
const BINS: usize = 96;
/// Largest number of spans of a timeline: `SPANS` in total, or `SPANS_EACH` per thread if that is more.
const SPANS: u64 = 24_000;
const SPANS_EACH: u64 = 24;
/// Largest number of arrows between threads.
const HANDOVERS: usize = 2000;
/// Largest number of threads for which time by home node is shown.
const ROWS: usize = 512;

pub(super) fn data(comparison: &Comparison, timelines: &[Timeline], explanations: &[Explanation]) -> Value {
    let best = best_ps(comparison);
    let policies: Vec<Value> = comparison
        .runs
        .iter()
        .zip(timelines)
        .map(|(run, timeline)| policy(comparison, run, timeline, best))
        .collect();
    let classes: Vec<Value> =
        CLASSES.iter().map(|class| json!({ "name": class.name, "colour": class.colour })).collect();
    let overrides = [&comparison.machine.overrides[..], &comparison.workload.overrides].concat();
    json!({
        "workload": comparison.workload.name,
        "machine": comparison.machine.name,
        "seed": comparison.seed,
        "runtime": comparison.runtime.as_ref().map(|runtime| &runtime.name),
        "placement": comparison.placement,
        "overrides": overrides,
        "notes": comparison.replay.as_ref().map_or_else(Vec::new, replay_sentences),
        "boards": comparison.layout.boards,
        "sockets": comparison.layout.sockets,
        "nodes": comparison.layout.nodes,
        "classes": classes,
        "policies": policies,
        "blame": blame(comparison, explanations),
    })
}

fn policy(comparison: &Comparison, run: &Run, timeline: &Timeline, best_ps: u64) -> Value {
    let summary = Summary::of(run, best_ps);
    let team = run.team.len() as f64 * run.makespan_ps as f64;
    let share = |part: fn(&numalab_results::Member) -> u64| {
        run.team.iter().map(|member| part(member) as f64).sum::<f64>() / team.max(1.0)
    };
    let each = run.team.len().div_ceil(ROWS).max(1);
    let by_node: Vec<Vec<(u32, u64)>> = run
        .team
        .chunks(each)
        .map(|members| {
            let mut sums = numalab_results::ByNode::default();
            members
                .iter()
                .flat_map(|member| member.bytes_by_node.iter())
                .for_each(|(node, bytes)| sums.add(node, bytes));
            sums.iter().collect()
        })
        .collect();
    json!({
        "name": run.policy,
        "makespan": run.makespan_ps,
        "ratio": summary.ratio,
        "local": summary.distance.local,
        "near": summary.distance.near,
        "remote": summary.distance.remote,
        "memoryOnly": summary.distance.memory_only,
        "compute": share(|member| member.compute_ps),
        "memory": share(|member| member.stall_ps),
        "overhead": share(|member| member.overhead_ps),
        "idle": share(|member| member.idle_ps),
        "lost": that_matters(run.bottleneck.as_ref()).map(|lost| json!({
            "name": lost.name,
            "share": lost.share,
            "phase": lost.phase,
            "resource": worst_place(lost),
            "when": when(lost, run.makespan_ps),
        })),
        "findings": run.findings.iter().map(|finding| format!("{}: {}.", finding.name, finding.evidence)).collect::<Vec<_>>(),
        "threadsEach": each,
        "byNode": by_node,
        "sharedPages": shared_pages(comparison, run),
        "time": over_time(timeline),
    })
}

fn over_time(timeline: &Timeline) -> Value {
    let mut few = timeline.clone();
    few.coarsen(SPANS.max(SPANS_EACH * timeline.threads.len() as u64));
    let long = timeline.to_ps - timeline.from_ps;
    // Unit of span times in picoseconds: a millionth of the run, finer than any screen.
    let unit_ps = (long >> 20).max(1);
    let fold = timeline.bins().div_ceil(BINS).max(1);
    let bin_ps = timeline.bin_ps * fold as u64;
    let folded = |bins: &[f64]| -> Vec<f64> { bins.chunks(fold).map(|part| part.iter().sum()).collect() };
    let per_second = |bytes: f64, at: usize| {
        let from = at as u64 * bin_ps;
        bytes / ((bin_ps.min(long - from.min(long))).max(1) as f64 / 1e12)
    };
    let rates = |bins: &[f64]| -> Vec<f64> {
        folded(bins).into_iter().enumerate().map(|(at, bytes)| per_second(bytes, at)).collect()
    };
    let phases = timeline.phases.iter().map(|phase| {
        let at = |ps: u64| ps.clamp(timeline.from_ps, timeline.to_ps) - timeline.from_ps;
        json!([phase.name, phase.measured, at(phase.from_ps), at(phase.to_ps)])
    });
    let kinds = timeline.kinds.iter().map(|kind| {
        json!([class(kind), kind.reason, kind.limit, kind.creator.map(|creator| creator as u32), kind.domain])
    });
    let resources = timeline.resources.iter().map(|resource| {
        let (kind, from, to) = match &resource.kind {
            ResourceKind::Memory(node) => ("memory", format!("node {node}"), String::new()),
            ResourceKind::Link(from, to) => ("link", from.clone(), to.clone()),
            ResourceKind::Other => ("other", String::new(), String::new()),
        };
        let capacity = resource.capacity_bytes_per_s;
        json!([resource.name, kind, from, to, capacity, steps(&rates(&resource.bytes), capacity)])
    });
    let traffic = timeline.traffic.iter().map(|pair| {
        let rates = rates(&pair.bytes);
        let most = rates.iter().copied().fold(0.0, f64::max);
        let total: f64 = pair.bytes.iter().sum();
        json!([pair.home, pair.reader, pair.limit_bytes_per_s, total, most, steps(&rates, most)])
    });
    let tasks = timeline.tasks.iter().map(|(distance, bins)| {
        let team = timeline.threads.len() as f64 * bin_ps as f64;
        json!([distance.name(), steps(&folded(bins), team)])
    });
    let every = timeline.handovers.len().div_ceil(HANDOVERS).max(1);
    let handovers =
        timeline.handovers.iter().step_by(every).map(|handover| {
            json!([(handover.at_ps - timeline.from_ps) / unit_ps, handover.from, handover.to])
        });
    let threads = timeline.threads.iter().map(|t| json!([t.node, t.socket, t.board, t.processor]));
    json!({
        "long": long,
        "unit": unit_ps,
        "grain": few.grain_ps,
        "seen": timeline.spans_seen,
        "kept": few.spans_kept(),
        "accounts": Account::ALL.map(Account::name),
        "threads": threads.collect::<Vec<_>>(),
        "phases": phases.collect::<Vec<_>>(),
        "kinds": kinds.collect::<Vec<_>>(),
        "spans": spans(&few, unit_ps),
        "bin": bin_ps,
        "bins": folded(&vec![0.0; timeline.bins()]).len(),
        "groups": timeline.groups,
        "nodesEach": timeline.nodes_per_group,
        "resources": resources.collect::<Vec<_>>(),
        "traffic": traffic.collect::<Vec<_>>(),
        "tasks": tasks.collect::<Vec<_>>(),
        "handovers": handovers.collect::<Vec<_>>(),
        "handoversSeen": timeline.handovers_seen,
    })
}
