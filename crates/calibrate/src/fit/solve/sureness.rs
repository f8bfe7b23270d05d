//! Standard errors of fitted values.

use super::{Problem, START, Target, cost, soft};
use levenberg_marquardt::LevenbergMarquardt;
use nalgebra::{DMatrix, DVector};

/// Change of a parameter, as a logarithm, that tests whether rows determine the parameter. It is large, so that two
/// limits that happen to coincide do not look like one known limit.
const PROBE: f64 = 0.25;
/// Minimum step of a parameter, as a logarithm, if the parameter is moved and the others are fitted again to find its
/// error. The usual step is twice the parameter's error.
const HELD: f64 = 0.05;
/// Minimum growth of the cost under a moved parameter. A smaller growth counts as this one, since the rows then do
/// not determine the parameter.
const MORE: f64 = 0.25;
/// Number of bisections when searching the smallest change of a parameter at which the rows react.
const HALVINGS: u32 = 4;
/// A row determines a parameter if moving the parameter by `PROBE` changes the row's residual by more than this, in
/// standard errors of the row.
const TELLS: f64 = 0.5;

/// Standard errors to either side of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sides {
    /// Standard error towards smaller values.
    pub down: f64,
    /// Standard error towards larger values.
    pub up: f64,
}

impl Sides {
    /// Errors that are equal to both sides.
    pub fn even(error: f64) -> Sides {
        Sides { down: error, up: error }
    }

    /// Larger of the two errors on each side.
    pub fn max(self, other: Sides) -> Sides {
        Sides { down: self.down.max(other.down), up: self.up.max(other.up) }
    }
}

/// Error of a parameter, with the indices of the rows that determine the parameter.
pub(super) struct Sureness {
    pub error: f64,
    pub sides: Sides,
    pub rests_on: Vec<usize>,
}

