//! Reads core-to-core latencies off the output of tools.
//!
//! A core-to-core tool prints the time until a core has a line that another core has written: half of a round trip.
//! The parameter `core_to_core` of a shared cache or of a level has the same meaning, so nothing is simulated (a
//! matrix of 128 processors has 8128 pairs). The value of a level is that of its nearest units; between farther units
//! the longer way adds latency.

use super::observation::Observation;
use super::solve::{Estimate, Sides};
use super::subject::Subject;
use super::target::FittedTable::{
    Barrier, Cache, Controller, Core, Fork, Level, Link, Memory, Os, Tasks, Worksharing,
};
use super::target::Target;
use super::{Finding, IDENTIFIABLE, Verdict};
use numalab_base::Span;
use numalab_base::parameter::Value;
use numalab_machine::{Fabric, Machine, NodeId, ProcessorId};
use std::collections::BTreeMap;

/// Name of the quantity in rows that measure one way of a line, half of a round trip.
pub const ONE_WAY: &str = "one_way";
/// Minimum relative error of a parameter that is read off, from the tools' clocks and loops.
const LEAST: f64 = 0.02;

/// Parameter that the latency between two processors determines. `units`: the two units of the parameter's level that
/// contain the processors; for a shared cache, its group of cores twice.
struct Pair {
    target: Target,
    units: (u32, u32),
}

/// Sets all parameters that core-to-core latencies determine. Returns the findings in the order of the machine file.
pub(super) fn read_off(
    subject: &mut Subject,
    rows: &[Observation],
    warnings: &mut Vec<String>,
) -> Vec<Finding> {
    let Ok(fabric) = Fabric::new(&subject.machine) else { return Vec::new() };
    let mut said: BTreeMap<Target, BTreeMap<(u32, u32), Vec<usize>>> = BTreeMap::new();
    let mut unused = 0;
    for (at, row) in rows.iter().enumerate().filter(|(_, row)| is_one_way(row)) {
        match pair(row, &subject.machine, &fabric) {
            Some(pair) => said.entry(pair.target).or_default().entry(pair.units).or_default().push(at),
            None => unused += 1,
        }
    }
    if unused > 0 {
        warnings.push(format!(
            "{unused} core-to-core latencies are of processors that the machine has not, that share a core, or that are in \
             groups of one node for which the model has no value: left out"
        ));
    }
    let found =
        said.into_iter().filter_map(|(target, units)| of_nearest(subject, target, units, rows, warnings));
    found.collect()
}

/// True for a row that measures a core-to-core latency of one way.
pub(super) fn is_one_way(row: &Observation) -> bool {
    row.row.experiment == "core_to_core" && row.row.quantity == ONE_WAY
}

fn pair(row: &Observation, machine: &Machine, fabric: &Fabric) -> Option<Pair> {
    let shared = machine.shared_cache();
    let cores: Vec<u32> = match row.param("pair") {
        // The tool states only that the processors are neighbours.
        Some("near") => {
            let group = shared.map(|at| machine.caches[at].shared_by).unwrap_or(1);
            (group > 1).then(|| vec![0, 1])?
        }
        Some(_) => {
            let core = |name| {
                let node = NodeId(row.number(name)? as u32);
                (0..fabric.cores()).find(|core| fabric.node_of(numalab_machine::CoreId(*core)) == node)
            };
            vec![core("from")?, core("node")?]
        }
        None => {
            let procs = row.numbers("procs");
            let known = procs.iter().all(|proc| *proc < fabric.processors());
            known.then(|| {
                procs.iter().map(|proc| fabric.processor(ProcessorId::new(*proc)).core.0).collect()
            })?
        }
    };
    let [a, b] = cores[..] else { return None };
    if a == b {
        return None;
    }
    if let Some(at) =
        shared.filter(|at| a / machine.caches[*at].shared_by == b / machine.caches[*at].shared_by)
    {
        let group = a / machine.caches[at].shared_by;
        return Some(Pair {
            target: Cache(at).number(numalab_machine::Cache::core_to_core),
            units: (group, group),
        });
    }
    // The outermost level on which the two processors are in different units.
    let inside = |at: usize| machine.levels[at + 1..].iter().map(|level| level.count).product::<u32>();
    let at = (0..machine.levels.len()).find(|at| a / inside(*at) != b / inside(*at))?;
    let units = (a / inside(at), b / inside(at));
    machine.levels[at].kind.holds_memory().then(|| Pair {
        target: Level(at).number(numalab_machine::Level::core_to_core),
        units: (units.0.min(units.1), units.0.max(units.1)),
    })
}

/// Sets a parameter: for a level, the median latency of the pair of units with the least median; for a shared cache,
/// the median over all groups. Lowers the latency of the level's link, with a warning, if a crossing there and back
/// takes longer than that. Returns the finding.
fn of_nearest(
    subject: &mut Subject,
    target: Target,
    units: BTreeMap<(u32, u32), Vec<usize>>,
    rows: &[Observation],
    warnings: &mut Vec<String>,
) -> Option<Finding> {
    let by_units = units.into_values().map(|places| {
        let mut values: Vec<f64> = places.iter().map(|at| rows[*at].value).collect();
        values.sort_by(f64::total_cmp);
        (values, places)
    });
    let (values, places) = match target.table {
        // Every group has its own cache, and all are equal.
        Cache(_) => by_units.reduce(|mut all, (values, places)| {
            all.0.extend(values);
            all.1.extend(places);
            all
        })?,
        Core | Memory | Link(_) | Controller(_) | Level(_) | Os | Fork | Barrier | Worksharing | Tasks => {
            by_units.min_by(|a, b| median(&a.0).total_cmp(&median(&b.0)))?
        }
    };
    let mut values = values;
    values.sort_by(f64::total_cmp);
    let value = median(&values);
    let span = Span((value * 1e3).round() as u64);
    if let Level(at) = target.table
        && let Some(joined) = subject.machine.levels[at].interconnect.as_ref().map(|joined| joined.link)
    {
        let link = &mut subject.machine.links[joined.0];
        if link.latency + link.latency > span {
            warnings.push(format!(
                "{}: cores have lines of each other in {span}, so a crossing takes half of that at most, not {}",
                link.name, link.latency
            ));
            link.latency = Span(span.0 / 2);
        }
    }
    target.set(subject, span.0 as f64);
    let middle = (values[values.len() * 3 / 4] - values[values.len() / 4]) / 1.349;
    let error = (1.2533 * middle / value / (values.len() as f64).sqrt()).max(LEAST);
    let estimate =
        Estimate { target, value: span.0 as f64, error, sides: Sides::even(error), rests_on: Vec::new() };
    Some(Finding {
        path: target.path(&subject.machine),
        value: target.value(subject).unwrap_or(Value::Absent),
        estimate,
        stage: "lines between cores",
        rows: places,
        verdict: if error <= IDENTIFIABLE { Verdict::Known } else { Verdict::Wide },
    })
}

/// Median of sorted values; there must be at least one.
fn median(values: &[f64]) -> f64 {
    (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0
}
