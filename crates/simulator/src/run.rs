//! Phases in order, and what is reported of the measured ones.

use crate::books::{Books, Ledger};
use crate::observer::Observer;
use crate::outcome::{
    BytesByLevel, EngineCounts, PhaseOutcome, ResourceUse, RunOutcome, TaskCounts, ThreadOutcome,
};
use crate::relocate;
use crate::segment::Segment;
use crate::team::Team;
use crate::world::World;
use crate::{Progress, SimulationError};
use numalab_des::ResourceId;
use numalab_machine::{Closeness, Fabric, Machine, NodeId};
use numalab_runtime::Profile;
use numalab_units::{Bytes, Span};
use numalab_workload::{Mode, Phase, Schedule, Workload};
use std::collections::BTreeMap;

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
}

/// A setup whose leading phases, the same under every policy, have run.
pub struct Prepared<'a> {
    setup: &'a Setup<'a>,
    world: World<'a>,
    /// Rest of the phases that are not measured.
    unmeasured: &'a [Phase],
    /// Phases in which placements move pages before the measured phases, as a part of these.
    relocations: Vec<Phase>,
    measured: &'a [Phase],
}

/// Runs the phases up to the first that is measured or depends on the policy.
pub fn prepare<'a>(setup: &'a Setup<'a>, progress: &dyn Progress) -> Result<Prepared<'a>, SimulationError> {
    begin(setup, progress, &mut ())
}

/// Runs the whole workload under one schedule, with an observer from the first phase to the last.
pub fn observe(
    setup: &Setup,
    schedule: Schedule,
    progress: &dyn Progress,
    observer: &mut impl Observer,
) -> Result<RunOutcome, SimulationError> {
    let prepared = begin(setup, progress, observer)?;
    prepared.finish(prepared.world.clone(), schedule, progress, observer)
}

fn begin<'a>(
    setup: &'a Setup<'a>,
    progress: &dyn Progress,
    observer: &mut impl Observer,
) -> Result<Prepared<'a>, SimulationError> {
    known_nodes(setup)?;
    even_teams(setup)?;
    let phases = &setup.workload.phases;
    let shared =
        phases.iter().position(|phase| phase.measured || phase.schedule.is_none()).unwrap_or(phases.len());
    let mut world = World::new(setup);
    let mut unmeasured = Record::new(setup);
    for phase in &phases[..shared] {
        // `schedule` is `Some`, or the phase would not be shared.
        let policy = phase.schedule.unwrap_or(Schedule::Static { chunk: None });
        unmeasured.repeat(setup, phase, policy, &mut world, (progress, &mut *observer))?;
    }
    let split = phases.iter().position(|phase| phase.measured).unwrap_or(phases.len());
    let threads = setup.team.members.len() as u64;
    Ok(Prepared {
        setup,
        world,
        unmeasured: &phases[shared..split],
        relocations: relocate::phases(setup.workload, threads),
        measured: &phases[split..],
    })
}

/// Every node that a placement names exists.
fn known_nodes(setup: &Setup) -> Result<(), SimulationError> {
    let nodes = setup.fabric.nodes();
    let workload = setup.workload;
    for access in workload.phases.iter().flat_map(|phase| &phase.accesses) {
        if let Mode::Migrate(node) = access.mode
            && node >= nodes
        {
            let region = workload.regions[access.region.0].name.clone();
            return Err(SimulationError::NoSuchNode { region, node, nodes });
        }
    }
    for region in &workload.regions {
        if let Some(&node) = region.placement.nodes().iter().find(|node| **node >= nodes) {
            return Err(SimulationError::NoSuchNode { region: region.name.clone(), node, nodes });
        }
    }
    Ok(())
}

/// Inner teams have the same size.
fn even_teams(setup: &Setup) -> Result<(), SimulationError> {
    let threads = setup.team.members.len() as u32;
    match setup.workload.phases.iter().find(|phase| !threads.is_multiple_of(phase.teams.max(1))) {
        Some(Phase { name, teams, .. }) => {
            Err(SimulationError::Teams { phase: name.clone(), teams: *teams, threads })
        }
        None => Ok(()),
    }
}

