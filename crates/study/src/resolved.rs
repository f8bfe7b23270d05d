//! Runs with all inputs resolved.

mod host;

use crate::files::{Files, SealedMachine};
use crate::hash::{RunHash, SettingHash};
use crate::spec::{Given, RunSpec};
use crate::spec_error::{SpecError, most_threads};
use crate::waiting;
use host::Host;
use numalab_files::{Facts, Loaded};
use numalab_lower::{Change, Experiment, Series};
use numalab_machine::{Machine, NodeId, ProcessorId, totals};
use numalab_openmp::binding::{Binding, BindingError, ThreadBinding};
use numalab_openmp::places::Allowed;
use numalab_runtime::Profile;
use numalab_simulator::{Setup, Team};
use numalab_syntax::diagnostics::Diagnostics;
use numalab_workload::{BindingText, Placement, RegionId, Schedule, Workload};
use std::sync::Arc;

// Glossary: resolved run: A run spec with everything loaded, checked and numbered, and the hash of what
//   decides its result.
/// A run with all files read, all expressions evaluated and all threads bound to processors.
#[derive(Clone, Debug)]
pub struct ResolvedRun {
    /// Specification from which the run was resolved.
    pub spec: RunSpec,
    pub machine: Arc<SealedMachine>,
    /// Workload with its measures and series.
    pub experiment: Arc<Experiment>,
    pub runtime: Arc<Loaded<Profile>>,
    /// Places and binding policy of the threads, from the specification or the workload.
    pub binding: Binding,
    pub threads: ThreadBinding,
    /// Team of the simulator, made from `threads`: one member for each thread, on its processor. Unbound threads may
    /// move among the allowed processors.
    pub team: Team,
    /// Policies to compare.
    pub schedules: Vec<Schedule>,
    /// Runs with other values of machine and runtime, if the specification asks for them.
    pub samples: Arc<[ResolvedRun]>,
}

impl RunSpec {
    /// Reads the files and applies defaults. If several files have errors, all are reported.
    pub fn resolve(&self, files: &Files) -> Result<ResolvedRun, SpecError> {
        let machine = files.machine(&self.machine, &self.overrides.machine);
        // Without a machine the workload is read with default facts, so that its errors are reported, too.
        let facts = machine.as_ref().map_or(Facts::default(), |machine| self.facts(machine));
        let experiment = files.workload(&self.workload, &self.overrides.workload, &facts);
        let named = self.runtime.clone().unwrap_or_else(|| {
            let workload = experiment.as_ref().ok().map(|experiment| &experiment.workload.value);
            let machine = machine.as_ref().ok().map(|machine| &machine.loaded.value);
            Given::from(runtime_name(None, workload, machine))
        });
        let runtime = self.runtime_of(files, &named);
        let (machine, mut experiment, runtime) = match (machine, experiment, runtime) {
            (Ok(machine), Ok(experiment), Ok(runtime)) => (machine, experiment, runtime),
            (machine, experiment, runtime) => {
                let files = [experiment.err(), runtime.err()].into_iter().flatten().map(SpecError::Input);
                let all = machine.err().into_iter().chain(files).reduce(SpecError::and);
                return Err(all.unwrap_or(SpecError::Machine(Vec::new())));
            }
        };
        let listed = self.listed(&machine).map_err(SpecError::Processors)?;
        let everywhere = self.placement.iter().map(|placement| (None, placement));
        let placements = self.placements.iter().map(|(region, placement)| (Some(region), placement));
        for (name, placement) in everywhere.chain(placements) {
            let nodes = machine.fabric.memory_nodes();
            let sealed = &machine.loaded.value;
            let resolved = placement.known(&|name| sealed.nodes_named(name));
            let placement = &resolved.map_err(|name| SpecError::NodeName {
                name,
                machine: sealed.name.clone(),
                known: sealed.memory_only.iter().map(|kind| kind.name.clone()).collect(),
            })?;
            if let Some(node) = placement.nodes().iter().find(|node| **node >= nodes) {
                let machine = machine.loaded.value.name.clone();
                return Err(SpecError::Placement { node: *node, machine, nodes });
            }
            // Copies have an error of their own, and pages are placed at first touch in any case.
            if sealed.dsm.is_some() && !matches!(placement, Placement::FirstTouch | Placement::Replicate) {
                let (placement, machine) = (placement.to_string(), sealed.name.clone());
                return Err(SpecError::SharedPages { placement, machine });
            }
            let memoryless = |node: &&u32| !machine.fabric.has_memory(NodeId(**node));
            if let Some(node) = placement.nodes().iter().find(memoryless) {
                let with_memory = machine.fabric.nodes_with_memory().map(|node| node.0).collect();
                return Err(SpecError::NoMemory { node: *node, machine: sealed.name.clone(), with_memory });
            }
            let regions = &experiment.workload.value.regions;
            if let Some(name) = name.filter(|name| regions.iter().all(|region| region.name != **name)) {
                let names = regions.iter().map(|region| region.name.clone()).collect();
                return Err(SpecError::Region { name: name.clone(), known: names });
            }
            let workload = &experiment.workload.value;
            let takes = |at: &usize| match name {
                Some(name) => workload.regions[*at].name == *name,
                // Data that is written has no copies.
                None => *placement != Placement::Replicate || workload.written_in(RegionId(*at)).is_none(),
            };
            let taking: Vec<usize> = (0..workload.regions.len()).filter(takes).collect();
            if taking.is_empty() && !workload.regions.is_empty() {
                return Err(SpecError::AllWritten { workload: self.workload.clone() });
            }
            let regions = &mut Arc::make_mut(&mut experiment).workload.value.regions;
            taking.into_iter().for_each(|at| regions[at].placement = placement.clone());
        }
        let host = Host { machine: &machine, listed: listed.as_deref(), rules: runtime.value.places };
        let (binding, threads) = self.bind(host, &experiment.workload.value)?;
        self.place_phases(host, &mut experiment, &binding)?;
        let mut team = Team::on(&machine.fabric, threads.processors().map(ProcessorId::number));
        if threads.affinity.is_none() {
            team = team.unbound(threads.places.iter().flatten().copied());
        }
        let schedules = match &self.schedules[..] {
            [] => experiment.workload.value.compare.clone(),
            typed => once_each(typed),
        };
        if experiment.computes_only
            && let Some(policy) = schedules.iter().find(|policy| policy.asks_for_places())
        {
            return Err(SpecError::NoFootprints { policy: *policy, workload: self.workload.clone() });
        }
        let mut run = ResolvedRun {
            spec: self.clone(),
            machine,
            experiment,
            runtime,
            binding,
            threads,
            team,
            schedules,
            samples: Arc::default(),
        };
        if let Some(number) = self.unsure {
            run.samples = run.sampled(number, files)?.into();
        }
        Ok(run)
    }

