//! Policies against each other on one machine and one workload.

use crate::findings::findings;
use crate::progress::{Progress, Tally};
use crate::record::record;
use crate::team::team;
use numalab_formats::{Diagnostics, Loaded};
use numalab_machine::{Fabric, Machine, Problem, totals};
use numalab_openmp::binding::Binding;
use numalab_results::{Comparison, Input, Layout, Run, SCHEMA_VERSION};
use numalab_runtime::Profile;
use numalab_simulator::{Setup, SimulationError, prepare};
use numalab_workload::{Phase, Schedule, Tree, Workload};
use rayon::prelude::*;
use std::fmt;

/// What to compare.
#[derive(Clone, Debug)]
pub struct Request {
    /// On what.
    pub machine: Loaded<Machine>,
    /// What runs.
    pub workload: Loaded<Workload>,
    /// The OpenMP runtime; a plain one if not said.
    pub runtime: Option<Loaded<Profile>>,
    /// Under which policies.
    pub policies: Vec<Schedule>,
    /// Size of the team; one thread on every core if not said.
    pub threads: Option<u32>,
    /// Processors that the threads may run on. Without a binding they take them in this order.
    pub procs: Option<Vec<u32>>,
    /// Places and policies. Without any, threads are next to each other, one on every core.
    pub binding: Option<Binding>,
    /// Seed of every random stream.
    pub seed: u64,
    /// Policies simulated at a time; one for each processor of the host if not said. Never shows in
    /// the result.
    pub jobs: Option<usize>,
}

/// Why there is no comparison.
#[derive(Clone, Debug)]
pub enum StudyError {
    /// The workload's file or a changed value is wrong.
    Input(Diagnostics),
    /// The machine is not sound.
    Machine(Vec<Problem>),
    /// The team does not fit the machine.
    Team(String),
    /// A policy cannot run a phase.
    Schedule {
        /// Which policy.
        policy: Schedule,
        /// The phase's name.
        phase: String,
    },
    /// A run could not be completed.
    Simulation {
        /// Under which policy; `None` for the phases that all have in common.
        policy: Option<Schedule>,
        /// Why.
        error: SimulationError,
    },
    /// The reference data contradicts itself.
    Reference(String),
}

impl fmt::Display for StudyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StudyError::Input(diagnostics) => f.write_str(diagnostics.render(false).trim_end()),
            StudyError::Machine(problems) => {
                let lines: Vec<_> =
                    problems.iter().map(|problem| format!("{}: {}", problem.path, problem.message)).collect();
                f.write_str(&lines.join("\n"))
            }
            StudyError::Team(message) | StudyError::Reference(message) => f.write_str(message),
            StudyError::Schedule { policy, phase } => {
                let expected = Schedule::OF_TASKS;
                write!(f, "phase {phase} is made of tasks, which {policy} does not execute; {expected}")
            }
            StudyError::Simulation { policy: Some(policy), error } => write!(f, "{policy}: {error}"),
            StudyError::Simulation { policy: None, error } => error.fmt(f),
        }
    }
}

impl std::error::Error for StudyError {}

/// Runs the workload under every policy. What the policies have in common runs once.
pub fn compare(request: &Request, progress: &dyn Progress) -> Result<Comparison, StudyError> {
    let (machine, workload) = (&request.machine.value, &request.workload.value);
    if let Some(phase) = workload.phases.iter().find(|phase| phase.schedule.is_none() && phase.needs_tasks())
        && let Some(policy) = request.policies.iter().find(|policy| !matches!(policy, Schedule::Tasks(_)))
    {
        return Err(StudyError::Schedule { policy: *policy, phase: phase.name.clone() });
    }
    let fabric = Fabric::new(machine).map_err(StudyError::Machine)?;
    let team = team(request, &fabric).map_err(|error| StudyError::Team(error.to_string()))?;
    let runtime = request.runtime.as_ref().map(|loaded| loaded.value.clone()).unwrap_or_default();
    let setup =
        Setup { machine, fabric: &fabric, workload, runtime: &runtime, team: &team, seed: request.seed };
    let tally = Tally::new(progress, iterations(request));
    let prepared = prepare(&setup, &tally).map_err(|error| StudyError::Simulation { policy: None, error })?;
    let run = |policy: &Schedule| {
        let policy = *policy;
        let failed = |error| StudyError::Simulation { policy: Some(policy), error };
        let outcome = prepared.run(policy, &tally).map_err(failed)?;
        let mut run = record(outcome, fabric.nodes());
        run.findings = findings(&run, layout(machine));
        Ok(run)
    };
    // One run needs no worker threads, and starting them takes longer than a small run.
    let alone = request.policies.len() < 2 || request.jobs == Some(1);
    let threads = || rayon::ThreadPoolBuilder::new().num_threads(request.jobs.unwrap_or(0)).build().ok();
    let runs: Vec<Run> = match (!alone).then(threads).flatten() {
        // The long runs come first or last, never all in one worker's half: one at a time.
        Some(pool) => {
            pool.install(|| request.policies.par_iter().with_max_len(1).map(run).collect::<Result<_, _>>())?
        }
        None => request.policies.iter().map(run).collect::<Result<_, _>>()?,
    };
    Ok(Comparison {
        schema_version: SCHEMA_VERSION,
        seed: request.seed,
        machine: input(&machine.name, &request.machine),
        layout: layout(machine),
        workload: input(&workload.name, &request.workload),
        placement: None,
        binding: request.binding.as_ref().filter(|binding| !binding.is_empty()).map(texts),
        runtime: request.runtime.as_ref().map(|loaded| input(&loaded.value.name, loaded)),
        runs,
    })
}

/// A binding as the two variables would say it.
pub(crate) fn texts(binding: &Binding) -> numalab_results::Binding {
    let policies = binding.proc_bind.as_ref();
    numalab_results::Binding {
        places: binding.places.as_ref().map(|list| list.text().to_owned()),
        proc_bind: policies.map(|list| list.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")),
    }
}

/// What all runs together hand out.
fn iterations(request: &Request) -> u64 {
    let phases = &request.workload.value.phases;
    let shared = phases.iter().take_while(|phase| !phase.measured && phase.schedule.is_some()).count();
    let once = |phase: &Phase| match phase.tasking.tree.as_ref().and_then(Tree::executions) {
        // A task of a tree is executed once for each way that leads to it.
        Some(times) => times.iter().sum::<f64>() as u64,
        None if phase.construct.is_loop() => phase.iterations.saturating_mul(u64::from(phase.times)),
        None => 0,
    };
    let sum = |phases: &[Phase]| -> u64 {
        phases.iter().map(|phase| once(phase).saturating_mul(u64::from(phase.repeat))).sum()
    };
    sum(&phases[..shared]) + sum(&phases[shared..]).saturating_mul(request.policies.len() as u64)
}

/// How a machine's nodes nest.
pub(crate) fn layout(machine: &Machine) -> Layout {
    let totals = totals(machine);
    let (boards, sockets) = (totals.boards.unwrap_or(0), totals.sockets.unwrap_or(0));
    Layout { boards, sockets, nodes: totals.nodes }
}

pub(crate) fn input<T>(name: &str, loaded: &Loaded<T>) -> Input {
    Input {
        name: name.to_owned(),
        hash: loaded.hash.clone(),
        overrides: loaded.overrides.clone(),
        resolved: loaded.resolved.clone(),
    }
}
