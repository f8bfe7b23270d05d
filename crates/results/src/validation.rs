//! Published measurements beside simulated values.

use serde::{Deserialize, Serialize};

/// Everything that was published, each with what the simulator says of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Validation {
    /// See [`crate::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// One for each published value, in the order of their list.
    pub rows: Vec<ValidationRow>,
}

/// One published value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValidationRow {
    /// Short unique name.
    pub id: String,
    /// Where it was published.
    pub source: String,
    /// The machine that was measured.
    pub machine: String,
    /// Experiment that ran.
    pub experiment: String,
    /// Quantity that was measured.
    pub quantity: String,
    /// `key=value` pairs that select the case, separated by semicolons.
    pub params: String,
    /// `characterise` if parameters may be fitted on it, `predict` if not.
    pub role: String,
    /// The measurement.
    pub published: f64,
    /// The simulator's value; `None` where no experiment covers the row yet.
    pub simulated: Option<f64>,
    /// Unit of both.
    pub unit: String,
    /// `simulated / published − 1`.
    pub error: Option<f64>,
    /// Largest `|error|` that passes.
    pub tolerance: f64,
    /// Anything a reader should know.
    pub note: String,
}

impl ValidationRow {
    /// States the simulated value, and with it the error. A value that is not finite counts as not
    /// simulated; the error exists only beside a published value other than zero.
    pub fn simulate(&mut self, value: f64) {
        self.simulated = Some(value).filter(|value| value.is_finite());
        self.error =
            self.simulated.map(|value| value / self.published - 1.0).filter(|error| error.is_finite());
    }

    /// Whether the error is within the tolerance; `None` where there is no error to judge.
    pub fn within(&self) -> Option<bool> {
        self.error.map(|error| error.abs() <= self.tolerance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_relative_to_the_published_value() {
        let mut row = ValidationRow {
            id: "lb".into(),
            source: String::new(),
            machine: "bcs16".into(),
            experiment: "loadbal".into(),
            quantity: "makespan".into(),
            params: String::new(),
            role: "predict".into(),
            published: 1.60,
            simulated: None,
            unit: "s".into(),
            error: None,
            tolerance: 0.1,
            note: String::new(),
        };
        assert_eq!(row.within(), None);
        // 1.68 / 1.60 = 1.05.
        row.simulate(1.68);
        assert!((row.error.unwrap() - 0.05).abs() < 1e-12);
        assert_eq!(row.within(), Some(true));
        row.simulate(1.2);
        assert_eq!(row.within(), Some(false));
        row.simulate(f64::NAN);
        assert_eq!((row.simulated, row.error), (None, None));
    }
}
