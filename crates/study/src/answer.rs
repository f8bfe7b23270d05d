//! Runs with their measures: the runs that measures compare with are had first, each once.

use crate::compare::compare;
use crate::progress::Progress;
use crate::{Question, StudyError};
use numalab_formats::{Change, Measure, Questions};
use numalab_results::{Comparison, MeasureValue, Run};
use rayon::prelude::*;
use std::collections::BTreeMap;

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

/// The question with each of some changes, and everything that the measures of these compare with.
pub(crate) fn run_all(
    question: &Question,
    changes: &[Change],
    progress: &dyn Progress,
) -> Result<Runs, StudyError> {
    let mut wanted: BTreeMap<Key, Change> =
        changes.iter().map(|change| (key(change), change.clone())).collect();
    for change in changes {
        for against in
            question.experiment(change)?.questions.measures.iter().filter_map(|m| m.against.as_ref())
        {
            let change = both(change, against);
            wanted.insert(key(&change), change);
        }
    }
    let total = wanted.len() as u64;
    let done = std::sync::atomic::AtomicU64::new(0);
    let one = |(key, change): (Key, Change)| {
        let had = run(question, &change, if total == 1 { progress } else { &() })?;
        if total > 1 {
            progress.report(done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1, total);
        }
        Ok((key, had))
    };
    let wanted: Vec<_> = wanted.into_iter().collect();
    // Starting worker threads takes longer than a small run.
    if wanted.len() == 1 {
        return wanted.into_iter().map(one).collect();
    }
    wanted.into_par_iter().with_max_len(1).map(one).collect()
}

fn run(question: &Question, change: &Change, progress: &dyn Progress) -> Result<Had, StudyError> {
    let experiment = question.experiment(change)?;
    let request = question.request(experiment.workload, change)?;
    Ok(Had { comparison: compare(&request, progress)?, questions: experiment.questions })
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
                value: value(runs, change, policy, &measure.name).map(|value| measure.unit.show(value)),
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
        _ => of_phases("time_", |phase| phase.time_ps)
            .map(seconds)
            .or_else(|| of_phases("bytes_", |phase| phase.bytes))
            .or_else(|| of_phases("remote_", |phase| phase.remote_bytes))
            .or_else(|| of_phases("cached_", |phase| phase.cached_bytes)),
    }
}

/// The runs of a question, with its measures, under every policy.
pub fn answer(question: &Question, progress: &dyn Progress) -> Result<Had, StudyError> {
    let unchanged = Change::default();
    let runs = run_all(question, std::slice::from_ref(&unchanged), progress)?;
    measure(&runs, &unchanged).ok_or_else(|| StudyError::Reference("a run went missing".to_owned()))
}
