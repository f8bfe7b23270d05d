//! Latency, bandwidth and latency from farther nodes of memory-only nodes, by rows of other nodes that read them.
//!
//! All values start at the median of their rows. Simulations of these rows then correct them, since a cache holds a part
//! of a chase's footprint, and streams lose a little of the bandwidth.

use super::observation::Observation;
use super::solve::significant;
use super::staged::Fit;
use super::target::FittedTable::{Core, MemoryOnly};
use super::target::Target;
use super::{Finding, Verdict};
use numalab_base::parameter::Parameter;
use numalab_machine::{self as machine, Fabric, NodeId};

/// Maximum number of corrections of a value by simulated rows.
const ROUNDS: usize = 6;
/// Residual of rows, as a logarithm, at which a value is good enough.
const SAME: f64 = 0.003;
/// Residual of rows from farther nodes, as a logarithm, from which the way over the links is not their latency.
const OWN_WAY: f64 = 0.03;
/// Maximum of one correction, as a logarithm.
const FARTHEST: f64 = 1.0;
/// Minimum relative error of a value.
const LEAST: f64 = 0.02;
/// Half the width of a 90 % interval, in standard errors.
const INTERVAL: f64 = 1.645;
/// Lines in flight beyond those that a bandwidth needs, as a factor.
const AMPLE: f64 = 1.1;
/// Name of the stage in messages.
const STAGE: &str = "memory-only nodes";

/// Rows about the memory of one kind: indices.
#[derive(Default)]
struct OfKind {
    /// Idle latencies from the unit next to the node, and from other units.
    near: Vec<usize>,
    far: Vec<usize>,
    /// Bandwidths of readers in the unit next to the node, and in other units.
    streams: Vec<usize>,
    far_streams: Vec<usize>,
}

/// True for a row whose data is in memory without processors.
pub(super) fn has(row: &Observation, machine: &numalab_machine::Machine) -> bool {
    row.number("node").is_some_and(|node| node >= f64::from(numalab_machine::totals(machine).nodes))
}

/// Fits all kinds of memory-only nodes, after the links.
pub(super) fn fit(fit: &mut Fit<'_>) {
    for at in 0..fit.subject.machine.memory_only.len() {
        let Some(rows) = of_kind(fit, at) else { continue };
        let target = |parameter: &'static Parameter| MemoryOnly(at).number(parameter);
        let latency = target(machine::MemoryOnly::latency);
        let far = target(machine::MemoryOnly::far_latency);
        fit.value_of(latency, &rows.near, 1e3);
        if rows.near.is_empty() {
            // No row is of a unit next to the node: the links' way and this latency are the rows'.
            fit.value_of(latency, &rows.far, 1e3);
        } else if fit.middle(&rows.far).is_some_and(|missed| missed.abs() > OWN_WAY) {
            fit.value_of(far, &rows.far, 1e3);
        }
        // A node moves at least what any reader gets.
        let most = |rows: &[usize]| rows.iter().map(|row| fit.rows[*row].value).fold(0.0, f64::max);
        let mut streams = rows.streams.clone();
        if streams.is_empty() || most(&rows.far_streams) > most(&streams) {
            streams.extend(&rows.far_streams);
        }
        fit.lines_for(at, &streams);
        fit.value_of(target(machine::MemoryOnly::bandwidth), &streams, 1e9);
        // Farther readers that get less than links and memory let through have a limit of their own.
        if fit.middle(&rows.far_streams).is_some_and(|missed| missed > OWN_WAY) {
            fit.value_of(target(machine::MemoryOnly::far_bandwidth), &rows.far_streams, 1e9);
        }
    }
}

