//! Capacity of a node's memory, read off rows whose threads fill the node.
//!
//! Two limits explain the rate of a full node: the memory's bandwidth, or the lines that its cores keep in flight. Rows
//! of more and of fewer threads tell the two apart, and so does a curve whose latency rises at its greatest bandwidth:
//! requests wait for the memory. Without either, the rate is a capacity, with an interval of both readings.

use super::load::{Ends, Turning, is_on_plateau};
use super::observation::Observation;
use super::seeds::{moves, nodes_of};
use super::solve::significant;
use super::staged::Fit;
use super::target::FittedTable::{Core, Memory};
use super::{Finding, Verdict};
use numalab_base::Bandwidth;
use numalab_imports::foreign::LoadedLatency as Point;
use numalab_machine::{self as machine, Machine};

/// Fraction of a node's cores that fill its memory.
const FULL: f64 = 0.5;
/// Ratio of the capacity for reads and writes to that for reads from which reads have a limit of their own.
const APART: f64 = 1.02;
/// Minimum relative error of a capacity.
const LEAST: f64 = 0.02;
/// Half the width of a 90 % interval, in standard errors.
const INTERVAL: f64 = 1.645;
/// Lines in flight beyond those that the capacity needs, as a factor, so that they do not limit it.
const AMPLE: f64 = 1.1;
/// Maximum number of corrections of a capacity by simulated rows.
const ROUNDS: usize = 4;
/// Residual of rows, as a logarithm, at which a capacity is good enough.
const SAME: f64 = 0.005;
/// Maximum of one correction, as a logarithm.
const FARTHEST: f64 = 0.3;
/// Name of the stage in messages.
const STAGE: &str = "rows of full nodes";

/// Capacity of a node's memory.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Capacity {
    /// Bytes a second, reads and writes together.
    pub all: f64,
    /// Bytes a second of reads alone; `None` if reads have no limit of their own.
    pub reads: Option<f64>,
    /// Relative standard error.
    error: f64,
    /// Indices of the rows that state it.
    rows: Vec<usize>,
    /// Longest latency under load in nanoseconds; `None` if no curve shows it.
    top: Option<f64>,
    /// Cores of a node that keep the lines in flight: fewer than all if threads are few, or share cores unevenly.
    cores: f64,
    /// True if no row has fewer threads than fill a node, so that lines in flight follow from the capacity.
    pub is_alone: bool,
}

/// Capacity that the rows and the curve state; `None` if rows of fewer threads let a search find it.
pub(super) fn of(
    rows: &[Observation],
    machine: &Machine,
    curve: &[Point],
    turning: Option<&Turning>,
) -> Option<Capacity> {
    let cost = turning.map_or(1.0, |turning| turning.cost);
    let ends = Ends::of(curve).filter(Ends::rises);
    let nodes = f64::from(numalab_machine::totals(machine).nodes.max(1));
    let far = machine.caches.iter().map(|cache| cache.size.0 as f64).fold(0.0, f64::max);
    let of_memory = |row: &&(usize, &Observation)| {
        row.1.number("footprint").or_else(|| row.1.number("share")).is_none_or(|bytes| bytes > far)
    };
    let of_streams: Vec<(usize, &Observation)> =
        rows.iter().enumerate().filter(|(_, row)| is_of_streams(row)).collect();
    let is_alone = of_streams.iter().all(|(_, row)| filled(row, machine).is_some());
    if !is_alone && ends.is_none() {
        return None;
    }
    let (mut reads, mut both, mut of_rows) = (Vec::new(), Vec::new(), Vec::new());
    let (mut low, mut high) = (f64::INFINITY, 0.0_f64);
    let totals = numalab_machine::totals(machine);
    let each = f64::from(totals.cores) / nodes;
    let mut cores = each;
    for (at, row) in of_streams.iter().filter(of_memory) {
        let Some((filled, (fetched, written))) = filled(row, machine).zip(moves(row)) else { continue };
        let rate = row.value * 1e9;
        of_rows.push(*at);
        let threads = row.number("threads").map_or(each, |threads| threads / filled);
        // Threads that share a core keep its lines in flight together.
        cores = cores.min(threads / (threads / each).ceil());
        if written == 0.0 {
            reads.push(rate / filled);
        } else {
            both.push(rate * (fetched + cost * written) / filled);
            // Streaming stores do not fetch their lines, and threads that are not bound may leave all pages on a node.
            (low, high) = (low.min(rate / filled), high.max(rate * (fetched + cost * written)));
        }
    }
    if let Some(ends) = ends {
        reads.push(ends.most * 1e9 / nodes);
        of_rows.extend((0..rows.len()).filter(|at| is_on_plateau(&rows[*at], ends)));
    }
    let (of_reads, of_both) = (median(&mut reads), median(&mut both));
    let of_mixes = turning.map(|turning| turning.bandwidth * 1e9 / nodes);
    let all = of_reads.into_iter().chain(of_both).chain(of_mixes).fold(0.0, f64::max);
    if all <= 0.0 {
        return None;
    }
    let error = match (reads.first(), reads.last()) {
        (Some(least), Some(most)) => (most / least).ln() / 2.0 / INTERVAL,
        _ => (all / low).max(high / all).ln() / INTERVAL,
    };
    let all = significant(all);
    Some(Capacity {
        all,
        reads: of_reads.map(significant).filter(|reads| all > reads * APART),
        error: error.max(LEAST),
        rows: of_rows,
        top: ends.map(|ends| ends.top),
        cores,
        is_alone,
    })
}

