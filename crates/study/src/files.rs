//! Cache of machines, workloads and runtimes, shared by runs.

use crate::known_runs::KnownRuns;
use crate::spec::Given;
use crate::spec_error::SpecError;
use crate::{Progress, ResolvedRun, RunSpec, StudyError};
use numalab_files::{Facts, Loaded, Override, ReadFile};
use numalab_lower::{CountedWorkload, Experiment, ReadWorkload};
use numalab_machine::{Fabric, Machine};
use numalab_results::Run;
use numalab_runtime::Profile;
use numalab_syntax::diagnostics::Diagnostics;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Machine with its routes between cores and memories.
#[derive(Debug)]
pub struct SealedMachine {
    /// The machine file with its overrides.
    pub loaded: Loaded<Machine>,
    /// Routes between cores and memories, with their capacities.
    pub fabric: Fabric,
}

impl SealedMachine {
    pub fn new(loaded: Loaded<Machine>) -> Result<SealedMachine, SpecError> {
        let fabric = Fabric::new(&loaded.value).map_err(SpecError::Machine)?;
        Ok(SealedMachine { loaded, fabric })
    }
}

/// Cache of the most recently used machines, workloads and runtimes. A file is parsed, and checked against its
/// schema, once for all runs, which may override its values.
#[derive(Debug)]
pub struct Files {
    machines: Latest<(String, Vec<Override>), SealedMachine>,
    workloads: Latest<(String, Vec<Override>, String), Experiment>,
    runtimes: Latest<(String, Vec<Override>), Loaded<Profile>>,
    /// Parsed files, without overrides.
    read: Read,
    /// Runs that are simulated once; `None`: each is simulated when it is asked for.
    runs: Option<KnownRuns>,
}

/// Caches of parsed files as they are on disk.
#[derive(Debug)]
struct Read {
    machines: Latest<String, ReadFile>,
    workloads: Latest<String, ReadWorkload>,
    runtimes: Latest<String, ReadFile>,
}

impl Default for Files {
    /// Cache of one entry of each kind, which is all that runs share if they differ in one parameter.
    fn default() -> Files {
        Files::keeping(1)
    }
}

impl Files {
    /// Cache of the `most` most recently used entries of each kind.
    pub fn keeping(most: usize) -> Files {
        Files {
            machines: Latest::new(most),
            workloads: Latest::new(most),
            runtimes: Latest::new(most),
            read: Read {
                machines: Latest::new(most),
                workloads: Latest::new(most),
                runtimes: Latest::new(most),
            },
            runs: None,
        }
    }

    /// Cache of the `most` most recently used entries of each kind, and of all runs under one schedule that
    /// [`answer`](crate::answer) or a series simulates.
    pub fn keeping_runs(most: usize) -> Files {
        Files { runs: Some(KnownRuns::default()), ..Files::keeping(most) }
    }

    /// Simulates a run under its schedules, unless the result is kept.
    pub(crate) fn simulate(
        &self,
        run: &ResolvedRun,
        jobs: Option<usize>,
        progress: &dyn Progress,
    ) -> Result<Vec<Run>, StudyError> {
        let known = self.runs.as_ref().and_then(|runs| runs.simulate(run, progress));
        known.unwrap_or_else(|| run.simulate(jobs, progress))
    }

    /// Time of a run's program on one thread, in picoseconds, simulated unless it is kept; `None` if one thread cannot
    /// execute it.
    pub(crate) fn simulate_one_thread(
        &self,
        run: &ResolvedRun,
        progress: &dyn Progress,
    ) -> Result<Option<u64>, StudyError> {
        match &self.runs {
            Some(runs) => runs.simulate_one_thread(run, progress),
            None => Ok(run.simulate_one_thread(progress)),
        }
    }

    /// Adds a machine without a file under a new name. It can be found until `most` other machines have been used.
    pub fn hold_machine(&self, name: &str, file: ReadFile) {
        let inserted: Result<_, ()> = self.read.machines.get(name.to_owned(), || Ok(file));
        debug_assert!(inserted.is_ok(), "inserting reads nothing");
    }

