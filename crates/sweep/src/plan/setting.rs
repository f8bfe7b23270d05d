//! What several points have in common: everything but the policy and the seed.

use super::axes::Axes;
use super::inputs::{Inputs, MachineInput, WorkloadInput};
use crate::key::{Decides, Key};
use numalab_formats::{Axis, Diagnostics, Experiment, Facts, Loaded};
use numalab_machine::totals;
use numalab_openmp::ProcList;
use numalab_openmp::binding::Binding;
use numalab_results::{Cell, CellKind};
use numalab_runtime::Profile;
use numalab_study::Question;
use numalab_workload::{Placement, Schedule};
use std::sync::Arc;

#[derive(Debug, Default)]
pub(super) struct Setting {
    /// Of the machine and the team, where these can be told.
    pub facts: Option<Facts>,
    /// Size of the team, if it can be told.
    pub threads: Option<u32>,
    /// Why nothing can run here.
    pub obstacle: Option<String>,
    runs: Option<Runs>,
    /// What the axes say, by their names.
    texts: Vec<(String, String)>,
    placement: Option<Placement>,
    workload_name: String,
    set: Vec<String>,
}

/// What it takes to run.
#[derive(Debug)]
struct Runs {
    machine: Arc<MachineInput>,
    workload: Arc<WorkloadInput>,
    runtime: Arc<Loaded<Profile>>,
    procs: Option<Vec<u32>>,
    binding: Binding,
}

impl Setting {
    /// Of a combination. What does not go together in it is an obstacle to its points, and a diagnosis where a file
    /// or a value is to blame.
    pub fn new(axes: &Axes<'_>, digits: &[usize], inputs: &mut Inputs) -> (Setting, Option<Diagnostics>) {
        let mut setting = Setting::default();
        let (mut machine, mut threads) = (None, None);
        for (axis, at) in axes.values(digits) {
            let text = match axis {
                Axis::Machine(values) => {
                    machine = values.get(at);
                    values.get(at).cloned()
                }
                Axis::Workload(values) => {
                    setting.workload_name = values.get(at).cloned().unwrap_or_default();
                    values.get(at).cloned()
                }
                Axis::Runtime(values)
                | Axis::Procs(values)
                | Axis::Places(values)
                | Axis::ProcBind(values) => values.get(at).cloned().flatten(),
                Axis::Placement(values) => {
                    setting.placement = values.get(at).cloned().flatten();
                    setting.placement.as_ref().map(ToString::to_string)
                }
                Axis::Threads(values) => {
                    threads = values.get(at).and_then(Option::as_ref);
                    None
                }
                Axis::Set { path, values } => {
                    let value = values.get(at).cloned().unwrap_or_default();
                    setting.set.push(format!("{path}={value}"));
                    Some(value)
                }
                Axis::Schedule(_) | Axis::Seed(_) => None,
            };
            setting.texts.extend(text.map(|text| (axis.name().to_owned(), text)));
        }
        let machine = machine.map(String::as_str).unwrap_or_default();
        let machine = match inputs.machine(machine, &setting.about("machine")) {
            Ok(machine) => machine,
            Err(error) => return (Setting { obstacle: Some(error.brief()), ..setting }, Some(error)),
        };
        let team = setting.procs(&machine).and_then(|procs| {
            let listed = procs.as_ref().map(|procs| procs.len() as u32);
            let asked = threads.map(|threads| threads.on(&machine.facts)).transpose()?;
            let threads = asked.or(listed).unwrap_or(totals(&machine.loaded.value).cores).max(1);
            Ok((procs, threads))
        });
        let (procs, threads) = match team {
            Ok(team) => team,
            Err(obstacle) => return (Setting { obstacle: Some(obstacle), ..setting }, None),
        };
        setting.threads = Some(threads);
        let facts = Facts::of(&machine.loaded.value, threads);
        setting.facts = Some(facts);
        let workload = inputs.workload(&setting.workload_name, &setting.about("workload"), facts);
        let loaded = workload.and_then(|workload| {
            let (named, set) = (setting.word("runtime"), setting.about("runtime"));
            let runtime = inputs.runtime(named.as_deref(), &workload, &machine.loaded.value, &set)?;
            Ok((workload, runtime))
        });
        let binding = Binding::parse(setting.text("places"), setting.text("proc_bind"));
        match (loaded, binding) {
            (Ok((workload, runtime)), Ok(binding)) => {
                setting.runs = Some(Runs { machine, workload, runtime, procs, binding });
                (setting, None)
            }
            (Err(error), _) => (Setting { obstacle: Some(error.brief()), ..setting }, Some(error)),
            // The axes have been read once already.
            (_, Err(error)) => (Setting { obstacle: Some(error.to_string()), ..setting }, None),
        }
    }

