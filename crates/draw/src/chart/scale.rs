//! Scales: positions of values on an axis, and ticks.

/// Axis: linear, logarithmic, or a row of words.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scale {
    log: bool,
    low: f64,
    high: f64,
    /// Ticks: values with labels.
    pub ticks: Vec<(f64, String)>,
}

impl Scale {
    /// Linear scale from `low` to `high`, extended at both ends to a tick; has about `most` round ticks.
    pub fn linear(low: f64, high: f64, most: u32) -> Scale {
        let (low, high) = if low < high { (low, high) } else { (low, low + low.abs().max(1.0)) };
        let step = nice_step((high - low) / f64::from(most.max(1)));
        let (first, last) = ((low / step).floor(), (high / step - 1e-9).ceil());
        let decimals = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
        let tick = |at: f64| (at * step, format!("{:.decimals$}", at * step));
        let ticks = (0..=(last - first) as u32).map(|at| tick(first + f64::from(at))).collect();
        Scale { log: false, low: first * step, high: last * step, ticks }
    }

    /// Logarithmic scale that ends at ticks. Ticks are at 1, 2 and 5, at 1 and 3, or only at 1 times the powers of
    /// ten: the densest choice with at most `most` ticks.
    pub fn decades(low: f64, high: f64, most: usize) -> Scale {
        let low = low.max(f64::MIN_POSITIVE);
        let high = high.max(low);
        let powers = low.log10().floor() as i32..=high.log10().ceil() as i32;
        let with = |digits: &[f64]| -> Vec<f64> {
            let all =
                powers.clone().flat_map(|power| digits.iter().map(move |digit| digit * 10f64.powi(power)));
            let all: Vec<f64> = all.collect();
            // From the last tick not above `low` to the first not below `high`.
            let first = all.iter().rposition(|tick| *tick <= low * 1.000_001).unwrap_or(0);
            let last = all.iter().position(|tick| *tick >= high * 0.999_999).unwrap_or(all.len() - 1);
            all[first..=last.max(first)].to_vec()
        };
        let fine = [&[1.0, 2.0, 5.0][..], &[1.0, 3.0], &[1.0]].map(with);
        let values = fine.iter().find(|ticks| ticks.len() <= most).unwrap_or(&fine[2]);
        let every = values.len().div_ceil(most.max(1));
        let ticks = values.iter().step_by(every).map(|&value| (value, plain(value))).collect();
        let (low, high) = (values[0], values[values.len() - 1]);
        Scale { log: true, low, high: if high > low { high } else { low * 10.0 }, ticks }
    }

    /// Scale of all values. It is logarithmic if the largest value is more than `apart` times the smallest, otherwise
    /// linear including 0. Also returns true for a logarithmic scale.
    pub fn of(values: impl Iterator<Item = f64>, apart: f64) -> (Scale, bool) {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| value.is_finite()) {
            (low, high) = (low.min(value), high.max(value));
        }
        match low > 0.0 && high > low * apart {
            true => (Scale::decades(low, high, 9), true),
            false if low <= high => (Scale::linear(low.min(0.0), high.max(0.0), 8), false),
            false => (Scale::linear(0.0, 1.0, 5), false),
        }
    }

    /// Logarithmic scale from the first to the last of `ticks`, which ascend.
    pub fn log_between(ticks: Vec<(f64, String)>) -> Scale {
        let (low, high) = ends(&ticks);
        Scale { log: true, low, high: if high > low { high } else { low * 2.0 }, ticks }
    }

    /// Linear scale from the first to the last of `ticks`, which ascend.
    pub fn between(ticks: Vec<(f64, String)>) -> Scale {
        let (low, high) = ends(&ticks);
        Scale { log: false, low, high: if high > low { high } else { low + 1.0 }, ticks }
    }

    /// Scale of words side by side; the tick of each word is in the middle of the word's part of the axis.
    pub fn words(words: &[String]) -> Scale {
        let ticks: Vec<(f64, String)> = (0..).map(f64::from).zip(words.iter().cloned()).collect();
        Scale { log: false, low: -0.5, high: ticks.len().max(1) as f64 - 0.5, ticks }
    }

    /// Copy of the scale with labels that `name` makes from the tick values.
    pub fn labelled(mut self, name: impl Fn(f64) -> String) -> Scale {
        for (value, text) in &mut self.ticks {
            *text = name(*value);
        }
        self
    }

    /// Ends the axis at `low` and `high` instead of at ticks.
    pub fn cut(mut self, low: f64, high: f64) -> Scale {
        self.ticks.retain(|tick| (low..=high).contains(&tick.0));
        if low < high { Scale { low, high, ..self } } else { self }
    }

    /// Extends the axis by a fraction of its length at both ends.
    pub fn widened(self, by: f64) -> Scale {
        let (low, high) = match self.log {
            true => {
                let length = by * (self.high.ln() - self.low.ln());
                ((self.low.ln() - length).exp().max(f64::MIN_POSITIVE), (self.high.ln() + length).exp())
            }
            false => (self.low - by * (self.high - self.low), self.high + by * (self.high - self.low)),
        };
        Scale { low, high: high.min(f64::MAX), ..self }
    }

    pub fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// Position of a value: 0 at the low end, 1 at the high end.
    pub fn at(&self, value: f64) -> f64 {
        match self.log {
            true => (value.max(f64::MIN_POSITIVE).ln() - self.low.ln()) / (self.high.ln() - self.low.ln()),
            false => (value - self.low) / (self.high - self.low),
        }
    }

    /// Value at the high end of the axis.
    pub fn end(&self) -> f64 {
        self.high
    }
}

