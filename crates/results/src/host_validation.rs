//! Measurements on a user's machine, compared with simulated values.

use serde::{Deserialize, Serialize};

/// A file of measurements, each compared with the simulated value on one machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HostValidation {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Name of the simulated machine.
    pub machine: String,
    /// BLAKE3 of the machine as it was simulated.
    pub machine_hash: String,
    /// Name of the simulated OpenMP runtime.
    pub runtime: String,
    /// BLAKE3 of the runtime as it was simulated.
    pub runtime_hash: String,
    /// Name of the file of measurements.
    pub measurements: String,
    /// BLAKE3 of the measurement file.
    pub measurements_hash: String,
    /// One row for each requested measurement, grouped by experiment.
    pub rows: Vec<HostRow>,
    /// Coverage of the prediction intervals; `None` if no prediction has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intervals: Option<Intervals>,
    /// Anomalies of the measurements.
    pub warnings: Vec<String>,
}

/// Coverage of prediction intervals: how many contain the measured value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intervals {
    /// Number of predictions whose interval contains the measured value.
    pub held: usize,
    /// Number of predictions with an interval.
    pub of: usize,
}

impl Intervals {
    /// Fraction of measurements that should be inside their intervals.
    pub const ASKED: f64 = 0.9;

    /// Coverage over the `predict` rows that have an interval; `None` without any.
    pub fn of(rows: &[HostRow]) -> Option<Intervals> {
        let held: Vec<bool> =
            rows.iter().filter(|row| row.role == "predict").filter_map(|row| row.held).collect();
        let count = held.iter().filter(|held| **held).count();
        (!held.is_empty()).then_some(Intervals { held: count, of: held.len() })
    }
}

/// One measured value with its simulated counterpart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HostRow {
    /// Experiment of the kernels that measured the value.
    pub experiment: String,
    /// Name of the measured quantity.
    pub quantity: String,
    /// `key=value` pairs that select the case, separated by semicolons; processors and nodes by the machine's numbers.
    pub params: String,
    /// Unit of `measured` and `simulated`.
    pub unit: String,
    /// `characterise` if parameters may be fitted on the value, `predict` if not.
    pub role: String,
    /// Median of the accepted samples.
    pub measured: f64,
    /// Half the range from the 10th to the 90th percentile of the accepted samples, as a fraction of the median.
    pub spread: f64,
    /// Number of accepted samples.
    pub samples: usize,
    /// Samples left out because of other load on the machine.
    pub dropped: usize,
    /// True if too few samples were undisturbed, so that the least disturbed ones were accepted.
    pub disturbed: bool,
    /// The simulated value; `None` if the row could not be simulated.
    pub simulated: Option<f64>,
    /// `simulated / measured − 1`; `None` without a simulated value or if `measured` is not above zero.
    pub error: Option<f64>,
    /// Largest `|error|` that passes.
    pub limit: f64,
    /// True if the error is within the limit; `None` without an error.
    pub within: Option<bool>,
    /// Lower end of the prediction interval, which contains nine of ten measurements; `None` if no interval is known.
    #[serde(default)]
    pub low: Option<f64>,
    /// Upper end of the prediction interval.
    #[serde(default)]
    pub high: Option<f64>,
    /// True if the measured value is inside the prediction interval; `None` without an interval.
    #[serde(default)]
    pub held: Option<bool>,
    /// Reason why there is no simulated value; `None` if there is one.
    pub reason: Option<String>,
}

impl HostRow {
    /// Error that passes even if the measurement's spread is smaller.
    pub const LIMIT: f64 = 0.10;

    /// The largest error that passes: [`HostRow::LIMIT`], or `spread` if the measurement itself varies more.
    pub fn limit(spread: f64) -> f64 {
        spread.max(HostRow::LIMIT)
    }