    /// What an axis says, if it says anything.
    pub fn word(&self, name: &str) -> Option<String> {
        match name {
            "threads" => self.threads.map(|threads| threads.to_string()),
            name => self.text(name).map(str::to_owned),
        }
    }

    /// The same as a cell.
    pub fn cell(&self, name: &str, kind: CellKind) -> Cell {
        let Some(text) = self.text(name) else { return Cell::Empty };
        let number = match kind {
            CellKind::Count => text.parse::<u64>().ok().map(Cell::Count),
            CellKind::Real => text.parse::<f64>().ok().map(Cell::Real),
            CellKind::Signed | CellKind::Text => None,
        };
        number.unwrap_or_else(|| Cell::Text(text.to_owned()))
    }

    /// The policies that the workload's file compares.
    pub fn compared(&self) -> Vec<Option<Schedule>> {
        let runs = self.runs.as_ref();
        runs.map_or_else(|| vec![None], |runs| runs.workload.compare.iter().copied().map(Some).collect())
    }

    /// Names and units of what the workload reads off its runs.
    pub fn measures(&self) -> &[(String, String)] {
        self.runs.as_ref().map_or(&[], |runs| &runs.workload.measures)
    }

    pub fn key(&self, policy: Schedule, seed: u64) -> Option<Key> {
        let Runs { machine, workload, runtime, procs, .. } = self.runs.as_ref()?;
        let decides = Decides {
            machine: &machine.loaded.hash,
            workload: &workload.hash,
            runtime: &runtime.hash,
            policy,
            threads: self.threads?,
            procs: procs.as_deref(),
            places: self.text("places"),
            proc_bind: self.text("proc_bind"),
            placement: self.placement.as_ref(),
            seed,
        };
        Some(decides.key())
    }

    /// The run that one would type, and its workload.
    pub fn question(&self, policy: Schedule, seed: u64) -> Option<Result<(Question, Experiment), String>> {
        let Runs { machine, workload, runtime, procs, binding } = self.runs.as_ref()?;
        let question = || Question {
            overrides: self.set.iter().filter(|text| !text.starts_with("machine.")).cloned().collect(),
            policies: vec![policy],
            threads: self.threads,
            procs: procs.clone(),
            binding: Some(binding.clone()).filter(|binding| !binding.is_empty()),
            placement: self.placement.clone(),
            runtime: Some((**runtime).clone()),
            seed,
            jobs: Some(1),
            ..Question::new(machine.loaded.clone(), &self.workload_name)
        };
        Some(workload.experiment().map(|experiment| (question(), experiment)))
    }

    /// Whether a run read the workload that the keys are of.
    pub fn is_still(&self, workload: &str) -> Result<(), String> {
        self.runs.as_ref().map_or(Ok(()), |runs| runs.workload.is_still(workload))
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.texts.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str())
    }

    /// The processors that the team may run on, if that is said.
    fn procs(&self, machine: &MachineInput) -> Result<Option<Vec<u32>>, String> {
        let machine = &machine.loaded.value;
        let resolve =
            |text: &str| text.parse::<ProcList>()?.resolve(&machine.name, totals(machine).processors);
        self.text("procs").map(resolve).transpose().map_err(|error| format!("procs: {error}"))
    }

    /// The `--set` texts about a machine, a workload or a runtime.
    fn about(&self, whose: &str) -> Vec<String> {
        let about = |text: &&String| text.split('.').next() == Some(whose);
        self.set.iter().filter(about).cloned().collect()
    }
}
