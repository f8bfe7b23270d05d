//! Simulates a resolved run under each of its schedules.

use crate::extent;
use crate::findings::findings;
use crate::progress::{Progress, Tally, Weighed};
use crate::sequential;
use crate::timeline::{Recorder, Watch};
use crate::to_results::record;
use crate::{ResolvedRun, StudyError, in_order};
use numalab_base::{FileValue, ValueOrigins};
use numalab_files::{Loaded, published_rows};
use numalab_lower::WorkloadValue;
use numalab_machine::{Machine, totals};
use numalab_openmp::binding::Binding;
use numalab_results::{Comparison, Input, Layout, OriginOf, Run, SCHEMA_VERSION, Timeline};
use numalab_simulator::{RunOutcome, SimulationError, observe, prepare};
use numalab_workload::{Phase, Schedule, Tree, Workload};
use std::panic::resume_unwind;

/// Result of a run under one schedule.
pub(crate) struct SimulatedRun {
    pub run: Run,
    pub timeline: Option<Timeline>,
    /// Counted work of the simulation, in the units of `numalab_simulator::Work`.
    pub work: u64,
}

impl ResolvedRun {
    /// Simulates the run under each schedule, with at most `jobs` workers (default: one per processor). Phases that
    /// all schedules share are simulated once. If `progress` stops the study, the first schedules that are complete
    /// have results, or there is an error.
    pub fn simulate(&self, jobs: Option<usize>, progress: &dyn Progress) -> Result<Vec<Run>, StudyError> {
        Ok(self.simulate_watched(jobs, progress, None)?.into_iter().map(|(run, _)| run).collect())
    }

    /// Simulates like [`ResolvedRun::simulate`], with timelines if `watch` is given. Every schedule is then simulated
    /// from the start, and repetitions one by one.
    pub(crate) fn simulate_watched(
        &self,
        jobs: Option<usize>,
        progress: &dyn Progress,
        watch: Option<&Watch>,
    ) -> Result<Vec<(Run, Option<Timeline>)>, StudyError> {
        self.simulate_all(jobs, progress, watch).map_err(|error| self.placed(error))
    }

