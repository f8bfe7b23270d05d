//! Runs with their measures: the runs that measures compare with are had first, each once.

use crate::compare::compare;
use crate::progress::Progress;
use crate::{Question, StudyError};
use numalab_formats::{Change, Experiment, Measure, Questions};
use numalab_results::{ByNode, Comparison, MeasureValue, Run};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// A comparison, and what its workload asked of it.
#[derive(Clone, Debug)]
pub struct Had {
    /// The runs.
    pub comparison: Comparison,
    /// What was asked.
    pub questions: Questions,
}

/// Everything that was run for a question, by what it differed in.
pub(crate) type Runs = BTreeMap<Key, Had>;

/// A change in an order.
pub(crate) type Key = (Option<u32>, Vec<String>);

pub(crate) fn key(change: &Change) -> Key {
    (change.threads, change.overrides.clone())
}

/// One change after another: what the second says counts.
pub(crate) fn both(first: &Change, second: &Change) -> Change {
    Change {
        threads: second.threads.or(first.threads),
        overrides: first.overrides.iter().chain(&second.overrides).cloned().collect(),
    }
}

/// The question with each of some changes, and everything that the measures of these compare with. Each
/// is loaded and run once; `loaded` is the question as it stands, where it has been loaded already.
pub(crate) fn run_all(
    question: &Question,
    changes: &[Change],
    loaded: Option<Experiment>,
    progress: &dyn Progress,
) -> Result<Runs, StudyError> {
    let mut runs = Runs::new();
    let mut asked = missing(&runs, changes.iter().cloned());
    let alone = asked.len() == 1;
    // What a single run is compared with is known already and runs beside it.
    if let ([change], Some(loaded)) = (&asked[..], &loaded) {
        let measures = loaded.questions.measures.iter();
        let compared = measures.filter_map(|measure| Some(both(change, measure.against.as_ref()?)));
        asked = missing(&runs, std::iter::once(change.clone()).chain(compared));
    }
    wave(question, asked, loaded, &mut runs, progress)?;
    // A run names what its measures compare with, so these follow.
    let compared = changes.iter().flat_map(|change| {
        let measures = runs.get(&key(change)).map_or(&[][..], |had| &had.questions.measures);
        measures.iter().filter_map(|measure| Some(both(change, measure.against.as_ref()?)))
    });
    let compared = missing(&runs, compared.collect::<Vec<_>>());
    wave(question, compared, None, &mut runs, progress)?;
    if !alone {
        runs.values_mut().for_each(slim);
    }
    Ok(runs)
}

/// Changes that have not been run, in order and each once.
fn missing(runs: &Runs, changes: impl IntoIterator<Item = Change>) -> Vec<Change> {
    let mut seen = BTreeSet::new();
    let new = |change: &Change| !runs.contains_key(&key(change)) && seen.insert(key(change));
    changes.into_iter().filter(new).collect()
}

/// Runs that do not depend on each other.
fn wave(
    question: &Question,
    changes: Vec<Change>,
    loaded: Option<Experiment>,
    runs: &mut Runs,
    progress: &dyn Progress,
) -> Result<(), StudyError> {
    if let [change] = &changes[..] {
        let loaded = loaded.filter(|_| *change == Change::default());
        runs.insert(key(change), run(question, change, loaded, progress)?);
        return Ok(());
    }
    // Many runs share the workers, so each of them has one.
    let single = Question { jobs: Some(1), ..question.clone() };
    let (total, done) = (changes.len() as u64, AtomicU64::new(0));
    if question.jobs == Some(1) {
        // Whoever asks for one at a time may be a worker itself, which would take up other work while it waits.
        for change in changes {
            runs.insert(key(&change), run(&single, &change, None, &())?);
            progress.report(done.fetch_add(1, Ordering::Relaxed) + 1, total);
        }
        return Ok(());
    }
    // Workers beyond the runs would only be started and stopped.
    let jobs = question.jobs.map(|jobs| jobs.min(changes.len()));
    let all = || {
        in_parallel(changes, |change| {
            let had = run(&single, &change, None, &())?;
            progress.report(done.fetch_add(1, Ordering::Relaxed) + 1, total);
            Ok((key(&change), had))
        })
    };
    let workers = jobs.map(|jobs| rayon::ThreadPoolBuilder::new().num_threads(jobs).build());
    runs.extend(match workers {
        Some(Ok(workers)) => workers.install(all)?,
        _ => all()?,
    });
    Ok(())
}

/// Every result, or the first failure in the order of the items, whichever is found first.
fn in_parallel<T: Send, R: Send>(
    items: Vec<T>,
    run: impl Fn(T) -> Result<R, StudyError> + Sync,
) -> Result<Vec<R>, StudyError> {
    let failed = AtomicUsize::new(usize::MAX);
    let one = |(at, item)| {
        if at > failed.load(Ordering::Relaxed) {
            return None;
        }
        let result = run(item);
        if result.is_err() {
            failed.fetch_min(at, Ordering::Relaxed);
        }
        Some(result)
    };
    let results: Vec<_> = items.into_par_iter().enumerate().with_max_len(1).map(one).collect();
    // What was left out comes after a failure.
    results.into_iter().flatten().collect()
}

