//! The horizontal axis: ratios.

use super::{LEFT, RIGHT, SIZE};
use crate::chart::colour::GREYS;
use crate::chart::shapes::{Tone, centred, line, rect, text_width};
use crate::chart::{MARGIN, Scale, WIDTH};
use numalab_results::HostRow;
use svg::node::element::Group;

/// Ratios at which the axis may have a tick.
const TICKS: [f64; 17] =
    [0.05, 0.1, 0.2, 0.33, 0.5, 0.67, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0];
/// Smallest and largest ratio at the right end of the axis; the left end is the inverse of the right end.
const FACTORS: [f64; 2] = [1.5, 20.0];
/// Colour of the band of errors that always pass.
pub(super) const BAND: &str = "#e3f1e8";

/// Logarithmic axis with 1 in its middle.
pub(super) struct Across(Scale);

impl Across {
    /// Axis that extends to the largest error in both directions; its right end is within `FACTORS`.
    pub fn of(errors: impl Iterator<Item = f64>) -> Across {
        let far = |ratio: f64| if ratio > 0.0 { ratio.max(1.0 / ratio) } else { f64::INFINITY };
        let farthest = errors.map(|error| far(1.0 + error));
        let most = farthest.fold(FACTORS[0], f64::max).min(FACTORS[1]);
        // The axis ends at a tick.
        let end = TICKS.into_iter().find(|tick| *tick >= most).unwrap_or(FACTORS[1]);
        let shown = TICKS.into_iter().filter(|tick| (1.0 / end - 0.01..=end).contains(tick));
        Across(Scale::log_between(shown.map(|tick| (tick, format!("{tick}"))).collect()).cut(1.0 / end, end))
    }

    /// Position of a ratio on the page; ratios beyond the axis are placed at its end.
    pub fn at(&self, ratio: f64) -> f64 {
        LEFT + self.0.at(ratio).clamp(0.0, 1.0) * (WIDTH - MARGIN - RIGHT - LEFT)
    }

    /// Draws the band of errors that always pass, grid lines and labels.
    pub fn background(&self, top: f64, bottom: f64) -> Group {
        let (low, high) = (self.at(1.0 - HostRow::LIMIT), self.at(1.0 + HostRow::LIMIT));
        let mut group = Group::new().add(rect(low, top, high - low, bottom - top, BAND));
        for (ratio, _) in &self.0.ticks {
            let (colour, width) = if *ratio == 1.0 { (GREYS.axis, 1.5) } else { (GREYS.grid, 1.0) };
            let x = self.at(*ratio);
            group = group.add(line((x, top), (x, bottom + 5.0), colour, width));
        }
        for (x, text) in self.labels() {
            for y in [top - 10.0, bottom + 22.0] {
                group = group.add(centred(x, y, SIZE, text, Tone::Soft));
            }
        }
        let middle = self.at(1.0);
        group.add(centred(middle, bottom + 46.0, 14.0, "simulated / measured", Tone::Plain))
    }
    /// Labels that do not overlap, as (position, text): the label of 1 has priority, then the labels of the ends,
    /// then inner labels.
    fn labels(&self) -> Vec<(f64, &str)> {
        let mut ticks: Vec<&(f64, String)> = self.0.ticks.iter().collect();
        let far = |tick: &(f64, String)| if tick.0 == 1.0 { f64::INFINITY } else { tick.0.ln().abs() };
        ticks.sort_by(|a, b| far(b).total_cmp(&far(a)));
        let mut placed: Vec<(f64, &str)> = Vec::new();
        for (ratio, text) in ticks {
            let x = self.at(*ratio);
            let room = |other: &(f64, &str)| (text_width(text, SIZE) + text_width(other.1, SIZE)) / 2.0 + 6.0;
            if placed.iter().all(|other| (other.0 - x).abs() >= room(other)) {
                placed.push((x, text));
            }
        }
        placed
    }
}
