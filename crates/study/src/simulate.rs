//! A resolved run under each of its schedules, and the record of that.

use crate::extent;
use crate::findings::findings;
use crate::progress::{Progress, Tally};
use crate::record::record;
use crate::sequential;
use crate::{ResolvedRun, StudyError};
use numalab_formats::Loaded;
use numalab_machine::{Machine, totals};
use numalab_openmp::binding::Binding;
use numalab_results::{Comparison, Input, Layout, Run, SCHEMA_VERSION};
use numalab_simulator::{RunOutcome, SimulationError, prepare};
use numalab_workload::{Phase, Schedule, Tree, Workload};
use rayon::prelude::*;

impl ResolvedRun {
    /// Simulates every schedule, so many at a time; one for each processor of the host if not said. What they have in
    /// common runs once.
    pub fn simulate(&self, jobs: Option<usize>, progress: &dyn Progress) -> Result<Vec<Run>, StudyError> {
        let workload = &self.experiment.workload.value;
        if let Some(phase) =
            workload.phases.iter().find(|phase| phase.schedule.is_none() && phase.needs_tasks())
            && let Some(policy) = self.schedules.iter().find(|policy| !matches!(policy, Schedule::Tasks(_)))
        {
            return Err(StudyError::Schedule { policy: *policy, phase: phase.name.clone() });
        }
        extent::check(&workload.phases, self.team.members.len() as u32, &self.schedules)?;
        let tally = Tally::new(progress, iterations(workload, self.schedules.len()));
        let setup = self.setup();
        let prepared =
            prepare(&setup, &tally).map_err(|error| StudyError::Simulation { policy: None, error })?;
        let report = |policy: Schedule, outcome: Result<RunOutcome, SimulationError>| {
            let failed = |error| StudyError::Simulation { policy: Some(policy), error };
            let outcome = outcome.map_err(failed)?;
            let mut run = record(outcome);
            run.findings = findings(&run);
            Ok(run)
        };
        let run = |policy: &Schedule| report(*policy, prepared.run(*policy, &tally));
        let sequential = || match self.spec.sequential || self.experiment.questions.need_one_thread() {
            true => sequential::work_ps(self),
            false => None,
        };
        // One run needs no worker threads, and starting them takes longer than a small run.
        let alone = self.schedules.len() < 2 || jobs == Some(1);
        let threads = || rayon::ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0)).build().ok();
        let (mut runs, sequential) = match (!alone).then(threads).flatten() {
            // The long runs come first or last, never all in one worker's half: one at a time.
            Some(pool) => pool.install(|| {
                let all = || self.schedules.par_iter().with_max_len(1).map(run).collect();
                let (runs, sequential): (Result<Vec<Run>, StudyError>, _) = rayon::join(all, sequential);
                Ok::<_, StudyError>((runs?, sequential))
            })?,
            None => {
                let Some((last, others)) = self.schedules.split_last() else { return Ok(Vec::new()) };
                let mut runs = others.iter().map(run).collect::<Result<Vec<Run>, StudyError>>()?;
                runs.push(report(*last, prepared.run_last(*last, &tally))?);
                (runs, sequential())
            }
        };
        if let Some(sequential) = sequential {
            runs.iter_mut().for_each(|run| run.beside_one_thread(sequential));
        }
        Ok(runs)
    }

    /// The record of runs under its schedules.
    pub fn comparison(&self, runs: Vec<Run>) -> Comparison {
        Comparison {
            schema_version: SCHEMA_VERSION,
            seed: self.spec.seed,
            machine: self.machine_input(),
            layout: layout(&self.machine.loaded.value),
            workload: self.workload_input(),
            placement: self.placement_text(),
            binding: self.binding_texts(),
            runtime: Some(self.runtime_input()),
            runs,
        }
    }

    pub(crate) fn machine_input(&self) -> Input {
        input(&self.machine.loaded.value.name, &self.machine.loaded)
    }

    pub(crate) fn workload_input(&self) -> Input {
        input(&self.experiment.workload.value.name, &self.experiment.workload)
    }

    pub(crate) fn runtime_input(&self) -> Input {
        input(&self.runtime.value.name, &self.runtime)
    }

    pub(crate) fn placement_text(&self) -> Option<String> {
        let everywhere = self.spec.placement.iter().map(ToString::to_string);
        let single = self.spec.placements.iter().map(|(region, placement)| format!("{region}={placement}"));
        let all: Vec<String> = everywhere.chain(single).collect();
        (!all.is_empty()).then(|| all.join(" "))
    }

    /// The binding as the two variables would say it.
    pub(crate) fn binding_texts(&self) -> Option<numalab_results::Binding> {
        let Binding { places, proc_bind } = &self.binding;
        let policies =
            |list: &Vec<_>| list.iter().map(ToString::to_string).collect::<Vec<String>>().join(",");
        (!self.binding.is_empty()).then(|| numalab_results::Binding {
            places: places.as_ref().map(|list| list.text().to_owned()),
            proc_bind: proc_bind.as_ref().map(policies),
        })
    }
}

/// Iterations that all runs together hand out.
fn iterations(workload: &Workload, schedules: usize) -> u64 {
    let phases = &workload.phases;
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
    sum(&phases[..shared]) + sum(&phases[shared..]).saturating_mul(schedules as u64)
}

/// Nesting of a machine's nodes.
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
