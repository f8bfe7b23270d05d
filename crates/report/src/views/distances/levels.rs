//! Distances of a machine with too many nodes to list, summarised by the innermost unit that two
//! nodes share.

use super::named;
use crate::numbers::grouped;
use crate::page::{Page, Sheet};
use crate::style::Style;
use numalab_base::Bandwidth;
use numalab_results::{DistanceTable, Matrix, Sharing};

/// Smallest, mean and largest distance over pairs of nodes whose smallest common unit has the same level.
#[derive(Clone, Copy)]
struct Spread {
    least: f64,
    sum: f64,
    most: f64,
    count: u64,
}

impl Spread {
    const NONE: Spread = Spread { least: f64::INFINITY, sum: 0.0, most: 0.0, count: 0 };

    fn add(&mut self, value: f64) {
        self.least = self.least.min(value);
        self.most = self.most.max(value);
        self.sum += value;
        self.count += 1;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }

    /// Text of the range: `18 to 57`, or one number if all distances are equal.
    fn range(&self) -> String {
        let [least, most] = [self.least, self.most].map(|value| format!("{value:.0}"));
        if least == most { least } else { format!("{least} to {most}") }
    }
}

const LEVELS: [(Sharing, &str); 4] = [
    (Sharing::Node, "same node"),
    (Sharing::Socket, "same socket"),
    (Sharing::Board, "same board"),
    (Sharing::Machine, "elsewhere"),
];

/// Adds a table with one row per level of the machine.
pub fn summary(table: &DistanceTable, page: Page, style: &Style) -> Page {
    let rates = by_level(table, &table.bandwidth_bytes_per_s);
    let latencies = by_level(table, &table.latency_ns);
    let sheet = Sheet::of((0..LEVELS.len()).filter(|&level| rates[level].count > 0))
        .text("", |&level| LEVELS[level].1)
        .number("pairs", |&level| grouped(rates[level].count))
        .number("latency\nns", |&level| latencies[level].range())
        .number("mean\nbandwidth", |&level| Bandwidth(rates[level].mean()).to_string());
    // The name of a reference file would make the column too wide.
    let names = ["simulated", "firmware", "reference"];
    let sheet = sheet.each(names.iter().zip(named(table)), |sheet, (name, (_, rows))| {
        let spreads = by_level(table, &rows);
        sheet.number(*name, |&level| spreads[level].range())
    });
    let more = (!style.elsewhere.is_empty()).then(|| format!("All distances: {}", style.elsewhere));
    page.table(sheet).text(more)
}

fn by_level(table: &DistanceTable, rows: &Matrix) -> [Spread; 4] {
    let mut spreads = [Spread::NONE; 4];
    for (a, row) in (0..).zip(rows) {
        // Memory-only nodes are at no level.
        for (b, value) in (0..table.layout.nodes).zip(row) {
            if let Some(value) = value {
                spreads[table.layout.sharing(a, b) as usize].add(*value);
            }
        }
    }
    spreads
}
