//! Execution of all phases in order.

// Glossary: run: One workload on one machine under one schedule.

use crate::account::observer::{Listener, Listeners, Observer};
use crate::account::outcome::RunOutcome;
use crate::account::totals::Record;
use crate::engine::setup::Setup;
use crate::engine::simulation::Simulation;
use crate::error::{Progress, SimulationError};
use crate::os::policies;
use crate::os::relocate;
use crate::os::replicas;
use crate::repeat::steady;
use numalab_machine::NodeId;
use numalab_workload::{Mode, Phase, Region, Schedule};

/// Setup, and the state after the leading phases that every policy executes alike.
pub struct Prepared<'a> {
    setup: &'a Setup<'a>,
    world: Simulation<'a>,
    rest: Rest<'a>,
}

/// Phases that remain after those that all policies share, in three parts.
struct Rest<'a> {
    /// Remaining phases before the first measured one.
    unmeasured: &'a [Phase],
    /// Phases that move pages to their placements before the measured phases; they count as measured.
    relocations: Vec<Phase>,
    measured: &'a [Phase],
}

/// Checks the setup, and executes the phases before the first one that is measured or depends on the policy.
pub fn prepare<'a>(setup: &'a Setup<'a>, progress: &dyn Progress) -> Result<Prepared<'a>, SimulationError> {
    begin(setup, progress, &mut ())
}

/// Executes the whole workload under one schedule, with an observer from the first phase on.
pub fn observe(
    setup: &Setup,
    schedule: Schedule,
    progress: &dyn Progress,
    mut observer: &mut dyn Observer,
) -> Result<RunOutcome, SimulationError> {
    let observer = &mut observer;
    let Prepared { setup, world, rest } = begin(setup, progress, observer)?;
    rest.run(setup, schedule, world, &mut Listeners { progress, observer })
}

fn begin<'a>(
    setup: &'a Setup<'a>,
    progress: &dyn Progress,
    observer: &mut impl Listener,
) -> Result<Prepared<'a>, SimulationError> {
    known_nodes(setup)?;
    even_teams(setup)?;
    let phases = &setup.workload.phases;
    let split = phases.iter().position(|phase| phase.measured).unwrap_or(phases.len());
    replicas::check(setup.workload, setup.machine.dsm.is_some())?;
    let alike = |region: &&[Phase]| region.iter().all(|phase| !phase.measured && phase.schedule.is_some());
    let shared: usize = Phase::by_region(phases).take_while(alike).map(<[Phase]>::len).sum();
    let mut world = Simulation::new(setup);
    let mut unmeasured = Record::new(setup);
    for region in Phase::by_region(&phases[..shared]) {
        // Shared phases have a schedule of their own.
        let policy = Schedule::Static { chunk: None };
        let listeners = &mut Listeners { progress, observer: &mut *observer };
        unmeasured.repeat(setup, region, policy, &mut world, listeners)?;
    }
    let nodes: Vec<NodeId> = setup.team.members.iter().map(|member| member.node).collect();
    let rest = Rest {
        unmeasured: &phases[shared..split],
        relocations: relocate::phases(setup.workload, &nodes, setup.machine.memory.page.0),
        measured: &phases[split..],
    };
    Ok(Prepared { setup, world, rest })
}

/// Checks that every node named by a placement or an access exists and has memory, and that no round of an interleave is too long.
fn known_nodes(setup: &Setup) -> Result<(), SimulationError> {
    let nodes = setup.fabric.memory_nodes();
    let workload = setup.workload;
    let known = |region: &Region, node: u32| {
        let region = || region.name.clone();
        if node >= nodes {
            return Err(SimulationError::NoSuchNode { region: region(), node, nodes });
        }
        if !setup.fabric.has_memory(NodeId(node)) {
            let with_memory = setup.fabric.nodes_with_memory().map(|node| node.0).collect();
            return Err(SimulationError::NoMemory { region: region(), node, with_memory });
        }
        Ok(())
    };
    for access in workload.phases.iter().flat_map(|phase| &phase.accesses) {
        if let Mode::Migrate(node) = access.mode {
            known(&workload.regions[access.region.0], node)?;
        }
    }
    for region in &workload.regions {
        let pages = policies::pages_in_a_round(&region.placement, setup.fabric);
        if pages > policies::MOST_IN_A_ROUND {
            let (region, most) = (region.name.clone(), policies::MOST_IN_A_ROUND);
            return Err(SimulationError::LongRound { region, pages, most });
        }
        region.placement.nodes().iter().try_for_each(|node| known(region, *node))?;
    }
    Ok(())
}