fn ends(ticks: &[(f64, String)]) -> (f64, f64) {
    (ticks.first().map_or(0.0, |tick| tick.0), ticks.last().map_or(1.0, |tick| tick.0))
}

/// Shortest text of a tick's value.
fn plain(value: f64) -> String {
    if (1e-4..1e6).contains(&value) {
        // Powers of ten are inexact in binary, so the number of decimals is limited.
        let digits = (-value.log10().floor()).clamp(0.0, 6.0) as usize;
        format!("{value:.digits$}")
    } else {
        format!("{value:.0e}")
    }
}

/// Smallest 1, 2 or 5 × 10^n that is not below `least`.
fn nice_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|digit| digit * power)
        .find(|step| *step >= least * 0.999_999)
        .unwrap_or(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels(scale: &Scale) -> Vec<&str> {
        scale.ticks.iter().map(|tick| tick.1.as_str()).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(&Scale::linear(0.0, 248.0, 6)), ["0", "50", "100", "150", "200", "250"]);
        assert_eq!(labels(&Scale::linear(-0.3, 0.4, 5)), ["-0.4", "-0.2", "0.0", "0.2", "0.4"]);
        assert_eq!(labels(&Scale::decades(0.3, 40.0, 8)), ["0.2", "0.5", "1", "2", "5", "10", "20", "50"]);
        assert_eq!(labels(&Scale::decades(0.3, 4000.0, 6)), ["0.1", "1", "10", "100", "1000", "10000"]);
    }

    #[test]
    fn a_factor_is_a_length_on_a_logarithmic_axis() {
        let scale = Scale::log_between(vec![(1.0, "1".into()), (16.0, "16".into())]);
        assert_eq!([1.0, 2.0, 4.0, 16.0].map(|value| scale.at(value)), [0.0, 0.25, 0.5, 1.0]);
    }

    proptest! {
        #[test]
        fn every_value_lies_on_its_axis(low in -1e12f64..1e12, size in 0f64..1e12, part in 0f64..=1.0) {
            let high = low + size;
            let value = low + part * size;
            let at = Scale::linear(low, high, 8).at(value);
            prop_assert!((-1e-6..=1.0 + 1e-6).contains(&at), "{at}");
            let (low, value, high) = (low.abs() + 1e-9, low.abs() + 1e-9 + part * size, low.abs() + 1e-9 + size);
            let scale = Scale::decades(low, high, 8);
            let at = scale.at(value);
            prop_assert!((-1e-6..=1.0 + 1e-6).contains(&at), "{at}");
            prop_assert!((1..=8).contains(&scale.ticks.len()));
        }
    }
}
