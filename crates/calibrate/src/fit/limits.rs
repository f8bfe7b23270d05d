//! Optional limits and uncontended locks: removed or reset if no row shows them.

use super::finding::{IDENTIFIABLE, Verdict};
use super::missed::Solved;
use super::solve::Estimate;
use super::staged::Fit;
use super::stages::Stage;
use super::subject::Subject;
use super::target::Target;
use numalab_study::StudyError;
use rayon::prelude::*;

/// Allowed growth of the sum of squared residuals for each removed limit, in squared standard errors: that of a
/// parameter two standard errors off.
const WORSE: f64 = 4.0;
/// Multiple of a row's error below which the row's residual must lie for the row to count as met.
const MET: f64 = 4.0;

impl Fit<'_> {
    /// Chooses between two limits that can explain the same rows. The second is chosen only if it meets every row and
    /// its sum of squared residuals is smaller by more than `WORSE`. `met`: indices of the rows. Returns the subject
    /// to start from, with the chosen limit, and the targets to fit.
    pub(super) fn chosen(
        &self,
        stage: &Stage,
        (first, second): (Target, Target),
        (seeded, targets): (Subject, Vec<Target>),
        met: &[usize],
    ) -> Result<(Subject, Vec<Target>), StudyError> {
        let only = |one: Target, other: Target| {
            let mut start = seeded.clone();
            other.lift(&mut start);
            let others = targets.iter().copied().filter(|target| ![one, other].contains(target));
            (start, others.chain([one]).collect::<Vec<_>>())
        };
        let (first, second) = (only(first, second), only(second, first));
        let missed = |(start, targets): &(Subject, Vec<Target>)| {
            let errors = self.errors(stage, start, met);
            let found = self.searched(stage, start, targets, met)?;
            let off =
                |row: &usize| self.miss(&found, *row).map_or(0.0, |missed| (missed / errors[row]).powi(2));
            Ok::<Vec<f64>, StudyError>(met.par_iter().map(off).collect())
        };
        let (with_first, with_second) = (missed(&first)?, missed(&second)?);
        let meets_all = with_second.iter().all(|square| square.sqrt() < MET);
        let sum = |squares: &[f64]| squares.iter().sum::<f64>();
        Ok(if meets_all && sum(&with_second) + WORSE < sum(&with_first) { second } else { first })
    }

    /// Removes limits that the rows do not show, if the rows are met equally well without them; the other values are
    /// then fitted again. Returns the result and the targets of the last fit.
    pub(super) fn lift(
        &mut self,
        stage: &Stage,
        solved: Solved,
        targets: Vec<Target>,
        met: &[usize],
    ) -> Result<(Solved, Vec<Target>), StudyError> {
        let unseen =
            |estimate: &&Estimate| estimate.error > IDENTIFIABLE && estimate.target.parameter.rule.liftable;
        let unseen: Vec<&Estimate> = solved.estimates.iter().filter(unseen).collect();
        if unseen.is_empty() {
            return Ok((solved, targets));
        }
        let mut without = solved.subject.clone();
        unseen.iter().for_each(|estimate| estimate.target.lift(&mut without));
        let stays = |target: &&Target| unseen.iter().all(|estimate| estimate.target != **target);
        let left: Vec<Target> = targets.iter().filter(stays).copied().collect();
        let mut again = match left.is_empty() {
            true => Solved { subject: without, estimates: Vec::new(), errors: solved.errors.clone() },
            false => self.solved(stage, &without, &left, met)?,
        };
        let cost = |subject: &Subject| self.cost(subject, &solved.errors, met);
        if cost(&again.subject) > cost(&solved.subject) + WORSE * unseen.len() as f64 {
            return Ok((solved, targets));
        }
        for estimate in unseen {
            let finding = self.finding(stage, estimate, &solved, met, Verdict::Unlimited);
            self.keep(finding);
        }
        // Without these limits, the remaining values look more certain than they are.
        for estimate in &mut again.estimates {
            let before = solved.estimates.iter().find(|before| before.target == estimate.target);
            estimate.error = before.map_or(estimate.error, |before| estimate.error.max(before.error));
        }
        Ok((again, left))
    }

    /// Resets each lock hold time that no row determines: it gets its value from before the stage, unless the sum of
    /// squared residuals then grows by more than `WORSE`.
    pub(super) fn shorten(&self, solved: &mut Solved, met: &[usize]) {
        let cost = |subject: &Subject| self.cost(subject, &solved.errors, met);
        let unseen =
            |estimate: &&Estimate| estimate.target.parameter.rule.lock && estimate.error > IDENTIFIABLE;
        let mut subject = solved.subject.clone();
        for target in solved.estimates.iter().filter(unseen).map(|estimate| estimate.target) {
            let mut shorter = subject.clone();
            shorter.set(target, self.subject.get(target));
            shorter.settle();
            if cost(&shorter) <= cost(&subject) + WORSE {
                subject = shorter;
            }
        }
        solved.subject = subject;
    }
}
