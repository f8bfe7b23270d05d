//! Positions of the panels on the page.

use super::axes::Axes;
use crate::chart::{HEIGHT, MARGIN, WIDTH, room_below};
use numalab_results::Chart;

/// Width in pixels of the labels of the vertical axis.
const LEFT: f64 = 84.0;
/// Gap between panels that share the vertical axis.
const GAP: f64 = 22.0;
/// Height of the ticks below a panel without tick labels.
const TICKS: f64 = 10.0;
/// Height of a panel's name.
const NAME: f64 = 30.0;
/// Height below the last row, for the name of the horizontal axis.
const BELOW: f64 = 44.0;

pub(super) struct Layout {
    frames: Vec<[f64; 4]>,
    columns: usize,
    pub height: f64,
}

impl Layout {
    /// Arranges the panels in rows from `top` on; `room` is the width left free on the right.
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
        // Only the lowest panels of a column have labels below.
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

    /// Left, top, right and bottom of the panel with this index.
    pub fn frame(&self, at: usize) -> [f64; 4] {
        self.frames[at.min(self.frames.len() - 1)]
    }

    pub fn right(&self) -> f64 {
        self.frames.iter().map(|frame| frame[2]).fold(0.0, f64::max)
    }

    /// True if the panel is in the first column, beside the labels of the vertical axis.
    pub fn labelled(&self, at: usize) -> bool {
        at.is_multiple_of(self.columns)
    }

    /// True if no other panel is below this one.
    pub fn lowest(&self, at: usize) -> bool {
        at + self.columns >= self.frames.len()
    }
}
