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
/// Start of a time that is nothing, in picoseconds: a few cycles.
const NOTHING: f64 = 10_000.0;
/// Halvings of the distance at which rows begin to tell.
const HALVINGS: u32 = 4;
/// Farthest from the start, as a logarithm.
const FARTHEST: f64 = 7.0;

/// Largest error of a row while values are looked for. What was measured in several states, minutes apart, is the best that is
/// known all the same: the start is not better. How sure the values are, the whole errors say.
const MOST: f64 = 0.3;

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

impl Weighted<'_> {
    /// The row with no more than the largest error.
    fn capped(&self) -> Self {
        Weighted { error: self.error.min(MOST), ..*self }
    }
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
    /// The same to either side: a limit that is just not reached may be far more, and hardly less.
    pub sides: Sides,
    /// Rows that change with it, by their places in what the stage was fitted on.
    pub rests_on: Vec<usize>,
}

/// Standard errors to either side of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sides {
    /// Error towards less.
    pub down: f64,
    /// Error towards more.
    pub up: f64,
}

impl Sides {
    /// As sure to one side as to the other.
    pub fn even(error: f64) -> Sides {
        Sides { down: error, up: error }
    }

    /// The larger of both, side by side.
    pub fn max(self, other: Sides) -> Sides {
        Sides { down: self.down.max(other.down), up: self.up.max(other.up) }
    }
}

