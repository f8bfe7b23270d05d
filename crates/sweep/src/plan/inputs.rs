//! The files that a sweep names, each loaded once for each way in which it is changed.

use numalab_formats::{self as formats, Diagnostics, Experiment, Facts, Loaded, Override, parse_overrides};
use numalab_machine::Machine;
use numalab_runtime::Profile;
use numalab_study as study;
use numalab_workload::Workload;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A machine with values set, and what expressions may ask of it with one thread.
#[derive(Debug)]
pub(super) struct MachineInput {
    pub loaded: Loaded<Machine>,
    pub facts: Facts,
}

/// A workload with values set, for a machine and a team.
#[derive(Debug)]
pub(super) struct WorkloadInput {
    name: String,
    overrides: Vec<Override>,
    facts: Facts,
    pub hash: String,
    /// Those that its file compares.
    pub compare: Vec<numalab_workload::Schedule>,
    /// Names and units of what it reads off its runs.
    pub measures: Vec<(String, String)>,
    /// The runtime that it is about.
    pub runtime: Option<String>,
    kept: Option<Experiment>,
}

/// Workloads that stay loaded. Others are loaded again when they run, so that memory does not grow with the
/// number of points.
const KEPT: usize = 64;

/// Everything that was loaded, each once.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    machines: BTreeMap<Named, Arc<MachineInput>>,
    workloads: BTreeMap<(Named, String), Arc<WorkloadInput>>,
    runtimes: BTreeMap<Named, Arc<Loaded<Profile>>>,
}

/// A name, and the `--set` texts that go with it.
type Named = (String, Vec<String>);

fn named(name: &str, set: &[String]) -> Named {
    (name.to_owned(), set.to_vec())
}

impl Inputs {
    /// A machine with the values of `--set` texts.
    pub fn machine(&mut self, name: &str, set: &[String]) -> Result<Arc<MachineInput>, Diagnostics> {
        let named = named(name, set);
        if let Some(known) = self.machines.get(&named) {
            return Ok(known.clone());
        }
        let mut loaded = formats::machine(name, &of_a_sweep(parse_overrides(set)?.machine))?;
        // Its hash says all that is needed of it, and points carry copies.
        loaded.resolved = Default::default();
        let facts = Facts::of(&loaded.value, 1);
        let machine = Arc::new(MachineInput { loaded, facts });
        self.machines.insert(named, machine.clone());
        Ok(machine)
    }

    /// A workload with the values of `--set` texts, for a machine and a team of these facts.
    pub fn workload(
        &mut self,
        name: &str,
        set: &[String],
        facts: Facts,
    ) -> Result<Arc<WorkloadInput>, Diagnostics> {
        // Every bit of a number is in its debug form.
        let named = (named(name, set), format!("{facts:?}"));
        if let Some(known) = self.workloads.get(&named) {
            return Ok(known.clone());
        }
        let overrides = of_a_sweep(parse_overrides(set)?.workload);
        let experiment = experiment(name, &overrides, &facts)?;
        let measures = experiment.questions.measures.iter().filter(|measure| !measure.is_of_series());
        let workload = Arc::new(WorkloadInput {
            name: name.to_owned(),
            overrides,
            facts,
            hash: experiment.workload.hash.clone(),
            compare: experiment.workload.value.compare.clone(),
            measures: measures.map(|measure| (measure.name.clone(), measure.unit.label.clone())).collect(),
            runtime: experiment.workload.value.runtime.clone(),
            kept: (self.workloads.len() < KEPT).then_some(experiment),
        });
        self.workloads.insert(named, workload.clone());
        Ok(workload)
    }

    /// The runtime of this name, or else the workload's, the machine's, a plain one; with the values of
    /// `--set` texts.
    pub fn runtime(
        &mut self,
        name: Option<&str>,
        workload: &WorkloadInput,
        machine: &Machine,
        set: &[String],
    ) -> Result<Arc<Loaded<Profile>>, Diagnostics> {
        let asked = name.or(workload.runtime.as_deref());
        let named = named(asked.or(machine.runtime.as_deref()).unwrap_or_default(), set);
        if let Some(known) = self.runtimes.get(&named) {
            return Ok(known.clone());
        }
        let mut loaded =
            study::runtime(asked, None, Some(machine), &of_a_sweep(parse_overrides(set)?.runtime))?;
        loaded.resolved = Default::default();
        let runtime = Arc::new(loaded);
        self.runtimes.insert(named, runtime.clone());
        Ok(runtime)
    }
}

impl WorkloadInput {
    /// The workload, loaded again if it did not stay. An error says that it is not what was planned any more.
    pub fn experiment(&self) -> Result<Experiment, String> {
        if let Some(kept) = &self.kept {
            return Ok(kept.clone());
        }
        let again = experiment(&self.name, &self.overrides, &self.facts).map_err(|error| error.brief())?;
        self.is_still(&again.workload.hash).map(|()| again)
    }

    /// Whether a file that was read again says what it said when its points got their keys.
    pub fn is_still(&self, hash: &str) -> Result<(), String> {
        match hash == self.hash {
            true => Ok(()),
            false => Err(format!("workload {} has changed during the sweep", self.name)),
        }
    }
}

fn of_a_sweep(set: Vec<Override>) -> Vec<Override> {
    set.into_iter().map(Override::of_a_sweep).collect()
}

/// Loads a workload as a single run of it.
fn experiment(name: &str, overrides: &[Override], facts: &Facts) -> Result<Experiment, Diagnostics> {
    let mut experiment = formats::workload(name, overrides, facts)?;
    experiment.questions.series = None;
    experiment.workload = Loaded::<Workload> { resolved: Default::default(), ..experiment.workload };
    Ok(experiment)
}
