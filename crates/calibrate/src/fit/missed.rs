//! Residuals of rows against a fitted machine.

use super::solve::Estimate;
use super::staged::Fit;
use super::subject::Subject;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Minimum residual, as a logarithm, of a row beyond the model, which no values meet together with the other rows.
/// The residual must also exceed four of the row's errors.
const BEYOND: f64 = 0.35;
/// Minimum median residual of a parameter's rows, as a logarithm, at which the rows contradict the parameter. The
/// median must also exceed three of its row's errors.
const CONTRADICTED: f64 = 0.25;

/// Result of a stage: the subject with the fitted values, and their errors.
pub(super) struct Solved {
    pub subject: Subject,
    pub estimates: Vec<Estimate>,
    /// Relative errors of the stage's rows.
    pub errors: Errors,
}

/// Relative errors of rows by the row's index, from 0.
pub(super) type Errors = BTreeMap<usize, f64>;

impl Fit<'_> {
    /// Indices, among `rows`, of rows beyond the model, which the values of a stage cannot meet.
    pub(super) fn far(&self, solved: &Solved, rows: &[usize]) -> Vec<usize> {
        let is_far = |row: &usize| {
            let missed = self.miss(&solved.subject, *row);
            let error = solved.errors.get(row).copied().unwrap_or_default();
            missed.is_some_and(|missed| missed.abs() > BEYOND.max(4.0 * error))
        };
        rows.iter().copied().filter(is_far).collect()
    }

    /// Sum over the rows of squared residuals, in standard errors of each row.
    pub(super) fn cost(&self, subject: &Subject, errors: &Errors, rows: &[usize]) -> f64 {
        let square = |row: &usize| {
            let error = errors.get(row).copied().unwrap_or(1.0);
            self.miss(subject, *row).map_or(0.0, |missed| (missed / error).powi(2))
        };
        // In the order of the rows, so that the sum is the same for any number of workers.
        rows.par_iter().map(square).collect::<Vec<_>>().into_iter().sum()
    }

    /// True if the median residual of `rows` is so large that the rows contradict the fitted values.
    pub(super) fn missed(&self, solved: &Solved, rows: &[usize]) -> bool {
        let off = |row: &usize| {
            let error = solved.errors.get(row).copied().unwrap_or_default();
            Some((self.miss(&solved.subject, *row)?.abs(), error))
        };
        let mut all: Vec<(f64, f64)> = rows.iter().filter_map(off).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.get(all.len() / 2).is_some_and(|(off, error)| *off > CONTRADICTED.max(3.0 * error))
    }

    /// Residual of a row: logarithm of the simulated value divided by the measured one; `None` if the row cannot be
    /// simulated.
    pub(super) fn miss(&self, subject: &Subject, row: usize) -> Option<f64> {
        let row = &self.rows[row];
        let simulated = row.simulate(subject).ok()??;
        (simulated > 0.0).then(|| (simulated / row.value).ln())
    }
}