    /// The runtime, with the spinning times that variables of the environment set.
    fn runtime_of(
        &self,
        files: &Files,
        name: &Given<Loaded<Profile>>,
    ) -> Result<Arc<Loaded<Profile>>, Diagnostics> {
        let typed = &self.overrides.runtime;
        let plain = files.runtime(name, typed)?;
        if self.waiting.is_empty() {
            return Ok(plain);
        }
        let mut all = waiting::overrides(&self.waiting, plain.value.wait.variables);
        all.extend(typed.iter().cloned());
        files.runtime(name, &all)
    }

    fn bind(&self, host: Host<'_>, workload: &Workload) -> Result<(Binding, ThreadBinding), SpecError> {
        let Host { machine, listed, .. } = host;
        let fabric = &machine.fabric;
        let binding = self.binding.clone().or(binding_of(&workload.binding, &self.workload, listed)?);
        let threads = self.team_size(machine).map_err(SpecError::Processors)?;
        let processors = match listed {
            Some(list) => Allowed::only(fabric.processors(), list.iter().copied()).count(),
            None => totals(&machine.loaded.value).processors,
        };
        if threads == 0 || processors == 0 {
            return Err(SpecError::Empty);
        }
        if threads > most_threads(processors) {
            return Err(SpecError::TooMany { threads, processors, listed: listed.is_some() });
        }
        let bound = host.place(&binding, threads, inner_teams(workload, threads));
        let bound = bound.map_err(|error| self.does_not_fit(&binding, error))?;
        Ok((binding, bound))
    }

    /// Binds the threads of phases that have teams of their own.
    fn place_phases(
        &self,
        host: Host<'_>,
        experiment: &mut Arc<Experiment>,
        binding: &Binding,
    ) -> Result<(), SpecError> {
        if experiment.workload.value.phases.iter().all(|phase| phase.team.is_none()) {
            return Ok(());
        }
        for phase in &mut Arc::make_mut(experiment).workload.value.phases {
            let Some(team) = &mut phase.team else { continue };
            let source = format!("{}, phase {}", self.workload, phase.name);
            // What is typed wins over clauses of the program, unlike OpenMP's variables: one file answers for any binding.
            let own = binding_of(&team.binding, &source, host.listed)?;
            let own = self.binding.clone().or(own).or(binding.clone());
            let inner = (phase.teams > 1 && team.threads.is_multiple_of(phase.teams)).then_some(phase.teams);
            let bound = host.place(&own, team.threads, inner).map_err(|error| {
                let text = own.places.as_ref().map_or("cores", |list| list.text()).to_owned();
                SpecError::Binding { workload: Some(source), text, error }
            })?;
            team.processors = bound.processors().map(ProcessorId::number).collect();
        }
        Ok(())
    }

