//! Least squares of one stage: a few parameters, and the rows that depend on them.
//!
//! Parameters and values are fitted as logarithms, since both are positive and known to some per cent. Residuals are
//! in standard errors of their rows; large ones count less (pseudo-Huber), so that a row that the model cannot meet
//! does not bend the others. The start of a parameter is a weak row: a parameter that the measurements do not
//! determine stays there and is reported as not identifiable. The error of a value follows from the rows that change
//! with it: from their errors, or from their residuals if these are larger.

mod earlier;
mod sureness;

use super::observation::Observation;
use super::subject::Subject;
use super::target::Target;
pub(super) use earlier::errors_by_earlier;
use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt};
use nalgebra::storage::Owned;
use nalgebra::{DMatrix, DVector, Dyn};
use numalab_study::{StudyError, in_order};
use std::sync::Mutex;
pub use sureness::Sides;
use sureness::Sureness;

/// Standard deviation of a parameter around its start value, as a logarithm.
const START: f64 = 1.0;
/// Number of standard errors beyond which residuals count less.
const FAR: f64 = 3.0;
/// Relative step of a derivative: larger than the model's steps, smaller than the errors that matter.
const STEP: f64 = 0.02;
/// Start value of a time that is zero, in picoseconds: a few cycles.
pub(super) const NOTHING: f64 = 10_000.0;
/// Maximum distance of a value from its start, as a logarithm.
const FARTHEST: f64 = 7.0;

/// Maximum relative error of a row during the search. A row whose samples have several states has a larger one, but
/// its median is still better than the start. Errors of values use the full error.
const MOST: f64 = 0.3;

/// Row of a stage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weighted<'a> {
    /// Row with its measured value.
    pub row: &'a Observation,
    /// Relative error of the row, including that of the model.
    pub error: f64,
}

impl Weighted<'_> {
    /// Row with its error limited for the search.
    fn capped(&self) -> Self {
        Weighted { error: self.error.min(MOST), ..*self }
    }
}

/// Fitted parameter with its value and errors.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    pub target: Target,
    /// Fitted value in base units.
    pub value: f64,
    /// Standard error, as a fraction of the value; absolute if the parameter is a fraction, such as an overlap.
    pub error: f64,
    /// Standard errors to either side: a limit that is just not reached may be far higher, and hardly lower.
    pub sides: Sides,
    /// Rows that change with the parameter, as indices of the stage's rows.
    pub rests_on: Vec<usize>,
}

/// Fits the targets on rows, starting from the subject's values. Sets the subject to the result.
pub(super) fn solve(
    subject: &mut Subject,
    targets: &[Target],
    rows: &[Weighted<'_>],
) -> Result<Vec<Estimate>, StudyError> {
    let capped: Vec<Weighted<'_>> = rows.iter().map(Weighted::capped).collect();
    let problem = found(subject, targets, &capped);
    let problem = Problem { rows, here: Mutex::new(None), ..problem };
    let errors = problem.errors();
    *subject = problem.rounded();
    let estimates = targets.iter().zip(errors).map(|(target, Sureness { error, sides, rests_on })| {
        Estimate { target: *target, value: subject.get(*target), error, sides, rests_on }
    });
    let estimates = estimates.collect();
    problem.failure().map_or(Ok(estimates), Err)
}

/// Fits the targets like `solve`, without their errors.
pub(super) fn search(
    subject: &mut Subject,
    targets: &[Target],
    rows: &[Weighted<'_>],
) -> Result<(), StudyError> {
    let capped: Vec<Weighted<'_>> = rows.iter().map(Weighted::capped).collect();
    let problem = found(subject, targets, &capped);
    *subject = problem.rounded();
    problem.failure().map_or(Ok(()), Err)
}

/// Problem after the search: its parameters have the values that meet the rows best.
fn found<'a>(subject: &Subject, targets: &'a [Target], rows: &'a [Weighted<'a>]) -> Problem<'a> {
    let mut start = subject.clone();
    for target in targets.iter().filter(|target| subject.get(**target) == 0.0) {
        start.set(*target, NOTHING);
    }
    let problem = Problem::new(start, targets, rows);
    let search = LevenbergMarquardt::new().with_tol(1e-4).with_stepbound(1.0).with_patience(10);
    search.minimize(problem).0
}

struct Problem<'a> {
    start: Subject,
    targets: &'a [Target],
    rows: &'a [Weighted<'a>],
    /// Logarithm of each parameter minus that of its start.
    at: DVector<f64>,
    /// Residuals at `at`, memoised: the search needs them with and without derivatives.
    here: Mutex<Option<DVector<f64>>>,
    /// Error of the first failed simulation; `None` if all succeeded.
    failed: Mutex<Option<StudyError>>,
}

