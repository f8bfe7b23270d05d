//! Distances of a machine with too many nodes to list: what lies how far, by the level that two share.

use super::named;
use crate::numbers::grouped;
use crate::style::Style;
use crate::table::Grid;
use numalab_results::{DistanceTable, Sharing};
use numalab_units::Bandwidth;

/// Least, mean and greatest of some values.
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

    /// `18 to 57`, or one number where all are the same.
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

/// A row for each level that the machine has.
pub fn summary(table: &DistanceTable, style: &Style) -> String {
    let rates = by_level(table, &table.bandwidth_bytes_per_s);
    let kept: Vec<usize> = (0..LEVELS.len()).filter(|&level| rates[level].count > 0).collect();
    let column = |pick: &dyn Fn(usize) -> String| kept.iter().map(|&level| pick(level)).collect::<Vec<_>>();
    let mut grid = Grid::new()
        .text("", column(&|level| LEVELS[level].1.to_owned()))
        .number("pairs", column(&|level| grouped(rates[level].count)))
        .number("mean\nbandwidth", column(&|level| Bandwidth(rates[level].mean()).to_string()));
    for (at, (name, rows)) in named(table).iter().enumerate() {
        let spreads = by_level(table, rows);
        // A file's name would make a wide column.
        let name = if at < 2 { name } else { "reference" };
        grid = grid.number(name, column(&|level| spreads[level].range()));
    }
    let mut text = grid.draw(style);
    text += "\nAll distances: --format csv, --format json, --svg FILE\n";
    text
}

fn by_level(table: &DistanceTable, rows: &[Vec<f64>]) -> [Spread; 4] {
    let mut spreads = [Spread::NONE; 4];
    for (a, row) in (0..).zip(rows) {
        for (b, value) in (0..).zip(row) {
            spreads[table.layout.sharing(a, b) as usize].add(*value);
        }
    }
    spreads
}
