//! Least squares of one stage: a few parameters, the rows that say something about them.
//!
//! Parameters and values are fitted as logarithms, since both are positive and known to so many per cent. Each
//! residual is in standard errors of its row, and large ones count less (pseudo-Huber), so that a row that the
//! model cannot meet does not bend the others. Where a parameter starts is a row as well, a weak one: what
//! measurements say nothing about stays there, and is reported as not identifiable. How sure a value is, the rows say
//! that change with it: their errors, or how far they are from the model, if that is more.

use super::observation::Observation;
use super::subject::Subject;
use super::target::Target;
use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt};
use nalgebra::storage::Owned;
use nalgebra::{DMatrix, DVector, Dyn};
use numalab_study::StudyError;
use rayon::prelude::*;
use std::sync::Mutex;

/// Uncertainty of a start: a factor of e either way is one standard deviation.
const START: f64 = 1.0;
/// Residuals of so many standard errors begin to count less.
const FAR: f64 = 3.0;
/// Relative step of a derivative. Larger than steps of the model, smaller than what is looked for.
const STEP: f64 = 0.02;
/// Distance that a parameter is moved to see whether rows tell what it is: large enough that two limits which
/// happen to meet do not look like one that is known.
const PROBE: f64 = 0.25;
/// Least distance at which a parameter is held to see whether others make up for it; else twice its error.
const HELD: f64 = 0.05;
/// Growth of the cost below which nothing is told.
const MORE: f64 = 0.25;
/// Where a time begins that is nothing, in picoseconds: a few cycles.
const NOTHING: f64 = 10_000.0;
/// Farthest from the start, as a logarithm.
const FARTHEST: f64 = 7.0;

/// Part of a standard error by which a row has to change when a parameter is probed, to be one that it rests on.
const TELLS: f64 = 0.5;

/// A row of a stage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weighted<'a> {
    /// The measured value.
    pub row: &'a Observation,
    /// Its relative error, that of the model included.
    pub error: f64,
}

/// A parameter after its stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Parameter that was fitted.
    pub target: Target,
    /// Its value in base units.
    pub value: f64,
    /// Standard error, as a fraction of the value; of a part of one (an overlap), as it is.
    pub error: f64,
    /// Rows that change with it, by their places in what the stage was fitted on.
    pub rests_on: Vec<usize>,
}

/// Fits some parameters on some rows, beginning with the subject's values. The subject is left with the fitted
/// ones.
pub(super) fn solve(
    subject: &mut Subject,
    targets: &[Target],
    rows: &[Weighted<'_>],
) -> Result<Vec<Estimate>, StudyError> {
    let mut start = subject.clone();
    for target in targets.iter().filter(|target| subject.get(**target) == 0.0) {
        start.set(*target, NOTHING);
    }
    let problem =
        Problem { start, targets, rows, at: DVector::zeros(targets.len()), failed: Mutex::new(None) };
    let search = LevenbergMarquardt::new().with_tol(1e-4).with_stepbound(1.0).with_patience(10);
    let (problem, _) = search.minimize(problem);
    let errors = problem.errors();
    *subject = problem.subject(&problem.at);
    for target in targets {
        subject.set(*target, significant(subject.get(*target)));
    }
    subject.settle();
    let estimates = targets.iter().zip(errors).map(|(target, (error, rests_on))| Estimate {
        target: *target,
        value: subject.get(*target),
        error,
        rests_on,
    });
    let estimates = estimates.collect();
    match problem.failed.into_inner() {
        Ok(Some(error)) => Err(error),
        _ => Ok(estimates),
    }
}

struct Problem<'a> {
    start: Subject,
    targets: &'a [Target],
    rows: &'a [Weighted<'a>],
    /// Logarithms of the parameters, less those of their starts.
    at: DVector<f64>,
    /// Why a simulation could not be had.
    failed: Mutex<Option<StudyError>>,
}

