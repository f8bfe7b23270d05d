//! Lines and bars of a panel, with tooltips.

use super::axes::Axes;
use crate::chart::{Bar, Curve, Plot};
use numalab_results::{Chart, ChartLine, ChartPanel, Mark};
use svg::node::element::Group;

/// Curves of a panel, in the units of the axes.
pub(super) fn lines(chart: &Chart, panel: &ChartPanel, axes: &Axes) -> Vec<Curve> {
    let line = |line: &ChartLine| {
        let x = |mark: &Mark| axes.across.scaled(mark.x);
        let y = |value: f64| axes.up.scaled(value);
        let spread = line.marks.iter().any(|mark| mark.low < mark.high);
        let band = line.marks.iter().map(|mark| (x(mark), y(mark.low), y(mark.high)));
        Curve {
            name: name(chart, line.colour),
            points: line.marks.iter().map(|mark| (x(mark), Some(y(mark.median)))).collect(),
            colour: line.colour,
            dash: line.colour / 7,
            dots: true,
            band: if spread { band.collect() } else { Vec::new() },
            titles: line.marks.iter().map(|mark| title(chart, line, mark, axes)).collect(),
        }
    };
    panel.lines.iter().map(line).collect()
}

pub(super) fn bars(chart: &Chart, panel: &ChartPanel, axes: &Axes, plot: &Plot<'_>) -> Group {
    let bar = |(line, mark): (&ChartLine, &Mark)| Bar {
        word: mark.x as usize,
        colour: line.colour,
        value: axes.up.scaled(mark.median),
        range: (axes.up.scaled(mark.low), axes.up.scaled(mark.high)),
        title: title(chart, line, mark, axes),
        text: numalab_report::numbers::significant(axes.up.scaled(mark.median)),
    };
    let pairs = panel.lines.iter().flat_map(|line| line.marks.iter().map(move |mark| (line, mark)));
    crate::chart::bars(&pairs.map(bar).collect::<Vec<_>>(), chart.colours.len(), plot)
}

/// Name of a line: a word alone, a number after the name of the column.
pub(super) fn name(chart: &Chart, colour: usize) -> String {
    let value = chart.colours.get(colour).cloned().unwrap_or_default();
    match &chart.colour {
        Some(column) if value.parse::<f64>().is_ok() || value == "default" => {
            format!("{} {value}", column.rsplit('.').next().unwrap_or(column))
        }
        _ => value,
    }
}

/// Tooltip of a mark: `static, threads 64: 602 ms (median of 5, 590 ms to 611 ms)`.
fn title(chart: &Chart, line: &ChartLine, mark: &Mark, axes: &Axes) -> String {
    let at = match &chart.words {
        Some(words) => words.get(mark.x as usize).cloned().unwrap_or_default(),
        None => format!("{} {}", axes.across.name, axes.across.show(mark.x)),
    };
    let name = name(chart, line.colour);
    let of = if name.is_empty() { at } else { format!("{name}, {at}") };
    let up = |value: f64| axes.up.show(value);
    let spread = match mark.of {
        0 | 1 => String::new(),
        of => format!(" (median of {of}, {} to {})", up(mark.low), up(mark.high)),
    };
    format!("{of}: {}{spread}", up(mark.median))
}