/// Median of the values, which are then in rising order; `None` without values.
pub(super) fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let (low, high) = (values.get(values.len().checked_sub(1)? / 2)?, values.get(values.len() / 2)?);
    Some((low + high) / 2.0)
}

/// True for a row about streams from the memory of the threads' own nodes.
fn is_of_streams(row: &Observation) -> bool {
    match row.row.experiment.as_str() {
        "parallel_bandwidth" | "stream" => true,
        "serial_bandwidth" | "node_bandwidth" => row.is_local(),
        _ => false,
    }
}

/// Number of nodes whose memories the row's threads fill; `None` if they fill none.
fn filled(row: &Observation, machine: &Machine) -> Option<f64> {
    let totals = numalab_machine::totals(machine);
    let cores = f64::from(totals.cores) / f64::from(totals.nodes.max(1));
    let nodes = match row.row.experiment.as_str() {
        "node_bandwidth" => 1.0,
        "parallel_bandwidth" | "stream" => nodes_of(row, machine).min(f64::from(totals.nodes)),
        _ => return None,
    };
    row.number("threads").is_none_or(|threads| threads >= FULL * cores * nodes).then_some(nodes)
}

/// Sets the values that follow from the capacity, before a stage of memory controllers: lines in flight that reach it,
/// if no row of fewer threads shows them. Without a curve the capacity follows the simulated rows, in which threads may
/// share a core. Stores the findings.
pub(super) fn apply(fit: &mut Fit<'_>) {
    let Some(mut capacity) = fit.subject.capacity.clone() else { return unseen(fit) };
    let mut raised = in_flight(fit, &capacity);
    for _ in 0..ROUNDS {
        let missed = |at: &usize| fit.miss(&fit.subject, *at);
        let mut all: Vec<f64> = capacity.rows.iter().filter_map(missed).collect();
        let Some(by) = median(&mut all).filter(|by| capacity.top.is_none() && by.abs() > SAME) else { break };
        let factor = (-by).clamp(-FARTHEST, FARTHEST).exp();
        capacity.all = significant(capacity.all * factor);
        capacity.reads = capacity.reads.map(|reads| significant(reads * factor));
        fit.subject.capacity = Some(capacity.clone());
        raised |= in_flight(fit, &capacity);
    }
    let bandwidths = [machine::Memory::bandwidth, machine::Memory::read_bandwidth];
    for bandwidth in bandwidths.into_iter().take(1 + usize::from(capacity.reads.is_some())) {
        let sure = (capacity.error, Verdict::of(capacity.error));
        let target = Memory.number(bandwidth);
        fit.keep(Finding::read_off(&fit.subject, target, sure, STAGE, &capacity.rows));
    }
    if raised {
        let target = Core.number(machine::Core::outstanding);
        let sure = (1.0, Verdict::AtLeast);
        fit.keep(Finding::read_off(&fit.subject, target, sure, STAGE, &capacity.rows));
    }
}

/// Resets the bandwidths of memory to those of the inputs, or to the greatest of one core, if no row has threads enough
/// to show them: for rows of one core they are so large that they do not limit.
fn unseen(fit: &mut Fit<'_>) {
    let is_team =
        |row: &Observation| is_of_streams(row) && row.number("threads").is_none_or(|threads| threads > 1.0);
    let alone = |row: &Observation| is_of_streams(row) && !is_team(row);
    if fit.rows.iter().any(|row| is_team(row) && row.row.experiment != "serial_bandwidth") {
        return;
    }
    let moved = fit.rows.iter().filter(|row| alone(row)).filter_map(|row| {
        let (fetched, written) = moves(row)?;
        Some((fetched + written) * row.value * 1e9)
    });
    let most = moved.fold(0.0, f64::max);
    let (memory, known) = (&mut fit.subject.machine.memory, &fit.inputs.subject.machine.memory);
    memory.bandwidth = Bandwidth(known.bandwidth.0.max(most));
    let at_least = |limit: Option<Bandwidth>| limit.map(|limit| Bandwidth(limit.0.max(most)));
    memory.read_bandwidth = at_least(known.read_bandwidth);
    memory.write_bandwidth = at_least(known.write_bandwidth);
}

/// Raises the lines in flight of a core to those that the capacity needs, unless rows of fewer threads show them. True
/// if they were fewer.
fn in_flight(fit: &mut Fit<'_>, capacity: &Capacity) -> bool {
    let machine = &mut fit.subject.machine;
    let factor = machine.memory.loaded_latency.0.last().map_or(1.0, |last| last.1);
    let waits = machine.memory.latency.as_secs() * factor;
    let longest = capacity.top.map_or(waits, |top| waits.max(top * 1e-9));
    let needed =
        (AMPLE * capacity.all * longest / machine.memory.line.0 as f64 / capacity.cores * 10.0).ceil() / 10.0;
    let raised = capacity.is_alone && machine.core.outstanding < needed;
    if raised {
        machine.core.outstanding = needed;
        machine.core.stream_outstanding = None;
        machine.core.copy_bandwidth = None;
    }
    fit.subject.settle();
    raised
}
