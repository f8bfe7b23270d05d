//! Rows by kind, each with its measured and its simulated value.

use super::lines;
use super::{Checked, Fitted, Observation, Subject};
use numalab_machine::{Fabric, Machine};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Rows of one kind, such as idle latencies of other nodes' memory, beside their simulation with the fitted machine.
#[derive(Clone, Debug, PartialEq)]
pub struct RowKind {
    /// Kind in words.
    pub name: String,
    /// Unit of the values.
    pub unit: String,
    /// Number of rows.
    pub rows: usize,
    /// Median of the measured values.
    pub measured: f64,
    /// Median of the simulated values; `None` if no row can be simulated.
    pub simulated: Option<f64>,
    /// Relative error of the simulated value of the row that the machine misses by most; `None` if no row can be
    /// simulated.
    pub worst: Option<f64>,
}

/// Name of a kind, unit, and rows.
type Named<'a> = (String, &'a str, Vec<&'a (Observation, Checked)>);

impl Fitted {
    /// Value of each row with the values of `subject`, in the row's unit; `None` for rows that cannot be simulated.
    pub fn simulated(&self, subject: &Subject) -> Vec<Option<f64>> {
        let rows: Vec<Observation> = self.rows.iter().map(|(row, _)| row.clone()).collect();
        simulated(&rows, subject)
    }

    /// Kinds of the measured rows, in the order of their first rows. Rows that substitute measurements are left out.
    pub fn kinds(&self) -> Vec<RowKind> {
        let machine = &self.subject.machine;
        let Ok(fabric) = Fabric::new(machine) else { return Vec::new() };
        let mut places: BTreeMap<(String, &str), usize> = BTreeMap::new();
        let mut kinds: Vec<Named<'_>> = Vec::new();
        for pair in self.rows.iter().take(self.measured) {
            let (row, unit) = (&pair.0, pair.0.row.unit.as_str());
            let name = name(row, machine, &fabric);
            let place = *places.entry((name.clone(), unit)).or_insert(kinds.len());
            if place == kinds.len() {
                kinds.push((name, unit, Vec::new()));
            }
            kinds[place].2.push(pair);
        }
        kinds.into_iter().map(|(name, unit, rows)| of_rows(name, unit, &rows)).collect()
    }
}

/// Value of each row with the values of `subject`, in the row's unit.
pub(super) fn simulated(rows: &[Observation], subject: &Subject) -> Vec<Option<f64>> {
    let lines = lines::simulated(subject, rows);
    let value = |(at, row): (usize, &Observation)| {
        lines.get(&at).copied().or_else(|| row.simulate(subject).ok().flatten())
    };
    rows.par_iter().enumerate().map(value).collect()
}

fn of_rows(name: String, unit: &str, rows: &[&(Observation, Checked)]) -> RowKind {
    let missed = rows.iter().filter_map(|(_, checked)| checked.missed);
    RowKind {
        name,
        unit: unit.to_owned(),
        rows: rows.len(),
        measured: median(rows.iter().map(|(row, _)| row.value)).unwrap_or_default(),
        simulated: median(rows.iter().filter_map(|(_, checked)| checked.simulated)),
        worst: missed.max_by(|a, b| a.abs().total_cmp(&b.abs())),
    }
}

/// Middle of the values, the lower one of two; `None` without values.
fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len().saturating_sub(1) / 2).copied()
}

/// Kind of a row in words.
pub(super) fn name(row: &Observation, machine: &Machine, fabric: &Fabric) -> String {
    let memory = || match row.number("node") {
        Some(node) if node >= f64::from(fabric.nodes()) => {
            format!("memory of node {node} from node {}", row.param("from").unwrap_or("0"))
        }
        _ if row.is_local() => "own memory".to_owned(),
        _ => "memory of another node".to_owned(),
    };
    let of_memory = row.param("node").is_some() || row.param("from").is_some();
    match row.row.experiment.as_str() {
        _ if lines::is_one_way(row) => lines::name(row, machine, fabric),
        "pointer_chase" if of_memory => format!("idle latency, {}", memory()),
        "node_bandwidth" => format!("bandwidth, {}", memory()),
        experiment => match row.row.quantity.as_str() {
            quantity if experiment.contains(quantity) => experiment.to_owned(),
            quantity => format!("{experiment}, {}", quantity.replace('_', " ")),
        },
    }
}
