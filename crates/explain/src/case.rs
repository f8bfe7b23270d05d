//! A run whose setting can differ from the run that the user asked about.

use crate::blame::{Watch, Watched};
use crate::budget::Meter;
use numalab_machine::Machine;
use numalab_runtime::Profile;
use numalab_simulator::{Progress, RunOutcome, Setup, SimulationError, Team, observe, prepare};
use numalab_study::{ResolvedRun, SealedMachine};
use numalab_workload::{Schedule, Workload};
use std::sync::Arc;

/// Setting of a run: the resolved run, with some parts replaced. Clones share the parts.
#[derive(Clone, Debug)]
pub struct Case {
    /// Machine with its routes.
    pub machine: Arc<SealedMachine>,
    pub workload: Arc<Workload>,
    /// OpenMP runtime.
    pub runtime: Arc<Profile>,
    /// Threads and their processors.
    pub team: Arc<Team>,
    pub schedule: Schedule,
    /// Seed of all random streams.
    pub seed: u64,
    /// Number of the perturbed copy of the run; 0 is the nominal run.
    pub replica: u32,
    /// True to approximate nothing (see `Setup::exact`).
    pub exact: bool,
}

impl Case {
    /// Setting of the user's run under its first schedule; `None` without a schedule.
    pub fn of(run: &ResolvedRun) -> Option<Case> {
        Some(Case {
            machine: run.machine.clone(),
            workload: Arc::new(run.experiment.workload.value.clone()),
            runtime: Arc::new(run.runtime.value.clone()),
            team: Arc::new(run.team.clone()),
            schedule: *run.schedules.first()?,
            seed: run.spec.seed,
            replica: 0,
            exact: run.spec.exact,
        })
    }

    pub fn hardware(&self) -> &Machine {
        &self.machine.loaded.value
    }

    /// Input of the simulator.
    pub fn setup(&self) -> Setup<'_> {
        Setup {
            machine: &self.machine.loaded.value,
            fabric: &self.machine.fabric,
            workload: &self.workload,
            runtime: &self.runtime,
            team: &self.team,
            seed: self.seed,
            replica: self.replica,
            ideal: numalab_simulator::Ideal::default(),
            exact: self.exact,
        }
    }

    /// Simulates the run without an observer.
    pub fn run(&self) -> Result<RunOutcome, SimulationError> {
        prepare(&self.setup(), &())?.run_last(self.schedule, &())
    }

    /// Makespan in picoseconds, simulated without an observer within the work that `meter` grants.
    pub(crate) fn makespan(&self, meter: &Meter<'_>) -> Result<u64, SimulationError> {
        Ok(self.outcome(meter)?.makespan_ps)
    }

    /// Simulates the run without an observer within the work that `meter` grants.
    pub(crate) fn outcome(&self, meter: &Meter<'_>) -> Result<RunOutcome, SimulationError> {
        let progress = meter.begin();
        prepare(&self.setup(), progress)?.run_last(self.schedule, progress)
    }

    /// Simulates the run with an observer.
    pub fn watch(&self, progress: &dyn Progress) -> Result<(RunOutcome, Watched), SimulationError> {
        let mut watch = Watch::new(&self.machine.fabric, &self.team);
        let outcome = observe(&self.setup(), self.schedule, progress, &mut watch)?;
        Ok((outcome, watch.finish()))
    }
}
