//! A run as a person asks for it.

use crate::files::SealedMachine;
use numalab_formats::{Change, Facts, Loaded, Overrides};
use numalab_machine::totals;
use numalab_openmp::binding::Binding;
use numalab_openmp::{ProcList, ProcListError};
use numalab_results::HeldAgainst;
use numalab_runtime::Profile;
use numalab_workload::{Placement, Schedule};
use std::sync::Arc;

// Glossary: run spec: Names and overrides that describe a run as a user types it.
/// A machine, a workload, and what is said about how the one runs on the other. [`RunSpec::resolve`] fills in the rest.
#[derive(Clone, Debug)]
pub struct RunSpec {
    /// The hardware.
    pub machine: Given<SealedMachine>,
    /// Name or path of the workload.
    pub workload: String,
    /// The OpenMP runtime; the workload's, the machine's or a plain one if not said.
    pub runtime: Option<Given<Loaded<Profile>>>,
    /// Values that replace those of the files.
    pub overrides: Overrides,
    /// Size of the team; the number of listed processors or of cores if not said.
    pub threads: Option<u32>,
    /// Processors that the threads may run on. Without a binding the threads take them in this order.
    pub processors: Option<ProcList>,
    /// Places and policies; the workload says those that are missing here. Without any, threads are next to each other,
    /// one on every core.
    pub binding: Binding,
    /// Placement of all pages, whatever the workload says.
    pub placement: Option<Placement>,
    /// Placement of the pages of single regions, by their names, whatever is said of all.
    pub placements: Vec<(String, Placement)>,
    /// Schedules to compare; those that the workload names if none.
    pub schedules: Vec<Schedule>,
    /// Seed of every random stream.
    pub seed: u64,
    /// Whether the series that the workload asks for counts. One over something that is fixed here never does.
    pub series: bool,
    /// Whether the program also runs on one thread, for the work-time inflation. It does too where a measure asks.
    pub sequential: bool,
    /// The recording that it replays, on the computer that recorded it.
    pub held_against: Option<Arc<HeldAgainst>>,
}

/// A file that is still to be read, or what was made of one.
#[derive(Debug)]
pub enum Given<T> {
    /// A name or a path.
    Named(String),
    /// A value, with all that replaces parts of it.
    Loaded(Arc<T>),
}

impl<T> Clone for Given<T> {
    fn clone(&self) -> Given<T> {
        match self {
            Given::Named(name) => Given::Named(name.clone()),
            Given::Loaded(value) => Given::Loaded(value.clone()),
        }
    }
}

impl<T> Given<T> {
    /// A value that is at hand.
    pub fn loaded(value: T) -> Given<T> {
        Given::Loaded(Arc::new(value))
    }
}

impl<T> From<&str> for Given<T> {
    fn from(name: &str) -> Given<T> {
        Given::Named(name.to_owned())
    }
}

impl RunSpec {
    /// The workload as its file has it, on a machine.
    pub fn new(machine: impl Into<Given<SealedMachine>>, workload: &str) -> RunSpec {
        RunSpec {
            machine: machine.into(),
            workload: workload.to_owned(),
            runtime: None,
            overrides: Overrides::default(),
            threads: None,
            processors: None,
            binding: Binding::default(),
            placement: None,
            placements: Vec::new(),
            schedules: Vec::new(),
            seed: 0,
            series: true,
            sequential: false,
            held_against: None,
        }
    }

    /// The same run with a change.
    pub fn with(&self, change: &Change) -> RunSpec {
        let mut spec = RunSpec { threads: change.threads.or(self.threads), ..self.clone() };
        spec.overrides.workload.extend(change.overrides.iter().cloned());
        spec
    }

    /// Threads of the team on a machine.
    pub fn team_size(&self, machine: &SealedMachine) -> Result<u32, ProcListError> {
        let listed = || Ok(self.listed(machine)?.map(|list| list.len() as u32));
        match self.threads {
            Some(threads) => Ok(threads),
            None => Ok(listed()?.unwrap_or_else(|| totals(&machine.loaded.value).cores)),
        }
    }

    /// The processors that are listed, if any are.
    pub(crate) fn listed(&self, machine: &SealedMachine) -> Result<Option<Vec<u32>>, ProcListError> {
        let machine = &machine.loaded.value;
        let resolve = |list: &ProcList| list.resolve(&machine.name, totals(machine).processors);
        self.processors.as_ref().map(resolve).transpose()
    }

    /// Facts for the expressions of the workload.
    pub fn facts(&self, machine: &SealedMachine) -> Facts {
        Facts::of(&machine.loaded.value, self.team_size(machine).unwrap_or(1).max(1))
    }

    /// Whether the spec or a change fixes what a series goes over.
    pub(crate) fn fixes(&self, over: &str) -> bool {
        let parameter = || self.overrides.workload.iter().any(|one| one.sets_parameter(over));
        if over == "threads" { self.threads.is_some() } else { parameter() }
    }

    /// Whether the workload's series is replaced by one that a user typed.
    pub(crate) fn has_typed_series(&self) -> bool {
        self.overrides.workload.iter().any(|one| one.origin == numalab_formats::Origin::Series)
    }
}
