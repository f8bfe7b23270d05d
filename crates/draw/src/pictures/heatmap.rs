//! Distance matrices as coloured squares, for a slide: idle latencies and bandwidths above, distances below.

use crate::chart::colour::{dark, sequential};
use crate::chart::shapes::{Tone, centred, ending, label, rect, titled};
use crate::chart::{MARGIN, WIDTH, fit, page};
use numalab_report::views::distances::{named, own_bandwidth};
use numalab_results::{DistanceTable, Matrix};
use svg::node::element::Group;

/// Largest number of nodes for which each cell shows its distance as a number.
const NUMBERED: usize = 16;
/// Largest number of rows of cells; if there are more nodes, neighbouring nodes are averaged.
const MOST_ROWS: usize = 256;
/// Number of colours. Neighbouring cells of one colour are drawn as one rectangle.
const SHADES: usize = 32;
const TOP: f64 = 128.0;
const GUTTER: f64 = 48.0;
/// Height of the legend below a panel, with the space around it.
const LEGEND: f64 = 92.0;

/// A complete SVG document: latencies and bandwidths, each with a colour scale of its own, and below them the distances
/// with a common one.
pub fn distances_svg(table: &DistanceTable) -> String {
    let (node, own) = own_bandwidth(table);
    let subtitle = format!(
        "Rows read from columns. Simulated: 10 is {own}, the bandwidth of node {node} from its own memory"
    );
    let gigabytes = |row: &Vec<Option<f64>>| row.iter().map(|rate| rate.map(|rate| rate / 1e9)).collect();
    let bandwidths: Matrix = table.bandwidth_bytes_per_s.iter().map(gigabytes).collect();
    let values = [
        ("Idle latency, ns".to_owned(), table.latency_ns.clone()),
        ("Bandwidth of all cores of a node, GB/s".to_owned(), bandwidths),
    ];
    let distances = named(table);
    let (above, below) = (side(values.len()), side(distances.len()));
    let second = TOP + above + LEGEND + 40.0;
    let height = (second + below + LEGEND).round();
    let mut document = page(&format!("Distances on {}", table.machine.name), &subtitle, height);
    for (at, one) in values.iter().enumerate() {
        let shades = Shades::of(std::slice::from_ref(one), at == 1);
        let x = left(values.len()) + at as f64 * (above + GUTTER);
        document = document.add(panel(&one.0, &one.1, (x, TOP), above, &shades));
        document = document.add(shades.legend((x + above / 2.0, TOP + above + LEGEND - 52.0)));
    }
    let shades = Shades::of(&distances, false);
    for (at, (name, rows)) in distances.iter().enumerate() {
        let corner = (left(distances.len()) + at as f64 * (below + GUTTER), second);
        document = document.add(panel(name, rows, corner, below, &shades));
    }
    format!("{}\n", document.add(shades.legend((WIDTH / 2.0, height - 44.0))))
}

/// Width of each of `count` panels in a row.
fn side(count: usize) -> f64 {
    ((WIDTH - 2.0 * MARGIN - GUTTER * count as f64) / count as f64).min(560.0)
}

/// Left edge of the first of `count` panels in a row.
fn left(count: usize) -> f64 {
    (WIDTH - count as f64 * (side(count) + GUTTER) + GUTTER) / 2.0
}

/// Colour scale from near (bright) to far (dark), logarithmic.
struct Shades {
    least: f64,
    most: f64,
    /// True if larger values are nearer, as bandwidths are.
    falls: bool,
}

impl Shades {
    fn of(panels: &[(String, Matrix)], falls: bool) -> Shades {
        let all = || {
            panels.iter().flat_map(|(_, rows)| rows.iter().flatten().flatten()).copied().filter(|v| *v > 0.0)
        };
        let (least, most) = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
        let (least, most) = if least <= most { (least, most) } else { (10.0, 10.0) };
        Shades { least, most, falls }
    }

    fn step(&self, value: f64) -> usize {
        let part = (value.max(self.least) / self.least).ln() / (self.most / self.least).ln().max(1e-9);
        let part = if self.falls && self.least < self.most { 1.0 - part.min(1.0) } else { part };
        (part * (SHADES - 1) as f64).round().min((SHADES - 1) as f64) as usize
    }

    fn colour(step: usize) -> String {
        sequential(1.0 - step as f64 / (SHADES - 1) as f64)
    }

