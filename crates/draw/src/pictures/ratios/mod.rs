//! Measurements as a picture: simulated value divided by measured value.
//!
//! Ratios put all units on one axis. The axis is logarithmic, so that half and twice are equally
//! far from 1.

mod across;
mod marks;

use crate::chart::colour::GREYS;
use crate::chart::shapes::{Tone, ending, label, rect, titled};
use crate::chart::{MARGIN, WIDTH, fit, page};
use across::Across;
use marks::{ink, legend, point};
use numalab_report::numbers::signed_percent;
use numalab_report::views::host_validation::cases::{Case, cases};
use numalab_report::views::host_validation::off;
use numalab_report::views::off::quantity;
use numalab_results::{HostRow, HostValidation};
use svg::node::element::Group;

const ROW: f64 = 20.0;
const HEADING: f64 = 34.0;
const TOP: f64 = 128.0;
/// Height below the rows: ticks, name of the axis, legend.
const BELOW: f64 = 96.0;
/// Width for names on the left (`LEFT`) and for errors on the right (`RIGHT`), in pixels.
const LEFT: f64 = 400.0;
const RIGHT: f64 = 92.0;
const SIZE: f64 = 13.0;

/// A complete SVG document: one row per simulated measurement, with a point at simulated over measured value.
pub fn host_validation_svg(validation: &HostValidation) -> String {
    let all = cases(&validation.rows);
    let judged: Vec<&Case<'_>> = all.iter().filter(|case| case.row.error.is_some()).collect();
    let groups: Vec<&[&Case<'_>]> = judged.chunk_by(|a, b| a.row.experiment == b.row.experiment).collect();
    let bottom = TOP + judged.len() as f64 * ROW + groups.len() as f64 * HEADING;
    let across = Across::of(judged.iter().filter_map(|case| case.row.error));
    let HostValidation { machine, runtime, measurements, .. } = validation;
    let title = format!("{machine}: simulated over measured");
    let document = page(&title, &subtitle(&judged, all.len(), measurements, runtime), bottom + BELOW);
    let mut document = document.add(across.background(TOP, bottom));
    let mut y = TOP;
    for group in groups {
        document = document.add(label(MARGIN, y + 22.0, 14.0, &heading(group), Tone::Strong));
        y += HEADING;
        for case in group {
            document = document.add(drawn(case, y + ROW / 2.0, &across));
            y += ROW;
        }
    }
    format!("{}\n", document.add(legend(bottom + 74.0)))
}

/// Name of the experiment, followed by the quantity if all rows have the same quantity.
fn heading(group: &[&Case<'_>]) -> String {
    let HostRow { experiment, quantity, .. } = group[0].row;
    let is_common = group.iter().all(|case| case.row.quantity == *quantity);
    if is_common { format!("{experiment} {quantity}") } else { experiment.clone() }
}

fn subtitle(judged: &[&Case<'_>], all: usize, measurements: &str, runtime: &str) -> String {
    let head = format!("{measurements}, OpenMP runtime {runtime}");
    match off(judged) {
        None => format!("{head}. None of {all} measurements was simulated"),
        Some(off) => format!(
            "{head}. {} of {} within limits, median |error| {:.1}%",
            off.within,
            off.judged,
            off.error * 100.0
        ),
    }
}

/// Draws a row: name, measured spread around 1, point, and the error as a number.
fn drawn(case: &Case<'_>, y: f64, across: &Across) -> Group {
    let row = case.row;
    let error = row.error.unwrap_or_default();
    let passed = row.within == Some(true);
    let colour = ink(passed);
    let name = Some(case.within_experiment()).filter(|name| !name.is_empty());
    let name = name.unwrap_or_else(|| row.quantity.clone());
    let name = fit(&name, SIZE, LEFT - MARGIN - 24.0);
    let mark = if row.disturbed { " *" } else { "" };
    let (low, high) = (across.at(1.0 - row.spread), across.at(1.0 + row.spread));
    let x = across.at(1.0 + error);
    titled(&hover(case))
        // An invisible area from name to number shows the tooltip.
        .add(rect(MARGIN, y - ROW / 2.0, WIDTH - 2.0 * MARGIN, ROW, "#ffffff").set("fill-opacity", 0))
        .add(ending(LEFT - 14.0, y + 4.5, SIZE, &(name + mark), Tone::Plain))
        .add(rect(low, y - 3.0, (high - low).max(1.0), 6.0, GREYS.compute))
        .add(point(passed, (x, y)))
        .add(ending(WIDTH - MARGIN, y + 4.5, SIZE, &signed_percent(error), Tone::Plain).set("fill", colour))
}

fn hover(case: &Case<'_>) -> String {
    let row = case.row;
    let value = |value| quantity(&row.unit, value);
    let simulated = row.simulated.map_or("-".to_owned(), value);
    let disturbed = if row.disturbed { ", disturbed" } else { "" };
    format!(
        "{}: measured {} ± {:.1}% ({} samples, {} dropped{disturbed}), simulated {}, {}",
        case.named(),
        value(row.measured),
        row.spread * 100.0,
        row.samples,
        row.dropped,
        simulated,
        signed_percent(row.error.unwrap_or_default()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::host_validation::{row, validation};
    use proptest::prelude::*;

    #[test]
    fn nothing_simulated() {
        let mut validation = validation();
        validation.rows = vec![validation.rows.remove(2)];
        assert!(host_validation_svg(&validation).contains("None of 1 measurements was simulated"));
    }

    #[test]
    fn the_picture_has_a_point_for_each_simulated_row() {
        let text = host_validation_svg(&validation());
        let document = roxmltree::Document::parse(&text).unwrap();
        let titles: Vec<&str> = document
            .descendants()
            .filter(|node| node.has_tag_name("title"))
            .filter_map(|node| node.text())
            .collect();
        assert_eq!(titles.len(), 3);
        assert_eq!(
            titles[1],
            "loadbal schedule=dynamic threads=2: measured 80.0 ms ± 3.0% (30 samples, 2 dropped), simulated 105 ms, +31.0%"
        );
        // Discs: two within limits and the legend's sample. Diamonds: one beyond its limit and the legend's sample.
        assert_eq!((text.matches("<circle").count(), text.matches("<path").count()), (3, 2));
    }

    proptest! {
        #[test]
        fn every_picture_is_xml_with_every_point_on_the_page(
            name in ".{0,20}", params in ".{0,60}", spread in 0f64..1e6, ratio in -1e9..1e9f64,
        ) {
            let mut validation = validation();
            validation.rows.push(row(&name, &params, 1.0, spread, Some(ratio)));
            let text = host_validation_svg(&validation);
            let document = roxmltree::Document::parse(&text).unwrap();
            for node in document.descendants().filter(|node| node.has_tag_name("circle")) {
                let x: f64 = node.attribute("cx").unwrap().parse().unwrap();
                prop_assert!((0.0..=1200.0).contains(&x), "{x}");
            }
        }
    }
}
