//! Picture of the faults on software-shared pages, by page and node.

use crate::chart::colour::sequential;
use crate::chart::shapes::{Tone, centred, ending, label, rect, titled};
use crate::chart::{MARGIN, WIDTH, fit, page};
use numalab_report::numbers::grouped;
use numalab_results::{Comparison, NodeCounts, PageSharing, Run};
use svg::node::element::Group;

/// Largest number of policies with a panel.
const PANELS: usize = 3;
const TOP: f64 = 128.0;
const HIGH: f64 = 580.0;
/// Width for the names of regions (`NAMES`), and height below the panels, in pixels.
const NAMES: f64 = 96.0;
const BELOW: f64 = 92.0;
/// Smallest height of a region, so that its name fits, unless there are too many regions.
const LEAST: f64 = 14.0;
/// Largest number of node numbers above a panel.
const NUMBERS: usize = 16;

/// A complete SVG document: one panel for each of the first `PANELS` policies with counted pages. A panel has a
/// column for each node, and the pages from top to bottom.
pub fn shared_pages_svg(comparison: &Comparison) -> String {
    svg_of(comparison, comparison.runs.iter())
}

/// Picture as in `shared_pages_svg`, for some of the comparison's runs.
pub(crate) fn svg_of<'a>(comparison: &Comparison, runs: impl Iterator<Item = &'a Run>) -> String {
    let runs: Vec<(&Run, &PageSharing)> = runs
        .filter_map(|run| Some((run, run.pages.as_ref().filter(|pages| !pages.rows.is_empty())?)))
        .take(PANELS)
        .collect();
    let most = runs.iter().map(|(_, pages)| densest(pages)).fold(0.0, f64::max);
    let title =
        format!("Faults by page and node: {} on {}", comparison.workload.name, comparison.machine.name);
    let subtitle = match most > 0.0 {
        true => "Rows are ranges of pages, columns are nodes; dark means few faults, bright many",
        false => "No faults on software-shared pages",
    };
    let mut document = page(&title, subtitle, TOP + HIGH + BELOW);
    if most == 0.0 {
        return format!("{document}\n");
    }
    let pitch = (WIDTH - 2.0 * MARGIN) / runs.len() as f64;
    for (at, (run, pages)) in runs.iter().enumerate() {
        let corner = (MARGIN + at as f64 * pitch + NAMES, TOP);
        document = document.add(panel(run, pages, corner, pitch - NAMES - MARGIN, most));
    }
    format!("{}\n", document.add(legend(most, TOP + HIGH + BELOW - 40.0)))
}

/// Largest number of faults per page: over all nodes and rows, the node's faults in a row divided by the row's pages.
fn densest(pages: &PageSharing) -> f64 {
    let each = |row: usize, faults: &u64| *faults as f64 / pages.rows[row].pages.max(1) as f64;
    let all = pages.nodes.iter().flat_map(|node| node.faults_by_row.iter().enumerate());
    all.filter(|(row, _)| *row < pages.rows.len()).map(|(row, faults)| each(row, faults)).fold(0.0, f64::max)
}

/// Colour of a fault density on a logarithmic scale: a single fetch must be visible beside pages that are fetched in
/// every iteration.
fn colour(density: f64, most: f64) -> String {
    sequential((density.ln_1p() / most.ln_1p().max(1e-9)).min(1.0))
}

/// A region: its rows and its position in the panel.
struct Band {
    name: String,
    rows: std::ops::Range<usize>,
    top: f64,
    height: f64,
}

/// Bands of the regions with faults. Half of the height is divided evenly, so that small regions are visible; the
/// other half in proportion to the number of rows.
fn bands(pages: &PageSharing, top: f64) -> Vec<Band> {
    let faulted = |rows: &std::ops::Range<usize>| {
        let of = |node: &NodeCounts| {
            let end = rows.end.min(node.faults_by_row.len());
            node.faults_by_row
                .get(rows.start..end)
                .is_some_and(|faults| faults.iter().any(|count| *count > 0))
        };
        pages.nodes.iter().any(of)
    };
    let mut spans: Vec<std::ops::Range<usize>> = Vec::new();
    for (at, row) in pages.rows.iter().enumerate() {
        match spans.last_mut() {
            Some(span) if row.first > 0 => span.end = at + 1,
            _ => spans.push(at..at + 1),
        }
    }
    spans.retain(faulted);
    let rows: usize = spans.iter().map(std::ops::Range::len).sum();
    let count = spans.len().max(1) as f64;
    let even = (HIGH / 2.0 / count).max(LEAST).min(HIGH / count);
    let room = (HIGH - even * count).max(0.0);
    let mut at = top;
    let band = |rows_of: std::ops::Range<usize>| {
        let height = even + room * rows_of.len() as f64 / rows.max(1) as f64;
        let band = Band { name: pages.rows[rows_of.start].region.clone(), rows: rows_of, top: at, height };
        at += height;
        band
    };
    spans.into_iter().map(band).collect()
}

