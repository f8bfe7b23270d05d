//! A machine file and a runtime file from measurements.
//!
//! | file | what |
//! |---|---|
//! | `inputs` | measurements of all kinds become rows and a shape |
//! | `observation` | a measured value, and its simulated counterpart |
//! | `target` | the parameters, and where their values are |
//! | `subject` | the machine and the runtime that are fitted |
//! | `stages` | what is fitted on what, in which order |
//! | `curve` | sizes and latencies of caches off the curve of a chase |
//! | `streams` | the last cache as streams find it |
//! | `seeds` | where stages begin |
//! | `solve` | least squares of one stage, and how sure each value is |
//! | `lines` | what core-to-core tools say, read off |
//! | `load` | loaded-latency curves |
//! | `origins` | where each value of the file is from |
//! | `errors` | how sure everything is, for whoever predicts with it |
//! | `files` | the machine and the runtime as text, every value with its uncertainty and its rows |

mod curve;
mod errors;
mod files;
mod inputs;
mod lines;
mod load;
mod observation;
mod origins;
mod seeds;
mod solve;
mod stages;
mod streams;
mod subject;
mod target;

pub(crate) use errors::normal;
pub use errors::{Errors, Mechanism, ParameterError};
pub use files::{machine_file, runtime_file};
pub use inputs::{Inputs, InputsError, runtime_of};
pub use observation::Observation;
pub use origins::Origin;
pub use solve::{Estimate, Sides};
pub use subject::Subject;
pub use target::{FittedTable, Target};

use crate::loops::{self, LoopCost};
use numalab_study::StudyError;
use numalab_units::parameter::Value;
use rayon::prelude::*;
use solve::{Weighted, solve};
use stages::Stage;
use std::collections::{BTreeMap, BTreeSet};

/// An estimate with a larger standard error is the best there is, and no more: its interval says how much.
pub const IDENTIFIABLE: f64 = 0.10;
/// A row that is missed by more than this, as a logarithm, and by more than four of its errors, is beyond the model: no
/// values of the stage's parameters meet it and the other rows.
const BEYOND: f64 = 0.35;
/// A parameter whose rows are missed by more than this in the median is contradicted by them.
const CONTRADICTED: f64 = 0.25;
/// Squares of errors by which rows may be missed more when a limit is taken away: two standard errors.
const WORSE: f64 = 4.0;
/// Standard errors of an interval: nine of ten values are inside.
const INTERVAL: f64 = 1.645;

/// Result of a fit.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The machine and the runtime with the fitted values.
    pub subject: Subject,
    /// Every parameter that was fitted, in the order of the stages.
    pub estimates: Vec<Finding>,
    /// Origin of each value of the machine file, in the order of the file.
    pub origins: Vec<(String, Origin)>,
    /// Oddities, for people.
    pub warnings: Vec<String>,
    /// Costs of the loops of predicted kernels.
    pub loops: Vec<LoopCost>,
    /// The rows with how far the fitted machine is from them.
    pub rows: Vec<(Observation, Checked)>,
}

/// A row beside the fitted machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checked {
    /// The simulated value.
    pub simulated: Option<f64>,
    /// By how much it is missed, as a fraction, if it is covered.
    pub missed: Option<f64>,
    /// A stage had it and could not meet it: nothing rests on it.
    pub beyond: bool,
}

/// A parameter, and what it rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The estimate.
    pub estimate: Estimate,
    /// Its path in the machine or runtime file.
    pub path: String,
    /// Its value, as its file says it.
    pub value: Value,
    /// For people: the stage.
    pub stage: &'static str,
    /// Numbers of the rows that it was fitted on: those that change with it, or all of the stage if none does.
    pub rows: Vec<usize>,
    /// Verdict of the rows on it.
    pub verdict: Verdict,
}

/// Verdict of the rows on a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They say what it is.
    Known,
    /// They say what it may be: the best estimate is written, with its interval.
    Wide,
    /// None of them shows that there is such a limit: none is written.
    Unlimited,
    /// None of them reaches the limit: it is the most that was seen, and may be more.
    AtLeast,
    /// They are far from what is simulated with it, whatever it is.
    Contradicted,
    /// They do not change with it: it is where it began.
    Untold,
}

impl Finding {
    /// Whether the measurements say what the value is.
    pub fn is_identifiable(&self) -> bool {
        self.verdict == Verdict::Known
    }

