//! Rows that the fitted machine does not give back, with the reason.

use super::{Fitted, Observation, kinds, memory_only};
use numalab_machine::Fabric;
use std::collections::BTreeMap;
use std::fmt;

/// Relative error of a simulated row from which a message names it.
const MISSED: f64 = 0.05;
/// The same for latencies under load, which follow a curve.
const MISSED_UNDER_LOAD: f64 = 0.15;
/// Number of a row's own errors that the row is missed by at least.
const ERRORS: f64 = 3.0;
/// Number of rows that a message names.
const NAMED: usize = 3;

/// Rows of a kind that the fitted machine misses.
#[derive(Clone, Debug, PartialEq)]
pub struct Off {
    /// Kind of the rows in words.
    pub kind: String,
    /// Indices of the rows, that with the largest error first.
    pub rows: Vec<usize>,
    /// Number of all rows of the kind.
    pub of: usize,
    /// Places of the first rows, each with its relative error.
    named: Vec<String>,
    reason: String,
}

impl fmt::Display for Off {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Off { kind, rows, of, named, reason } = self;
        let more = rows.len() - named.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        write!(
            f,
            "{kind}: {} of {of} rows do not come back ({}{more}): {reason}",
            rows.len(),
            named.join(", ")
        )
    }
}

impl Fitted {
    /// Measured rows that the fitted machine misses, by kind. Rows that a stage left out are not among them.
    pub fn off(&self) -> Vec<Off> {
        let machine = &self.subject.machine;
        let Ok(fabric) = Fabric::new(machine) else { return Vec::new() };
        let mut by_kind: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for at in 0..self.measured {
            by_kind.entry(kinds::name(&self.rows[at].0, machine, &fabric)).or_default().push(at);
        }
        by_kind.into_iter().filter_map(|(kind, all)| self.of_kind(kind, &all)).collect()
    }

    fn of_kind(&self, kind: String, all: &[usize]) -> Option<Off> {
        let missed = |at: &usize| self.rows[*at].1.missed.unwrap_or_default();
        let is_off = |at: &&usize| {
            let (row, checked) = &self.rows[**at];
            !checked.beyond && missed(at).abs() > tolerance(row)
        };
        let mut rows: Vec<usize> = all.iter().filter(is_off).copied().collect();
        rows.sort_by(|a, b| missed(b).abs().total_cmp(&missed(a).abs()));
        let named = rows.iter().take(NAMED);
        let named = named.map(|at| format!("{} {:+.0} %", self.rows[*at].0.row.source, missed(at) * 100.0));
        let (named, of) = (named.collect(), all.len());
        (!rows.is_empty()).then(|| Off { named, reason: self.reason(&rows, all), kind, of, rows })
    }

    /// Reason why rows of a kind do not come back.
    fn reason(&self, rows: &[usize], all: &[usize]) -> String {
        let value = |at: &usize| self.rows[*at].0.value;
        let ends = |rows: &[usize]| {
            let values = rows.iter().map(value);
            (values.clone().fold(f64::INFINITY, f64::min), values.fold(0.0, f64::max))
        };
        let (first, unit) = (&self.rows[rows[0]].0, &self.rows[rows[0]].0.row.unit);
        let (least, most) = ends(all);
        if first.row.experiment == "loaded_latency" {
            let idle = |at: &usize| {
                let row = &self.rows[*at].0;
                row.row.experiment == "pointer_chase" && row.is_local()
            };
            let idle: Vec<usize> = (0..self.measured).filter(idle).collect();
            let (low, high) = ends(&idle);
            if !idle.is_empty() && !(least / (1.0 + MISSED)..=least * (1.0 + MISSED)).contains(&low) {
                return format!(
                    "the curve begins at {least:.0} {unit}, and rows of idle latency say {low:.0} to {high:.0}, which the file has"
                );
            }
            return "the model's streams do not share a memory as these did".to_owned();
        }
        let alike = all.iter().all(|at| self.rows[*at].0.row.quantity == first.row.quantity);
        if alike && most > least * (1.0 + MISSED) {
            return format!(
                "they are from {least:.1} to {most:.1} {unit}, and one set of values stands for all"
            );
        }
        if memory_only::has(first, &self.subject.machine) && first.row.experiment == "node_bandwidth" {
            return "memory without processors has one bandwidth for the nodes next to it, farther nodes get no more, and links \
                    between carry what other rows show"
                .to_owned();
        }
        let findings =
            self.estimates.iter().filter(|finding| finding.rows.iter().any(|at| rows.contains(at)));
        let paths: Vec<&str> = findings.map(|finding| finding.path.as_str()).take(NAMED).collect();
        match paths.is_empty() {
            true => "no value of the file was fitted to them".to_owned(),
            false => {
                format!("with {} as written these and the other rows have the least error", paths.join(", "))
            }
        }
    }
}

/// Relative error that a row may have without a message.
fn tolerance(row: &Observation) -> f64 {
    let least = if row.row.experiment == "loaded_latency" { MISSED_UNDER_LOAD } else { MISSED };
    if row.error.is_finite() { least.max(ERRORS * row.error) } else { least }
}
