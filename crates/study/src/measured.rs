//! The simulated counterpart of one measured value.
//!
//! A value is covered when its experiment is the name of a workload and its quantity one that a run yields:
//! the makespan, or a measure of the workload. Its parameters say the rest.

use crate::answer::{answer, answer_loaded};
use crate::{Question, StudyError, series_loaded};
use numalab_formats::{self as formats, Change, DisplayUnit, Kind, Loaded};
use numalab_machine::{CoreId, Fabric, Machine};
use numalab_openmp::binding::Binding;
use numalab_runtime::Profile;

/// A parameter that stands for every point of the workload's series.
pub(crate) const ANY: &str = "any";

/// What was measured, and under which circumstances.
#[derive(Clone, Copy, Debug)]
pub struct Measured<'a> {
    /// Name of a workload.
    pub experiment: &'a str,
    /// `makespan`, or a measure of the workload.
    pub quantity: &'a str,
    /// The unit that its value is in.
    pub unit: &'a str,
    /// `schedule` is the policy, `threads` the team, `procs` its processors, `from` the node whose cores they
    /// are, `runtime` the OpenMP runtime; anything else is a parameter of the workload.
    pub params: &'a [(&'a str, &'a str)],
}

impl Measured<'_> {
    /// What the simulator has for it, in its unit; `None` where no workload or none of its measures covers it.
    /// Without a runtime of its own the workload's or a plain one serves. Threads sit on cores next to each
    /// other, as the kernels pin theirs.
    pub fn simulate(
        &self,
        machine: &Loaded<Machine>,
        runtime: Option<&Loaded<Profile>>,
    ) -> Result<Option<f64>, StudyError> {
        if !formats::is_known(Kind::Workload, self.experiment) {
            return Ok(None);
        }
        let unit: DisplayUnit = self.unit.parse().map_err(|error| self.wrong(error))?;
        let mut question = Question::new(machine.clone(), self.experiment);
        question.runtime = runtime.cloned();
        question.jobs = Some(1);
        question.binding = Binding::parse(Some("cores"), Some("close")).ok();
        self.ask(&mut question)?;
        // Of a value that is the same at every point there is no one to take.
        evaluate(&question, self.quantity, &unit, None)
    }

    /// Sets what the parameters say.
    pub(crate) fn ask(&self, question: &mut Question) -> Result<(), StudyError> {
        for &(key, value) in self.params.iter().filter(|(_, value)| *value != ANY) {
            match key {
                "runtime" => {
                    let runtime = formats::runtime(value, &[]).map_err(|error| self.wrong(error))?;
                    question.runtime = Some(runtime);
                }
                "schedule" => question.policies = vec![value.parse().map_err(|error| self.wrong(error))?],
                "threads" => question.threads = Some(self.number(key, value)?),
                "procs" => {
                    let procs =
                        value.split(',').map(|proc| self.number(key, proc)).collect::<Result<_, _>>()?;
                    (question.procs, question.binding) = (Some(procs), None);
                }
                "from" => {
                    let procs = cores_of(&question.machine.value, self.number(key, value)?);
                    (question.procs, question.binding) = (Some(procs), None);
                }
                _ => question.overrides.push(format!("workload.{key}={value}")),
            }
        }
        if let (Some(procs), Some(threads)) = (&mut question.procs, question.threads) {
            procs.truncate(threads as usize);
        }
        if question.policies.is_empty() {
            let experiment = question.experiment(&Change::default()).map_err(|error| self.wrong(error))?;
            question.policies = experiment.workload.value.compare.first().copied().into_iter().collect();
        }
        Ok(())
    }

    fn number(&self, key: &str, text: &str) -> Result<u32, StudyError> {
        text.trim().parse().map_err(|_| self.wrong(format!("{key}={text} is not a number")))
    }

    fn wrong(&self, what: impl std::fmt::Display) -> StudyError {
        StudyError::Reference(format!("{} of {}: {what}", self.quantity, self.experiment))
    }
}

/// The first hardware threads of a node's cores; none where there is no such node.
fn cores_of(machine: &Machine, node: u32) -> Vec<u32> {
    let Ok(fabric) = Fabric::new(machine) else { return Vec::new() };
    let of_node = |core: &CoreId| fabric.node_of(*core).0 == node;
    (0..fabric.cores()).map(CoreId).filter(of_node).map(|core| fabric.os_number(core, 0).number()).collect()
}

/// A quantity of a question, in a unit. Where it is asked for at any point of a series, the value that is
/// farthest from the one given.
pub(crate) fn evaluate(
    question: &Question,
    quantity: &str,
    unit: &DisplayUnit,
    any: Option<f64>,
) -> Result<Option<f64>, StudyError> {
    if quantity == "makespan" {
        let had = answer(question, &())?;
        let run = had.comparison.runs.first();
        return Ok(run.map(|run| unit.show(run.makespan_ps as f64 / numalab_units::PS_PER_S)));
    }
    let mut experiment = question.experiment(&Change::default())?;
    let measures = &experiment.questions.measures;
    let Some(measure) = measures.iter().find(|measure| measure.name == quantity).cloned() else {
        return Ok(None);
    };
    let in_unit = |value: f64| unit.show(value * measure.unit.factor);
    if any.is_none() && !measure.is_of_series() {
        let had = answer_loaded(question, experiment, &())?;
        let values = had.comparison.runs.first().map(|run| &run.measures);
        let value = values.and_then(|all| all.iter().find(|one| one.name == quantity));
        return Ok(value.and_then(|value| value.value).map(in_unit));
    }
    let Some(points) = experiment.questions.series.take() else { return Ok(None) };
    let series = series_loaded(question, points, experiment, &())?;
    if measure.is_of_series() {
        let summary = series.summary.iter().find(|summary| summary.name == quantity);
        return Ok(summary.and_then(|summary| summary.value).map(in_unit));
    }
    let column = series.measure(quantity);
    let values =
        series.points.iter().filter_map(|point| *point.runs.first()?.values.get(column?)?).map(in_unit);
    let off = |value: &f64| any.map_or(0.0, |wanted| (value / wanted - 1.0).abs());
    Ok(values.max_by(|a, b| off(a).total_cmp(&off(b))))
}