impl Prepared<'_> {
    /// Runs the remaining phases under a policy.
    pub fn run(&self, schedule: Schedule, progress: &dyn Progress) -> Result<RunOutcome, SimulationError> {
        self.finish(self.world.clone(), schedule, progress, &mut ())
    }

    fn finish<'a>(
        &'a self,
        mut world: World<'a>,
        schedule: Schedule,
        progress: &dyn Progress,
        observer: &mut impl Observer,
    ) -> Result<RunOutcome, SimulationError> {
        let mut measured = Record::new(self.setup);
        let mut unmeasured = Record::new(self.setup);
        let rounds = (0..self.setup.workload.rounds).flat_map(|_| self.measured);
        for phase in self.unmeasured.iter().chain(&self.relocations).chain(rounds) {
            let record = if phase.measured { &mut measured } else { &mut unmeasured };
            let schedule = phase.schedule.unwrap_or(schedule);
            record.repeat(self.setup, phase, schedule, &mut world, (progress, &mut *observer))?;
        }
        Ok(measured.into_outcome(self.setup, schedule))
    }
}

/// Totals of a resource over several phases.
#[derive(Clone, Copy, Default)]
struct Carried {
    bytes: u64,
    busy: Span,
    peak: f64,
}

/// The sum over some phases.
struct Record {
    took: Span,
    events: u64,
    engine: EngineCounts,
    ledgers: Vec<Ledger>,
    resources: BTreeMap<ResourceId, Carried>,
    phases: Vec<PhaseOutcome>,
    /// Lines moved for synchronisation.
    transactions: u64,
    tasks: Option<TaskCounts>,
}

impl Record {
    fn new(setup: &Setup) -> Record {
        Record {
            took: Span::ZERO,
            events: 0,
            engine: EngineCounts::default(),
            ledgers: vec![Ledger::default(); setup.team.members.len()],
            resources: BTreeMap::new(),
            phases: Vec::new(),
            transactions: 0,
            tasks: None,
        }
    }

