//! Other starts for a stage whose search ended beside a step.
//!
//! Whether a request comes just before a line leaves or just behind it decides who has the line next, so that rows of lines
//! that threads share do not follow a parameter evenly. A search by slopes ends in front of the first such step.

use super::missed::Solved;
use super::solve::NOTHING;
use super::staged::Fit;
use super::stages::Stage;
use super::subject::Subject;
use super::target::Target;
use numalab_study::StudyError;

/// Values tried to either side of the start, and farthest of them as a factor.
const TRIED: i32 = 12;
const FARTHEST: f64 = 64.0;

impl Fit<'_> {
    /// What a stage of one parameter found, or what it finds from the best of many values, if its rows are missed.
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
        let cost = |subject: &Subject| self.cost(subject, &solved.errors, met);
        let best = |values: &mut dyn Iterator<Item = f64>| {
            let costs = values.map(|value| (value, cost(&with(value))));
            costs.filter(|(_, cost)| cost.is_finite()).min_by(|a, b| a.1.total_cmp(&b.1))
        };
        let from = if target.is_part() { 0.5 } else { solved.subject.get(*target).max(NOTHING) };
        let step = FARTHEST.powf(1.0 / f64::from(TRIED));
        let coarse = |at: i32| match target.is_part() {
            true => from * (1.0 + f64::from(at) / f64::from(TRIED)),
            false => from * step.powi(at),
        };
        let Some((near, _)) = best(&mut (-TRIED..=TRIED).map(coarse)) else { return Ok(solved) };
        // Up to the neighbours on both sides.
        let fine = |at: i32| near * step.powf(f64::from(at) / f64::from(TRIED));
        let Some((nearest, _)) = best(&mut (-TRIED..=TRIED).map(fine)) else { return Ok(solved) };
        let again = self.solved(stage, &with(nearest), targets, met)?;
        Ok(if cost(&again.subject) < cost(&solved.subject) { again } else { solved })
    }
}
