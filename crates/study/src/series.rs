//! The same question over a row of values.

use crate::answer::{Runs, key, measure, run_all, value};
use crate::progress::Progress;
use crate::{Question, StudyError};
use numalab_formats::{self as formats, Change, Questions};
use numalab_results::{Measure, Point, PointRun, SCHEMA_VERSION, Series, Summary};

/// Runs a series: the one given, or else the one that the workload asks for. `None` if it asks for none.
pub fn series(
    question: &Question,
    asked: Option<formats::Series>,
    progress: &dyn Progress,
) -> Result<Option<Series>, StudyError> {
    let unchanged = question.experiment(&Change::default())?;
    let Some(row) = asked.or(unchanged.questions.series.clone()) else { return Ok(None) };
    let changes: Vec<Change> = row.points.iter().map(|point| point.change.clone()).collect();
    let runs = run_all(question, &changes, progress)?;
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
    let Some(first) = changes.first().and_then(|change| runs.get(&key(change))) else { return Ok(None) };
    let summary = (0..first.comparison.runs.len())
        .flat_map(|policy| summaries(&unchanged.questions, &runs, &changes, policy))
        .collect();
    Ok(Some(Series {
        schema_version: SCHEMA_VERSION,
        seed: question.seed,
        machine: first.comparison.machine.clone(),
        // As asked for, not as changed for the first point.
        workload: crate::compare::input(&unchanged.workload.value.name, &unchanged.workload),
        over: row.over,
        measures,
        points,
        summary,
    }))
}

/// What the workload makes of all runs of a policy.
fn summaries(questions: &Questions, runs: &Runs, changes: &[Change], policy: usize) -> Vec<Summary> {
    let name = |policy: usize| {
        let had = changes.first().and_then(|change| runs.get(&key(change)));
        had.and_then(|had| had.comparison.runs.get(policy)).map(|run| run.policy.clone()).unwrap_or_default()
    };
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
                policy: name(policy),
                value: value.map(|value| measure.unit.show(value)),
            }
        })
        .collect()
}
