//! Restarts of a stage whose search ended next to a discontinuity.
//!
//! The next owner of a line depends on the order of arrivals, so simulated values of rows about shared lines change
//! in steps. A search by slopes ends in front of the first step.

use super::missed::Solved;
use super::solve::NOTHING;
use super::staged::Fit;
use super::stages::Stage;
use super::target::Target;
use numalab_study::StudyError;

/// Number of values tried on each side of the start; then as many are tried around the best of these values.
const TRIED: i32 = 12;
/// Maximum factor between the start and a value of the first round.
const FARTHEST: f64 = 64.0;

impl Fit<'_> {
    /// Fits a stage with one parameter again from the best of many starts, if its result misses the rows `met`, which
    /// are indices. Returns the better result.
    pub(super) fn or_elsewhere(
        &self,
        stage: &Stage,
        solved: Solved,
        targets: &[Target],
        met: &[usize],
    ) -> Result<Solved, StudyError> {
        let [target] = targets else { return Ok(solved) };
        if !self.missed(&solved, met) {
            return Ok(solved);
        }
        let with = |value: f64| {
            let mut subject = solved.subject.clone();
            subject.set(*target, value.min(target.most()));
            subject.settle();
            subject
        };
        let cost = |subject: &_| self.cost(subject, &solved.errors, met);
        // A parameter that is zero and no fraction is a time, so it can start at `NOTHING`, a time in picoseconds.
        let from = Some(solved.subject.get(*target)).filter(|value| *value > 0.0).unwrap_or(NOTHING);
        let from = (!target.parameter.rule.part).then_some(from);
        let Some(near) = nearest(from, |value| cost(&with(value))) else { return Ok(solved) };
        let again = self.solved(stage, &with(near), targets, met)?;
        Ok(if cost(&again.subject) < cost(&solved.subject) { again } else { solved })
    }
}

/// Value of least cost among many around the start `from`, refined between its neighbours. If `from` is `None`, the
/// parameter is a fraction, and values from 0 to 1 are tried.
fn nearest(from: Option<f64>, cost: impl Fn(f64) -> f64) -> Option<f64> {
    let best = |values: &mut dyn Iterator<Item = f64>| {
        let costs = values.map(|value| (value, cost(value))).filter(|(_, cost)| cost.is_finite());
        costs.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(value, _)| value)
    };
    let tried = |at: i32| f64::from(at) / f64::from(TRIED);
    let step = FARTHEST.powf(1.0 / f64::from(TRIED));
    match from {
        Some(from) => {
            let coarse = best(&mut (-TRIED..=TRIED).map(|at| from * step.powi(at)))?;
            best(&mut (-TRIED..=TRIED).map(|at| coarse * step.powf(tried(at))))
        }
        None => {
            let coarse = best(&mut (0..=TRIED).map(tried))?;
            let fine = (-TRIED..=TRIED).map(|at| coarse + tried(at) / f64::from(TRIED));
            best(&mut fine.filter(|part| (0.0..=1.0).contains(part)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Simulated times of chunks on a measured machine: 0.157 ms at 55 ns, 0.143 at 57, and 0.111 only at 32.
    #[test]
    fn a_value_behind_a_step_is_found() {
        let time = |ns: f64| if ns < 56.0 { 0.034 + 0.0024 * ns } else { 0.143 + 0.004 * (ns - 57.0) };
        let found = nearest(Some(57.0), |ns| (time(ns) - 0.111).abs()).unwrap();
        assert!((time(found) - 0.111).abs() < 0.003, "{found}");
    }

    // Simulated exchanges of a word: 5.7 ns at the fraction 0.42, 7.9 to 8.1 from 0.44 to 0.46, 15 from 0.48 on.
    #[test]
    fn a_part_between_two_steps_is_found() {
        let time = |part: f64| match part {
            part if part < 0.43 => 13.5 * part,
            part if part < 0.47 => 8.0,
            part => 31.0 * part,
        };
        let found = nearest(None, |part| (time(part) - 8.0).abs()).unwrap();
        assert!((0.43..0.47).contains(&found), "{found}");
    }
}