    /// Error for places that do not fit the machine. It names the workload if the places are from the workload.
    fn does_not_fit(&self, binding: &Binding, error: BindingError) -> SpecError {
        let of_workload = self.binding.places.is_none() && binding.places.is_some();
        SpecError::Binding {
            workload: of_workload.then(|| self.workload.clone()),
            text: binding.places.as_ref().map_or("cores", |list| list.text()).to_owned(),
            error,
        }
    }
}

/// Binding of a workload; listed processors replace it. `source`: name of the workload, for errors.
fn binding_of(text: &BindingText, source: &str, listed: Option<&[u32]>) -> Result<Binding, SpecError> {
    if listed.is_some() {
        return Ok(Binding::default());
    }
    let BindingText { places, proc_bind } = text;
    Binding::of_file(places.as_deref(), proc_bind.as_deref()).map_err(|error| {
        let text = match &error {
            BindingError::Places(_) => places,
            BindingError::ProcBind(_) => proc_bind,
        };
        let text = text.clone().unwrap_or_default();
        SpecError::Binding { workload: Some(source.to_owned()), text, error }
    })
}

/// Name of the OpenMP runtime: the first that the user, the workload or the machine states; otherwise `plain`.
pub fn runtime_name<'a>(
    typed: Option<&'a str>,
    workload: Option<&'a Workload>,
    machine: Option<&'a Machine>,
) -> &'a str {
    let of_workload = || workload?.runtime.as_deref();
    let of_machine = || machine?.runtime.as_deref();
    typed.or_else(of_workload).or_else(of_machine).unwrap_or("plain")
}

/// Number of inner teams of the first nested phase; `None` if no phase is nested. Also `None` if `threads` is no
/// multiple of it; the phase then fails when it runs.
fn inner_teams(workload: &Workload, threads: u32) -> Option<u32> {
    let nested = workload.phases.iter().find(|phase| phase.teams > 1)?;
    threads.is_multiple_of(nested.teams).then_some(nested.teams)
}

/// Schedules in order, without duplicates: a second run under one schedule would be identical.
fn once_each(schedules_typed: &[Schedule]) -> Vec<Schedule> {
    let mut schedules: Vec<Schedule> = Vec::new();
    for schedule in schedules_typed {
        if !schedules.contains(schedule) {
            schedules.push(*schedule);
        }
    }
    schedules
}

impl ResolvedRun {
    /// Series to run: the one that the user typed, or else the workload's, unless the specification fixes its
    /// parameter. `None` if there is no series, or if the specification requests none.
    pub fn series(&self) -> Option<&Series> {
        self.experiment.questions.series.as_ref().filter(|series| self.spec.wants_series(&series.over))
    }

    pub fn with(&self, change: &Change, files: &Files) -> Result<ResolvedRun, SpecError> {
        if *change == Change::default() {
            return Ok(self.clone());
        }
        self.spec.with(change).resolve(files)
    }

    /// The run with only the first of its schedules.
    pub fn under_the_first(mut self) -> ResolvedRun {
        self.schedules.truncate(1);
        self.spec.schedules.clone_from(&self.schedules);
        self
    }

    /// Input of the simulator, of the nominal run.
    pub fn setup(&self) -> Setup<'_> {
        self.setup_of(0)
    }

    /// Input of the simulator, of a replica.
    pub(crate) fn setup_of(&self, replica: u32) -> Setup<'_> {
        Setup {
            machine: &self.machine.loaded.value,
            fabric: &self.machine.fabric,
            workload: &self.experiment.workload.value,
            runtime: &self.runtime.value,
            team: &self.team,
            seed: self.spec.seed,
            replica,
            ideal: numalab_simulator::Ideal::default(),
            exact: self.spec.exact,
        }
    }

    /// Hash of all inputs except schedules and seed.
    pub fn setting(&self) -> SettingHash {
        SettingHash::of(self)
    }

    /// Hash of all inputs of the nominal run; equal for specifications that describe one run.
    pub fn hash(&self) -> RunHash {
        self.setting().under(&self.schedules, self.spec.seed)
    }
}

#[cfg(test)]
mod tests;