    /// Progress of one run with an observer, without its reference runs.
    pub fn tally<'a>(&self, progress: &'a dyn Progress) -> Tally<'a> {
        Tally::new(progress, iterations(&self.experiment.workload.value, 1, true))
    }

    /// Adds file and line to an error about a phase.
    pub fn placed(&self, error: StudyError) -> StudyError {
        error.placed(&self.experiment.places)
    }

    fn simulate_all(
        &self,
        jobs: Option<usize>,
        progress: &dyn Progress,
        watch: Option<&Watch>,
    ) -> Result<Vec<(Run, Option<Timeline>)>, StudyError> {
        let workload = &self.experiment.workload.value;
        self.check_schedules()?;
        self.check_extent()?;
        let alone_too = self.needs_one_thread();
        let all = iterations(workload, self.schedules.len(), watch.is_some());
        let one_thread = if alone_too { iterations(workload, 1, false) } else { 0 };
        let tally = Tally::new(progress, all.saturating_add(one_thread));
        let sequential = || match alone_too {
            true => sequential::work_ps(self, one_thread, &tally),
            false => None,
        };
        // A single schedule needs no workers; starting them takes longer than a small run.
        let several = self.schedules.len() > 1 && jobs != Some(1);
        let pool = || rayon::ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0)).build().ok();
        let all = || {
            let mut runs = self.simulate_schedules(0, &self.schedules, several, &tally, watch)?;
            self.vary(&mut runs, several, progress)?;
            Ok::<_, StudyError>(
                runs.into_iter()
                    .map(|SimulatedRun { run, timeline, .. }| (run, timeline))
                    .collect::<Vec<_>>(),
            )
        };
        // The run on one thread is independent of the others. If nothing repeats, simulating it takes less time than
        // starting a worker.
        let repeats = workload.rounds > 1 || workload.phases.iter().any(|phase| phase.repeat > 1);
        let (runs, sequential) = match several.then(pool).flatten() {
            Some(pool) => pool.install(|| rayon::join(all, sequential)),
            None if alone_too && repeats && jobs != Some(1) => std::thread::scope(|scope| {
                let beside = scope.spawn(sequential);
                (all(), beside.join().unwrap_or_else(|panic| resume_unwind(panic)))
            }),
            // If a run fails, the result on one thread is not needed.
            None => (Ok(all()?), sequential()),
        };
        let mut runs = runs?;
        if let Some(sequential) = sequential {
            runs.iter_mut().for_each(|(run, _)| run.beside_one_thread(sequential));
        }
        runs.iter_mut().for_each(|(run, _)| run.findings = findings(run));
        Ok(runs)
    }

    /// True if the program is simulated on one thread, too.
    pub(crate) fn needs_one_thread(&self) -> bool {
        self.spec.sequential || self.experiment.questions.need_one_thread()
    }

    /// Simulates the team under each schedule, and no program on one thread. The runs have no findings.
    pub(crate) fn simulate_team(&self, progress: &dyn Progress) -> Result<Vec<Run>, StudyError> {
        let simulated = || {
            self.check_schedules()?;
            self.check_extent()?;
            let all = iterations(&self.experiment.workload.value, self.schedules.len(), false);
            let tally = Tally::new(progress, all);
            self.simulate_schedules(0, &self.schedules, false, &tally, None)
        };
        let runs = simulated().map_err(|error| self.placed(error))?;
        Ok(runs.into_iter().map(|simulated| simulated.run).collect())
    }

    /// Time of the program on one thread, in picoseconds; `None` if one thread cannot execute it.
    pub(crate) fn simulate_one_thread(&self, progress: &dyn Progress) -> Option<u64> {
        let iterations = iterations(&self.experiment.workload.value, 1, false);
        sequential::work_ps(self, iterations, &Tally::new(progress, iterations))
    }

    /// Simulates schedules in a replica (0: the nominal run); if `several`, on the current thread pool.
    pub(crate) fn simulate_schedules(
        &self,
        replica: u32,
        schedules: &[Schedule],
        several: bool,
        tally: &Tally<'_>,
        watch: Option<&Watch>,
    ) -> Result<Vec<SimulatedRun>, StudyError> {
        let setup = self.setup_of(replica);
        let prepared = match watch {
            // A timeline includes the phases before the compared ones, so these are not shared.
            Some(_) => None,
            None => {
                let failed = |error| StudyError::Simulation { policy: None, error };
                Some(prepare(&setup, tally).map_err(failed)?)
            }
        };
        let report =
            |policy: Schedule, outcome: Result<RunOutcome, SimulationError>, weighed: &Weighed<'_>| {
                let failed = |error| StudyError::Simulation { policy: Some(policy), error };
                let outcome = outcome.map_err(failed)?;
                let run = record(outcome, &self.machine.fabric, &setup.workload.regions);
                Ok::<SimulatedRun, StudyError>(SimulatedRun { run, timeline: None, work: weighed.work() })
            };
        let run = |policy: &Schedule| {
            let weighed = Weighed::new(tally);
            let Some(prepared) = &prepared else {
                let watch = watch.unwrap_or(&Watch { window: None, spans: 0, amounts: 0, domains: false });
                let mut recorder = Recorder::new(self, *policy, watch);
                let simulated = report(*policy, observe(&setup, *policy, &weighed, &mut recorder), &weighed)?;
                return Ok(SimulatedRun { timeline: Some(recorder.finish()), ..simulated });
            };
            report(*policy, prepared.run(*policy, &weighed), &weighed)
        };
        if several {
            return until_stopped(in_order(schedules, run));
        }
        let Some((last, others)) = schedules.split_last() else { return Ok(Vec::new()) };
        let mut runs: Vec<_> = others.iter().map(run).collect();
        let weighed = Weighed::new(tally);
        runs.push(match prepared {
            Some(prepared) => report(*last, prepared.run_last(*last, &weighed), &weighed),
            None => run(last),
        });
        until_stopped(runs)
    }

    /// Error if a schedule cannot execute one of the phases.
    pub fn check_schedules(&self) -> Result<(), StudyError> {
        let phases = &self.experiment.workload.value.phases;
        if let Some(phase) = phases.iter().find(|phase| phase.schedule.is_none() && phase.needs_tasks())
            && let Some(policy) = self.schedules.iter().find(|policy| !matches!(policy, Schedule::Tasks(_)))
        {
            return Err(StudyError::Schedule { policy: *policy, phase: phase.name.clone() });
        }
        Ok(())
    }

    /// Error if the run would take hours to simulate.
    pub(crate) fn check_extent(&self) -> Result<(), StudyError> {
        let phases = &self.experiment.workload.value.phases;
        extent::check(phases, self.team.members.len() as u32, &self.schedules)
    }

    /// Comparison of `runs`, the results of this run under its schedules.
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
            replay: self.replay(),
            runs,
            influences: None,
        }
    }

    pub(crate) fn machine_input(&self) -> Input {
        let machine = &self.machine.loaded.value;
        Input {
            origins: origins(&machine.origins, &machine.file_values()),
            published_rows: Some(published_rows(&machine.name)),
            ..input(&machine.name, &self.machine.loaded)
        }
    }

    pub(crate) fn workload_input(&self) -> Input {
        let of = |value: &WorkloadValue| OriginOf {
            path: value.written.path.clone(),
            origin: value.origin.to_string(),
            within: value.within,
        };
        Input {
            origins: self.experiment.values.iter().map(of).collect(),
            ..input(&self.experiment.workload.value.name, &self.experiment.workload)
        }
    }

    pub fn runtime_input(&self) -> Input {
        let runtime = &self.runtime.value;
        Input {
            origins: origins(&runtime.origins, &runtime.file_values()),
            ..input(&runtime.name, &self.runtime)
        }
    }

    pub(crate) fn placement_text(&self) -> Option<String> {
        let everywhere = self.spec.placement.iter().map(ToString::to_string);
        let single = self.spec.placements.iter().map(|(region, placement)| format!("{region}={placement}"));
        let all: Vec<String> = everywhere.chain(single).collect();
        (!all.is_empty()).then(|| all.join(" "))
    }

    /// Binding of the threads, in the syntax of OMP_PLACES, OMP_PROC_BIND and KMP_AFFINITY.
    pub(crate) fn binding_texts(&self) -> Option<numalab_results::Binding> {
        let Binding { places, proc_bind, affinity } = &self.binding;
        let policies =
            |list: &Vec<_>| list.iter().map(ToString::to_string).collect::<Vec<String>>().join(",");
        (!self.binding.is_empty()).then(|| numalab_results::Binding {
            places: places.as_ref().map(|list| list.text().to_owned()),
            proc_bind: proc_bind.as_ref().map(policies),
            kmp_affinity: affinity.as_ref().map(|affinity| affinity.text().to_owned()),
        })
    }
}

