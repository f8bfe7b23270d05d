//! Specification of a run, as the user requests it.

use crate::files::SealedMachine;
use crate::replicas::ReplicaCount;
use numalab_files::{Facts, Loaded, Overrides};
use numalab_lower::Change;
use numalab_machine::totals;
use numalab_openmp::binding::Binding;
use numalab_openmp::environment::Waiting;
use numalab_openmp::{HwSubset, ProcList, ProcListError};
use numalab_results::HeldAgainst;
use numalab_runtime::Profile;
use numalab_simulator::ProcessorTopology;
use numalab_workload::{Placement, Schedule};
use std::collections::BTreeSet;
use std::sync::Arc;

// Glossary: run spec: Names and overrides that describe a run as a user types it.
/// Machine, workload, and options of a run. [`RunSpec::resolve`] applies the defaults.
#[derive(Clone, Debug)]
pub struct RunSpec {
    pub machine: Given<SealedMachine>,
    /// Name or path of the workload.
    pub workload: String,
    /// OpenMP runtime; default: the workload's, the machine's, or `plain`.
    pub runtime: Option<Given<Loaded<Profile>>>,
    /// Values that replace values of the machine, workload and runtime files.
    pub overrides: Overrides,
    /// Size of the team; default: the number of listed processors, or of cores.
    pub threads: Option<u32>,
    /// Processors that the threads may use. Without `binding`, threads take the processors in this order, whatever
    /// binding the workload has.
    pub processors: Option<ProcList>,
    /// Part of the machine that the threads may use, without `processors`. It acts as a list of its processors.
    pub subset: Option<HwSubset>,
    /// Places and binding policy. Absent values come from the workload; if the workload has none either, threads are
    /// on adjacent cores, one per core.
    pub binding: Binding,
    /// Spinning times of waiting threads, for a runtime that reads the variables. `overrides` take precedence.
    pub waiting: Waiting,
    /// Placement of all pages in place of the workload's placements; `None` to keep those.
    pub placement: Option<Placement>,
    /// Placements of single regions, by name of the region. They take precedence over all other placements of the
    /// region.
    pub placements: Vec<(String, Placement)>,
    /// Schedules to compare; if empty, those of the workload.
    pub schedules: Vec<Schedule>,
    pub seed: u64,
    /// True to run the workload's series, unless the specification fixes its parameter.
    pub series: bool,
    /// True to run the program also on one thread, for the work-time inflation. Measures of the workload may also
    /// need the run on one thread.
    pub sequential: bool,
    /// True to approximate nothing (see `Setup::exact`).
    pub exact: bool,
    /// Number of runs of each schedule.
    pub replicas: ReplicaCount,
    /// Number of further runs of each schedule in which the values of machine, runtime and workload differ within their
    /// tolerances, in place of replicas of the run; `None` for replicas.
    pub unsure: Option<u32>,
    /// For a replay: comparison of the replay on the recording computer with the recorded times; otherwise `None`.
    pub held_against: Option<Arc<HeldAgainst>>,
}

/// A machine or runtime, by name or already loaded.
#[derive(Debug)]
pub enum Given<T> {
    /// Name or path of the file.
    Named(String),
    /// Content of the file, with overrides applied.
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
    /// Run of a workload on a machine with default options.
    pub fn new(machine: impl Into<Given<SealedMachine>>, workload: &str) -> RunSpec {
        RunSpec {
            machine: machine.into(),
            workload: workload.to_owned(),
            runtime: None,
            overrides: Overrides::default(),
            threads: None,
            processors: None,
            subset: None,
            binding: Binding::default(),
            waiting: Waiting::default(),
            placement: None,
            placements: Vec::new(),
            schedules: Vec::new(),
            seed: 0,
            series: true,
            sequential: false,
            exact: false,
            replicas: ReplicaCount::Number(1),
            unsure: None,
            held_against: None,
        }
    }

    /// The specification with the change of one variant or point applied.
    pub fn with(&self, change: &Change) -> RunSpec {
        let mut spec = RunSpec { threads: change.threads.or(self.threads), ..self.clone() };
        spec.overrides.workload.extend(change.overrides.iter().cloned());
        spec
    }

    /// Size of the team on a machine; an error if the processor list does not fit the machine.
    pub fn team_size(&self, machine: &SealedMachine) -> Result<u32, ProcListError> {
        let listed = || Ok(self.listed(machine)?.map(|list| list.len() as u32));
        match self.threads {
            Some(threads) => Ok(threads),
            None => Ok(listed()?.unwrap_or_else(|| totals(&machine.loaded.value).cores)),
        }
    }

    /// Numbers of the listed processors; `None` without a list.
    pub(crate) fn listed(&self, machine: &SealedMachine) -> Result<Option<Vec<u32>>, ProcListError> {
        let (value, fabric) = (&machine.loaded.value, &machine.fabric);
        let of_list = |list: &ProcList| list.resolve(&value.name, fabric.processors(), &value.offline);
        let of_subset = |subset: &HwSubset| {
            let all = subset.resolve(&value.name, &ProcessorTopology::new(value, fabric))?;
            let online: BTreeSet<u32> = fabric.online().collect();
            Ok(all.into_iter().filter(|processor| online.contains(processor)).collect())
        };
        match &self.processors {
            Some(list) => of_list(list).map(Some),
            None => self.subset.as_ref().map(of_subset).transpose(),
        }
    }

    /// Facts of machine and team that expressions of the workload may use.
    pub fn facts(&self, machine: &SealedMachine) -> Facts {
        Facts::of(&machine.loaded.value, self.team_size(machine).unwrap_or(1).max(1))
    }

    /// True if the specification fixes `over`, the parameter of a series.
    pub(crate) fn fixes(&self, over: &str) -> bool {
        let parameter = || self.overrides.workload.iter().any(|item| item.sets_parameter(over));
        if over == "threads" { self.threads.is_some() } else { parameter() }
    }

    /// True if a series over this parameter of the workload is to be run.
    pub(crate) fn wants_series(&self, over: &str) -> bool {
        self.series && (self.has_typed_series() || !self.fixes(over))
    }

    /// True if the user typed a series, which replaces the workload's.
    pub(crate) fn has_typed_series(&self) -> bool {
        self.overrides.workload.iter().any(|item| item.origin == numalab_files::Origin::Series)
    }
}
