//! A comparison as a picture for a slide: one panel per policy on a common time axis. Each thread
//! has a bar, divided by the node that held its data, or a timeline of its activities.

mod legend;
mod palette;
mod panel;
mod schedule;

use crate::chart::{HEIGHT, MARGIN, Scale, WIDTH, page};
use numalab_report::numbers::TimeScale;
use numalab_report::views::summary::{Distances, best_ps, team_size};
use numalab_results::{Comparison, Timeline};
use palette::Palette;
use panel::{Frame, Panel};

/// Height of the title above the panels.
const TOP: f64 = 76.0;
/// Horizontal and vertical gap between panels, for thread numbers and headings.
const GUTTER: (f64, f64) = (64.0, 54.0);
/// Height below the panels, for ticks and the name of the axis.
const AXIS: f64 = 46.0;

/// Picture of the bars of all threads, as a complete SVG document.
pub fn svg(comparison: &Comparison) -> String {
    draw(comparison, &[])
}

/// Picture of the timelines of all threads, one panel per policy, as a complete SVG document.
pub fn schedule_svg(comparison: &Comparison, timelines: &[Timeline]) -> String {
    draw(comparison, timelines)
}

fn draw(comparison: &Comparison, timelines: &[Timeline]) -> String {
    let palette = Palette::of(comparison);
    let legend = match timelines {
        [] => legend::entries(comparison, &palette),
        timelines => legend::classes(timelines),
    };
    let (columns, rows) = grid(comparison.runs.len());
    let below = AXIS + legend::height(&legend, WIDTH - 2.0 * MARGIN) + MARGIN;
    let height = HEIGHT.max(TOP + below + rows as f64 * 140.0);
    let spans = timelines.iter().map(schedule::measured).map(|(from, to)| to - from);
    let axis = TimeAxis::of(comparison.runs.iter().map(|run| run.makespan_ps).chain(spans).collect());
    let scale = TimeScale::of(comparison.runs.iter().map(|run| run.makespan_ps));
    let distances = Distances::of(comparison);

    let cell = ((WIDTH - 2.0 * MARGIN) / columns as f64, (height - TOP - below) / rows as f64);
    let mut document = page(&title(comparison), &subtitle(comparison, timelines), height);
    for (at, run) in comparison.runs.iter().enumerate() {
        let (column, row) = (at % columns, at / columns);
        let frame = Frame {
            x: MARGIN + column as f64 * cell.0 + GUTTER.0,
            y: TOP + row as f64 * cell.1 + GUTTER.1,
            width: cell.0 - GUTTER.0 - if columns > 1 { 22.0 } else { 54.0 },
            height: cell.1 - GUTTER.1,
        };
        let last = at + columns >= comparison.runs.len();
        let panel = Panel {
            run,
            timeline: timelines.get(at),
            layout: comparison.layout,
            best_ps: best_ps(comparison),
            distances,
            scale,
            axis: &axis,
            palette: &palette,
            last,
        };
        document = document.add(panel.draw(frame));
    }
    document = legend::draw(document, &legend, (MARGIN, height - below + AXIS), WIDTH - 2.0 * MARGIN);
    format!("{document}\n")
}

/// Time axis from zero to just beyond the longest run, in a fitting unit. The axis is not extended for outliers,
/// since a longer axis would compress the bars of other runs.
struct TimeAxis {
    scale: Scale,
    unit: TimeScale,
}

/// Smallest ratio of a run's time to the median that makes the run an outlier, whose bars end at the axis's end.
const OUTLIER: u64 = 4;

impl TimeAxis {
    fn of(mut times_ps: Vec<u64>) -> TimeAxis {
        times_ps.sort_unstable();
        let middle = times_ps.get((times_ps.len().max(1) - 1) / 2).copied().unwrap_or(0);
        let fits = |ps: &&u64| **ps <= middle.saturating_mul(OUTLIER);
        let longest_ps = times_ps.iter().rfind(fits).copied().unwrap_or(0);
        let unit = TimeScale::of([longest_ps]);
        let longest = longest_ps.max(1) as f64 / unit.ps;
        // Space beyond the last bar, without an extra tick.
        TimeAxis { scale: Scale::linear(0.0, longest, 9).cut(0.0, longest * 1.02), unit }
    }

    /// Time at the end of the axis, in picoseconds.
    fn longest_ps(&self) -> f64 {
        self.scale.end() * self.unit.ps
    }

    /// Position of a time, as a fraction of the axis.
    fn at(&self, ps: f64) -> f64 {
        self.scale.at(ps / self.unit.ps)
    }
}

/// Numbers of columns and rows of panels. One column is easiest to compare, but with more than three panels too flat.
fn grid(runs: usize) -> (usize, usize) {
    let columns = match runs {
        0..=3 => 1,
        4..=8 => 2,
        _ => 3,
    };
    (columns, runs.div_ceil(columns).max(1))
}

fn title(comparison: &Comparison) -> String {
    format!("{} on {}", comparison.workload.name, comparison.machine.name)
}

fn subtitle(comparison: &Comparison, timelines: &[Timeline]) -> String {
    let shown = match timelines {
        [] => "A bar per thread: its time, coloured by the NUMA node that held the data",
        _ => "A row per thread: its activities over time, from the start of the measured part",
    };
    format!("{}, seed {}. {shown}", team_size(comparison), comparison.seed)
}

#[cfg(test)]
mod tests;