fn of_kind(fit: &Fit<'_>, at: usize) -> Option<OfKind> {
    let machine = &fit.subject.machine;
    let kind = &machine.memory_only[at];
    let nodes = machine.nodes_named(&kind.name)?;
    let fabric = Fabric::new(machine).ok()?;
    let units: u32 = machine.levels[..machine.depth_near(kind)?].iter().map(|level| level.count).product();
    let each = (fabric.nodes() / units.max(1)).max(1);
    let mut found = OfKind::default();
    for (at, row) in fit.rows.iter().enumerate() {
        let Some(node) = row.number("node").map(|node| node as u32).filter(|node| nodes.contains(node))
        else {
            continue;
        };
        let from = row.number("from").unwrap_or(0.0) as u32;
        let is_near = from / each == fabric.host(NodeId(node)).0 / each;
        match row.row.experiment.as_str() {
            "pointer_chase" if is_near => found.near.push(at),
            "pointer_chase" => found.far.push(at),
            "node_bandwidth" if is_near => found.streams.push(at),
            "node_bandwidth" => found.far_streams.push(at),
            _ => {}
        }
    }
    Some(found)
}

impl Fit<'_> {
    /// Median residual of rows with the present values, as a logarithm; `None` if no row can be simulated.
    fn middle(&self, rows: &[usize]) -> Option<f64> {
        let missed: Vec<f64> = rows.iter().filter_map(|row| self.miss(&self.subject, *row)).collect();
        let (least, most) = missed.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |ends, missed| {
            (f64::min(ends.0, *missed), f64::max(ends.1, *missed))
        });
        // The middle between the ends misses no row by more than it must.
        (!missed.is_empty()).then_some((least + most) / 2.0)
    }

    /// Sets a value by rows, of which `unit` makes base units, and corrects it until their simulations surround them.
    /// Stores the finding. No effect without rows.
    fn value_of(&mut self, target: Target, rows: &[usize], unit: f64) {
        let values = || rows.iter().map(|row| self.rows[*row].value);
        let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
        if rows.is_empty() || least <= 0.0 {
            return;
        }
        target.set(&mut self.subject, significant((least * most).sqrt() * unit));
        for _ in 0..ROUNDS {
            let Some(missed) = self.middle(rows).filter(|missed| missed.abs() > SAME) else { break };
            let value = self.subject.get(target) * (-missed).clamp(-FARTHEST, FARTHEST).exp();
            target.set(&mut self.subject, significant(value));
        }
        let missed = rows.iter().filter_map(|row| self.miss(&self.subject, *row));
        let error =
            (missed.fold(0.0, |most: f64, missed| most.max(missed.abs())) / INTERVAL).clamp(LEAST, 1.0);
        let sure = (error, Verdict::of(error));
        self.keep(Finding::read_off(&self.subject, target, sure, STAGE, rows));
    }

    /// Raises the lines in flight of a core to those that a memory's bandwidth needs over its latency, if no row of few
    /// threads shows them.
    fn lines_for(&mut self, at: usize, rows: &[usize]) {
        let is_known = self.estimates.iter().any(|finding| {
            finding.estimate.target == Core.number(machine::Core::outstanding)
                && finding.verdict != Verdict::AtLeast
        });
        let machine = &mut self.subject.machine;
        let totals = numalab_machine::totals(machine);
        let cores = f64::from(totals.cores) / f64::from(totals.nodes.max(1));
        let kind = &machine.memory_only[at];
        let factor = kind.loaded_latency.0.last().map_or(1.0, |last| last.1);
        let latency = kind.latency.as_secs() * factor;
        let most = rows.iter().map(|row| self.rows[*row].value * 1e9).fold(0.0, f64::max);
        let needed = (AMPLE * most * latency / machine.memory.line.0 as f64 / cores * 10.0).ceil() / 10.0;
        if !is_known && machine.core.outstanding < needed {
            machine.core.outstanding = needed;
            machine.core.stream_outstanding = None;
            let target = Core.number(machine::Core::outstanding);
            self.keep(Finding::read_off(&self.subject, target, (1.0, Verdict::AtLeast), STAGE, rows));
        }
    }
}