/// Certainty of a parameter.
struct Sureness {
    error: f64,
    sides: Sides,
    rests_on: Vec<usize>,
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
    let capped: Vec<Weighted<'_>> = rows.iter().map(Weighted::capped).collect();
    let problem = Problem {
        start,
        targets,
        rows: &capped,
        at: DVector::zeros(targets.len()),
        failed: Mutex::new(None),
    };
    let search = LevenbergMarquardt::new().with_tol(1e-4).with_stepbound(1.0).with_patience(10);
    let (problem, _) = search.minimize(problem);
    let problem = Problem { rows, ..problem };
    let errors = problem.errors();
    *subject = problem.subject(&problem.at);
    for target in targets {
        subject.set(*target, significant(subject.get(*target)));
    }
    subject.settle();
    let estimates = targets.iter().zip(errors).map(|(target, Sureness { error, sides, rests_on })| {
        Estimate { target: *target, value: subject.get(*target), error, sides, rests_on }
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

    /// Whether a parameter cannot be more than it is.
    fn is_at_most(&self, at: usize) -> bool {
        let target = self.targets[at];
        self.subject(&self.at).get(target) >= target.most()
    }

    /// The distance, up to this one, at which rows begin to tell that a parameter is not so far off: slopes say nothing of
    /// a limit that is far from being reached. Without the sign.
    fn until_told(&self, at: usize, by: f64, least: f64) -> f64 {
        let told = |by: f64| {
            let mut logs = self.at.clone();
            logs[at] += by;
            self.offs(&self.subject(&logs)).is_none_or(|offs| cost(&offs) > least + 1.0)
        };
        let (mut inside, mut outside) = (by.signum() * PROBE, by);
        if by.abs() <= PROBE || self.targets[at].is_part() || !told(by) || told(inside) {
            return by.abs();
        }
        for _ in 0..HALVINGS {
            let middle = (inside + outside) / 2.0;
            match told(middle) {
                true => outside = middle,
                false => inside = middle,
            }
        }
        inside.abs()
    }

    /// Derivatives to the side where less changes, and to either. A limit that just limits says how much there is at
    /// least; only if more of it would change something too is it known.
    fn slopes_by_side(&self, offs: &DVector<f64>) -> Option<SlopesBySide> {
        let (mut up, mut down) = (self.changes(PROBE, offs)?, self.changes(-PROBE, offs)?);
        for (column, target) in self.targets.iter().enumerate() {
            if target.is_part() {
                let slope = self.slope_of_part(column, offs)?;
                up.set_column(column, &slope);
                down.set_column(column, &slope);
            } else if self.is_at_most(column) {
                // More is not possible.
                up.set_column(column, &down.column(column).clone_owned());
            }
        }
        let lesser = |column: usize| match up.column(column).norm() < down.column(column).norm() {
            true => up.column(column).clone_owned(),
            false => down.column(column).clone_owned(),
        };
        let lesser = DMatrix::from_columns(&(0..self.targets.len()).map(lesser).collect::<Vec<_>>());
        Some(SlopesBySide { lesser, up, down })
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
    fn errors(&self) -> Vec<Sureness> {
        let count = self.targets.len();
        let unsure = |_| Sureness { error: START, sides: Sides::even(START), rests_on: Vec::new() };
        let unknown = || (0..count).map(unsure).collect();
        let Some(offs) = self.offs(&self.subject(&self.at)) else { return unknown() };
        let Some(SlopesBySide { lesser: slopes, up, down }) = self.slopes_by_side(&offs) else {
            return unknown();
        };
        let Some(errors) = errors_by(&slopes, &offs) else { return unknown() };
        // Of one parameter to one side, the others to the side where less changes.
        let side = |at: usize, sides: &DMatrix<f64>| {
            let mut slopes = slopes.clone();
            slopes.set_column(at, &sides.column(at).clone_owned());
            errors_by(&slopes, &offs).map_or(errors[at], |errors| errors[at])
        };
        let tells = |at: usize| {
            let change = |row: usize| {
                let told = &self.rows[row];
                slopes[(row, at)] * PROBE * told.error / told.capped().error
            };
            (0..slopes.nrows()).filter(|row| change(*row).abs() > TELLS).collect::<Vec<_>>()
        };
        let least = cost(&offs);
        let held = |at: usize| {
            let by = HELD.max(2.0 * errors[at]);
            let several = count > 1 && by < 2.0 * PROBE;
            let error = |by: f64| several.then(|| self.error_held(at, by, least)).flatten().unwrap_or(0.0);
            Sides { down: error(-by), up: error(by) }
        };
        let sides = |at: usize| match self.is_at_most(at) {
            // Rows that ask for more do not ask for less.
            true => Sides { down: inverse_error(&slopes, at), up: 0.0 },
            false => {
                let sides = Sides { down: side(at, &down), up: side(at, &up) };
                Sides {
                    down: self.until_told(at, -sides.down, least),
                    up: self.until_told(at, sides.up, least),
                }
            }
        };
        let sure = |at: usize| {
            let held = held(at);
            let error = errors[at].max(held.down).max(held.up);
            Sureness { error, sides: sides(at).max(held), rests_on: tells(at) }
        };
        (0..count).map(sure).collect()
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

/// Changes of the residuals with each parameter.
struct SlopesBySide {
    /// To the side where less changes.
    lesser: DMatrix<f64>,
    up: DMatrix<f64>,
    down: DMatrix<f64>,
}

/// Sum of the squares of residuals, large ones less.
fn cost(offs: &DVector<f64>) -> f64 {
    offs.iter().map(|off| soft(*off).powi(2)).sum()
}

/// Inverse of the normal matrix, starts included.
fn inverse(slopes: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let count = slopes.ncols();
    let normal = slopes.transpose() * slopes + DMatrix::identity(count, count) / (START * START);
    Some(normal.cholesky()?.inverse())
}

/// Standard error of a parameter by its rows' own errors.
fn inverse_error(slopes: &DMatrix<f64>, at: usize) -> f64 {
    inverse(slopes).map_or(START, |inverse| inverse[(at, at)].sqrt().min(START))
}

/// Standard errors of parameters by the changes of residuals with each.
fn errors_by(slopes: &DMatrix<f64>, offs: &DVector<f64>) -> Option<Vec<f64>> {
    let count = slopes.ncols();
    let inverse = inverse(slopes)?;
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
mod tests;