    /// Sets the simulated value and the error. A value that is not finite counts as not simulated. The
    /// error exists only for a measured value above zero.
    pub fn simulate(&mut self, value: f64) {
        self.simulated = Some(value).filter(|value| value.is_finite());
        let positive = |_: &f64| self.measured > 0.0;
        let error = self.simulated.filter(positive).map(|value| value / self.measured - 1.0);
        self.error = error.filter(|error| error.is_finite());
        self.within = self.error.map(|error| error.abs() <= self.limit);
    }

    /// Sets the prediction interval. `deviation` is the standard deviation of ln(measured / simulated). Without a
    /// simulated value above zero, there is no interval.
    pub fn doubt(&mut self, deviation: f64) {
        /// Half width, in standard deviations, of the interval that contains nine of ten draws of a normal
        /// distribution.
        const SIDES: f64 = 1.645;
        let Some(value) = self.simulated.filter(|value| *value > 0.0) else { return };
        let factor = (SIDES * deviation).exp();
        let (low, high) = (value / factor, value * factor);
        (self.low, self.high) = (Some(low), Some(high));
        self.held = Some((low..=high).contains(&self.measured));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(measured: f64, spread: f64) -> HostRow {
        HostRow {
            experiment: "locks".into(),
            quantity: "hand_over".into(),
            params: "kind=mcs;threads=2".into(),
            unit: "ns".into(),
            role: "predict".into(),
            measured,
            spread,
            samples: 20,
            dropped: 0,
            disturbed: false,
            simulated: None,
            error: None,
            limit: HostRow::limit(spread),
            within: None,
            low: None,
            high: None,
            held: None,
            reason: None,
        }
    }

    // A standard deviation of 0.1: exp(1.645 × 0.1) = 1.179 either way, from 84.8 to 117.9.
    #[test]
    fn nine_of_ten_are_inside_an_interval() {
        let held = |measured: f64| {
            let mut row = row(measured, 0.02);
            row.simulate(100.0);
            row.doubt(0.1);
            assert!((row.low.unwrap() - 84.83).abs() < 0.01 && (row.high.unwrap() - 117.88).abs() < 0.01);
            row.held
        };
        assert_eq!([84.0, 85.0, 117.0, 118.0].map(held), [Some(false), Some(true), Some(true), Some(false)]);
        let mut nothing = row(1.0, 0.0);
        nothing.doubt(0.1);
        assert_eq!((nothing.low, nothing.held), (None, None));
    }

    #[test]
    fn intervals_of_fitted_values_are_not_counted() {
        let of = |role: &str, measured: f64| {
            let mut row = HostRow { role: role.into(), ..row(measured, 0.0) };
            row.simulate(100.0);
            row.doubt(0.1);
            row
        };
        let rows = [of("predict", 100.0), of("predict", 200.0), of("characterise", 200.0), row(1.0, 0.0)];
        assert_eq!(Intervals::of(&rows), Some(Intervals { held: 1, of: 2 }));
        assert_eq!(Intervals::of(&rows[3..]), None);
    }

    fn within(measured: f64, spread: f64, simulated: f64) -> Option<bool> {
        let mut row = row(measured, spread);
        row.simulate(simulated);
        row.within
    }

    // 110.5 / 100 = 1.105: more than a tenth, less than 12 %.
    #[test]
    fn the_limit_is_a_tenth_or_the_spread() {
        assert_eq!(within(100.0, 0.02, 109.0), Some(true));
        assert_eq!(within(100.0, 0.02, 110.5), Some(false));
        assert_eq!(within(100.0, 0.12, 110.5), Some(true));
        assert_eq!(within(100.0, 0.12, 87.0), Some(false));
    }

    #[test]
    fn missing_values_are_not_judged() {
        assert_eq!(row(1.0, 0.0).within, None);
        assert_eq!(within(0.0, 0.0, 1.0), None);
        assert_eq!(within(-1.0, 0.0, 1.0), None);
        let mut row = row(1.0, 0.0);
        row.simulate(f64::INFINITY);
        assert_eq!((row.simulated, row.error, row.within), (None, None, None));
    }
}
