//! Places of panels on the page.

use super::axes::Axes;
use crate::chart::{HEIGHT, MARGIN, WIDTH, room_below};
use numalab_results::Chart;

/// Room for the labels of the vertical axis.
const LEFT: f64 = 84.0;
/// Between panels that share it.
const GAP: f64 = 22.0;
/// For the ticks of panels without labels.
const TICKS: f64 = 10.0;
/// For a panel's name.
const NAME: f64 = 30.0;
/// Below the last row: the name of the horizontal axis.
const BELOW: f64 = 44.0;

/// A grid of frames.
pub(super) struct Layout {
    frames: Vec<[f64; 4]>,
    columns: usize,
    /// Height of the page.
    pub height: f64,
}

impl Layout {
    /// Rows of panels from `top` on, `room` wide on the right left free.
    pub fn of(chart: &Chart, axes: &Axes, top: f64, room: f64) -> Layout {
        let count = chart.panels.len().max(1);
        let columns = match count {
            1..=3 => count,
            4 => 2,
            5..=9 => 3,
            _ => 4,
        };
        let gap = if axes.free() { LEFT } else { GAP };
        let across = WIDTH - MARGIN - room - LEFT - gap * (columns as f64 - 1.0);
        let wide = across / columns as f64;
        let words = match &chart.words {
            Some(words) => room_below(words, wide),
            None => 28.0,
        };
        let rows = count.div_ceil(columns);
        // Only where no other panel is below have panels labels.
        let below = |row: usize| if (row + 1) * columns + columns > count { words } else { TICKS };
        let high = match rows {
            1 => (HEIGHT - top - words - BELOW).max(240.0),
            2 => 260.0,
            _ => 200.0,
        };
        let mut tops = vec![top];
        for row in 0..rows {
            tops.push(tops[row] + high + below(row) + NAME);
        }
        let frame = |at: usize| {
            let x = LEFT + (at % columns) as f64 * (wide + gap);
            let y = tops[at / columns];
            [x, y, x + wide, y + high]
        };
        Layout {
            frames: (0..count).map(frame).collect(),
            columns,
            height: (tops[rows] - NAME + BELOW).round(),
        }
    }

    /// Left, top, right and bottom of a panel.
    pub fn frame(&self, at: usize) -> [f64; 4] {
        self.frames[at.min(self.frames.len() - 1)]
    }

    /// Right edge of the last column.
    pub fn right(&self) -> f64 {
        self.frames.iter().map(|frame| frame[2]).fold(0.0, f64::max)
    }

    /// Whether a panel stands where the labels of the vertical axis do.
    pub fn labelled(&self, at: usize) -> bool {
        at.is_multiple_of(self.columns)
    }

    /// Whether no other panel stands below.
    pub fn lowest(&self, at: usize) -> bool {
        at + self.columns >= self.frames.len()
    }
}