/// Results before the first run that the listener stopped, so that the runs of several studies stay in the order of
/// their schedules; the first error if there are none, or if a run failed.
fn until_stopped<T>(runs: Vec<Result<T, StudyError>>) -> Result<Vec<T>, StudyError> {
    let stopped = runs.iter().position(|run| run.as_ref().is_err_and(StudyError::is_stop));
    let before = stopped.filter(|at| *at > 0).unwrap_or(runs.len());
    runs.into_iter().take(before).collect()
}

/// Number of iterations of all simulated runs, as the total of the progress. Phases that all schedules share count
/// once, unless the runs are watched.
pub(crate) fn iterations(workload: &Workload, schedules: usize, watched: bool) -> u64 {
    let phases = &workload.phases;
    let shared = phases.iter().take_while(|phase| !phase.measured && phase.schedule.is_some()).count();
    let once = |phase: &Phase| match phase.tasking.tree.as_ref().and_then(Tree::executions) {
        // A task of a tree is executed once per path that leads to it.
        Some(times) => times.iter().sum::<f64>() as u64,
        None if phase.construct.is_loop() => phase.iterations.saturating_mul(u64::from(phase.times)),
        None if phase.construct.iterates() => phase.iterations,
        None => 0,
    };
    let sum = |phases: &[Phase]| -> u64 {
        let times = |phase: &Phase| u64::from(phase.repeat) * u64::from(phase.rounds(workload.rounds));
        phases.iter().map(|phase| once(phase).saturating_mul(times(phase))).sum()
    };
    let before = if watched { schedules as u64 } else { 1 };
    let each = sum(&phases[shared..]).saturating_mul(schedules as u64);
    sum(&phases[..shared]).saturating_mul(before).saturating_add(each)
}

/// Numbers of boards, sockets and nodes of a machine.
pub fn layout(machine: &Machine) -> Layout {
    let totals = totals(machine);
    let (boards, sockets) = (totals.boards.unwrap_or(0), totals.sockets.unwrap_or(0));
    Layout { boards, sockets, nodes: totals.nodes }
}

pub(crate) fn input<T>(name: &str, loaded: &Loaded<T>) -> Input {
    Input {
        name: name.to_owned(),
        hash: loaded.hash.clone(),
        overrides: loaded.overrides.clone(),
        resolved: loaded.resolved.json(),
        origins: Vec::new(),
        published_rows: None,
    }
}

/// Origins of all values.
fn origins<P>(origins: &ValueOrigins, values: &[FileValue<P>]) -> Vec<OriginOf> {
    let of = |value: &FileValue<P>| OriginOf {
        path: value.path.clone(),
        origin: origins.of(value).to_string(),
        within: origins.within(value),
    };
    values.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use crate::{Files, Progress, RunSpec};
    use std::sync::Mutex;

    /// Last reported `done` and `total`, and the number of reports of completion before the last report.
    #[derive(Default)]
    struct Told(Mutex<(u64, u64, u32)>);

    impl Progress for Told {
        fn report(&self, done: u64, total: u64) {
            let mut told = self.0.lock().unwrap();
            let early = u32::from(told.1 > 0 && told.0 == told.1);
            *told = (done, total, told.2 + early);
        }
    }

    #[test]
    fn progress_ends_where_the_run_does() {
        for (workload, watched) in [("cg", false), ("loadbal", false), ("loadbal", true), ("matvec", false)] {
            let spec = RunSpec {
                sequential: true,
                series: false,
                ..RunSpec::new("board:2 socket:2 core:4", workload)
            };
            let run = spec.resolve(&Files::default()).unwrap();
            let told = Told::default();
            let watch = crate::Watch::of_bytes(None, 1 << 20);
            run.simulate_watched(Some(1), &told, watched.then_some(&watch)).unwrap();
            let (done, total, early) = *told.0.lock().unwrap();
            assert_eq!(done, total, "{workload}");
            // The last reports of a phase may add nothing.
            assert!(early <= 4, "{workload}: full {early} times before the end");
        }
    }
}