    fn repeat<'a>(
        &mut self,
        setup: &'a Setup<'a>,
        phase: &'a Phase,
        schedule: Schedule,
        world: &mut World<'a>,
        (progress, observer): (&dyn Progress, &mut impl Observer),
    ) -> Result<(), SimulationError> {
        let before = self.sum(phase, world);
        let moved = world.sync.exec.counts().transactions();
        let engine = counts(world);
        for _ in 0..phase.repeat {
            let books = Books { ledgers: &mut self.ledgers, observer: &mut *observer };
            let world = &mut *world;
            let outcome = Segment { setup, phase, schedule, world, books, progress }.run()?;
            let network = &world.network;
            self.took += outcome.took;
            self.events += outcome.events;
            for ((number, resource), bytes) in network.used.iter().enumerate().zip(network.fluid.bytes()) {
                let Some(resource) = *resource else { continue };
                let usage = network.fluid.usage(number as u32);
                let carried = self.resources.entry(resource).or_default();
                carried.bytes += bytes;
                carried.busy += Span(usage.busy_ps);
                carried.peak = carried.peak.max(usage.peak);
            }
            world.network.end_phase(world.now);
            if let Some(tasks) = outcome.tasks {
                self.tasks.get_or_insert_default().add(&tasks);
            }
            self.audit(phase);
        }
        self.transactions += world.sync.exec.counts().transactions() - moved;
        self.engine.grow(&engine, &counts(world));
        let after = self.sum(phase, world);
        match self.phases.iter_mut().find(|known| known.name == phase.name) {
            Some(known) => known.grow(&before, &after),
            None => {
                let mut fresh = PhaseOutcome { name: phase.name.clone(), ..PhaseOutcome::default() };
                fresh.grow(&before, &after);
                self.phases.push(fresh);
            }
        }
        Ok(())
    }

    /// Everything so far, in the shape of a phase.
    fn sum(&self, phase: &Phase, world: &World<'_>) -> PhaseOutcome {
        let sum = |part: fn(&Ledger) -> u64| self.ledgers.iter().map(part).sum();
        PhaseOutcome {
            name: phase.name.clone(),
            time_ps: self.took.0,
            bytes: sum(|ledger| ledger.streamed + ledger.cached),
            remote_bytes: sum(|ledger| ledger.remote),
            cached_bytes: sum(|ledger| ledger.cached),
            pages_faulted: world.pages.faulted,
            pages_moved: world.pages.moved,
        }
    }

    /// The laws that hold after every phase, in debug builds.
    fn audit(&self, phase: &Phase) {
        if cfg!(debug_assertions) {
            for ledger in &self.ledgers {
                assert_eq!(
                    ledger.total(),
                    self.took,
                    "phase {}: a thread's times sum to the time",
                    phase.name
                );
                assert!(ledger.time_by_node.total() <= self.took.0);
            }
            for carried in self.resources.values() {
                assert!(carried.busy <= self.took && carried.peak <= 1.0 + 1e-9);
            }
        }
    }

    fn into_outcome(self, setup: &Setup, schedule: Schedule) -> RunOutcome {
        let fabric = setup.fabric;
        // A large team may wait for longer than the counter of picoseconds reaches.
        let sum = |part: fn(&Ledger) -> Span| {
            self.ledgers.iter().map(part).fold(0, |sum: u64, Span(span)| sum.saturating_add(span))
        };
        let sequential = sum(|ledger| ledger.sequential);
        let working = sum(|ledger| ledger.compute + ledger.stall);
        let (overhead, idle) = (sum(|ledger| ledger.overhead), sum(|ledger| ledger.idle));
        let mut bytes_by_level = BytesByLevel::default();
        for (member, ledger) in setup.team.members.iter().zip(&self.ledgers) {
            for (home, bytes) in ledger.bytes_by_node.iter() {
                let level = match fabric.closest(member.node, NodeId(home)) {
                    Closeness::Node => &mut bytes_by_level.node,
                    Closeness::Socket => &mut bytes_by_level.socket,
                    Closeness::Board => &mut bytes_by_level.board,
                    Closeness::Machine => &mut bytes_by_level.machine,
                };
                *level += bytes;
            }
        }
        let cached_bytes = self.ledgers.iter().map(|ledger| ledger.cached).sum();
        let served = Bytes(bytes_by_level.total() + cached_bytes);
        debug_assert_eq!(served, self.ledgers.iter().map(Ledger::bytes).sum());
        let resources = self
            .resources
            .into_iter()
            .filter(|(_, carried)| carried.bytes > 0)
            .map(|(id, carried)| ResourceUse {
                resource: id,
                name: fabric.name(id),
                capacity_bytes_per_s: fabric.capacity(id).0,
                bytes: carried.bytes,
                busy_ps: carried.busy.0,
                peak_utilisation: carried.peak.min(1.0),
            })
            .collect();
        let team = setup
            .team
            .members
            .iter()
            .zip(self.ledgers)
            .map(|(member, ledger)| ThreadOutcome {
                processor: member.processor,
                node: member.node.0,
                compute_ps: ledger.compute.0,
                stall_ps: ledger.stall.0,
                overhead_ps: ledger.overhead.0,
                idle_ps: ledger.idle.0,
                iterations: ledger.iterations,
                stolen: ledger.stolen,
                cached_bytes: ledger.cached,
                bytes_by_node: ledger.bytes_by_node,
                time_by_node_ps: ledger.time_by_node,
            })
            .collect();
        RunOutcome {
            schedule,
            makespan_ps: self.took.0,
            events: self.events,
            engine: self.engine,
            sequential_equivalent_ps: sequential,
            work_time_inflation_ps: (i128::from(working) - i128::from(sequential)) as i64,
            overhead_ps: overhead,
            idle_ps: idle,
            transactions: self.transactions,
            tasks: self.tasks,
            bytes_by_level,
            cached_bytes,
            phases: self.phases,
            team,
            resources,
        }
    }
}

/// The engine's work so far.
fn counts(world: &World<'_>) -> EngineCounts {
    EngineCounts {
        solver_visits: world.network.fluid.visits(),
        cache_visits: world.caches.visits(),
        operations: world.sync.exec.operations(),
    }
}
