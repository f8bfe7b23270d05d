//! A workload by name on a machine, so that it can be had again with something changed.

use crate::{Request, StudyError};
use numalab_formats::{self as formats, Change, Diagnostics, Experiment, Facts, Loaded, Override};
use numalab_machine::{Machine, totals};
use numalab_openmp::binding::Binding;
use numalab_runtime::Profile;
use numalab_workload::{Placement, Schedule, Workload};

/// What to run, before the workload's expressions have values.
#[derive(Clone, Debug)]
pub struct Question {
    /// On what.
    pub machine: Loaded<Machine>,
    /// Name or path of the workload.
    pub workload: String,
    /// `--set` texts for its parameters, and for the runtime where that is not given.
    pub overrides: Vec<String>,
    /// Under which policies; those that the workload names if none.
    pub policies: Vec<Schedule>,
    /// As in [`Request`].
    pub threads: Option<u32>,
    /// As in [`Request`].
    pub procs: Option<Vec<u32>>,
    /// As in [`Request`]; what is not said, the workload may say.
    pub binding: Option<Binding>,
    /// Where all pages go, whatever the workload says.
    pub placement: Option<Placement>,
    /// The OpenMP runtime; if not said the workload's, or else a plain one, as `overrides` change it.
    pub runtime: Option<Loaded<Profile>>,
    /// Seed of every random stream.
    pub seed: u64,
    /// Runs at a time: of the policies, or of a series. As many as the host has processors if not said.
    pub jobs: Option<usize>,
}

impl Question {
    /// The workload as its file has it, on a machine.
    pub fn new(machine: Loaded<Machine>, workload: &str) -> Question {
        Question {
            machine,
            workload: workload.to_owned(),
            overrides: Vec::new(),
            policies: Vec::new(),
            threads: None,
            procs: None,
            binding: None,
            placement: None,
            runtime: None,
            seed: 0,
            jobs: None,
        }
    }

    /// The workload with a change, its expressions evaluated for this machine and team.
    pub fn experiment(&self, change: &Change) -> Result<Experiment, StudyError> {
        let of_workload =
            |texts: &[String]| Ok(formats::parse_overrides(texts).map_err(StudyError::Input)?.workload);
        let mut overrides = of_workload(&self.overrides)?;
        overrides.extend(of_workload(&change.overrides)?.into_iter().map(Override::for_a_run));
        let facts = Facts::of(&self.machine.value, self.team_size(change));
        formats::workload(&self.workload, &overrides, &facts).map_err(StudyError::Input)
    }

    /// Size of the team with a change.
    pub fn team_size(&self, change: &Change) -> u32 {
        let listed = || self.procs.as_ref().map(|procs| procs.len() as u32);
        let threads = change.threads.or(self.threads).or_else(listed);
        threads.unwrap_or_else(|| totals(&self.machine.value).cores).max(1)
    }

    /// What to compare, of an experiment that this question and the same change led to.
    pub fn request(&self, mut workload: Loaded<Workload>, change: &Change) -> Result<Request, StudyError> {
        if let Some(placement) = &self.placement {
            for region in &mut workload.value.regions {
                region.placement = placement.clone();
            }
        }
        let policies = match &self.policies[..] {
            [] => workload.value.compare.clone(),
            asked => asked.to_vec(),
        };
        let numalab_workload::BindingText { places, proc_bind } = &workload.value.binding;
        let theirs = Binding::parse(places.as_deref(), proc_bind.as_deref())
            .map_err(|error| StudyError::Team(format!("binding of workload {}: {error}", self.workload)))?;
        let runtime = match &self.runtime {
            Some(runtime) => runtime.clone(),
            None => {
                let set = formats::parse_overrides(&self.overrides).map_err(StudyError::Input)?.runtime;
                runtime(None, Some(&workload.value), Some(&self.machine.value), &set)
                    .map_err(StudyError::Input)?
            }
        };
        Ok(Request {
            machine: self.machine.clone(),
            runtime: Some(runtime),
            policies,
            threads: change.threads.or(self.threads),
            procs: self.procs.clone(),
            binding: Some(self.binding.clone().unwrap_or_default().or(theirs)),
            workload,
            seed: self.seed,
            jobs: self.jobs,
        })
    }
}

/// The OpenMP runtime of this name, or else the one that the workload names, or else the one that the machine was
/// measured with, or else a plain one.
pub fn runtime(
    named: Option<&str>,
    workload: Option<&Workload>,
    machine: Option<&Machine>,
    overrides: &[Override],
) -> Result<Loaded<Profile>, Diagnostics> {
    let of_workload = || workload?.runtime.as_deref();
    let of_machine = || machine?.runtime.as_deref();
    formats::runtime(named.or_else(of_workload).or_else(of_machine).unwrap_or("plain"), overrides)
}
