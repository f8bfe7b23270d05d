//! Distance matrices as coloured squares, for a slide.

use crate::chart::colour::{dark, sequential};
use crate::chart::shapes::{Tone, centred, ending, label, rect, titled};
use crate::chart::{MARGIN, WIDTH, fit, page};
use numalab_report::views::distances::{named, own_bandwidth};
use numalab_results::DistanceTable;
use svg::node::element::Group;

/// Largest number of nodes for which each cell shows its distance as a number.
const NUMBERED: usize = 16;
/// Largest number of rows of cells; if there are more nodes, neighbouring nodes are averaged.
const MOST_ROWS: usize = 256;
/// Number of colours. Neighbouring cells of one colour are drawn as one rectangle.
const SHADES: usize = 32;
const TOP: f64 = 128.0;
const GUTTER: f64 = 48.0;

/// A complete SVG document: one panel per matrix, with a common colour scale.
pub fn distances_svg(table: &DistanceTable) -> String {
    let panels = named(table);
    let count = panels.len() as f64;
    let side = ((WIDTH - 2.0 * MARGIN - GUTTER * count) / count).min(560.0);
    let height = (TOP + side + 92.0).round();
    let subtitle = format!(
        "Rows read from columns. Simulated: 10 is {}, the bandwidth of node 0 from its own memory",
        own_bandwidth(table)
    );
    let mut document = page(&format!("Distances on {}", table.machine.name), &subtitle, height);
    let shades = Shades::of(&panels);
    let pitch = side + GUTTER;
    let left = (WIDTH - count * pitch + GUTTER) / 2.0;
    for (at, (name, rows)) in panels.iter().enumerate() {
        let corner = (left + at as f64 * pitch, TOP);
        document = document.add(panel(name, rows, corner, side, &shades));
    }
    format!("{}\n", document.add(shades.legend(height - 44.0)))
}

/// Colour scale from near (bright) to far (dark), logarithmic.
struct Shades {
    least: f64,
    most: f64,
}

impl Shades {
    fn of(panels: &[(String, &[Vec<f64>])]) -> Shades {
        let all = || panels.iter().flat_map(|(_, rows)| rows.iter().flatten()).copied().filter(|v| *v > 0.0);
        let (least, most) = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
        if least <= most { Shades { least, most } } else { Shades { least: 10.0, most: 10.0 } }
    }

    fn step(&self, value: f64) -> usize {
        let part = (value.max(self.least) / self.least).ln() / (self.most / self.least).ln().max(1e-9);
        (part * (SHADES - 1) as f64).round().min((SHADES - 1) as f64) as usize
    }

    fn colour(step: usize) -> String {
        sequential(1.0 - step as f64 / (SHADES - 1) as f64)
    }

    fn legend(&self, y: f64) -> Group {
        let (wide, x) = (9.0, WIDTH / 2.0 - SHADES as f64 * 4.5);
        let mut group = Group::new().set("shape-rendering", "crispEdges");
        for step in 0..SHADES {
            group = group.add(rect(x + wide * step as f64, y, wide, 14.0, &Shades::colour(step)));
        }
        let right = x + wide * SHADES as f64 + 10.0;
        group
            .add(ending(x - 10.0, y + 12.0, 13.0, &format!("near {:.0}", self.least), Tone::Soft))
            .add(label(right, y + 12.0, 13.0, &format!("{:.0} far", self.most), Tone::Soft))
    }
}

fn panel(name: &str, rows: &[Vec<f64>], (x, y): (f64, f64), side: f64, shades: &Shades) -> Group {
    let mut group = Group::new().add(label(x, y - 30.0, 17.0, &fit(name, 17.0, side), Tone::Strong));
    let numbered = rows.len() <= NUMBERED;
    let each = rows.len().div_ceil(MOST_ROWS).max(1);
    let coarse = averaged(rows, each);
    let cell = side / coarse.len().max(1) as f64;
    group = group.add(numbers_along(rows.len(), (x, y), side));
    let mut cells = Group::new().set("shape-rendering", if numbered { "auto" } else { "crispEdges" });
    for (a, row) in coarse.iter().enumerate() {
        let top = y + a as f64 * cell;
        if numbered {
            for (b, value) in row.iter().enumerate() {
                cells = cells.add(numbered_cell(*value, (x + b as f64 * cell, top), cell, shades, (a, b)));
            }
            continue;
        }
        let steps: Vec<usize> = row.iter().map(|value| shades.step(*value)).collect();
        let mut b = 0;
        for run in steps.chunk_by(|a, b| a == b) {
            let (from, wide) = (x + b as f64 * cell, run.len() as f64 * cell);
            cells = cells.add(rect(from, top, wide, cell, &Shades::colour(run[0])));
            b += run.len();
        }
    }
    group.add(cells)
}

