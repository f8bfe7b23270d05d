//! Ranges of values with a step, a factor or a count.

use crate::tree::show;

/// Growth from one value of a range to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Growth {
    /// The next value is larger by this difference.
    Step(f64),
    /// The next value is larger by this factor.
    Factor(f64),
    /// A number of values with equal differences, or with equal ratios.
    Count {
        values: u32,
        /// True for equal ratios, false for equal differences.
        log: bool,
    },
}

/// A valid range: its values increase, and their number is finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps {
    from: f64,
    to: f64,
    growth: Growth,
    /// Number of values before the last one.
    before: u64,
}

/// Mistake in a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongSteps {
    /// `from`, `step`, `factor` or `count`; `None` for the range as a whole.
    pub key: Option<&'static str>,
    /// Message that follows the name in `key`.
    pub message: String,
    /// Expected text, shown at the mistake.
    pub label: String,
}

impl Steps {
    /// The range from `from` to `to`, both included, with at most `most` steps.
    pub fn new(from: f64, to: f64, growth: Growth, most: f64) -> Result<Steps, WrongSteps> {
        let above = |key, value: f64, least: f64| match value > least {
            true => Ok(()),
            false => Err(wrong(key, value, format!("expected more than {least}"))),
        };
        let ratio = |key| match from > 0.0 {
            true => Ok(()),
            false => Err(wrong("from", from, format!("expected more than 0, since a {key} multiplies it"))),
        };
        let steps = match growth {
            Growth::Step(step) => {
                above("step", step, 0.0)?;
                (to - from) / step
            }
            Growth::Factor(factor) => {
                above("factor", factor, 1.0)?;
                ratio("factor")?;
                (to / from).ln() / factor.ln()
            }
            Growth::Count { values, log } => {
                above("count", values.into(), 1.0)?;
                if log {
                    ratio("ratio")?;
                }
                f64::from(values - 1)
            }
        };
        // With this many values, the last one cannot equal the first one.
        let flat = matches!(growth, Growth::Count { .. }) && to <= from;
        if to < from || flat || steps > most {
            let message = format!("goes from {} to {}", show(from), show(to));
            let label = format!("expected to go up, in at most {most} steps");
            return Err(WrongSteps { key: None, message, label });
        }
        // Tolerates rounding, so that the last value of an exact series does not appear twice.
        const SLACK: f64 = 1e-9;
        Ok(Steps { from, to, growth, before: (steps - SLACK).ceil().max(0.0) as u64 })
    }

    /// Number of values, including the last one.
    pub fn count(&self) -> u64 {
        self.before + 1
    }

    /// All values from the first to the last, which is always included.
    pub fn values(&self) -> impl Iterator<Item = f64> + use<> {
        let Steps { from, to, growth, before } = *self;
        let share = move |k: f64| k / before as f64;
        let next = move |k: f64| match growth {
            Growth::Step(step) => from + k * step,
            Growth::Factor(factor) => from * factor.powf(k),
            Growth::Count { log: false, .. } => from + (to - from) * share(k),
            Growth::Count { log: true, .. } => from * (to / from).powf(share(k)),
        };
        (0..before).map(move |k| next(k as f64)).chain([to])
    }
}

fn wrong(key: &'static str, value: f64, label: String) -> WrongSteps {
    WrongSteps { key: Some(key), message: format!("is {}", show(value)), label }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn values(from: f64, to: f64, growth: Growth) -> Vec<f64> {
        Steps::new(from, to, growth, 1000.0).unwrap().values().collect()
    }

    #[test]
    fn last_value_is_included() {
        assert_eq!(values(1.0, 8.0, Growth::Step(3.0)), [1.0, 4.0, 7.0, 8.0]);
        assert_eq!(values(1.0, 7.0, Growth::Step(3.0)), [1.0, 4.0, 7.0]);
        assert_eq!(values(1.0, 10.0, Growth::Factor(2.0)), [1.0, 2.0, 4.0, 8.0, 10.0]);
        assert_eq!(values(5.0, 5.0, Growth::Step(1.0)), [5.0]);
        // Equal differences of (10 - 1) / 3, equal ratios of (1000 / 1) ^ (1 / 3) = 10.
        assert_eq!(values(1.0, 10.0, Growth::Count { values: 4, log: false }), [1.0, 4.0, 7.0, 10.0]);
        let ratios = values(1.0, 1000.0, Growth::Count { values: 4, log: true });
        let expected = [1.0, 10.0, 100.0, 1000.0];
        assert!(ratios.iter().zip(expected).all(|(a, b)| (a / b - 1.0).abs() < 1e-12), "{ratios:?}");
    }

    #[test]
    fn endless_ranges_are_refused() {
        for (from, to, growth, key, message) in [
            (1.0, 2.0, Growth::Step(0.0), Some("step"), "is 0"),
            (1.0, 2.0, Growth::Step(f64::NAN), Some("step"), "is NaN"),
            (1.0, 2.0, Growth::Factor(1.0), Some("factor"), "is 1"),
            (0.0, 2.0, Growth::Factor(2.0), Some("from"), "is 0"),
            (-1.0, 2.0, Growth::Count { values: 3, log: true }, Some("from"), "is -1"),
            (1.0, 2.0, Growth::Count { values: 1, log: false }, Some("count"), "is 1"),
            (2.0, 2.0, Growth::Count { values: 2, log: false }, None, "goes from 2 to 2"),
            (2.0, 1.0, Growth::Step(1.0), None, "goes from 2 to 1"),
            (0.0, 1e300, Growth::Step(1.0), None, "goes from 0 to 1e300"),
        ] {
            let wrong = Steps::new(from, to, growth, 1000.0).unwrap_err();
            assert_eq!((wrong.key, wrong.message.as_str()), (key, message));
        }
    }

    proptest! {
        #[test]
        fn values_increase_and_are_as_many_as_requested(from in 1..1000_u32, more in 1..1000_u32, step in 1..50_u32, log in any::<bool>()) {
            let (from, to) = (f64::from(from), f64::from(from + more));
            for growth in [
                Growth::Step(step.into()),
                Growth::Factor(1.0 + f64::from(step) / 10.0),
                Growth::Count { values: step + 1, log },
            ] {
                let steps = Steps::new(from, to, growth, 1e4).unwrap();
                let values: Vec<f64> = steps.values().collect();
                prop_assert_eq!(values.len() as u64, steps.count());
                prop_assert_eq!((values[0], values[values.len() - 1]), (from, to));
                prop_assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", values);
            }
        }
    }
}
