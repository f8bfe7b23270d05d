//! A setting: all inputs of a run except policy and seed. Points that differ only in these share it.

use super::axes::Axes;
use crate::file::{Axis, Sweep};
use crate::key::Key;
use numalab_files::{Facts, Kind};
use numalab_openmp::binding::Binding;
use numalab_results::{Cell, CellKind};
use numalab_study::{
    Files, ReplicaCount, ResolvedRun, RunSpec, SettingHash, SimulationError, SpecError, StudyError,
};
use numalab_syntax::diagnostics::Diagnostics;
use numalab_workload::Schedule;

#[derive(Debug)]
pub(super) struct Setting {
    /// Facts of the machine and the team; `None` if machine or team cannot be resolved.
    pub facts: Option<Facts>,
    /// Team size; `None` if the team cannot be resolved.
    pub threads: Option<u32>,
    /// Reason why no point of the setting can run; `None` if the points can run.
    pub obstacle: Option<String>,
    /// Specification of the setting's runs, without policy and seed.
    spec: RunSpec,
    runs: Option<Runs>,
    /// Values of the axes as text, by name of the axis.
    texts: Vec<(String, String)>,
}

/// Properties of the resolved run that all points of the setting share.
#[derive(Debug)]
struct Runs {
    hash: SettingHash,
    /// Hashes of machine, workload and runtime.
    files: [String; 3],
    /// Policies that the workload file lists for comparison.
    compare: Vec<Schedule>,
    /// Names and units of the workload's measures, except measures of a whole series.
    measures: Vec<(String, String)>,
}

/// Reason why a combination cannot run, and the errors if a file or value is wrong.
type Obstacle = (String, Option<Diagnostics>);

impl Setting {
    /// Resolves a combination of axis values. For an invalid combination the setting has an obstacle; a wrong file or
    /// value is also returned as an error.
    pub fn new(axes: &Axes<'_>, digits: &[usize], files: &Files) -> (Setting, Option<Diagnostics>) {
        let mut setting = Setting {
            facts: None,
            threads: None,
            obstacle: None,
            spec: RunSpec { series: false, sequential: true, ..RunSpec::new("", "") },
            runs: None,
            texts: Vec::new(),
        };
        let error = match setting.resolve(axes, digits, files) {
            Ok(runs) => {
                setting.runs = Some(runs);
                None
            }
            Err((obstacle, error)) => {
                setting.obstacle = Some(obstacle);
                error
            }
        };
        (setting, error)
    }

    fn resolve(&mut self, axes: &Axes<'_>, digits: &[usize], files: &Files) -> Result<Runs, Obstacle> {
        let spec = &mut self.spec;
        let mut threads = None;
        for (axis, at) in axes.values(digits) {
            let text = match axis {
                Axis::Machine(values) => {
                    spec.machine = axes.sweep.outside(Kind::Machine, &values[at]).as_str().into();
                    Some(values[at].clone())
                }
                Axis::Workload(values) => {
                    spec.workload = axes.sweep.outside(Kind::Workload, &values[at]);
                    Some(values[at].clone())
                }
                Axis::Runtime(values) => {
                    let outside = |name: &str| axes.sweep.outside(Kind::Runtime, name).as_str().into();
                    spec.runtime = values[at].as_deref().map(outside);
                    values[at].clone()
                }
                Axis::Procs(values) | Axis::Places(values) | Axis::ProcBind(values) => values[at].clone(),
                Axis::Placement(values) => {
                    spec.placement.clone_from(&values[at]);
                    values[at].as_ref().map(ToString::to_string)
                }
                Axis::Threads(values) => {
                    threads = values[at].as_ref();
                    None
                }
                Axis::Set { path, values } => {
                    spec.overrides.set_by_sweep(path, &values[at]);
                    Some(values[at].clone())
                }
                Axis::Schedule(_) | Axis::Seed(_) => None,
            };
            self.texts.extend(text.map(|text| (axis.name().to_owned(), text)));
        }
        let text = |name: &str| self.texts.iter().find(|(axis, _)| axis == name).map(|(_, text)| &**text);
        // The syntax was checked with the axes.
        spec.binding =
            Binding::parse(text("places"), text("proc_bind")).map_err(|error| (error.to_string(), None))?;
        let listed = text("procs").map(str::parse).transpose();
        spec.processors = listed.map_err(|error| obstacle(axes.sweep, SpecError::Processors(error)))?;
        let obstacle = |error| obstacle(axes.sweep, error);
        let machine = files.machine(&spec.machine, &spec.overrides.machine).map_err(obstacle)?;
        if let Some(threads) = threads {
            let alone = Facts::of(&machine.loaded.value, 1);
            spec.threads = Some(threads.on(&alone).map_err(|error| (error, None))?);
        }
        let size = spec.team_size(&machine).map_err(|error| obstacle(SpecError::Processors(error)))?;
        (self.threads, self.facts) = (Some(size), Some(spec.facts(&machine)));
        spec.resolve(files).map(|run| Runs::of(&run)).map_err(obstacle)
    }

