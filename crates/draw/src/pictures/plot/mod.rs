//! Results as a picture: lines over numbers or bars over words, in one panel or a grid.

mod axes;
mod html;
mod layout;
mod marks;

pub use html::plot_html;

use crate::chart::shapes::{Tone, label};
use crate::chart::{
    Entry, MARGIN, Plot, Swatch, WIDTH, curves, field, fit, legend, page, room, unnamed, words_below,
};
use axes::Axes;
use layout::Layout;
use numalab_report::facts::fact;
use numalab_results::{Chart, ChartPanel};
use svg::node::element::Group;

/// Height of title and subtitle in pixels; the legend begins at this height.
const TOP: f64 = 82.0;
/// Height above the first row of panels, for the names of the vertical axis and of the panels.
const ABOVE: f64 = 50.0;
/// Largest number of lines with their names at their ends; if there are more lines, the picture has a legend.
const MOST_BESIDE: usize = 24;

/// A complete SVG document. Panels share the vertical axis unless `free`.
pub fn plot_svg(chart: &Chart, free: bool) -> String {
    let axes = Axes::of(chart, free);
    let alone = chart.panels.len() <= 1;
    let bars = chart.words.is_some();
    let lines = chart.panels.first().map(|panel| marks::lines(chart, panel, &axes)).unwrap_or_default();
    let beside = alone && !bars && (2..=MOST_BESIDE).contains(&lines.len());
    let entries = if beside { Vec::new() } else { entries(chart) };
    let (key, high) = legend(&entries, (MARGIN, TOP), WIDTH - 2.0 * MARGIN);
    let layout = Layout::of(chart, &axes, TOP + high + ABOVE, if beside { room(&lines) } else { 0.0 });
    let mut document = page(&chart.title, &subtitle(chart), layout.height).add(key);
    for (at, panel) in chart.panels.iter().enumerate() {
        let plot = Plot { x: &axes.x, y: axes.y(at), names: ("", ""), frame: layout.frame(at) };
        document = document.add(drawn(chart, panel, &axes, &plot, &layout, (at, beside)));
    }
    let [left, top, ..] = layout.frame(0);
    let up = label(
        (left - 56.0).max(MARGIN),
        top - if alone { 14.0 } else { 30.0 },
        14.0,
        &axes.names.1,
        Tone::Plain,
    );
    let across = label((left + layout.right()) / 2.0, layout.height - 18.0, 14.0, &axes.names.0, Tone::Plain);
    format!("{}\n", document.add(up).add(across.set("text-anchor", "middle")))
}

fn drawn(
    chart: &Chart,
    panel: &ChartPanel,
    axes: &Axes,
    plot: &Plot<'_>,
    layout: &Layout,
    (at, beside): (usize, bool),
) -> Group {
    let mut group = plot.grid();
    if layout.labelled(at) || axes.free() {
        group = plot.beside(group);
    }
    group = match &chart.words {
        Some(_) => group.add(marks::bars(chart, panel, axes, plot)),
        None => {
            let lines = marks::lines(chart, panel, axes);
            if beside { group.add(curves(&lines, plot)) } else { group.add(unnamed(&lines, plot)) }
        }
    };
    group = match (&chart.words, layout.lowest(at)) {
        (_, false) => plot.ticks(group),
        (Some(words), true) => group.add(words_below(words, plot)),
        (None, true) => plot.below(group),
    };
    if panel.name.is_empty() {
        return group;
    }
    let [left, top, right, _] = plot.frame();
    let facet = chart.facet.as_deref().unwrap_or_default();
    // A numeric name is shown after the name of the column.
    let name = if panel.name.parse::<f64>().is_ok() {
        format!("{facet} {}", panel.name)
    } else {
        panel.name.clone()
    };
    group.add(label(left, top - 10.0, 13.0, &fit(&name, 14.5, right - left), Tone::Strong))
}

/// Legend entries, one per colour; empty if colours have no meaning.
fn entries(chart: &Chart) -> Vec<Entry> {
    if chart.colour.is_none() {
        return Vec::new();
    }
    let swatch = |at: usize| match chart.words {
        Some(_) => Swatch::Field(field(at)),
        None => Swatch::Line(at),
    };
    let drawn =
        |at: &usize| chart.panels.iter().flat_map(|panel| &panel.lines).any(|line| line.colour == *at);
    (0..chart.colours.len())
        .filter(drawn)
        .map(|at| Entry { name: marks::name(chart, at), swatch: swatch(at) })
        .collect()
}

/// Subtitle: common coordinates of all rows, the meaning of replicas, and omitted values.
fn subtitle(chart: &Chart) -> String {
    let in_title = |value: &str| chart.title.contains(value);
    let common = chart
        .common
        .iter()
        .filter(|(name, value)| !(in_title(value) && ["machine", "workload"].contains(&&name[..])));
    let mut facts: Vec<String> = common.map(|(name, value)| fact(name, value)).collect();
    let runs = || {
        chart.panels.iter().flat_map(|panel| &panel.lines).flat_map(|line| &line.marks).map(|mark| mark.of)
    };
    let (least, most) = (runs().min().unwrap_or(1), runs().max().unwrap_or(1));
    if most > 1 {
        let most = if least < most { format!("up to {most}") } else { most.to_string() };
        let shown = if chart.words.is_some() { "line" } else { "band" };
        facts.push(format!("median of {most} runs, {shown} from minimum to maximum"));
    }
    if !chart.along.is_empty() {
        facts.push(format!("{} varies with it", chart.along.join(", ")));
    }
    if chart.without_value > 0 {
        let rows = if chart.without_value == 1 { "row" } else { "rows" };
        facts.push(format!("{} {rows} without a value left out", chart.without_value));
    }
    facts.join(" · ")
}

#[cfg(test)]
mod tests;
