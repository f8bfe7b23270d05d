//! Errors of values that come from the errors of earlier values.

use super::{Problem, START, Sides, Subject, Target, Weighted};
use nalgebra::{DMatrix, DVector};
use numalab_study::{StudyError, in_order};

/// Maximum change of an earlier value, as a logarithm: a larger change would carry no more information.
const MOST: f64 = 0.5;

/// Errors of a stage's values that come from errors of earlier values: change of each value if one earlier value is
/// off by its error, as the root of the sum of squares over the earlier values.
pub(in crate::fit) fn errors_by_earlier(
    subject: &Subject,
    targets: &[Target],
    rows: &[Weighted<'_>],
    earlier: &[(Target, Sides)],
) -> Result<Vec<f64>, StudyError> {
    let problem = Problem::new(subject.clone(), targets, rows);
    let squares = problem.squares_by_earlier(earlier).unwrap_or_else(|| vec![0.0; targets.len()]);
    problem.failure().map_or(Ok(squares.iter().map(|sum| sum.sqrt().min(START)).collect()), Err)
}

impl Problem<'_> {
    fn squares_by_earlier(&self, earlier: &[(Target, Sides)]) -> Option<Vec<f64>> {
        let offs = self.offs_here()?;
        let moved = |(target, sides): &(Target, Sides)| {
            let mut subject = self.start.clone();
            // The earlier value moves to the side with the smaller error: a limit that is not reached may be far
            // higher, which changes nothing.
            let by = if sides.up <= sides.down { sides.up.min(MOST) } else { -sides.down.min(MOST) };
            let value = subject.get(*target);
            let value =
                if target.parameter.rule.part { (value + by).clamp(0.0, 1.0) } else { value * by.exp() };
            subject.set(*target, value.min(target.most()));
            subject.settle();
            Ok(self.simulated_offs(&subject)? - &offs)
        };
        let changes: Result<Vec<DVector<f64>>, StudyError> = in_order(earlier, moved).into_iter().collect();
        let mut changes = self.succeeded(changes)?;
        changes.retain(|change| change.norm() > 0.0);
        let mut squares = vec![0.0; self.targets.len()];
        if changes.is_empty() {
            return Some(squares);
        }
        let follows: DMatrix<f64> = self.followed(&offs)?;
        for change in changes {
            let shift = &follows * change;
            squares.iter_mut().zip(shift.iter()).for_each(|(sum, shift)| *sum += shift * shift);
        }
        Some(squares)
    }
}