impl Problem<'_> {
    /// The subject with other values.
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

    /// Distance of a simulated row from the measured one, in standard errors.
    fn off(&self, Weighted { row, error }: &Weighted<'_>, subject: &Subject) -> Option<f64> {
        match row.simulate(subject) {
            Ok(Some(value)) if value > 0.0 => Some((value / row.value).ln() / error),
            // A row that nothing covers says nothing.
            Ok(_) => Some(0.0),
            Err(error) => {
                if let Ok(mut failed) = self.failed.lock() {
                    failed.get_or_insert(error);
                }
                None
            }
        }
    }

    fn offs(&self, subject: &Subject) -> Option<DVector<f64>> {
        let offs: Option<Vec<f64>> = self.rows.par_iter().map(|row| self.off(row, subject)).collect();
        offs.map(DVector::from_vec)
    }

    /// Changes of the rows' residuals, in standard errors, when each parameter grows by so much.
    fn changes(&self, by: f64, offs: &DVector<f64>) -> Option<DMatrix<f64>> {
        let columns = (0..self.targets.len()).map(|column| {
            let mut at = self.at.clone();
            at[column] += by;
            Some((self.offs(&self.subject(&at))? - offs) / by)
        });
        let columns: Vec<DVector<f64>> = columns.collect::<Option<_>>()?;
        Some(DMatrix::from_columns(&columns))
    }

    /// Derivatives of the residuals of rows, in standard errors, by central differences.
    fn slopes(&self, offs: &DVector<f64>) -> Option<DMatrix<f64>> {
        let half = STEP / 2.0;
        Some((self.changes(half, offs)? + self.changes(-half, offs)?) / 2.0)
    }

    /// The derivative to the side where less changes. A limit that just limits says how much there is at least; only
    /// if more of it would change something too is it known.
    fn lesser_slopes(&self, offs: &DVector<f64>) -> Option<DMatrix<f64>> {
        let (up, down) = (self.changes(PROBE, offs)?, self.changes(-PROBE, offs)?);
        let at_most = |column: usize| {
            let target = self.targets[column];
            self.subject(&self.at).get(target) >= target.most()
        };
        let lesser = |column: usize| match self.targets[column].is_part() {
            true => self.slope_of_part(column, offs),
            false if !at_most(column) && up.column(column).norm() < down.column(column).norm() => {
                Some(up.column(column).clone_owned())
            }
            false => Some(down.column(column).clone_owned()),
        };
        Some(DMatrix::from_columns(&(0..self.targets.len()).map(lesser).collect::<Option<Vec<_>>>()?))
    }

    /// Change of the residuals with a part of one, which may be none at all, so that logarithms say nothing: to the side
    /// that has more room.
    fn slope_of_part(&self, column: usize, offs: &DVector<f64>) -> Option<DVector<f64>> {
        let mut subject = self.subject(&self.at);
        let target = self.targets[column];
        let value = subject.get(target);
        let step = if value < 0.5 { PROBE } else { -PROBE };
        subject.set(target, value + step);
        Some((self.offs(&subject)? - offs) / step)
    }

    /// Standard errors of the parameters, and the rows that each rests on. The errors are those of the inverse of the
    /// normal matrix; or, where rows are farther from the model than their own errors say, those that their distances
    /// make (the sandwich of White): a row that is missed makes the parameters unsure that it says something about.
    ///
    /// Where several parameters are fitted together, others may make up for one that is held elsewhere, far beyond what
    /// slopes say (limits have kinks): how much worse the rows are met then counts as well.
    fn errors(&self) -> Vec<(f64, Vec<usize>)> {
        let count = self.targets.len();
        let unknown = || vec![(START, Vec::new()); count];
        let Some(offs) = self.offs(&self.subject(&self.at)) else { return unknown() };
        let Some(slopes) = self.lesser_slopes(&offs) else { return unknown() };
        let Some(errors) = errors_by(&slopes, &offs) else { return unknown() };
        let tells = |at: usize| {
            let column = slopes.column(at);
            (0..column.len()).filter(|row| (column[*row] * PROBE).abs() > TELLS).collect::<Vec<_>>()
        };
        let least = cost(&offs);
        let held = |at: usize| {
            let by = HELD.max(2.0 * errors[at]);
            let several = count > 1 && by < 2.0 * PROBE;
            let sides = [by, -by].into_iter().filter(|_| several);
            sides.filter_map(|by| self.error_held(at, by, least)).fold(0.0, f64::max)
        };
        (0..count).map(|at| (errors[at].max(held(at)), tells(at))).collect()
    }

    /// The standard error of a parameter by what the rows cost where it is held so far from its value and the others are
    /// fitted again.
    fn error_held(&self, at: usize, by: f64, least: f64) -> Option<f64> {
        let mut start = self.subject(&self.at);
        let target = self.targets[at];
        let value = start.get(target) * by.exp();
        if value <= 0.0 || target.is_part() || value > target.most() {
            return None;
        }
        start.set(target, value);
        start.settle();
        let others: Vec<Target> = self.targets.iter().copied().filter(|other| *other != target).collect();
        let at = DVector::zeros(others.len());
        let problem = Problem { start, targets: &others, rows: self.rows, at, failed: Mutex::new(None) };
        let search = LevenbergMarquardt::new().with_tol(1e-3).with_stepbound(1.0).with_patience(4);
        let (problem, _) = search.minimize(problem);
        let more = cost(&problem.offs(&problem.subject(&problem.at))?) - least;
        // It grows by one at one standard error.
        Some(by.abs() / more.max(MORE).sqrt())
    }
}

