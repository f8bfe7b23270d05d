//! The same question over a row of values.

use crate::answer::{Runs, key, measure, run_all, value};
use crate::progress::Progress;
use crate::{Question, StudyError};
use numalab_formats::{self as formats, Change, Experiment, Questions};
use numalab_results::{Measure, Point, PointRun, SCHEMA_VERSION, Series, Summary};

/// Runs a series: the one given, or else the one that the workload asks for. `None` if it asks for none.
pub fn series(
    question: &Question,
    asked: Option<formats::Series>,
    progress: &dyn Progress,
) -> Result<Option<Series>, StudyError> {
    let mut loaded = question.experiment(&Change::default())?;
    let Some(row) = asked.or(loaded.questions.series.take()) else { return Ok(None) };
    series_loaded(question, row, loaded, progress).map(Some)
}

/// Runs a series of a question whose workload has been loaded as it stands.
pub fn series_loaded(
    question: &Question,
    row: formats::Series,
    unchanged: Experiment,
    progress: &dyn Progress,
) -> Result<Series, StudyError> {
    let changes: Vec<Change> = row.points.iter().map(|point| point.change.clone()).collect();
    let runs = run_all(question, &changes, None, progress)?;
    let measures = unchanged.questions.measures.iter().filter(|measure| !measure.is_of_series());
    let measures: Vec<Measure> = measures
        .map(|measure| Measure { name: measure.name.clone(), unit: measure.unit.label.clone() })
        .collect();
    let points: Vec<Point> = row
        .points
        .iter()
        .filter_map(|point| {
            let had = measure(&runs, &point.change)?;
            let runs = had.comparison.runs.iter().map(|run| PointRun {
                policy: run.policy.clone(),
                threads: run.threads,
                makespan_ps: run.makespan_ps,
                values: run.measures.iter().map(|measure| measure.value).collect(),
            });
            Some(Point { at: point.value, text: point.text.clone(), runs: runs.collect() })
        })
        .collect();
    let first = changes.first().and_then(|change| runs.get(&key(change)));
    let first = first.ok_or_else(|| StudyError::Reference("a series without values".to_owned()))?;
    let policies = first.comparison.runs.iter().map(|run| &run.policy).enumerate();
    let summary =
        policies.flat_map(|policy| summaries(&unchanged.questions, &runs, &changes, policy)).collect();
    Ok(Series {
        schema_version: SCHEMA_VERSION,
        seed: question.seed,
        machine: crate::compare::input(&question.machine.value.name, &question.machine),
        // As asked for, not as changed for the first point.
        workload: crate::compare::input(&unchanged.workload.value.name, &unchanged.workload),
        placement: first.comparison.placement.clone(),
        binding: first.comparison.binding.clone(),
        runtime: first.comparison.runtime.clone(),
        over: row.over,
        measures,
        points,
        summary,
    })
}

/// What the workload makes of all runs of a policy.
fn summaries(
    questions: &Questions,
    runs: &Runs,
    changes: &[Change],
    (policy, name): (usize, &String),
) -> Vec<Summary> {
    questions
        .measures
        .iter()
        .filter(|measure| measure.is_of_series())
        .map(|measure| {
            let values: Option<Vec<f64>> =
                changes.iter().map(|change| value(runs, change, policy, &measure.name)).collect();
            let value = values.and_then(|values| measure.of_series(&values));
            Summary {
                name: measure.name.clone(),
                unit: measure.unit.label.clone(),
                policy: name.clone(),
                value: value.map(|value| measure.unit.show(value)),
            }
        })
        .collect()
}
