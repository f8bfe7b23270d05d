//! Files that runs have in common, each read once while it is among the latest.

use crate::spec::Given;
use crate::spec_error::SpecError;
use numalab_formats::{self as formats, Diagnostics, Experiment, Facts, Loaded, Override, ReadFile};
use numalab_machine::{Fabric, Machine};
use numalab_runtime::Profile;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// A machine that was checked and sealed.
#[derive(Debug)]
pub struct SealedMachine {
    /// The machine and what decided it.
    pub loaded: Loaded<Machine>,
    /// Routes and capacities.
    pub fabric: Fabric,
}

impl SealedMachine {
    /// Seals a machine.
    pub fn new(loaded: Loaded<Machine>) -> Result<SealedMachine, SpecError> {
        let fabric = Fabric::new(&loaded.value).map_err(SpecError::Machine)?;
        Ok(SealedMachine { loaded, fabric })
    }
}

/// The machines, workloads and runtimes that were read last. A file is parsed and held against its schema once for all
/// runs that replace values of it.
#[derive(Debug)]
pub struct Files {
    machines: Latest<(String, Vec<Override>), SealedMachine>,
    workloads: Latest<(String, Vec<Override>, String), Experiment>,
    runtimes: Latest<(String, Vec<Override>), Loaded<Profile>>,
    /// The same before values are replaced.
    read: Read,
}

/// Files as they are on disk.
#[derive(Debug)]
struct Read {
    machines: Latest<String, ReadFile>,
    workloads: Latest<String, ReadFile>,
    runtimes: Latest<String, ReadFile>,
}

impl Default for Files {
    /// One of each: runs that differ in a parameter have nothing else in common.
    fn default() -> Files {
        Files::keeping(1)
    }
}

impl Files {
    /// Files of which so many of each kind stay in memory.
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
        }
    }

    /// Holds a machine that no file of that name describes. It must be among the latest to be found.
    pub fn hold_machine(&self, name: &str, file: ReadFile) {
        let held: Result<_, ()> = self.read.machines.get(name.to_owned(), || Ok(file));
        debug_assert!(held.is_ok(), "nothing is read");
    }

    /// A machine, with values replaced.
    pub fn machine(
        &self,
        machine: &Given<SealedMachine>,
        overrides: &[Override],
    ) -> Result<Arc<SealedMachine>, SpecError> {
        match machine {
            Given::Loaded(machine) => Ok(machine.clone()),
            Given::Named(name) => self.machines.get((name.clone(), overrides.to_vec()), || {
                let read = self.read.machines.get(name.clone(), || formats::read_machine(name));
                let loaded = read.and_then(|file| formats::machine_of(&file, overrides));
                SealedMachine::new(loaded.map_err(SpecError::Input)?)
            }),
        }
    }

    /// A workload with values replaced, for a machine and a team.
    pub(crate) fn workload(
        &self,
        name: &str,
        overrides: &[Override],
        facts: &Facts,
    ) -> Result<Arc<Experiment>, Diagnostics> {
        let read = match formats::is_recording(name) {
            true => None,
            false => Some(self.read.workloads.get(name.to_owned(), || formats::read_workload(name))?),
        };
        // On other machines it is the same as long as nobody asks what they are like.
        let known = read.as_ref().map_or_else(|| facts.clone(), |read| read.facts_read(overrides, facts));
        // Every bit of a number is in its debug form.
        let key = (name.to_owned(), overrides.to_vec(), format!("{known:?}"));
        let made = self.workloads.get(key, || match &read {
            None => formats::recorded_workload(name, overrides, &known),
            Some(read) => formats::workload_of(read, overrides, &known),
        })?;
        Ok(if known == *facts { made } else { Arc::new(made.moved(&known, facts)) })
    }

    /// A runtime, with values replaced.
    pub fn runtime(
        &self,
        runtime: &Given<Loaded<Profile>>,
        overrides: &[Override],
    ) -> Result<Arc<Loaded<Profile>>, Diagnostics> {
        match runtime {
            Given::Loaded(runtime) => Ok(runtime.clone()),
            Given::Named(name) => self.runtimes.get((name.clone(), overrides.to_vec()), || {
                let read = self.read.runtimes.get(name.clone(), || formats::read_runtime(name))?;
                formats::runtime_of(&read, overrides)
            }),
        }
    }
}

/// The values that were asked for last.
#[derive(Debug)]
struct Latest<K, V> {
    most: usize,
    kept: Mutex<VecDeque<(K, Arc<V>)>>,
}

impl<K: PartialEq, V> Latest<K, V> {
    fn new(most: usize) -> Latest<K, V> {
        Latest { most, kept: Mutex::default() }
    }

    /// The value of a key, made if it is not among the latest. Two threads that miss make it twice.
    fn get<E>(&self, key: K, make: impl FnOnce() -> Result<V, E>) -> Result<Arc<V>, E> {
        let lock = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = {
            let mut kept = lock();
            let at = kept.iter().position(|(known, _)| *known == key);
            at.and_then(|at| kept.remove(at))
        };
        let value = match found {
            Some((_, value)) => value,
            None => Arc::new(make()?),
        };
        let mut kept = lock();
        kept.push_front((key, value.clone()));
        let most = self.most.min(kept.len());
        let gone = kept.split_off(most);
        // What leaves may be large, and others wait.
        drop(kept);
        drop(gone);
        Ok(value)
    }
}
