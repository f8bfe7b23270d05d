//! Distances between nodes, as matrices or by level.

mod levels;
mod matrices;
#[cfg(test)]
mod tests;

use crate::numbers::count;
use crate::page::{Page, Rows, View, fit};
use crate::style::Style;
use numalab_base::{Bandwidth, printable};
use numalab_results::{Deviation, DistanceTable, Matrix, Reference};

/// Largest number of nodes of which matrices are shown; larger matrices exceed the width of terminals.
const MOST_SHOWN: usize = 32;

impl View for DistanceTable {
    /// Arranges latencies beside the firmware's distances, bandwidths of one core and of all, and distances beside
    /// those of a reference, of up to 32 nodes; beyond that, a summary by level.
    fn page(&self, style: &Style) -> Page {
        let nodes = self.simulated.len();
        let summary = nodes > MOST_SHOWN;
        let own = summary.then(|| {
            let (node, own) = own_bandwidth(self);
            format!("10 = {own} at node {node}")
        });
        let page = Page::titled([self.machine.name.clone(), count(nodes, "node")].into_iter().chain(own));
        let page = match summary {
            true => levels::summary(self, page, style),
            false => rows(self).iter().fold(page, |page, row| page.drawn(matrices::beside(row, style))),
        };
        page.with(self.reference.as_ref(), |page, reference| page.drawn(deviations(reference, style)))
    }
}

impl Rows for DistanceTable {
    /// The simulated distances as a square matrix, which this program can read as a reference. Cells of nodes without
    /// memory are empty.
    fn csv(&self) -> String {
        let hundredths = |value: &Option<f64>| {
            value.map_or(String::new(), |value| ((value * 100.0).round() / 100.0).to_string())
        };
        let line = |row: &Vec<Option<f64>>| row.iter().map(hundredths).collect::<Vec<_>>().join(",") + "\n";
        self.simulated.iter().map(line).collect()
    }
}

/// The first node with memory and processors, and the bandwidth from its memory to its own cores.
pub fn own_bandwidth(table: &DistanceTable) -> (usize, Bandwidth) {
    let rows = table.bandwidth_bytes_per_s.iter().enumerate();
    let own = |(node, row): (usize, &Vec<Option<f64>>)| Some((node, Bandwidth((*row.get(node)?)?)));
    rows.into_iter().find_map(own).unwrap_or((0, Bandwidth(0.0)))
}

/// Matrices with their names, in rows that belong together.
fn rows(table: &DistanceTable) -> Vec<Vec<(String, Matrix)>> {
    let gigabytes = |rows: &Matrix| changed(rows, |bandwidth| bandwidth / 1e9);
    let mut blocks = vec![
        vec![
            ("idle latency, ns".to_owned(), table.latency_ns.clone()),
            ("firmware".to_owned(), table.firmware.clone()),
        ],
        vec![
            ("one core, GB/s".to_owned(), gigabytes(&table.core_bandwidth_bytes_per_s)),
            ("all cores of a node, GB/s".to_owned(), gigabytes(&table.bandwidth_bytes_per_s)),
        ],
    ];
    blocks.extend(table.reference.as_ref().map(|reference| {
        let name = format!("simulated, 10 = {}", own_bandwidth(table).1);
        vec![(name, changed(&table.simulated, f64::round)), (printable(&reference.source), all(reference))]
    }));
    blocks
}

fn changed(rows: &Matrix, change: impl Fn(f64) -> f64) -> Matrix {
    rows.iter().map(|row| row.iter().map(|value| value.map(&change)).collect()).collect()
}

/// Distances of a reference, which has all of them.
fn all(reference: &Reference) -> Matrix {
    reference.distances.iter().map(|row| row.iter().copied().map(Some).collect()).collect()
}

/// The matrices (simulated, firmware, reference) with their names.
pub fn named(table: &DistanceTable) -> Vec<(String, Matrix)> {
    let mut named = vec![
        ("simulated".to_owned(), table.simulated.clone()),
        ("firmware".to_owned(), table.firmware.clone()),
    ];
    named.extend(table.reference.iter().map(|reference| (printable(&reference.source), all(reference))));
    named
}

fn deviations(reference: &Reference, style: &Style) -> String {
    let line = |name: &str, off: &Deviation| {
        let Deviation { mean, max, at } = off;
        let [mean, max] = [mean, max].map(|part| format!("{:.1} %", part * 100.0));
        format!("  {name:<9} off by {mean} on average, {max} at most (node {} reads from {})\n", at.0, at.1)
    };
    let title = fit(&style.plain(&format!("Compared with {}:", reference.source)), style.columns(), style);
    format!("{title}\n") + &line("simulated", &reference.simulated) + &line("firmware", &reference.firmware)
}
