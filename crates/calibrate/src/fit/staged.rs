//! Execution of the stages of a fit, one after another.

use super::finding::{Checked, Finding, IDENTIFIABLE, Verdict};
use super::inputs::Inputs;
use super::missed::{Errors, Solved};
use super::observation::Observation;
use super::solve::{Estimate, Weighted, errors_by_earlier, search, solve};
use super::stages::Stage;
use super::subject::Subject;
use super::target::Target;
use super::{Fitted, Otherwise, origins};
use super::{kinds, load};
use crate::loops;
use numalab_base::parameter::Value;
use numalab_study::StudyError;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// State of a fit after some of its stages.
pub(super) struct Fit<'a> {
    pub inputs: &'a Inputs,
    /// Rows of the inputs, and derived substitutes for missing rows.
    pub rows: Vec<Observation>,
    pub subject: Subject,
    pub estimates: Vec<Finding>,
    pub warnings: Vec<String>,
    /// Equally likely curves of latency under load, with the values fitted under them.
    pub otherwise: Vec<Otherwise>,
    /// For each row, true if the row can be simulated.
    possible: Vec<bool>,
    /// Indices of the rows that a stage could not meet.
    beyond: BTreeSet<usize>,
}

impl Fit<'_> {
    pub(super) fn new(inputs: &Inputs) -> Fit<'_> {
        let subject = inputs.subject.clone();
        let mut warnings = inputs.warnings.clone();
        // A row whose simulation fails here would also fail in a stage, and end the whole fit.
        let simulated: Vec<_> = inputs.rows.par_iter().map(|row| row.simulate(&subject)).collect();
        let possible = inputs.rows.iter().zip(simulated).map(|(row, simulated)| match simulated {
            Ok(value) => value.is_some(),
            Err(error) => {
                warnings.push(format!("{}: left out: {error}", row.row.source));
                false
            }
        });
        let possible = possible.collect();
        let (rows, estimates, beyond) = (inputs.rows.clone(), Vec::new(), BTreeSet::new());
        Fit { inputs, rows, subject, estimates, warnings, otherwise: Vec::new(), possible, beyond }
    }

    /// Fits one stage. Rows that the fitted values cannot meet are left out, and the stage is fitted once more.
    pub(super) fn stage(&mut self, stage: &Stage) -> Result<(), StudyError> {
        if let Some(before) = stage.before {
            before(self);
        }
        if let Some(prepares) = stage.prepares {
            prepares(&mut self.rows, &self.subject);
        }
        let mut targets = (stage.targets)(&self.subject);
        let mut admitted = self.admitted(stage);
        if admitted.is_empty()
            && let Some(derives) = stage.derives
        {
            let derived = derives(self.inputs, &self.subject);
            self.possible.extend(derived.iter().map(|_| true));
            self.rows.extend(derived);
            admitted = self.admitted(stage);
        }
        if targets.is_empty() || admitted.is_empty() {
            return Ok(());
        }
        admitted.iter().for_each(|row| _ = self.beyond.remove(row));
        let mut met = admitted;
        let mut start = self.subject.clone();
        if let Some(seed) = stage.seed {
            seed(&mut start, &self.rows_at(&met));
            start.settle();
        }
        if let Some(alternative) = stage.or {
            (start, targets) = self.chosen(stage, alternative, (start, targets), &met)?;
        }
        let mut solved = self.solved(stage, &start, &targets, &met)?;
        solved = self.or_elsewhere(stage, solved, &targets, &met)?;
        let far = self.far(&solved, &met);
        if !far.is_empty() && far.len() < met.len() {
            met.retain(|row| !far.contains(row));
            solved = self.solved(stage, &start, &targets, &met)?;
            self.beyond.extend(far);
        }
        let (mut solved, left) = self.lift(stage, solved, targets, &met)?;
        self.shorten(&mut solved, &met);
        let stated = self.inputs.stated.iter().any(|(path, _)| path == load::PATH);
        if stage.waits_under_load && !stated {
            self.under_other_curves(stage, &mut solved, &left, &met)?;
        }
        self.with_earlier_errors(&mut solved, &left, &met)?;
        for estimate in solved.estimates.iter().filter(|estimate| left.contains(&estimate.target)) {
            let tells = !estimate.rests_on.is_empty();
            let verdict = match estimate.error <= IDENTIFIABLE {
                true => Verdict::Known,
                false if tells => Verdict::Wide,
                false if estimate.target.parameter.rule.limit => Verdict::AtLeast,
                false => Verdict::Untold,
            };
            let mut finding = self.finding(stage, estimate, &solved, &met, verdict);
            if self.missed(&solved, &finding.rows) {
                finding.verdict = Verdict::Contradicted;
            }
            self.keep(finding);
        }
        self.subject = solved.subject;
        if let Some(beside) = stage.beside {
            self.warnings.extend(beside(&mut self.subject, &mut self.estimates, &self.rows));
        }
        Ok(())
    }

    /// Adds the errors of earlier values to the errors of a stage's values, fitted on the rows with indices `met`.
    /// The errors to either side, from which machines are drawn, stay as they are, since earlier values are drawn,
    /// too.
    fn with_earlier_errors(
        &self,
        solved: &mut Solved,
        targets: &[Target],
        met: &[usize],
    ) -> Result<(), StudyError> {
        let others = self.estimates.iter().filter(|finding| {
            finding.verdict != Verdict::Unlimited
                && finding.path != load::PATH
                && !targets.contains(&finding.estimate.target)
        });
        let earlier: Vec<_> =
            others.map(|finding| (finding.estimate.target, finding.estimate.sides)).collect();
        let error = |row: &usize| solved.errors.get(row).copied().unwrap_or(1.0);
        let rows: Vec<Weighted<'_>> =
            met.iter().map(|row| Weighted { row: &self.rows[*row], error: error(row) }).collect();
        let more = errors_by_earlier(&solved.subject, targets, &rows, &earlier)?;
        for (target, more) in targets.iter().zip(more) {
            let own = solved.estimates.iter_mut().filter(|estimate| estimate.target == *target);
            own.for_each(|estimate| estimate.error = estimate.error.hypot(more).min(1.0));
        }
        Ok(())
    }

    fn admitted(&self, stage: &Stage) -> Vec<usize> {
        let admits = |row: &usize| self.possible[*row] && (stage.admits)(&self.rows[*row], &self.subject);
        (0..self.rows.len()).filter(admits).collect()
    }

    pub(super) fn rows_at(&self, places: &[usize]) -> Vec<&Observation> {
        places.iter().map(|row| &self.rows[*row]).collect()
    }

    /// Finding about a value, with the rows that the value rests on, or all rows of the stage (indices `met`) if it
    /// rests on none.
    pub(super) fn finding(
        &self,
        stage: &Stage,
        estimate: &Estimate,
        solved: &Solved,
        met: &[usize],
        verdict: Verdict,
    ) -> Finding {
        let own: Vec<usize> = estimate.rests_on.iter().map(|row| met[*row]).collect();
        Finding {
            path: estimate.target.path(&solved.subject.machine),
            value: estimate.target.value(&solved.subject).unwrap_or(Value::Absent),
            estimate: estimate.clone(),
            stage: stage.name,
            rows: if own.is_empty() { met.to_vec() } else { own },
            verdict,
        }
    }

    /// Stores a finding, which replaces an earlier finding of the same path.
    pub(super) fn keep(&mut self, finding: Finding) {
        match self.estimates.iter_mut().find(|known| known.path == finding.path) {
            Some(known) => *known = finding,
            None => self.estimates.push(finding),
        }
    }

    pub(super) fn solved(
        &self,
        stage: &Stage,
        start: &Subject,
        targets: &[Target],
        places: &[usize],
    ) -> Result<Solved, StudyError> {
        let mut subject = start.clone();
        let weighted = self.weighted(stage, start, places);
        let estimates = solve(&mut subject, targets, &weighted)?;
        let errors = self.errors(stage, start, places);
        Ok(Solved { subject, estimates, errors })
    }

    /// As `solved`, without the errors of values, which take most of the time.
    pub(super) fn searched(
        &self,
        stage: &Stage,
        start: &Subject,
        targets: &[Target],
        places: &[usize],
    ) -> Result<Subject, StudyError> {
        let mut subject = start.clone();
        if !targets.is_empty() {
            search(&mut subject, targets, &self.weighted(stage, start, places))?;
        }
        Ok(subject)
    }

    /// Relative standard errors of the rows with indices `places`, by index: the measurement's error together with
    /// the error of the model in this stage.
    pub(super) fn errors(&self, stage: &Stage, start: &Subject, places: &[usize]) -> Errors {
        let weighted = self.weighted(stage, start, places);
        places.iter().copied().zip(weighted.iter().map(|row| row.error)).collect()
    }

    /// Rows with indices `places`, with their relative errors; these include the model's error in this stage.
    fn weighted(&self, stage: &Stage, start: &Subject, places: &[usize]) -> Vec<Weighted<'_>> {
        let rows = self.rows_at(places);
        let doubts = stage.doubt.map_or_else(|| vec![0.0; rows.len()], |doubt| doubt(&rows, start));
        let error = |row: &Observation, doubt: f64| row.error.max(row.rough()).hypot(doubt);
        rows.into_iter().zip(doubts).map(|(row, doubt)| Weighted { row, error: error(row, doubt) }).collect()
    }

    /// Result of the fit after all stages. Every row is simulated once more, with the loop costs that the kernels'
    /// rows show.
    pub(super) fn finish(mut self) -> Fitted {
        self.of_load().into_iter().for_each(|finding| self.keep(finding));
        let loops = loops::costs(&self.rows, &self.subject);
        loops::apply(&loops, &mut self.rows);
        let subject = &self.subject;
        let check = |((at, row), simulated): ((usize, Observation), Option<f64>)| {
            let missed = simulated.map(|simulated| simulated / row.value - 1.0);
            (row, Checked { simulated, missed, beyond: self.beyond.contains(&at) })
        };
        let simulated = kinds::simulated(&self.rows, subject);
        let rows = self.rows.into_iter().enumerate().zip(simulated).map(check).collect();
        let origins = origins::of(subject, self.inputs, &self.estimates);
        let measured = self.inputs.rows.len();
        let Fit { subject, estimates, warnings, otherwise, .. } = self;
        Fitted { subject, estimates, origins, warnings, otherwise, rows, measured, loops }
    }
}