/// Checks that the threads of each phase divide evenly into its inner teams.
fn even_teams(setup: &Setup) -> Result<(), SimulationError> {
    let all = setup.team.members.len();
    for phase in &setup.workload.phases {
        let threads = phase.team.as_ref().map_or(all, |team| team.processors.len()) as u32;
        if !threads.is_multiple_of(phase.teams.max(1)) {
            let (phase, teams) = (phase.name.clone(), phase.teams);
            return Err(SimulationError::Teams { phase, teams, threads });
        }
    }
    Ok(())
}

impl Prepared<'_> {
    /// Executes the remaining phases under a policy.
    pub fn run(&self, schedule: Schedule, progress: &dyn Progress) -> Result<RunOutcome, SimulationError> {
        self.rest.run(
            self.setup,
            schedule,
            self.world.clone(),
            &mut Listeners { progress, observer: &mut () },
        )
    }

    /// Executes the remaining phases under the last policy. Uses up the state after the leading phases instead of
    /// copying it.
    pub fn run_last(
        self,
        schedule: Schedule,
        progress: &dyn Progress,
    ) -> Result<RunOutcome, SimulationError> {
        self.rest.run(self.setup, schedule, self.world, &mut Listeners { progress, observer: &mut () })
    }
}

impl Rest<'_> {
    fn run<'a, O: Listener>(
        &'a self,
        setup: &'a Setup<'a>,
        schedule: Schedule,
        mut world: Simulation<'a>,
        listeners: &mut Listeners<'_, O>,
    ) -> Result<RunOutcome, SimulationError> {
        let mut measured = Record::new(setup);
        let mut unmeasured = measured.next();
        for region in Phase::by_region(self.unmeasured).chain(Phase::by_region(&self.relocations)) {
            let record = if region[0].measured { &mut measured } else { &mut unmeasured };
            record.repeat(setup, region, schedule, &mut world, listeners)?;
        }
        let (before, rest) = self.measured.split_at(leading(self.measured.iter()));
        let (round, after) = rest.split_at(rest.len() - leading(rest.iter().rev()));
        for region in Phase::by_region(before) {
            measured.repeat(setup, region, schedule, &mut world, listeners)?;
        }
        let rounds = u64::from(setup.workload.rounds);
        steady::repeat(
            (rounds, setup.exact),
            &mut measured,
            &mut world,
            listeners,
            |measured, world, listeners| {
                for region in Phase::by_region(round) {
                    let record = if region[0].measured { &mut *measured } else { &mut unmeasured };
                    record.repeat(setup, region, schedule, world, listeners)?;
                }
                Ok(())
            },
        )?;
        for region in Phase::by_region(after) {
            measured.repeat(setup, region, schedule, &mut world, listeners)?;
        }
        listeners.progress.stops(world.work());
        let reach = world.network.reach;
        // The outcome of large teams takes as much memory as a part of the world: they must not exist together.
        drop(world);
        let outcome = measured.into_outcome(setup, schedule)?;
        Ok(RunOutcome { reach, ..outcome })
    }
}

/// Number of phases at the beginning that run once, outside of the repeated rounds.
fn leading<'a>(phases: impl Iterator<Item = &'a Phase>) -> usize {
    phases.take_while(|phase| phase.once).count()
}