impl Problem<'_> {
    /// True if parameter `at` is at its upper bound.
    fn is_at_most(&self, at: usize) -> bool {
        let target = self.targets[at];
        self.subject(&self.at).get(target) >= target.most()
    }

    /// Size of a change of parameter `at`, in the direction of `by`, up to which the rows do not react: the cost
    /// exceeds `least` by at most one. The size of `by` if the rows do not react to it, or already react to `PROBE`.
    /// Slopes do not show this distance for a limit that is far from being reached.
    fn until_told(&self, at: usize, by: f64, least: f64) -> f64 {
        let told = |by: f64| {
            let mut logs = self.at.clone();
            logs[at] += by;
            self.offs(&self.subject(&logs)).is_none_or(|offs| cost(&offs) > least + 1.0)
        };
        let (mut inside, mut outside) = (by.signum() * PROBE, by);
        if by.abs() <= PROBE || self.targets[at].parameter.rule.part || !told(by) || told(inside) {
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

    /// Derivatives of the residuals by each parameter: upwards, downwards, and the smaller of both. Rows always react
    /// to a limit that is lowered; they determine its value only if they react to raising the limit, too.
    fn slopes_by_side(&self, offs: &DVector<f64>) -> Option<SlopesBySide> {
        let (mut up, mut down) = (self.changes(PROBE, offs)?, self.changes(-PROBE, offs)?);
        for (column, target) in self.targets.iter().enumerate() {
            if target.parameter.rule.part {
                let slope = self.slope_of_part(column, offs)?;
                up.set_column(column, &slope);
                down.set_column(column, &slope);
            } else if self.is_at_most(column) {
                // Larger values than the upper bound are impossible.
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

    /// Derivative of the residuals by a parameter that is a fraction, towards the side with more room. A fraction can
    /// be zero, so it has no logarithm.
    fn slope_of_part(&self, column: usize, offs: &DVector<f64>) -> Option<DVector<f64>> {
        let mut subject = self.subject(&self.at);
        let target = self.targets[column];
        let value = subject.get(target);
        let step = if value < 0.5 { PROBE } else { -PROBE };
        subject.set(target, value + step);
        Some((self.offs(&subject)? - offs) / step)
    }

    /// Standard errors of the parameters, and the rows of each. The errors follow from the inverse normal matrix or,
    /// where residuals exceed the rows' errors, from the residuals (White's sandwich estimator): a missed row makes
    /// its parameters uncertain.
    ///
    /// If several parameters are fitted together, a change of one can be made up for by the others, far beyond what
    /// slopes show (limits have kinks). The growth of the cost, with one parameter held, then counts as well.
    pub(super) fn errors(&self) -> Vec<Sureness> {
        let count = self.targets.len();
        let unsure = |_| Sureness { error: START, sides: Sides::even(START), rests_on: Vec::new() };
        let unknown = || (0..count).map(unsure).collect();
        let Some(offs) = self.offs_here() else { return unknown() };
        let Some(SlopesBySide { lesser: slopes, up, down }) = self.slopes_by_side(&offs) else {
            return unknown();
        };
        let Some(errors) = errors_by(&slopes, &offs) else { return unknown() };
        // Matrix with one parameter's column for a given side, and the others' for the side with the smaller change.
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
            // Rows that demand values above the upper bound do not demand smaller ones.
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

    /// Derivative of each fitted parameter by the residual of each row: one row for each parameter. `None` after a
    /// failed simulation.
    pub(super) fn followed(&self, offs: &DVector<f64>) -> Option<DMatrix<f64>> {
        let slopes = self.slopes_by_side(offs)?.lesser;
        Some(inverse(&slopes)? * slopes.transpose())
    }

    /// Standard error of a parameter from the growth of the cost above `least`, with the parameter moved by `by` and
    /// the others fitted again. `None` for a fraction, or if the moved value is impossible.
    fn error_held(&self, at: usize, by: f64, least: f64) -> Option<f64> {
        let mut start = self.subject(&self.at);
        let target = self.targets[at];
        let value = start.get(target) * by.exp();
        if value <= 0.0 || target.parameter.rule.part || value > target.most() {
            return None;
        }
        start.set(target, value);
        start.settle();
        let others: Vec<Target> = self.targets.iter().copied().filter(|other| *other != target).collect();
        let problem = Problem::new(start, &others, self.rows);
        let search = LevenbergMarquardt::new().with_tol(1e-3).with_stepbound(1.0).with_patience(4);
        let (problem, _) = search.minimize(problem);
        let more = cost(&problem.offs_here()?) - least;
        // The cost grows by one at one standard error.
        Some(by.abs() / more.max(MORE).sqrt())
    }
}

/// Derivatives of the residuals by each parameter: one row for each residual, one column for each parameter.
struct SlopesBySide {
    /// Derivative to the side on which the residuals change less.
    lesser: DMatrix<f64>,
    up: DMatrix<f64>,
    down: DMatrix<f64>,
}

/// Inverse of the normal matrix. The start of each parameter counts as a row.
fn inverse(slopes: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let count = slopes.ncols();
    let normal = slopes.transpose() * slopes + DMatrix::identity(count, count) / (START * START);
    Some(normal.cholesky()?.inverse())
}

/// Standard error of parameter `at` from its rows' errors.
fn inverse_error(slopes: &DMatrix<f64>, at: usize) -> f64 {
    inverse(slopes).map_or(START, |inverse| inverse[(at, at)].sqrt().min(START))
}

/// Standard errors of all parameters, from the derivatives `slopes` and the residuals `offs`.
fn errors_by(slopes: &DMatrix<f64>, offs: &DVector<f64>) -> Option<Vec<f64>> {
    let count = slopes.ncols();
    let inverse = inverse(slopes)?;
    // A row that pulls a parameter has a smaller residual than its true error.
    let follows = |row: usize| (slopes.row(row) * &inverse * slopes.row(row).transpose())[(0, 0)];
    let square = |row: usize| soft(offs[row]).powi(2) / (1.0 - follows(row)).max(0.1);
    let scaled = DMatrix::from_fn(slopes.nrows(), count, |row, column| slopes[(row, column)] * square(row));
    let missed = &inverse * (slopes.transpose() * scaled) * &inverse;
    Some((0..count).map(|at| inverse[(at, at)].max(missed[(at, at)]).sqrt().min(START)).collect())
}