    /// The factor by which it may be larger or smaller: nine of ten values are inside.
    pub fn interval(&self) -> f64 {
        (INTERVAL * self.estimate.error).exp()
    }
}

/// Fits everything that the inputs say something about. Told how many stages are done, and of how many.
pub fn fit(inputs: &Inputs, progress: &dyn Fn(usize, usize)) -> Result<Fitted, StudyError> {
    let mut fit = Fit::new(inputs);
    let read = lines::read_off(&mut fit.subject, &inputs.rows, &mut fit.warnings);
    read.into_iter().for_each(|finding| fit.keep(finding));
    for (done, stage) in stages::ALL.iter().enumerate() {
        progress(done, stages::ALL.len());
        fit.stage(stage)?;
    }
    Ok(fit.finish())
}

/// A fit under way.
struct Fit<'a> {
    inputs: &'a Inputs,
    /// Those of the inputs, and what was derived where nothing was measured.
    rows: Vec<Observation>,
    subject: Subject,
    estimates: Vec<Finding>,
    warnings: Vec<String>,
    /// Rows that can be simulated.
    possible: Vec<bool>,
    /// Rows that a stage could not meet.
    beyond: BTreeSet<usize>,
}

impl Fit<'_> {
    fn new(inputs: &Inputs) -> Fit<'_> {
        let subject = inputs.subject.clone();
        let mut warnings = inputs.warnings.clone();
        // A row that cannot be simulated now cannot be later: it would end the fit of all others.
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
        Fit { inputs, rows, subject, estimates, warnings, possible, beyond }
    }

    /// Fits one stage. Rows that it cannot meet are left out, and it is fitted once more on the others.
    fn stage(&mut self, stage: &Stage) -> Result<(), StudyError> {
        let targets = (stage.targets)(&self.subject);
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
        let mut solved = self.solved(stage, &start, &targets, &met)?;
        let far = self.far(&solved, &met);
        if !far.is_empty() && far.len() < met.len() {
            met.retain(|row| !far.contains(row));
            solved = self.solved(stage, &start, &targets, &met)?;
            self.beyond.extend(far);
        }
        // What is not seen to limit anything does not, and the others are what they are without it.
        let unseen = |estimate: &Estimate| estimate.error > IDENTIFIABLE && estimate.target.can_be_lifted();
        let lifted: Vec<Estimate> =
            solved.estimates.iter().filter(|estimate| unseen(estimate)).cloned().collect();
        let mut left = targets;
        if !lifted.is_empty() {
            let mut without = solved.subject.clone();
            lifted.iter().for_each(|estimate| estimate.target.lift(&mut without));
            let others: Vec<Target> = left
                .iter()
                .copied()
                .filter(|target| lifted.iter().all(|estimate| estimate.target != *target))
                .collect();
            let mut again = match others.is_empty() {
                true => Solved { subject: without, estimates: Vec::new(), errors: solved.errors.clone() },
                false => self.solved(stage, &without, &others, &met)?,
            };
            // Unless the rows are met worse without them.
            if self.cost(&again, &met) <= self.cost(&solved, &met) + WORSE * lifted.len() as f64 {
                for estimate in &lifted {
                    let finding = self.finding(stage, estimate, &solved, &met, Verdict::Unlimited);
                    self.keep(finding);
                }
                // Without them the others look surer than they are.
                for estimate in &mut again.estimates {
                    let before = solved.estimates.iter().find(|before| before.target == estimate.target);
                    estimate.error = before.map_or(estimate.error, |before| estimate.error.max(before.error));
                }
                (solved, left) = (again, others);
            }
        }
        self.shorten(&mut solved, &met);
        for estimate in solved.estimates.iter().filter(|estimate| left.contains(&estimate.target)) {
            let tells = !estimate.rests_on.is_empty();
            let verdict = match estimate.error <= IDENTIFIABLE {
                true => Verdict::Known,
                false if tells => Verdict::Wide,
                false if estimate.target.is_limit() => Verdict::AtLeast,
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

    /// Locks that no row shows are as short as they were before the stage, unless the rows are met worse then.
    fn shorten(&self, solved: &mut Solved, met: &[usize]) {
        let unseen = |estimate: &&Estimate| estimate.target.is_lock() && estimate.error > IDENTIFIABLE;
        for target in
            solved.estimates.iter().filter(unseen).map(|estimate| estimate.target).collect::<Vec<_>>()
        {
            let mut shorter = solved.clone();
            shorter.subject.set(target, self.subject.get(target));
            shorter.subject.settle();
            if self.cost(&shorter, met) <= self.cost(solved, met) + WORSE {
                solved.subject = shorter.subject;
            }
        }
    }

    fn admitted(&self, stage: &Stage) -> Vec<usize> {
        let admits = |row: &usize| self.possible[*row] && (stage.admits)(&self.rows[*row], &self.subject);
        (0..self.rows.len()).filter(admits).collect()
    }

    fn rows_at(&self, places: &[usize]) -> Vec<&Observation> {
        places.iter().map(|row| &self.rows[*row]).collect()
    }

    /// A finding on the rows of a stage: those that it rests on, or all if there is none.
    fn finding(
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

    /// Keeps a finding in the place of an earlier one.
    fn keep(&mut self, finding: Finding) {
        match self.estimates.iter_mut().find(|known| known.path == finding.path) {
            Some(known) => *known = finding,
            None => self.estimates.push(finding),
        }
    }

    fn solved(
        &self,
        stage: &Stage,
        start: &Subject,
        targets: &[Target],
        places: &[usize],
    ) -> Result<Solved, StudyError> {
        let mut subject = start.clone();
        let rows = self.rows_at(places);
        let doubts = stage.doubt.map_or_else(|| vec![0.0; rows.len()], |doubt| doubt(&rows, &subject));
        let weighted: Vec<Weighted<'_>> = rows
            .iter()
            .zip(doubts)
            .map(|(row, doubt)| Weighted { row, error: row.error.max(row.rough()).hypot(doubt) })
            .collect();
        let errors = places.iter().copied().zip(weighted.iter().map(|row| row.error)).collect();
        let estimates = solve(&mut subject, targets, &weighted)?;
        Ok(Solved { subject, estimates, errors })
    }

    /// Rows that the values of a stage are far from.
    fn far(&self, solved: &Solved, rows: &[usize]) -> Vec<usize> {
        let is_far = |row: &usize| {
            let missed = self.miss(&solved.subject, *row);
            let error = solved.errors.get(row).copied().unwrap_or_default();
            missed.is_some_and(|missed| missed.abs() > BEYOND.max(4.0 * error))
        };
        rows.iter().copied().filter(is_far).collect()
    }

    /// Sum of the squares by which rows are missed, in their errors.
    fn cost(&self, solved: &Solved, rows: &[usize]) -> f64 {
        let square = |row: &usize| {
            let error = solved.errors.get(row).copied().unwrap_or(1.0);
            self.miss(&solved.subject, *row).map_or(0.0, |missed| (missed / error).powi(2))
        };
        rows.iter().map(square).sum()
    }

    /// Whether these rows are missed in the median.
    fn missed(&self, solved: &Solved, rows: &[usize]) -> bool {
        let off = |row: &usize| {
            let error = solved.errors.get(row).copied().unwrap_or_default();
            Some((self.miss(&solved.subject, *row)?.abs(), error))
        };
        let mut all: Vec<(f64, f64)> = rows.iter().filter_map(off).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.get(all.len() / 2).is_some_and(|(off, error)| *off > CONTRADICTED.max(3.0 * error))
    }

    /// Logarithm of what is simulated over what was measured.
    fn miss(&self, subject: &Subject, row: usize) -> Option<f64> {
        let row = &self.rows[row];
        let simulated = row.simulate(subject).ok()??;
        (simulated > 0.0).then(|| (simulated / row.value).ln())
    }

    /// Simulates every row, used or not, with the loops as the kernels' own rows say.
    fn finish(mut self) -> Fitted {
        let loops = loops::costs(&self.rows, &self.subject);
        loops::apply(&loops, &mut self.rows);
        let subject = &self.subject;
        let check = |(at, row): (usize, &Observation)| {
            let simulated = row.simulate(subject).ok().flatten();
            let missed = simulated.map(|simulated| simulated / row.value - 1.0);
            (row.clone(), Checked { simulated, missed, beyond: self.beyond.contains(&at) })
        };
        let rows = self.rows.par_iter().enumerate().map(check).collect();
        let origins = origins::of(subject, self.inputs, &self.estimates);
        let Fit { subject, estimates, warnings, .. } = self;
        Fitted { subject, estimates, origins, warnings, rows, loops }
    }
}

/// A stage with values.
#[derive(Clone)]
struct Solved {
    subject: Subject,
    estimates: Vec<Estimate>,
    /// Relative errors of its rows.
    errors: BTreeMap<usize, f64>,
}