fn panel(run: &Run, pages: &PageSharing, (x, y): (f64, f64), wide: f64, most: f64) -> Group {
    let nodes = pages.nodes.iter().rposition(NodeCounts::took_part).unwrap_or(0) + 1;
    let cell = wide / nodes as f64;
    let mut group = Group::new().add(label(x, y - 30.0, 17.0, &fit(&run.policy, 17.0, wide), Tone::Strong));
    for node in (0..nodes).step_by(nodes.div_ceil(NUMBERS)) {
        group =
            group.add(centred(x + (node as f64 + 0.5) * cell, y - 8.0, 12.0, &node.to_string(), Tone::Soft));
    }
    group = group.add(rect(x, y, wide, HIGH, &colour(0.0, most)));
    let mut cells = Group::new().set("shape-rendering", "crispEdges");
    for Band { name, rows, top, height } in bands(pages, y) {
        let high = height / rows.len() as f64;
        group = group.add(ending(x - 7.0, top + 11.0, 12.0, &fit(&name, 12.0, NAMES - 10.0), Tone::Soft));
        for (at, row) in rows.clone().enumerate() {
            let place = &pages.rows[row];
            for (node, counts) in pages.nodes.iter().enumerate().take(nodes) {
                let faults = counts.faults_by_row.get(row).copied().unwrap_or(0);
                if faults == 0 {
                    continue;
                }
                let fill = colour(faults as f64 / place.pages.max(1) as f64, most);
                let (last, corner) =
                    (place.first + place.pages - 1, (x + node as f64 * cell, top + at as f64 * high));
                let hover = format!(
                    "{name}, pages {} to {last}, node {node}: {} faults",
                    place.first,
                    grouped(faults)
                );
                cells = cells.add(titled(&hover).add(rect(corner.0, corner.1, cell, high, &fill)));
            }
        }
        cells = cells.add(rect(x, top, wide, 1.0, "#ffffff"));
    }
    group.add(cells)
}

fn legend(most: f64, y: f64) -> Group {
    const SHADES: usize = 32;
    let (wide, x) = (9.0, WIDTH / 2.0 - SHADES as f64 * 4.5);
    let mut group = Group::new().set("shape-rendering", "crispEdges");
    for step in 0..SHADES {
        let density = (most.ln_1p() * step as f64 / (SHADES - 1) as f64).exp_m1();
        group = group.add(rect(x + wide * step as f64, y, wide, 14.0, &colour(density, most)));
    }
    let right = x + wide * SHADES as f64 + 10.0;
    group.add(ending(x - 10.0, y + 12.0, 13.0, "no fault", Tone::Soft)).add(label(
        right,
        y + 12.0,
        13.0,
        &format!("{most:.1} faults per page"),
        Tone::Soft,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures;
    use crate::picture_checks::{outside, texts};
    use numalab_results::{NodeCounts, PageFaults, PageRow};

    fn shared(nodes: Vec<Vec<u64>>, rows: Vec<PageRow>) -> Comparison {
        let mut comparison = fixtures::small();
        comparison.runs.truncate(1);
        let node = |faults_by_row: Vec<u64>| NodeCounts {
            faults: PageFaults { read: faults_by_row.iter().sum(), ..PageFaults::default() },
            faults_by_row,
            ..NodeCounts::default()
        };
        let nodes = nodes.into_iter().map(node).collect();
        comparison.runs[0].pages = Some(PageSharing { nodes, stops: Vec::new(), rows });
        comparison
    }

    fn row(region: &str, first: u64, pages: u64) -> PageRow {
        PageRow { region: region.to_owned(), first, pages }
    }

    /// Region a has two rows; node 1 faulted 16 times on the second one of eight pages: two faults
    /// per page. Region b has no faults and is omitted; node 0 faulted on c.
    #[test]
    fn faults_are_at_their_pages() {
        let rows = vec![row("a", 0, 8), row("a", 8, 8), row("b", 0, 4), row("c", 0, 1)];
        let svg = shared_pages_svg(&shared(vec![vec![0, 0, 0, 1], vec![0, 16]], rows));
        assert_eq!(outside(&svg), Vec::<String>::new());
        let texts = texts(&svg);
        assert!(
            ["a", "c", "2.0 faults per page"].iter().all(|text| texts.iter().any(|t| t == text)),
            "{texts:?}"
        );
        assert!(!texts.iter().any(|text| text == "b"));
        assert!(svg.contains("a, pages 8 to 15, node 1: 16 faults"));
        assert!(svg.contains("c, pages 0 to 0, node 0: 1 faults"));
        assert!(!svg.contains("pages 0 to 7"));
    }

    #[test]
    fn many_regions_fit_and_no_faults_are_stated() {
        let rows = (0..90).map(|at| row(&format!("region {at}"), 0, 3)).collect();
        assert_eq!(outside(&shared_pages_svg(&shared(vec![vec![5; 90]; 300], rows))), Vec::<String>::new());
        let svg = shared_pages_svg(&shared(vec![vec![]], vec![row("a", 0, 1)]));
        assert!(texts(&svg).iter().any(|text| text.contains("No faults")));
    }
}
