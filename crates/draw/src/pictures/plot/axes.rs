//! Common axes of the panels.

use crate::chart::Scale;
use numalab_report::quantity::Quantity;
use numalab_results::{Chart, ChartPanel, Mark};

/// Largest number of ticks of the vertical axis; labels of more ticks would overlap.
const MOST_TICKS: u32 = 8;
/// Largest number of values of the horizontal axis for which each value has a tick.
const MOST_VALUES: usize = 14;

pub(super) struct Axes {
    pub x: Scale,
    /// Vertical axis: one scale for all panels, or one scale per panel.
    y: Vec<Scale>,
    pub across: Quantity,
    pub up: Quantity,
    /// Names of the horizontal axis and of the vertical axis.
    pub names: (String, String),
}

impl Axes {
    /// Axes that cover all marks. With `free`, each panel has its own vertical axis.
    pub fn of(chart: &Chart, free: bool) -> Axes {
        let all = || chart.panels.iter().flat_map(marks);
        let across = Quantity::of(&chart.x.column, chart.x.unit.as_deref(), all().map(|mark| mark.x));
        let across = if chart.x.log { across.over_decades() } else { across };
        let values = all().flat_map(|mark| [mark.low, mark.high]);
        let up = Quantity::of(&chart.y.column, None, values);
        let up = if chart.y.log { up.over_decades() } else { up };
        let bars = chart.words.is_some();
        let vertical = |marks: &mut dyn Iterator<Item = &Mark>| vertical(chart.y.log, bars, &up, marks);
        let y = match free && chart.panels.len() > 1 {
            true => chart.panels.iter().map(|panel| vertical(&mut marks(panel))).collect(),
            false => vec![vertical(&mut all())],
        };
        let x = match &chart.words {
            Some(words) => Scale::words(words),
            None => horizontal(chart.x.log, &across, all().map(|mark| mark.x)),
        };
        let names = match chart.words {
            Some(_) => across.name.clone(),
            None => across.axis(),
        };
        Axes { names: (names, up.axis()), x, y, across, up }
    }

    pub fn y(&self, panel: usize) -> &Scale {
        &self.y[panel.min(self.y.len() - 1)]
    }

    /// True if each panel has its own vertical axis.
    pub fn free(&self) -> bool {
        self.y.len() > 1
    }
}

fn marks(panel: &ChartPanel) -> impl Iterator<Item = &Mark> {
    panel.lines.iter().flat_map(|line| &line.marks)
}

/// Extra height above the highest bar, for its value, as a fraction of the axis.
const HEADROOM: f64 = 0.08;

/// Scale of the vertical axis. A linear axis includes 0.
fn vertical(log: bool, bars: bool, up: &Quantity, marks: &mut dyn Iterator<Item = &Mark>) -> Scale {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for mark in marks {
        (low, high) = (low.min(up.scaled(mark.low)), high.max(up.scaled(mark.high)));
    }
    if bars {
        high *= 1.0 + HEADROOM;
    }
    match (low <= high, log) {
        (true, true) => Scale::decades(low, high, MOST_TICKS as usize).labelled(|tick| up.decade(tick)),
        (true, false) => Scale::linear(low.min(0.0), high.max(0.0), MOST_TICKS),
        (false, _) => Scale::linear(0.0, 1.0, 5),
    }
}

/// Scale of the horizontal axis from the first value to the last; if there are few values, each value has a tick.
fn horizontal(log: bool, across: &Quantity, values: impl Iterator<Item = f64>) -> Scale {
    let mut values: Vec<f64> = values.map(|value| across.scaled(value)).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    let (Some(&low), Some(&high)) = (values.first(), values.last()) else {
        return Scale::linear(0.0, 1.0, 5);
    };
    let own = || -> Vec<(f64, String)> {
        let text = |value: f64| if log { across.decade(value) } else { value.to_string() };
        values.iter().map(|&value| (value, text(value))).collect()
    };
    // Values that are not round, such as measured ones, have no ticks: their labels would show all digits.
    let round = |value: &f64| (value * 1e3).fract() == 0.0;
    let few = values.len() <= MOST_VALUES && values.iter().all(round);
    match (low < high, log) {
        (false, true) => Scale::log_between(vec![(low, across.decade(low))]).cut(low / 2.0, low * 2.0),
        (false, false) => {
            let around = low.abs().max(1.0) / 2.0;
            Scale::between(vec![(low, numalab_report::numbers::significant(low))])
                .cut(low - around, low + around)
        }
        (true, true) if few => Scale::log_between(own()).widened(0.03),
        (true, true) => Scale::decades(low, high, 9).labelled(|tick| across.decade(tick)).widened(0.03),
        (true, false) if few => Scale::between(own()).widened(0.03),
        (true, false) => Scale::linear(low, high, 9),
    }
}
