//! Rows whose experiment is a workload, or a workload with some parameters set: its measures, or the
//! makespan.

use crate::answer::{answer, answer_loaded};
use crate::published::{Published, pairs};
use crate::{Question, StudyError, series_loaded};
use numalab_formats::{self as formats, Change, DisplayUnit, Kind};
use numalab_openmp::binding::Binding;
use serde::Deserialize;

/// `reference/setups.csv`: on which processors of a machine the published experiments ran, where that is
/// not all of them.
const SETUPS: &str = include_str!("../../../../reference/setups.csv");

#[derive(Deserialize)]
struct Setup {
    machine: String,
    places: String,
}

/// `reference/experiments.csv`: experiments that are a workload of another name with parameters of its own.
const EXPERIMENTS: &str = include_str!("../../../../reference/experiments.csv");

#[derive(Deserialize)]
pub(super) struct Alias {
    pub(super) experiment: String,
    pub(super) workload: String,
    pub(super) params: String,
}

/// A parameter that stands for every point of the workload's series.
const ANY: &str = "any";

/// The simulator's value in the row's unit; `None` where no workload or none of its measures covers it.
pub fn simulate(row: &Published) -> Result<Option<f64>, StudyError> {
    let Some(question) = question(row)? else { return Ok(None) };
    let unit: DisplayUnit = row.unit.parse().map_err(|error| row.wrong(error))?;
    if row.quantity == "makespan" {
        let had = answer(&question, &())?;
        let run = had.comparison.runs.first();
        return Ok(run.map(|run| unit.show(run.makespan_ps as f64 / numalab_units::PS_PER_S)));
    }
    let mut experiment = question.experiment(&Change::default())?;
    let measures = &experiment.questions.measures;
    let Some(measure) = measures.iter().find(|measure| measure.name == row.quantity).cloned() else {
        return Ok(None);
    };
    let in_unit = |value: f64| unit.show(value * measure.unit.factor);
    let any = row.params().any(|(_, value)| value == ANY);
    if !any && !measure.is_of_series() {
        let had = answer_loaded(&question, experiment, &())?;
        let values = had.comparison.runs.first().map(|run| &run.measures);
        let value = values.and_then(|all| all.iter().find(|one| one.name == row.quantity));
        return Ok(value.and_then(|value| value.value).map(in_unit));
    }
    let Some(points) = experiment.questions.series.take() else { return Ok(None) };
    let series = series_loaded(&question, points, experiment, &())?;
    if measure.is_of_series() {
        let summary = series.summary.iter().find(|summary| summary.name == row.quantity);
        return Ok(summary.and_then(|summary| summary.value).map(in_unit));
    }
    // Of a value that is the same at every point, the one that is least so.
    let column = series.measure(&row.quantity);
    let values =
        series.points.iter().filter_map(|point| *point.runs.first()?.values.get(column?)?).map(in_unit);
    let off = |value: &f64| (value / row.value - 1.0).abs();
    Ok(values.max_by(|a, b| off(a).total_cmp(&off(b))))
}

/// What to run for a row; `None` where its machine, experiment or runtime has no file.
pub(super) fn question(row: &Published) -> Result<Option<Question>, StudyError> {
    let alias = alias(&row.experiment)?;
    let (workload, fixed) = alias
        .as_ref()
        .map_or((row.experiment.as_str(), ""), |alias| (alias.workload.as_str(), alias.params.as_str()));
    let items = formats::catalogue();
    let shipped = |kind: Kind, name: &str| items.iter().any(|item| item.kind == kind && item.name == name);
    let runtime = row.params().find(|(key, _)| *key == "runtime").map(|(_, name)| name);
    if !shipped(Kind::Machine, &row.machine)
        || !shipped(Kind::Workload, workload)
        || runtime.is_some_and(|name| !shipped(Kind::Runtime, name))
    {
        return Ok(None);
    }
    let machine = formats::machine(&row.machine, &[]).map_err(|error| row.wrong(error))?;
    let mut question = Question::new(machine, workload);
    question.binding = binding(&row.machine)?;
    for (key, value) in pairs(fixed).chain(row.params()).filter(|(_, value)| *value != ANY) {
        match key {
            "runtime" => {
                let runtime = formats::runtime(value, &[]).map_err(|error| row.wrong(error))?;
                question.runtime = Some(runtime);
            }
            "schedule" => question.policies = vec![value.parse().map_err(|error| row.wrong(error))?],
            "threads" => question.threads = Some(value.parse().map_err(|error| row.wrong(error))?),
            _ => question.overrides.push(format!("workload.{key}={value}")),
        }
    }
    if question.policies.is_empty() {
        let experiment = question.experiment(&Change::default()).map_err(|error| row.wrong(error))?;
        question.policies = experiment.workload.value.compare.first().copied().into_iter().collect();
    }
    Ok(Some(question))
}

/// Experiments that are a workload of another name.
pub(super) fn aliases() -> Result<Vec<Alias>, StudyError> {
    let all = csv::Reader::from_reader(EXPERIMENTS.as_bytes()).into_deserialize();
    let wrong = |error| StudyError::Reference(format!("reference/experiments.csv: {error}"));
    all.collect::<Result<_, _>>().map_err(wrong)
}

/// The workload that an experiment is, where it has another name.
pub(super) fn alias(experiment: &str) -> Result<Option<Alias>, StudyError> {
    Ok(aliases()?.into_iter().find(|alias| alias.experiment == experiment))
}

fn binding(machine: &str) -> Result<Option<Binding>, StudyError> {
    let wrong = |what: &dyn std::fmt::Display| StudyError::Reference(format!("reference/setups.csv: {what}"));
    for setup in csv::Reader::from_reader(SETUPS.as_bytes()).deserialize() {
        let setup: Setup = setup.map_err(|error| wrong(&error))?;
        if setup.machine == machine {
            return Binding::parse(Some(&setup.places), Some("close"))
                .map(Some)
                .map_err(|error| wrong(&error));
        }
    }
    Ok(None)
}