impl<'a> Problem<'a> {
    fn new(start: Subject, targets: &'a [Target], rows: &'a [Weighted<'a>]) -> Self {
        let at = DVector::zeros(targets.len());
        Problem { start, targets, rows, at, here: Mutex::new(None), failed: Mutex::new(None) }
    }

    /// Subject with the values found by the search, rounded to four digits.
    fn rounded(&self) -> Subject {
        let mut subject = self.subject(&self.at);
        for target in self.targets {
            subject.set(*target, significant(subject.get(*target)));
        }
        subject.settle();
        subject
    }

    /// Error of the first failed simulation, if any.
    fn failure(self) -> Option<StudyError> {
        self.failed.into_inner().ok().flatten()
    }

    /// Subject with the parameters at `at`, given as logarithms minus those of the starts.
    fn subject(&self, at: &DVector<f64>) -> Subject {
        let mut subject = self.start.clone();
        for (target, step) in self.targets.iter().zip(at.iter()) {
            let start = self.start.get(*target);
            let value = start * step.clamp(-FARTHEST, FARTHEST).exp();
            subject.set(*target, value.min(target.most()));
        }
        subject.settle();
        subject
    }

    /// Stores the error of a failed simulation, unless there is an earlier one.
    fn succeeded<T>(&self, simulated: Result<T, StudyError>) -> Option<T> {
        let store = |error| {
            if let Ok(mut failed) = self.failed.lock() {
                failed.get_or_insert(error);
            }
        };
        simulated.map_err(store).ok()
    }

    /// Residuals at the present parameters.
    fn offs_here(&self) -> Option<DVector<f64>> {
        let known = self.here.lock().ok()?.clone();
        // The simulation runs without the lock: a worker that waits in it may take other work, which needs the lock.
        let offs = known.or_else(|| self.offs(&self.subject(&self.at)));
        self.here.lock().ok()?.clone_from(&offs);
        offs
    }

    fn offs(&self, subject: &Subject) -> Option<DVector<f64>> {
        self.succeeded(self.simulated_offs(subject))
    }

    /// Residuals, in standard errors: logarithm of simulated over measured value of each row.
    fn simulated_offs(&self, subject: &Subject) -> Result<DVector<f64>, StudyError> {
        let off = |Weighted { row, error }: &Weighted<'_>| {
            Ok(match row.simulate(subject)? {
                Some(value) if value > 0.0 => (value / row.value).ln() / error,
                // A row that no workload covers has no effect on the fit.
                Some(_) | None => 0.0,
            })
        };
        let offs: Result<Vec<f64>, StudyError> = in_order(self.rows, off).into_iter().collect();
        offs.map(DVector::from_vec)
    }

    /// Difference quotients of the residuals by each parameter, for a step of `by` in the parameter's logarithm.
    /// `offs` are the residuals without the step.
    fn changes(&self, by: f64, offs: &DVector<f64>) -> Option<DMatrix<f64>> {
        let columns = (0..self.targets.len()).map(|column| {
            let mut at = self.at.clone();
            at[column] += by;
            Some((self.offs(&self.subject(&at))? - offs) / by)
        });
        let columns: Vec<DVector<f64>> = columns.collect::<Option<_>>()?;
        Some(DMatrix::from_columns(&columns))
    }

    /// Derivatives of the residuals, by central differences.
    fn slopes(&self, offs: &DVector<f64>) -> Option<DMatrix<f64>> {
        let half = STEP / 2.0;
        Some((self.changes(half, offs)? + self.changes(-half, offs)?) / 2.0)
    }
}

/// Sum of squared residuals; residuals beyond `FAR` count less.
fn cost(offs: &DVector<f64>) -> f64 {
    offs.iter().map(|off| soft(*off).powi(2)).sum()
}

/// Value rounded to four significant digits: more than any measurement shows, and readable.
pub(super) fn significant(value: f64) -> f64 {
    if value <= 0.0 {
        return value;
    }
    let unit = 10_f64.powi(3 - value.log10().floor() as i32);
    (value * unit).round() / unit
}

/// Pseudo-Huber function of a residual in standard errors: a small residual is unchanged, a large one grows like its
/// square root.
fn soft(off: f64) -> f64 {
    let part = off / FAR;
    off.signum() * FAR * (2.0 * ((1.0 + part * part).sqrt() - 1.0)).sqrt()
}

/// Derivative of `soft`.
fn soft_slope(off: f64) -> f64 {
    if off.abs() < 1e-9 {
        return 1.0;
    }
    let part = off / FAR;
    // d/dx of s(x)^2 / 2 is x / sqrt(1 + (x / FAR)^2).
    off / (1.0 + part * part).sqrt() / soft(off)
}

impl LeastSquaresProblem<f64, Dyn, Dyn> for Problem<'_> {
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Dyn>;
    type ParameterStorage = Owned<f64, Dyn>;

    fn set_params(&mut self, at: &DVector<f64>) {
        self.at.copy_from(at);
        self.here = Mutex::new(None);
    }

    fn params(&self) -> DVector<f64> {
        self.at.clone()
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        let offs = self.offs_here()?;
        let starts = self.at.iter().map(|step| step / START);
        let all: Vec<f64> = offs.iter().map(|off| soft(*off)).chain(starts).collect();
        Some(DVector::from_vec(all))
    }

    fn jacobian(&self) -> Option<DMatrix<f64>> {
        let (rows, count) = (self.rows.len(), self.targets.len());
        let offs = self.offs_here()?;
        let slopes = self.slopes(&offs)?;
        Some(DMatrix::from_fn(rows + count, count, |row, column| match row.checked_sub(rows) {
            None => slopes[(row, column)] * soft_slope(offs[row]),
            Some(start) if start == column => 1.0 / START,
            Some(_) => 0.0,
        }))
    }
}

#[cfg(test)]
mod tests;