fn numbered_cell(value: f64, (x, y): (f64, f64), cell: f64, shades: &Shades, at: (usize, usize)) -> Group {
    let colour = Shades::colour(shades.step(value));
    let size = (cell * 0.42).min(17.0);
    let ink = if dark(&colour) { "#ffffff" } else { "#1a1a1a" };
    let number =
        label(x + cell / 2.0, y + cell / 2.0 + size * 0.36, size, &format!("{value:.0}"), Tone::Plain);
    titled(&format!("node {} reads from node {}: {value:.1}", at.0, at.1))
        .add(rect(x + 0.5, y + 0.5, cell - 1.0, cell - 1.0, &colour))
        .add(number.set("text-anchor", "middle").set("fill", ink))
}

/// Node numbers above and left of a matrix: all numbers if there are few, else multiples of a power of two.
fn numbers_along(nodes: usize, (x, y): (f64, f64), side: f64) -> Group {
    let step = if nodes <= NUMBERED { 1 } else { nodes.div_ceil(12).next_power_of_two() };
    let mut group = Group::new();
    for node in (0..nodes).step_by(step) {
        let at = (node as f64 + 0.5) / nodes as f64 * side;
        let text = node.to_string();
        group = group.add(centred(x + at, y - 8.0, 12.0, &text, Tone::Soft)).add(ending(
            x - 7.0,
            y + at + 4.0,
            12.0,
            &text,
            Tone::Soft,
        ));
    }
    group
}

/// Means of blocks of `each` × `each` cells.
fn averaged(rows: &[Vec<f64>], each: usize) -> Vec<Vec<f64>> {
    let mean = |block: &[Vec<f64>], from: usize| {
        let cells = || block.iter().flat_map(|row| row.iter().skip(from).take(each));
        cells().sum::<f64>() / cells().count().max(1) as f64
    };
    rows.chunks(each)
        .map(|block| (0..rows.len()).step_by(each).map(|from| mean(block, from)).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::distances::distances;
    use numalab_results::Layout;
    use proptest::prelude::*;

    #[test]
    fn few_cells_have_numbers_and_many_are_merged() {
        let picture = distances_svg(&distances(2, None));
        let document = roxmltree::Document::parse(&picture).unwrap();
        let titles =
            document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "title")));
        assert_eq!(titles.count(), 2 * 16);
        // A row has at most five rectangles, one per run of equal colours.
        let picture = distances_svg(&distances(300, None));
        assert!(
            picture.matches("<rect").count() < 2 * MOST_ROWS_DRAWN * 5 + 40,
            "{}",
            picture.matches("<rect").count()
        );
    }

    const MOST_ROWS_DRAWN: usize = 256;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn any_matrix_is_drawn(
            rows in prop::collection::vec(prop::collection::vec(0.0f64..1e6, 20), 0..20),
            name in "\\PC{0,40}|[\\x00-\\x20<>&'\"]{0,20}",
        ) {
            let nodes = rows.len();
            let rows: Vec<Vec<f64>> = rows.into_iter().map(|row| row[..nodes].to_vec()).collect();
            let mut found = distances(1, Some(&name));
            found.layout = Layout::default();
            found.simulated = rows.clone();
            found.bandwidth_bytes_per_s = rows.clone();
            found.firmware = rows.clone();
            if let Some(reference) = &mut found.reference {
                reference.distances = rows;
            }
            roxmltree::Document::parse(&distances_svg(&found)).expect("well-formed");
        }
    }
}