    /// Legend whose middle is at `centre`.
    fn legend(&self, centre: (f64, f64)) -> Group {
        let (wide, x, y) = (9.0, centre.0 - SHADES as f64 * 4.5, centre.1);
        let (near, far) = if self.falls { (self.most, self.least) } else { (self.least, self.most) };
        let mut group = Group::new().set("shape-rendering", "crispEdges");
        for step in 0..SHADES {
            group = group.add(rect(x + wide * step as f64, y, wide, 14.0, &Shades::colour(step)));
        }
        let right = x + wide * SHADES as f64 + 10.0;
        group.add(ending(x - 10.0, y + 12.0, 13.0, &format!("near {near:.0}"), Tone::Soft)).add(label(
            right,
            y + 12.0,
            13.0,
            &format!("{far:.0} far"),
            Tone::Soft,
        ))
    }
}

fn panel(name: &str, rows: &Matrix, (x, y): (f64, f64), side: f64, shades: &Shades) -> Group {
    let mut group = Group::new().add(label(x, y - 30.0, 17.0, &fit(name, 17.0, side), Tone::Strong));
    // Memory-only nodes have a column and no row.
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0).max(rows.len());
    let numbered = columns <= NUMBERED;
    let each = columns.div_ceil(MOST_ROWS).max(1);
    let coarse = averaged(rows, each);
    let cell = side / columns.div_ceil(each).max(1) as f64;
    group = group.add(numbers_along((columns, rows.len()), (x, y), side));
    let mut cells = Group::new().set("shape-rendering", if numbered { "auto" } else { "crispEdges" });
    for (a, row) in coarse.iter().enumerate() {
        let top = y + a as f64 * cell;
        if numbered {
            for (b, value) in (0..).zip(row).filter_map(|(b, value)| Some((b, (*value)?))) {
                cells = cells.add(numbered_cell(value, (x + b as f64 * cell, top), cell, shades, (a, b)));
            }
            continue;
        }
        let steps: Vec<Option<usize>> =
            row.iter().map(|value| value.map(|value| shades.step(value))).collect();
        let mut b = 0;
        for run in steps.chunk_by(|a, b| a == b) {
            let (from, wide) = (x + b as f64 * cell, run.len() as f64 * cell);
            if let Some(step) = run[0] {
                cells = cells.add(rect(from, top, wide, cell, &Shades::colour(step)));
            }
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
fn numbers_along((nodes, rows): (usize, usize), (x, y): (f64, f64), side: f64) -> Group {
    let step = if nodes <= NUMBERED { 1 } else { nodes.div_ceil(12).next_power_of_two() };
    let mut group = Group::new();
    for node in (0..nodes).step_by(step) {
        let at = (node as f64 + 0.5) / nodes as f64 * side;
        let text = node.to_string();
        group = group.add(centred(x + at, y - 8.0, 12.0, &text, Tone::Soft));
        if node < rows {
            group = group.add(ending(x - 7.0, y + at + 4.0, 12.0, &text, Tone::Soft));
        }
    }
    group
}

/// Means of blocks of `each` × `each` cells; `None` where no cell has a value.
fn averaged(rows: &Matrix, each: usize) -> Matrix {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mean = |block: &[Vec<Option<f64>>], from: usize| {
        let cells = || block.iter().flat_map(|row| row.iter().skip(from).take(each)).flatten();
        let count = cells().count();
        (count > 0).then(|| cells().sum::<f64>() / count as f64)
    };
    let row = |block: &[Vec<Option<f64>>]| (0..columns).step_by(each).map(|from| mean(block, from)).collect();
    rows.chunks(each).map(row).collect()
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
        assert_eq!(titles.count(), 4 * 16);
        // A row has at most five rectangles, one per run of equal colours.
        let picture = distances_svg(&distances(300, None));
        assert!(
            picture.matches("<rect").count() < 4 * MOST_ROWS_DRAWN * 5 + 120,
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
            let measured: Vec<Vec<f64>> = rows.iter().map(|row| row[..nodes].to_vec()).collect();
            // Cells below 1 are absent; memory-only nodes have columns.
            let cell = |value: &f64| Some(*value).filter(|value| *value >= 1.0);
            let of = |rows: &[Vec<f64>]| rows.iter().map(|row| row.iter().map(cell).collect()).collect::<Matrix>();
            let mut found = distances(1, Some(&name));
            found.layout = Layout::default();
            found.simulated = of(&measured);
            found.bandwidth_bytes_per_s = of(&rows);
            found.latency_ns = of(&rows);
            found.firmware = of(&measured);
            if let Some(reference) = &mut found.reference {
                reference.distances = measured;
            }
            roxmltree::Document::parse(&distances_svg(&found)).expect("well-formed");
        }
    }
}
