//! A time axis with round ticks.

use crate::chart::nice_step;
use crate::numbers::TimeScale;

/// From zero to a little more than the longest run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    /// Where the axis ends.
    pub end_ps: f64,
    /// Tick positions and their labels.
    pub ticks: Vec<(f64, String)>,
    /// Unit of the labels.
    pub unit: &'static str,
}

impl Axis {
    /// An axis on which `longest_ps` fits.
    pub fn new(longest_ps: u64) -> Axis {
        let scale = TimeScale::of([longest_ps]);
        let longest = longest_ps.max(1) as f64 / scale.ps;
        let step = nice_step(longest / 9.0);
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        // Room beyond the last bar, but not a tick for its own sake.
        let end = longest * 1.02;
        let ticks = (0..)
            .map(|at| f64::from(at) * step)
            .take_while(|value| *value <= end)
            .map(|value| (value * scale.ps, format!("{value:.decimals$}")))
            .collect();
        Axis { end_ps: end * scale.ps, ticks, unit: scale.unit }
    }

    /// Where a time lies, as a fraction of the axis.
    pub fn at(&self, ps: f64) -> f64 {
        ps / self.end_ps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(longest_ps: u64) -> Vec<String> {
        Axis::new(longest_ps).ticks.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round() {
        // 1.67 s / 9 = 0.186 s, so steps of 0.2 s.
        assert_eq!(
            labels(1_670_000_000_000),
            ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0", "1.2", "1.4", "1.6"]
        );
        assert_eq!(labels(600_000_000), ["0", "100", "200", "300", "400", "500", "600"]);
        assert_eq!(Axis::new(600_000_000).unit, "us");
        assert_eq!(labels(0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    }

    #[test]
    fn any_length_has_a_few_ticks() {
        let mut ps = 1u64;
        while ps < u64::MAX / 3 {
            let count = Axis::new(ps).ticks.len();
            assert!((4..=10).contains(&count), "{count} ticks for {ps} ps");
            ps += ps / 3 + 1;
        }
    }
}
