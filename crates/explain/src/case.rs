//! One run of a setting that may differ from the one that was asked about.

use crate::blame::{Watch, Watched};
use numalab_machine::Machine;
use numalab_runtime::Profile;
use numalab_simulator::{RunOutcome, Setup, SimulationError, Team, observe, prepare};
use numalab_study::{ResolvedRun, SealedMachine};
use numalab_workload::{Schedule, Workload};
use std::sync::Arc;

/// A setting of a run: what was resolved, with parts of it replaced. Copies share what they have in common.
#[derive(Clone, Debug)]
pub struct Case {
    /// The hardware.
    pub machine: Arc<SealedMachine>,
    /// The workload.
    pub workload: Arc<Workload>,
    /// The OpenMP runtime.
    pub runtime: Arc<Profile>,
    /// The threads and their processors.
    pub team: Arc<Team>,
    /// The schedule.
    pub schedule: Schedule,
    /// Seed of every random stream.
    pub seed: u64,
}

impl Case {
    /// The run that was asked about, under its first schedule.
    pub fn of(run: &ResolvedRun) -> Option<Case> {
        Some(Case {
            machine: run.machine.clone(),
            workload: Arc::new(run.experiment.workload.value.clone()),
            runtime: Arc::new(run.runtime.value.clone()),
            team: Arc::new(run.team.clone()),
            schedule: *run.schedules.first()?,
            seed: run.spec.seed,
        })
    }

    /// The hardware's description.
    pub fn hardware(&self) -> &Machine {
        &self.machine.loaded.value
    }

    /// As the simulator wants it.
    pub fn setup(&self) -> Setup<'_> {
        Setup {
            machine: &self.machine.loaded.value,
            fabric: &self.machine.fabric,
            workload: &self.workload,
            runtime: &self.runtime,
            team: &self.team,
            seed: self.seed,
            ideal: numalab_simulator::Ideal::default(),
        }
    }

    /// Simulates it.
    pub fn run(&self) -> Result<RunOutcome, SimulationError> {
        prepare(&self.setup(), &())?.run_last(self.schedule, &())
    }

    /// Simulates and watches it.
    pub fn watch(&self) -> Result<(RunOutcome, Watched), SimulationError> {
        let mut watch = Watch::new(&self.machine.fabric, &self.team);
        let outcome = observe(&self.setup(), self.schedule, &(), &mut watch)?;
        Ok((outcome, watch.finish()))
    }
}
