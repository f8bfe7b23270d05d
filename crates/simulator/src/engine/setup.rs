//! Inputs of a run.

use crate::engine::team::Team;
use crate::flow::ideal::Ideal;
use numalab_base::Time;
use numalab_machine::{Fabric, Machine};
use numalab_runtime::Profile;
use numalab_workload::{Phase, Workload};

/// No run lasts longer, so that times cannot overflow.
pub(crate) const LONGEST: Time = Time(u64::MAX / 4);

/// Inputs of a run: workload, machine, threads and policy.
pub struct Setup<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// Its fabric.
    pub fabric: &'a Fabric,
    /// The workload.
    pub workload: &'a Workload,
    /// The OpenMP runtime.
    pub runtime: &'a Profile,
    /// The threads and their processors; at least one.
    pub team: &'a Team,
    /// Seed of every random stream.
    pub seed: u64,
    /// Parts of the machine that cost nothing.
    pub ideal: Ideal<'a>,
}

impl<'a> Setup<'a> {
    /// The team of a phase, where it is not the run's.
    pub(crate) fn team_of(&self, phase: &Phase) -> Option<Team> {
        let own = phase.team.as_ref()?;
        let team = Team::on(self.fabric, own.processors.iter().copied());
        (team.members != self.team.members).then_some(team)
    }

    /// The machine that the runtime's lines move on.
    pub(crate) fn lines(&self) -> (&'a Machine, &'a Fabric) {
        self.ideal.lines.unwrap_or((self.machine, self.fabric))
    }
}