/// Sum of the squares of residuals, large ones less.
fn cost(offs: &DVector<f64>) -> f64 {
    offs.iter().map(|off| soft(*off).powi(2)).sum()
}

/// Standard errors of parameters by the changes of residuals with each.
fn errors_by(slopes: &DMatrix<f64>, offs: &DVector<f64>) -> Option<Vec<f64>> {
    let count = slopes.ncols();
    let normal = slopes.transpose() * slopes + DMatrix::identity(count, count) / (START * START);
    let inverse = normal.cholesky()?.inverse();
    // A row that a parameter follows is missed by less than it is off.
    let follows = |row: usize| (slopes.row(row) * &inverse * slopes.row(row).transpose())[(0, 0)];
    let square = |row: usize| soft(offs[row]).powi(2) / (1.0 - follows(row)).max(0.1);
    let scaled = DMatrix::from_fn(slopes.nrows(), count, |row, column| slopes[(row, column)] * square(row));
    let missed = &inverse * (slopes.transpose() * scaled) * &inverse;
    Some((0..count).map(|at| inverse[(at, at)].max(missed[(at, at)]).sqrt().min(START)).collect())
}
/// Four digits: more than any measurement tells, and a file that people can read.
fn significant(value: f64) -> f64 {
    if value <= 0.0 {
        return value;
    }
    let unit = 10_f64.powi(3 - value.log10().floor() as i32);
    (value * unit).round() / unit
}

/// Pseudo-Huber: as it is while small, growing like the square root when large.
fn soft(off: f64) -> f64 {
    let part = off / FAR;
    off.signum() * FAR * (2.0 * ((1.0 + part * part).sqrt() - 1.0)).sqrt()
}

/// Its derivative by the residual.
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
    }

    fn params(&self) -> DVector<f64> {
        self.at.clone()
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        let offs = self.offs(&self.subject(&self.at))?;
        let starts = self.at.iter().map(|step| step / START);
        let all: Vec<f64> = offs.iter().map(|off| soft(*off)).chain(starts).collect();
        Some(DVector::from_vec(all))
    }

    fn jacobian(&self) -> Option<DMatrix<f64>> {
        let (rows, count) = (self.rows.len(), self.targets.len());
        let offs = self.offs(&self.subject(&self.at))?;
        let slopes = self.slopes(&offs)?;
        Some(DMatrix::from_fn(rows + count, count, |row, column| match row.checked_sub(rows) {
            None => slopes[(row, column)] * soft_slope(offs[row]),
            Some(start) if start == column => 1.0 / START,
            Some(_) => 0.0,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_four_digits() {
        for (value, shown) in
            [(13587623135.673338, 13_590_000_000.0), (3.776633, 3.777), (0.0, 0.0), (999.96, 1000.0)]
        {
            assert_eq!(significant(value), shown);
        }
    }

    #[test]
    fn a_far_row_counts_less_and_its_slope_is_the_curve_s() {
        assert!((soft(0.1) - 0.1).abs() < 1e-4);
        // 3 sqrt(2 (sqrt(1 + 100) - 1)) = 3 sqrt(18.1) = 12.76 instead of 30.
        assert!((soft(30.0) - 12.763).abs() < 0.01);
        for off in [-40.0, -2.0, 1e-10, 0.5, 7.0] {
            let step = 1e-5;
            let slope = (soft(off + step) - soft(off - step)) / (2.0 * step);
            assert!((slope - soft_slope(off)).abs() < 1e-4, "{off}: {slope}");
        }
    }
}