fn run(
    question: &Question,
    change: &Change,
    loaded: Option<Experiment>,
    progress: &dyn Progress,
) -> Result<Had, StudyError> {
    let Experiment { workload, mut questions } = loaded.map_or_else(|| question.experiment(change), Ok)?;
    let request = question.request(workload, change)?;
    let mut comparison = compare(&request, progress)?;
    comparison.placement = question.placement.as_ref().map(ToString::to_string);
    // Every point of a series would hold all points.
    questions.series = None;
    Ok(Had { comparison, questions })
}

/// Of a long series only what its measures read is kept.
fn slim(had: &mut Had) {
    let Comparison { machine, workload, runs, .. } = &mut had.comparison;
    (machine.resolved, workload.resolved) = Default::default();
    for run in runs {
        run.resources = Vec::new();
        for member in &mut run.team {
            (member.bytes_by_node, member.time_by_node_ps) = (ByNode::new(0), ByNode::new(0));
        }
    }
}

/// The value of a measure for one policy of a run, in base units.
pub(crate) fn value(runs: &Runs, change: &Change, policy: usize, name: &str) -> Option<f64> {
    let had = runs.get(&key(change))?;
    let run = had.comparison.runs.get(policy)?;
    had.questions.value(name, &|name, against| match against {
        None => outcome(run, name),
        Some(against) => value(runs, &both(change, against), policy, name),
    })
}

/// Sets the measures of a run that take no series.
pub(crate) fn measure(runs: &Runs, change: &Change) -> Option<Had> {
    let mut had = runs.get(&key(change))?.clone();
    let measures: Vec<Measure> =
        had.questions.measures.iter().filter(|measure| !measure.is_of_series()).cloned().collect();
    for (policy, run) in had.comparison.runs.iter_mut().enumerate() {
        run.measures = measures
            .iter()
            .map(|measure| MeasureValue {
                name: measure.name.clone(),
                unit: measure.unit.label.clone(),
                value: value(runs, change, policy, &measure.name)
                    .map(|value| measure.unit.show(value))
                    .filter(|value| value.is_finite()),
            })
            .collect();
    }
    Some(had)
}

/// What a run yields by itself: see [`Questions::OUTCOMES`].
fn outcome(run: &Run, name: &str) -> Option<f64> {
    let of_phases = |prefix: &str, part: fn(&numalab_results::PhaseSum) -> u64| {
        let phase = name.strip_prefix(prefix)?;
        let sums = run.phases.iter().filter(|sum| Questions::phase_name(&sum.name) == phase);
        let (count, sum) = sums.fold((0, 0), |(count, sum), next| (count + 1, sum + part(next)));
        (count > 0).then_some(sum as f64)
    };
    let seconds = |ps: f64| ps / numalab_units::PS_PER_S;
    let sum = |part: fn(&numalab_results::PhaseSum) -> u64| run.phases.iter().map(part).sum::<u64>() as f64;
    match name {
        "time" => Some(seconds(run.makespan_ps as f64)),
        "bytes" => Some(sum(|phase| phase.bytes)),
        "remote_bytes" => Some(sum(|phase| phase.remote_bytes)),
        "cached_bytes" => Some(sum(|phase| phase.cached_bytes)),
        "iterations" => Some(run.team.iter().map(|member| member.packages).sum::<u64>() as f64),
        "pages_moved" => Some(sum(|phase| phase.pages_moved)),
        "transactions" => Some(run.transactions as f64),
        "tasks" => Some(run.tasks.as_ref().map_or(0.0, |tasks| tasks.created as f64)),
        "work_time" => Some(seconds(run.sequential_equivalent_ps as f64)),
        "inflation_time" => Some(seconds(run.work_time_inflation_ps as f64)),
        "overhead_time" => Some(seconds(run.overhead_ps as f64)),
        "idle_time" => Some(seconds(run.idle_ps as f64)),
        _ => of_phases("time_", |phase| phase.time_ps)
            .map(seconds)
            .or_else(|| of_phases("bytes_", |phase| phase.bytes))
            .or_else(|| of_phases("remote_", |phase| phase.remote_bytes))
            .or_else(|| of_phases("cached_", |phase| phase.cached_bytes)),
    }
}

/// The runs of a question, with its measures, under every policy.
pub fn answer(question: &Question, progress: &dyn Progress) -> Result<Had, StudyError> {
    answer_loaded(question, question.experiment(&Change::default())?, progress)
}

/// The same, of a question whose workload has been loaded as it stands.
pub fn answer_loaded(
    question: &Question,
    loaded: Experiment,
    progress: &dyn Progress,
) -> Result<Had, StudyError> {
    let unchanged = Change::default();
    let runs = run_all(question, std::slice::from_ref(&unchanged), Some(loaded), progress)?;
    measure(&runs, &unchanged).ok_or_else(|| StudyError::Reference("a run went missing".to_owned()))
}
