//! Runs with their measures. A measure may compare a run with other runs; each of these is simulated once.

use crate::progress::{Progress, Silent};
use crate::timeline::Watch;
use crate::{Files, ResolvedRun, StudyError, in_order};
use numalab_lower::{Change, Measure, Questions};
use numalab_results::{ByNode, MeasureValue, Run, Timeline};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};

/// Results of a run under each schedule, and the measures and series that its workload defines.
#[derive(Clone, Debug)]
pub struct Answered {
    pub runs: Vec<Run>,
    /// Measures and series that the workload defines.
    pub questions: Questions,
}

/// Simulates a run under its schedules with at most `jobs` workers, and evaluates the measures of
/// its workload.
pub fn answer(
    run: &ResolvedRun,
    files: &Files,
    jobs: Option<usize>,
    progress: &dyn Progress,
) -> Result<Answered, StudyError> {
    let unchanged = Change::default();
    let mut runs = Runs::of(run, files, jobs, std::slice::from_ref(&unchanged), progress)?;
    runs.take(&unchanged)
}

/// Simulates and evaluates like [`answer`], and records a timeline of each schedule. Runs that measures only compare
/// with have no timeline.
pub fn answer_watched(
    run: &ResolvedRun,
    files: &Files,
    jobs: Option<usize>,
    progress: &dyn Progress,
    watch: &Watch,
) -> Result<(Answered, Vec<Timeline>), StudyError> {
    let unchanged = Change::default();
    let watched = run.simulate_watched(jobs, progress, Some(watch))?;
    let (of_schedules, timelines): (Vec<Run>, Vec<Option<Timeline>>) = watched.into_iter().unzip();
    let mut questions = run.experiment.questions.clone();
    questions.series = None;
    let mut runs = Runs { base: run, files, jobs, asked: &[], answers: BTreeMap::new(), stopped: None };
    let others = runs.missing(compared(&unchanged, &questions));
    let others = others.into_iter().filter(|change| *change != unchanged).collect();
    runs.answers.insert(unchanged.clone(), Answered { runs: of_schedules, questions });
    runs.simulate(others, progress)?;
    Ok((runs.take(&unchanged)?, timelines.into_iter().flatten().collect()))
}

/// Text of the changes to a run, such as `threads 8, packages 100`; `None` if nothing is changed.
pub(crate) fn changes_text(change: &Change) -> Option<String> {
    let threads = change.threads.map(|threads| format!("threads {threads}"));
    let values = change.overrides.iter().map(|change| format!("{} {}", change.path, change.value));
    let all: Vec<String> = threads.into_iter().chain(values).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// Simulated runs with their measures, by their change to the base run.
pub(crate) struct Runs<'a> {
    base: &'a ResolvedRun,
    files: &'a Files,
    jobs: Option<usize>,
    /// Changes whose runs are results. Other runs are only compared with, and have no replicas.
    asked: &'a [Change],
    answers: BTreeMap<Change, Answered>,
    /// Error of a run that the listener stopped.
    stopped: Option<StudyError>,
}

