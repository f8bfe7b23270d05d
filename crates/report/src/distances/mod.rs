//! Distances between nodes: as matrices beside each other, by level, as JSON, as CSV, as a heat map.

mod heatmap;
mod levels;
mod matrices;

pub use heatmap::distances_svg;

use crate::csv_text::written;
use crate::json::readable;
use crate::style::{Ink, Style};
use crate::table::{fit, printable};
use numalab_results::{Deviation, DistanceTable};
use numalab_units::Bandwidth;

/// More nodes than a terminal has columns for.
const MOST_SHOWN: usize = 32;

/// The distances in a terminal: every one up to 32 nodes, of more a summary by level.
pub fn distances_table(table: &DistanceTable, style: Style) -> String {
    let nodes = table.simulated.len();
    let dot = style.pick(" · ", ", ");
    let own =
        Bandwidth(table.bandwidth_bytes_per_s.first().and_then(|row| row.first()).copied().unwrap_or(0.0));
    let plural = if nodes == 1 { "" } else { "s" };
    let facts =
        [table.machine.name.clone(), format!("{nodes} node{plural}"), format!("10 = {own} at node 0")];
    let title = fit(&printable(&facts.join(dot)), style.columns(), &style);
    let body =
        if nodes > MOST_SHOWN { levels::summary(table, &style) } else { matrices::beside(table, &style) };
    let mut sections = vec![format!("{}\n", style.paint(Ink::Bold, &title)), body];
    sections.extend(deviations(table, &style));
    sections.join("\n")
}

/// One object with everything.
pub fn distances_json(table: &DistanceTable) -> String {
    readable(table)
}

/// The simulated distances as a square of numbers, to be read again.
pub fn distances_csv(table: &DistanceTable) -> String {
    let hundredths = |value: &f64| ((value * 100.0).round() / 100.0).to_string();
    written(table.simulated.iter().map(|row| row.iter().map(hundredths).collect()))
}

/// What is shown side by side, each with its name.
fn named(table: &DistanceTable) -> Vec<(String, &[Vec<f64>])> {
    let mut all =
        vec![("simulated".to_owned(), &table.simulated[..]), ("firmware".to_owned(), &table.firmware[..])];
    all.extend(
        table.reference.iter().map(|reference| (printable(&reference.source), &reference.distances[..])),
    );
    all
}

fn deviations(table: &DistanceTable, style: &Style) -> Option<String> {
    let reference = table.reference.as_ref()?;
    let line = |name: &str, off: &Deviation| {
        format!(
            "{name:<9} off by {:.1} % on average, {:.1} % at most (node {} reads from {})\n",
            off.mean * 100.0,
            off.max * 100.0,
            off.at.0,
            off.at.1
        )
    };
    let lines = line("simulated", &reference.simulated) + &line("firmware", &reference.firmware);
    let title = fit(&format!("Beside {}:", printable(&reference.source)), style.columns(), style);
    Some(format!("{title}\n{}", lines.lines().map(|line| format!("  {line}\n")).collect::<String>()))
}

#[cfg(test)]
mod tests;
