//! A fitted parameter and what it rests on, and a row beside the fitted machine.

use super::solve::Estimate;
use numalab_base::parameter::Value;

/// An estimate with a larger standard error is the best there is, and no more: its interval says how much.
pub const IDENTIFIABLE: f64 = 0.10;
/// Standard errors of an interval: nine of ten values are inside.
const INTERVAL: f64 = 1.645;

/// A row beside the fitted machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checked {
    /// The simulated value.
    pub simulated: Option<f64>,
    /// By how much it is missed, as a fraction, if it is covered.
    pub missed: Option<f64>,
    /// A stage had it and could not meet it: nothing rests on it.
    pub beyond: bool,
}

/// A parameter, and what it rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The estimate.
    pub estimate: Estimate,
    /// Its path in the machine or runtime file.
    pub path: String,
    /// Its value, as its file says it.
    pub value: Value,
    /// For people: the stage.
    pub stage: &'static str,
    /// Numbers of the rows that it was fitted on: those that change with it, or all of the stage if none does.
    pub rows: Vec<usize>,
    /// Verdict of the rows on it.
    pub verdict: Verdict,
}

/// Verdict of the rows on a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They say what it is.
    Known,
    /// They say what it may be: the best estimate is written, with its interval.
    Wide,
    /// None of them shows that there is such a limit: none is written.
    Unlimited,
    /// None of them reaches the limit: it is the most that was seen, and may be more.
    AtLeast,
    /// They are far from what is simulated with it, whatever it is.
    Contradicted,
    /// They do not change with it: it is where it began.
    Untold,
}

impl Finding {
    /// Whether the measurements say what the value is.
    pub fn is_identifiable(&self) -> bool {
        self.verdict == Verdict::Known
    }

    /// The factor by which it may be larger or smaller: nine of ten values are inside.
    pub fn interval(&self) -> f64 {
        (INTERVAL * self.estimate.error).exp()
    }
}
