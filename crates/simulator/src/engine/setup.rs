//! Inputs of a run.

use crate::engine::team::Team;
use crate::flow::ideal::Ideal;
use numalab_base::Time;
use numalab_des::Streams;
use numalab_machine::{Fabric, Machine};
use numalab_runtime::Profile;
use numalab_workload::{Phase, Workload};

/// Longest simulated time of a run, low enough that sums of times do not overflow.
pub(crate) const LONGEST: Time = Time(u64::MAX / 4);

/// Inputs of a run except the policy.
pub struct Setup<'a> {
    pub machine: &'a Machine,
    /// Resources and routes of `machine`.
    pub fabric: &'a Fabric,
    /// Regions and phases to execute.
    pub workload: &'a Workload,
    /// Costs and choices of the OpenMP runtime.
    pub runtime: &'a Profile,
    /// Threads with their processors; at least one.
    pub team: &'a Team,
    /// Seed of every random stream.
    pub seed: u64,
    /// Number of the perturbed replica: its times vary by the machine's `os.noise`, and its draws are others than those
    /// of other replicas. 0: the nominal run.
    pub replica: u32,
    /// Costs that are left out of the run.
    pub ideal: Ideal<'a>,
    /// True if nothing is approximated: no access's nodes are rounded, however many accesses differ in them, and no
    /// sample stands for repetitions whose state does not come back.
    pub exact: bool,
}

impl<'a> Setup<'a> {
    /// Team of a phase; `None` if the run's own team executes the phase.
    pub(crate) fn team_of(&self, phase: &Phase) -> Option<Team> {
        let own = phase.team.as_ref()?;
        let team = Team::on(self.fabric, own.processors.iter().copied());
        (team.members != self.team.members).then_some(team)
    }

    /// Random streams of the run.
    pub(crate) fn streams(&self) -> Streams {
        Streams::of_replica(self.seed, self.replica)
    }

    /// Machine on which the runtime's lines move: `ideal.lines` if set, else the run's machine.
    pub(crate) fn lines(&self) -> (&'a Machine, &'a Fabric) {
        self.ideal.lines.unwrap_or((self.machine, self.fabric))
    }
}
