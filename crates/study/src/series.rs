//! Series: runs that differ in the value of one parameter.

use crate::answer::{Runs, changes_text};
use crate::progress::Progress;
use crate::{Files, ResolvedRun, StudyError};
use numalab_lower::{Change, Questions};
use numalab_results::{Measure, Point, PointRun, SCHEMA_VERSION, Series, Summary};

/// Simulates all points of a series, with at most `jobs` workers.
pub fn series(
    base: &ResolvedRun,
    row: &numalab_lower::Series,
    files: &Files,
    jobs: Option<usize>,
    progress: &dyn Progress,
) -> Result<Series, StudyError> {
    let changes: Vec<Change> = row.points.iter().map(|point| point.change.clone()).collect();
    // The last point is usually the largest. If it is too large, it is refused before the others run.
    if let [_, .., last] = &changes[..] {
        let checked = base
            .with(last, files)
            .map_err(StudyError::from)
            .and_then(|run| run.check_extent().map_err(|error| run.placed(error)));
        checked.map_err(|error| match changes_text(last) {
            Some(run) => error.of(run),
            None => error,
        })?;
    }
    let mut runs = Runs::of(base, files, jobs, &changes, progress)?;
    changes.iter().for_each(|change| runs.measure(change));
    let measures = base.experiment.questions.measures.iter().filter(|measure| !measure.is_of_series());
    let measures: Vec<Measure> = measures
        .map(|measure| Measure { name: measure.name.clone(), unit: measure.unit.label.clone() })
        .collect();
    let points: Vec<Point> = row
        .points
        .iter()
        .filter_map(|point| {
            let runs = runs.get(&point.change)?.runs.iter();
            // A point that was stopped after some of its policies is not shown.
            if runs.len() < base.schedules.len() {
                return None;
            }
            let runs = runs.map(|run| PointRun {
                by: None,
                bottleneck: run.bottleneck.clone(),
                policy: run.policy.clone(),
                threads: run.threads,
                makespan_ps: run.makespan_ps,
                replicas: run.replicas,
                values: run.measures.iter().map(|measure| measure.value).collect(),
            });
            Some(Point { at: point.value, text: point.text.clone(), runs: runs.collect() })
        })
        .collect();
    if points.is_empty()
        && let Some(error) = runs.stopped()
    {
        return Err(error.clone());
    }
    let policies =
        points.first().into_iter().flat_map(|point| &point.runs).map(|run| &run.policy).enumerate();
    let summary = policies
        .flat_map(|policy| summaries(&base.experiment.questions, &runs, &row.points, policy))
        .collect();
    Ok(Series {
        schema_version: SCHEMA_VERSION,
        seed: base.spec.seed,
        machine: base.machine_input(),
        // Text of the workload as typed, without the change of the first point.
        workload: base.workload_input(),
        placement: base.placement_text(),
        binding: base.binding_texts(),
        runtime: Some(base.runtime_input()),
        replay: base.replay(),
        over: row.over.clone(),
        by: None,
        measures,
        points,
        summary,
    })
}

/// Values, under one policy, of the measures that are computed over the whole series.
fn summaries(
    questions: &Questions,
    runs: &Runs<'_>,
    points: &[numalab_lower::Point],
    (policy, name): (usize, &String),
) -> Vec<Summary> {
    questions
        .measures
        .iter()
        .filter(|measure| measure.is_of_series())
        .map(|measure| {
            let valued = |point: &numalab_lower::Point| {
                Some((point.value, runs.value(&point.change, policy, &measure.name)?))
            };
            let values: Option<Vec<(f64, f64)>> = points.iter().map(valued).collect();
            let value = values.and_then(|values| measure.of_series(&values));
            Summary {
                name: measure.name.clone(),
                unit: measure.unit.label.clone(),
                by: None,
                policy: name.clone(),
                value: value.map(|value| measure.unit.show(value)),
            }
        })
        .collect()
}
