//! Fitted parameters with their evidence, and rows with their residuals.

use super::solve::{Estimate, Sides};
use super::subject::Subject;
use super::target::Target;
use numalab_base::parameter::Value;

/// Maximum standard error of a value that counts as known: a fraction of the value, or absolute for parameters that
/// are fractions.
pub const IDENTIFIABLE: f64 = 0.10;
/// Half the width of a 90 % interval, in standard errors.
const INTERVAL: f64 = 1.645;

/// Comparison of a row with the fitted machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checked {
    pub simulated: Option<f64>,
    /// Relative error of the simulated value; `None` if the row cannot be simulated.
    pub missed: Option<f64>,
    /// True if the row's stage left it out as an outlier.
    pub beyond: bool,
}

/// A fitted parameter with its evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub estimate: Estimate,
    /// Path of the parameter in the machine or runtime file.
    pub path: String,
    pub value: Value,
    /// Name of the stage that fitted the parameter.
    pub stage: &'static str,
    /// Indices of the rows that change with the parameter, or of all rows of the stage if none does.
    pub rows: Vec<usize>,
    pub verdict: Verdict,
}

/// Judgement of a fitted value: the degree to which the rows determine it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The rows determine the value.
    Known,
    /// The rows allow a wide interval. The file gets the best estimate, with the interval as a comment.
    Wide,
    /// No row shows the limit, so the file gets none.
    Unlimited,
    /// No row reaches the limit. The file gets the measured maximum as a lower bound.
    AtLeast,
    /// No value brings the simulated rows near the measured ones.
    Contradicted,
    /// No row depends on the parameter, which keeps its start value.
    Untold,
}

impl Verdict {
    /// Verdict on a value with a relative standard error.
    pub(super) fn of(error: f64) -> Verdict {
        if error <= IDENTIFIABLE { Verdict::Known } else { Verdict::Wide }
    }
}

impl Finding {
    /// Finding of the subject's present value, which was read off `rows` without a search. `error`: relative standard
    /// error.
    pub(super) fn read_off(
        subject: &Subject,
        target: Target,
        (error, verdict): (f64, Verdict),
        stage: &'static str,
        rows: &[usize],
    ) -> Finding {
        let value = subject.get(target);
        Finding {
            path: target.path(&subject.machine),
            value: target.value(subject).unwrap_or(Value::Absent),
            estimate: Estimate { target, value, error, sides: Sides::even(error), rests_on: Vec::new() },
            stage,
            rows: rows.to_vec(),
            verdict,
        }
    }

    /// True if the rows determine the value: its verdict is `Known`.
    pub fn is_identifiable(&self) -> bool {
        self.verdict == Verdict::Known
    }

    /// Factor from the value to either end of its 90 % interval.
    pub fn interval(&self) -> f64 {
        (INTERVAL * self.estimate.error).exp()
    }
}