impl<'a> Runs<'a> {
    /// Simulates the base run with each of `changes`, and the runs that the workload's measures compare with. Each
    /// run is resolved and simulated once.
    pub fn of(
        base: &'a ResolvedRun,
        files: &'a Files,
        jobs: Option<usize>,
        changes: &'a [Change],
        progress: &dyn Progress,
    ) -> Result<Runs<'a>, StudyError> {
        let mut runs = Runs { base, files, jobs, asked: changes, answers: BTreeMap::new(), stopped: None };
        let mut pending = runs.missing(changes.iter().cloned());
        let alone = pending.len() == 1;
        // The unchanged run and the runs that it is compared with are known in advance, so they run in parallel.
        if changes == [Change::default()] {
            pending.extend(compared(&changes[0], &base.experiment.questions));
            pending = runs.missing(pending);
        }
        runs.simulate(pending, progress)?;
        // Measures of the simulated runs can name further runs to compare with.
        let questions = |change| Some((change, &runs.answers.get(change)?.questions));
        let others: Vec<Change> = changes
            .iter()
            .filter_map(questions)
            .flat_map(|(change, questions)| compared(change, questions))
            .collect();
        let others = runs.missing(others);
        runs.simulate(others, progress)?;
        if !alone {
            runs.answers.values_mut().flat_map(|answered| &mut answered.runs).for_each(slim);
        }
        Ok(runs)
    }

    /// Takes the runs of one change out of the list, with their measures.
    fn take(&mut self, change: &Change) -> Result<Answered, StudyError> {
        self.measure(change);
        let place = || self.base.spec.workload.clone();
        let lost = || StudyError::Reference { place: place(), problem: "a run is lost".into() };
        let stopped = self.stopped.take();
        self.answers.remove(change).ok_or_else(|| stopped.unwrap_or_else(lost))
    }

    pub fn get(&self, change: &Change) -> Option<&Answered> {
        self.answers.get(change)
    }

    /// Changes without a simulated run, in the given order without duplicates.
    fn missing(&self, changes: impl IntoIterator<Item = Change>) -> Vec<Change> {
        let mut seen = BTreeSet::new();
        let new = |change: &Change| !self.answers.contains_key(change) && seen.insert(change.clone());
        changes.into_iter().filter(new).collect()
    }

    /// Error of a run that the listener stopped, if any was.
    pub fn stopped(&self) -> Option<&StudyError> {
        self.stopped.as_ref()
    }

    /// Simulates the base run with each of `changes`, and stores the results by change. Runs that the listener stops
    /// have none.
    fn simulate(&mut self, changes: Vec<Change>, progress: &dyn Progress) -> Result<(), StudyError> {
        let Runs { base, files, jobs, asked, .. } = *self;
        let simulate_change = |change: Change, jobs: Option<usize>, progress: &dyn Progress| {
            let of_run = |error: StudyError| match changes_text(&change) {
                Some(run) => error.of(run),
                None => error,
            };
            let mut run = base.with(&change, files).map_err(|error| of_run(error.into()))?;
            if !asked.contains(&change) {
                run = run.without_replicas();
            }
            let runs = files.simulate(&run, jobs, progress).map_err(of_run)?;
            // A point of a series has no series of its own.
            let mut questions = run.experiment.questions.clone();
            questions.series = None;
            Ok::<_, StudyError>((change, Answered { runs, questions }))
        };
        // Without a second run no workers are started: that takes longer than a small run.
        if changes.len() <= 1 {
            for change in changes {
                let answered = simulate_change(change, jobs, progress);
                self.keep([answered])?;
            }
            return Ok(());
        }
        // If there are many runs, each has one worker.
        let (total, done) = (changes.len() as u64, AtomicU64::new(0));
        let single = |change| {
            let answered = simulate_change(change, Some(1), &Silent(progress))?;
            progress.report(done.fetch_add(1, Ordering::Relaxed) + 1, total);
            Ok(answered)
        };
        if jobs == Some(1) {
            // With one job, the calling thread may be a worker itself. It would steal other work while it waits.
            for change in changes {
                let answered = single(change);
                self.keep([answered])?;
            }
            return Ok(());
        }
        // Workers beyond the number of runs would be idle.
        let jobs = jobs.map(|jobs| jobs.min(changes.len()));
        let workers = jobs.map(|jobs| rayon::ThreadPoolBuilder::new().num_threads(jobs).build());
        let all = || in_order(changes, single);
        let answered = match workers {
            Some(Ok(workers)) => workers.install(all),
            _ => all(),
        };
        self.keep(answered)
    }

    /// Stores the results of runs. Of stopped runs only the error is kept.
    fn keep(
        &mut self,
        answered: impl IntoIterator<Item = Result<(Change, Answered), StudyError>>,
    ) -> Result<(), StudyError> {
        for answered in answered {
            match answered {
                Ok(answered) => self.answers.extend([answered]),
                Err(error) if error.is_stop() => self.stopped = Some(error),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Value of a measure under one schedule of a simulated run, in base units; `None` if the run does not yield it.
    pub fn value(&self, change: &Change, schedule: usize, name: &str) -> Option<f64> {
        let answered = self.answers.get(change)?;
        let run = answered.runs.get(schedule)?;
        answered.questions.value(name, &|name, against| match against {
            None => run.value(name),
            Some(against) => self.value(&change.then(against), schedule, name),
        })
    }

    /// Evaluates the measures of one run, except those computed over a series of runs, and stores them in
    /// `Run::measures`.
    pub fn measure(&mut self, change: &Change) {
        let Some(Answered { runs, questions }) = self.answers.get(change) else { return };
        let of_runs = || questions.measures.iter().filter(|measure| !measure.is_of_series());
        let value = |schedule: usize, measure: &Measure| MeasureValue {
            name: measure.name.clone(),
            unit: measure.unit.label.clone(),
            value: self
                .value(change, schedule, &measure.name)
                .map(|value| measure.unit.show(value))
                .filter(|value| value.is_finite()),
        };
        let measures: Vec<Vec<MeasureValue>> = (0..runs.len())
            .map(|schedule| of_runs().map(|measure| value(schedule, measure)).collect())
            .collect();
        for (run, measures) in
            self.answers.get_mut(change).into_iter().flat_map(|answered| &mut answered.runs).zip(measures)
        {
            run.measures = measures;
        }
    }
}

/// Changes of the runs that the measures of one run need for comparison.
fn compared(change: &Change, questions: &Questions) -> Vec<Change> {
    let measures = questions.measures.iter();
    measures.filter_map(|measure| Some(change.then(measure.against.as_ref()?))).collect()
}

/// Removes data of a run that no measure reads, to save memory.
fn slim(run: &mut Run) {
    run.resources = Vec::new();
    for member in &mut run.team {
        (member.bytes_by_node, member.time_by_node_ps) = (ByNode::default(), ByNode::default());
    }
}

#[cfg(test)]
mod tests {
    use super::{Change, Runs};
    use crate::{Files, RunSpec};

    /// Runs that measures only compare with have no replicas, and no samples of other values.
    #[test]
    fn compared_runs_are_simulated_once() {
        let files = Files::default();
        let spec = RunSpec {
            unsure: Some(2),
            series: false,
            schedules: vec!["static".parse().unwrap()],
            ..RunSpec::new("socket:2 core:4", "core_to_core")
        };
        let run = spec.resolve(&files).unwrap();
        let unchanged = Change::default();
        let runs = Runs::of(&run, &files, Some(1), std::slice::from_ref(&unchanged), &()).unwrap();
        assert!(runs.answers.len() > 1, "a measure compares with another run");
        for (change, answered) in &runs.answers {
            let sampled = if *change == unchanged { 2 } else { 0 };
            assert!(answered.runs.iter().all(|run| run.sampled_ps.len() == sampled), "{change:?}");
        }
    }
}