    /// Value of an axis as text; `None` if the sweep has no axis of this name.
    pub fn word(&self, name: &str) -> Option<String> {
        match name {
            "threads" => self.threads.map(|threads| threads.to_string()),
            name => self.text(name).map(str::to_owned),
        }
    }

    pub fn cell(&self, name: &str, kind: CellKind) -> Cell {
        let Some(text) = self.text(name) else { return Cell::Empty };
        let number = match kind {
            CellKind::Count => text.parse::<u64>().ok().map(Cell::Count),
            CellKind::Real => text.parse::<f64>().ok().map(Cell::Real),
            CellKind::Signed | CellKind::Text => None,
        };
        number.unwrap_or_else(|| Cell::Text(text.to_owned()))
    }

    /// Policies that the workload file lists for comparison.
    pub fn compared(&self) -> Vec<Option<Schedule>> {
        let runs = self.runs.as_ref();
        runs.map_or_else(|| vec![None], |runs| runs.compare.iter().copied().map(Some).collect())
    }

    /// Names and units of the workload's measures, except measures of a whole series.
    pub fn measures(&self) -> &[(String, String)] {
        self.runs.as_ref().map_or(&[], |runs| &runs.measures)
    }

    pub fn key(&self, policy: Schedule, seed: u64, replicas: ReplicaCount) -> Option<Key> {
        Some(Key::of(self.runs.as_ref()?.hash.under(&[policy], seed), replicas))
    }

    /// Resolves the run again, to simulate it under `policies`; `None` without policies. An error means that a file
    /// has changed since planning.
    pub fn run(
        &self,
        sweep: &Sweep,
        policies: Vec<Schedule>,
        seed: u64,
        files: &Files,
    ) -> Result<Option<ResolvedRun>, String> {
        let Some(planned) = self.runs.as_ref().filter(|_| !policies.is_empty()) else { return Ok(None) };
        let spec = RunSpec { schedules: policies, seed, replicas: sweep.replicas, ..self.spec.clone() };
        let run = spec.resolve(files).map_err(|error| obstacle(sweep, error).0)?;
        if run.setting() == planned.hash {
            return Ok(Some(run));
        }
        let what = match planned.files.iter().zip(hashes(&run)).position(|(then, now)| *then != now) {
            Some(0) => format!("machine {}", run.machine.loaded.value.name),
            Some(2) => format!("runtime {}", run.runtime.value.name),
            _ => format!("workload {}", self.spec.workload),
        };
        Err(format!("{what} has changed during the sweep"))
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.texts.iter().find(|(axis, _)| axis == name).map(|(_, text)| text.as_str())
    }
}

impl Runs {
    fn of(run: &ResolvedRun) -> Runs {
        let measures = run.experiment.questions.measures.iter().filter(|measure| !measure.is_of_series());
        Runs {
            hash: run.setting(),
            files: hashes(run),
            compare: run.schedules.to_vec(),
            measures: measures.map(|measure| (measure.name.clone(), measure.unit.label.clone())).collect(),
        }
    }
}

fn hashes(run: &ResolvedRun) -> [String; 3] {
    [run.machine.loaded.hash.clone(), run.experiment.workload.hash.clone(), run.runtime.hash.clone()]
}

/// Converts an error of a run's specification to an obstacle that names keys of the sweep file.
fn obstacle(sweep: &Sweep, error: SpecError) -> Obstacle {
    match error {
        SpecError::Input(error) => {
            let error = sweep.placed(error);
            (error.brief(), Some(error))
        }
        SpecError::Processors(error) => (format!("procs: {error}"), None),
        error @ (SpecError::Machine(_)
        | SpecError::Empty
        | SpecError::TooMany { .. }
        | SpecError::Placement { .. }
        | SpecError::SharedPages { .. }
        | SpecError::NoMemory { .. }
        | SpecError::NodeName { .. }
        | SpecError::NoFootprints { .. }
        | SpecError::Region { .. }
        | SpecError::AllWritten { .. }
        | SpecError::Binding { .. }) => (error.to_string(), None),
    }
}

/// Message of a failed run, with advice in terms of a sweep file's keys.
pub(super) fn failure(error: &StudyError) -> String {
    let simulated = if let StudyError::At { error, .. } = error { error } else { error };
    let StudyError::Simulation { error: cause, .. } = simulated else { return error.to_string() };
    match cause {
        SimulationError::MemoryFull { .. } => {
            format!("{error}; set a smaller workload.PARAMETER or a larger machine.memory.capacity")
        }
        SimulationError::Teams { teams, .. } => format!("{error}; threads must be a multiple of {teams}"),
        SimulationError::NoSuchNode { .. }
        | SimulationError::NoMemory { .. }
        | SimulationError::LongRound { .. }
        | SimulationError::ReplicaWritten { .. }
        | SimulationError::CopiesOfSharedPages { .. }
        | SimulationError::NotOverPages { .. }
        | SimulationError::NoPeerNode { .. }
        | SimulationError::Stuck { .. }
        | SimulationError::Livelock { .. }
        | SimulationError::TooLong { .. }
        | SimulationError::Stopped
        | SimulationError::TooMuchWork { .. } => error.to_string(),
    }
}