    /// Machine by name or path, with overrides.
    pub fn machine(
        &self,
        machine: &Given<SealedMachine>,
        overrides: &[Override],
    ) -> Result<Arc<SealedMachine>, SpecError> {
        match machine {
            Given::Loaded(machine) => Ok(machine.clone()),
            Given::Named(name) => self.machines.get((name.clone(), overrides.to_vec()), || {
                let read = self.read.machines.get(name.clone(), || numalab_lower::read_machine(name));
                let loaded = read.and_then(|file| numalab_lower::machine_of(&file, overrides));
                SealedMachine::new(loaded.map_err(SpecError::Input)?)
            }),
        }
    }

    /// Workload by name or path, with overrides, for a machine and a team.
    pub(crate) fn workload(
        &self,
        name: &str,
        overrides: &[Override],
        facts: &Facts,
    ) -> Result<Arc<Experiment>, Diagnostics> {
        let read = match numalab_replay::is_recording(name) {
            true => None,
            false => Some(self.read.workloads.get(name.to_owned(), || numalab_lower::read_workload(name))?),
        };
        // The workload depends only on the facts that it reads. Machines that agree in these facts share it.
        let facts_used =
            read.as_ref().map_or_else(|| facts.clone(), |read| read.facts_read(overrides, facts));
        // The debug form shows every bit of a fact.
        let key = (name.to_owned(), overrides.to_vec(), format!("{facts_used:?}"));
        let made = self.workloads.get(key, || match &read {
            None => numalab_lower::recorded_workload(name, overrides, &facts_used),
            Some(read) => numalab_lower::workload_of(read, overrides, &facts_used),
        })?;
        Ok(if facts_used == *facts { made } else { Arc::new(made.moved(&facts_used, facts)) })
    }

    /// CountedWorkload of a run's workload, and the size of the team; `None` if they are not known before the workload is resolved.
    pub(crate) fn counts(&self, spec: &RunSpec) -> Option<(CountedWorkload, u32)> {
        if numalab_replay::is_recording(&spec.workload) {
            return None;
        }
        let machine = self.machine(&spec.machine, &spec.overrides.machine).ok()?;
        let facts = spec.facts(&machine);
        let name = &spec.workload;
        let read = self.read.workloads.get(name.clone(), || numalab_lower::read_workload(name)).ok()?;
        let counts = numalab_lower::counts_of(&read, &spec.overrides.workload, &facts).ok()??;
        Some((counts, facts.threads))
    }

    /// Runtime by name or path, with overrides.
    pub fn runtime(
        &self,
        runtime: &Given<Loaded<Profile>>,
        overrides: &[Override],
    ) -> Result<Arc<Loaded<Profile>>, Diagnostics> {
        match runtime {
            Given::Loaded(runtime) => Ok(runtime.clone()),
            Given::Named(name) => self.runtimes.get((name.clone(), overrides.to_vec()), || {
                let read = self.read.runtimes.get(name.clone(), || numalab_lower::read_runtime(name))?;
                numalab_lower::runtime_of(&read, overrides)
            }),
        }
    }
}

/// Cache of the most recently used values by key.
#[derive(Debug)]
struct Latest<K, V> {
    most: usize,
    kept: Mutex<VecDeque<(K, Arc<V>)>>,
}

impl<K: PartialEq, V> Latest<K, V> {
    fn new(most: usize) -> Latest<K, V> {
        Latest { most, kept: Mutex::default() }
    }

    /// Value of a key, computed if it is not cached. If two threads need the value at the same time, both compute it.
    fn get<E>(&self, key: K, make: impl FnOnce() -> Result<V, E>) -> Result<Arc<V>, E> {
        let lock = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let hit = {
            let mut kept = lock();
            let at = kept.iter().position(|(other, _)| *other == key);
            at.and_then(|at| kept.remove(at))
        };
        let value = match hit {
            Some((_, value)) => value,
            None => Arc::new(make()?),
        };
        let mut kept = lock();
        kept.push_front((key, value.clone()));
        let most = self.most.min(kept.len());
        let gone = kept.split_off(most);
        // Old values are dropped after the lock is released, since dropping may take long.
        drop(kept);
        drop(gone);
        Ok(value)
    }
}
