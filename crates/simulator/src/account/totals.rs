//! Sums over phases, and the outcome made of them.

use crate::account::books::{Books, Ledger};
use crate::account::observer::Listener;
use crate::account::observer::Listeners;
use crate::account::outcome::{
    Loss, Losses, LostTime, PageSharing, Reach, ResourceDelay, ResourceUse, RunOutcome, ThreadOutcome,
    faults, lose,
};
use crate::engine::segment::Segment;
use crate::engine::setup::LONGEST;
use crate::engine::setup::Setup;
use crate::engine::simulation::Simulation;
use crate::engine::world::World;
use crate::error::SimulationError;
use crate::pages::shared_memory::page_rows;
use crate::repeat::steady;
use numalab_base::{Bytes, Snapshot, Span, Time};
use numalab_counts::{
    BytesByLevel, Count, EngineCounts, NodeCounts, NodeTime, PhaseCounts, PhaseSharing, TaskCounts, grow_each,
};
use numalab_des::fluid::ResourceNo;
use numalab_dsm::Stop;
use numalab_machine::ResourceId;
use numalab_workload::{Phase, Schedule};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Totals of a resource over several phases; `peak` is the maximum.
#[derive(Clone, Copy, Default)]
struct Carried {
    bytes: u64,
    busy: Span,
    peak: f64,
}

/// Totals of the phases executed so far, and the counts and losses of each phase. Phases of the same name are added.
pub(crate) struct Record {
    took: Span,
    events: u64,
    engine: EngineCounts,
    ledgers: Vec<Ledger>,
    resources: BTreeMap<ResourceId, Carried>,
    /// Delays by resource, in the order of first delay.
    delays: Vec<ResourceDelay>,
    phases: Vec<PhaseCounts>,
    /// Lost time by cause, one list for each entry of `phases`.
    losses: Vec<Vec<LostTime>>,
    /// Lines moved for synchronisation.
    transactions: u64,
    tasks: Option<TaskCounts>,
    /// Counts of software-shared pages by node; empty without such pages.
    pages: Vec<NodeCounts>,
}

impl Carried {
    fn add(&mut self, bytes: u64, busy: Span, peak: f64) {
        self.bytes += bytes;
        self.busy += busy;
        self.peak = self.peak.max(peak);
    }
}

impl Record {
    pub fn new(setup: &Setup) -> Record {
        Record::of(vec![Ledger::default(); setup.team.members.len()])
    }

    fn of(ledgers: Vec<Ledger>) -> Record {
        Record {
            took: Span::ZERO,
            events: 0,
            engine: EngineCounts::default(),
            ledgers,
            resources: BTreeMap::new(),
            delays: Vec::new(),
            phases: Vec::new(),
            losses: Vec::new(),
            transactions: 0,
            tasks: None,
            pages: Vec::new(),
        }
    }

    /// Empty record whose ledgers keep only the computing that is not booked yet.
    pub fn next(&self) -> Record {
        Record::of(self.ledgers.iter().map(Ledger::next).collect())
    }

    /// Adds each ledger's computing that is not booked yet: the only part of the record that the next phase depends
    /// on.
    pub fn snapshot(&self, into: &mut Snapshot) {
        self.ledgers.iter().for_each(|ledger| into.add(&ledger.owed()));
    }

    /// Executes phases that share a region, or one phase, with their repetitions. `compared`: schedule of the phases
    /// that state none.
    pub fn repeat<'a, O: Listener>(
        &mut self,
        setup: &'a Setup<'a>,
        phases: &'a [Phase],
        compared: Schedule,
        world: &mut Simulation<'a>,
        listeners: &mut Listeners<'_, O>,
    ) -> Result<(), SimulationError> {
        steady::repeat(
            (u64::from(phases[0].repeat), setup.exact),
            self,
            world,
            listeners,
            |record, world, listeners| record.run(setup, phases, compared, world, listeners),
        )
    }

    /// Executes phases that share a region, or one phase, once.
    fn run<'a, O: Listener>(
        &mut self,
        setup: &'a Setup<'a>,
        phases: &'a [Phase],
        compared: Schedule,
        simulation: &mut Simulation<'a>,
        Listeners { progress, observer }: &mut Listeners<'_, O>,
    ) -> Result<(), SimulationError> {
        let Simulation { world, sources } = simulation;
        let phase = &phases[0];
        let before = self.sum(world);
        let engine = world.engine_counts();
        let pages = page_counts(world).to_vec();
        let (began, earlier) = (world.now, self.took);
        let mut losses = Losses::default();
        let books = Books { ledgers: &mut self.ledgers, losses: &mut losses, observer: &mut **observer };
        let own = setup.team_of(phase);
        let has_own_team = own.is_some();
        let balanced = world.balancer.as_ref().map(|balancer| &balancer.team);
        let slept = world.sleepers.as_ref().map(|sleepers| &sleepers.team);
        let team = match (own, balanced.or(slept)) {
            (Some(own), _) => Cow::Owned(own),
            (None, Some(team)) => Cow::Owned(team.clone()),
            (None, None) => Cow::Borrowed(setup.team),
        };
        let segment = Segment {
            setup,
            team,
            has_own_team,
            phases,
            phase,
            compared,
            world: &mut *world,
            books,
            progress: *progress,
        };
        let outcome = segment.run(sources)?;
        self.took += outcome.took;
        self.events += outcome.events;
        for (level, span) in world.network.take_spared() {
            losses.spare_latency(level, span);
        }
        let (from_ps, to_ps) = (earlier.0, self.took.0);
        let at = self.phase(&phase.name);
        let apart = outcome.parts.is_empty();
        for part in outcome.parts {
            let at = self.phase(&part.counts.name);
            self.phases[at].add(&PhaseCounts { name: String::new(), ..part.counts });
            let when = |ps: u64| (from_ps + ps.saturating_sub(began.0)).min(to_ps);
            for lost in part.lost {
                let (from_ps, to_ps) = (when(lost.from_ps), when(lost.to_ps));
                lose(&mut self.losses[at], LostTime { from_ps, to_ps, ..lost });
            }
        }
        let lost = &mut self.losses[at];
        for (to, time_ps) in losses.iter() {
            lose(lost, LostTime { to, time_ps, from_ps, to_ps });
        }
        let network = &world.network;
        let numbers = ResourceNo::first(network.used.len() as u32);
        for ((number, resource), bytes) in numbers.zip(&network.used).zip(network.fluid.bytes()) {
            let usage = network.fluid.usage(number);
            let delays = usage.delays;
            if delays.late_ps >= 1.0 {
                // A resource that is none of the machine's is the lock of a node's free pages: threads wait there for
                // faults.
                let to = resource.map_or(Loss::Fault, |resource| Loss::Full(setup.fabric.class(resource)));
                let when = |at: Time| (from_ps + at.since(began).0).min(to_ps);
                let (from_ps, to_ps) = (when(delays.from), when(delays.to));
                let time_ps = delays.late_ps as u128;
                if apart {
                    lose(&mut self.losses[at], LostTime { to, time_ps, from_ps, to_ps });
                }
                if let Some(resource) = *resource {
                    self.delay(ResourceDelay { resource, late_ps: time_ps, from_ps, to_ps });
                }
            }
            let Some(resource) = *resource else { continue };
            self.resources.entry(resource).or_default().add(bytes, usage.busy, usage.peak);
        }
        world.network.end_phase(world.now);
        if let Some(tasks) = outcome.tasks {
            self.tasks.get_or_insert_default().add(&tasks);
        }
        self.audit(phase);
        self.transactions += outcome.transactions;
        self.engine.grow(&engine, &world.engine_counts(), 1);
        grow_each(&mut self.pages, &pages, page_counts(world), 1);
        if apart {
            let after = self.sum(world);
            self.phases[at].grow(&before, &after, 1);
        }
        self.phases[at].estimated += outcome.estimated;
        Ok(())
    }

    /// Adds a delay of streams to the entry of its resource, or appends an entry.
    fn delay(&mut self, more: ResourceDelay) {
        match self.delays.iter_mut().find(|known| known.resource == more.resource) {
            Some(known) => {
                known.late_ps += more.late_ps;
                known.from_ps = known.from_ps.min(more.from_ps);
                known.to_ps = known.to_ps.max(more.to_ps);
            }
            None => self.delays.push(more),
        }
    }

    fn phase(&mut self, name: &str) -> usize {
        self.phases.iter().position(|known| known.name == name).unwrap_or_else(|| {
            self.phases.push(PhaseCounts { name: name.to_owned(), ..PhaseCounts::default() });
            self.losses.push(Vec::new());
            self.phases.len() - 1
        })
    }

    /// Counts so far of the world, the ledgers, the balancer and shared pages.
    fn sum(&self, world: &World<'_>) -> PhaseCounts {
        let sum = |part: fn(&Ledger) -> u64| self.ledgers.iter().map(part).sum();
        PhaseCounts {
            time_ps: self.took.0,
            bytes: sum(|ledger| ledger.streamed + ledger.cached),
            remote_bytes: sum(|ledger| ledger.by_level.remote()),
            cached_bytes: sum(|ledger| ledger.cached),
            page_faults: faults(page_counts(world)),
            sharing: self.sharing(world),
            ..world.counted()
        }
    }

    /// Times so far of the nodes that share pages, and the number of the present phase's pages that several nodes
    /// wrote.
    fn sharing(&self, world: &World<'_>) -> PhaseSharing {
        let Some(dsm) = &world.dsm else { return PhaseSharing::default() };
        let mut nodes: Vec<NodeTime> = Vec::new();
        for (thread, ledger) in (0..).zip(&self.ledgers) {
            let node = dsm.node_of(thread) as usize;
            nodes.resize_with(nodes.len().max(node + 1), NodeTime::default);
            let stop_ps = ledger.stop.as_deref().map_or(Span::ZERO, Stop::total).0;
            nodes[node].add(&NodeTime { compute_ps: ledger.compute.0, stop_ps, idle_ps: ledger.idle.0 });
        }
        PhaseSharing { nodes, written_by_several: dsm.written_by_several() }
    }

    /// Time of the phases so far, with all their repetitions.
    pub fn took(&self) -> Span {
        self.took
    }

    /// Iterations executed by all threads.
    pub fn iterations(&self) -> u64 {
        self.ledgers.iter().map(|ledger| ledger.iterations).sum()
    }

    /// Adds a record that was simulated once, `times` times, except that its engine counts are added once. An error
    /// if the time exceeds the longest time of a run.
    pub fn add(&mut self, other: &Record, times: u64) -> Result<(), SimulationError> {
        let took = self.took.0.checked_add(other.took.0.saturating_mul(times));
        if took.is_none_or(|took| took > LONGEST.0) {
            let phase = other.phases.first().map(|phase| phase.name.clone()).unwrap_or_default();
            return Err(SimulationError::TooLong { phase });
        }
        let (earlier, last) = (self.took.0, self.took.0 + times.saturating_sub(1) * other.took.0);
        self.took += times * other.took;
        self.events += times * other.events;
        self.transactions += times * other.transactions;
        self.engine.add(&other.engine);
        for (ledger, other) in self.ledgers.iter_mut().zip(&other.ledgers) {
            ledger.add(other, times);
        }
        for (resource, Carried { bytes, busy, peak }) in &other.resources {
            self.resources.entry(*resource).or_default().add(times * bytes, times * *busy, *peak);
        }
        for delay in &other.delays {
            let late_ps = u128::from(times) * delay.late_ps;
            let (from_ps, to_ps) = (earlier + delay.from_ps, last + delay.to_ps);
            self.delay(ResourceDelay { late_ps, from_ps, to_ps, ..*delay });
        }
        for (phase, losses) in other.phases.iter().zip(&other.losses) {
            let at = self.phase(&phase.name);
            self.phases[at].add(&phase.times(times));
            for lost in losses {
                let time_ps = u128::from(times) * lost.time_ps;
                let (from_ps, to_ps) = (earlier + lost.from_ps, last + lost.to_ps);
                lose(&mut self.losses[at], LostTime { to: lost.to, time_ps, from_ps, to_ps });
            }
        }
        grow_each(&mut self.pages, &[], &other.pages, times);
        if let Some(tasks) = &other.tasks {
            self.tasks.get_or_insert_default().add(&tasks.times(times));
        }
        Ok(())
    }

    /// True if no page was placed or moved, and no thread moved to another processor.
    pub fn moved_no_page(&self) -> bool {
        self.phases.iter().all(|phase| phase.pages_faulted + phase.pages_moved + phase.threads_moved == 0)
    }

    /// Notes that `repetitions` of the phases of a sample were counted without being simulated.
    pub fn estimate(&mut self, sample: &Record, repetitions: u64) {
        for phase in &sample.phases {
            let at = self.phase(&phase.name);
            self.phases[at].estimated += repetitions;
        }
    }

    /// Checks the laws that hold after every phase, in debug builds.
    fn audit(&self, phase: &Phase) {
        if cfg!(debug_assertions) {
            for ledger in &self.ledgers {
                assert_eq!(
                    ledger.total(),
                    self.took,
                    "phase {}: a thread's times sum to the time",
                    phase.name
                );
                assert!(ledger.by_node.parts().map(|(_, _, time)| time).sum::<u64>() <= self.took.0);
            }
            for carried in self.resources.values() {
                assert!(carried.busy <= self.took && carried.peak <= 1.0 + 1e-9);
            }
        }
    }

    /// Outcome of the phases so far; an error if the work of all threads does not fit into `i64`.
    pub fn into_outcome(self, setup: &Setup, schedule: Schedule) -> Result<RunOutcome, SimulationError> {
        let fabric = setup.fabric;
        // The waits of a large team can exceed 64 bits of picoseconds.
        let sum = |part: fn(&Ledger) -> Span| {
            self.ledgers.iter().map(|ledger| u128::from(part(ledger).0)).sum::<u128>()
        };
        let sequential = sum(|ledger| ledger.sequential);
        let working = sum(|ledger| ledger.compute + ledger.stall);
        let team = u128::from(self.took.0) * self.ledgers.len() as u128;
        // The memory penalty is signed, so work has to fit into `i64`. Sums of tasks can be as large as the team's
        // time.
        let most = if self.tasks.is_some() { working.max(team) } else { working };
        if most.max(sequential) > i64::MAX as u128 {
            return Err(SimulationError::TooMuchWork { threads: self.ledgers.len() as u32 });
        }
        let (overhead, idle) = (sum(|ledger| ledger.overhead), sum(|ledger| ledger.idle));
        let mut bytes_by_level = BytesByLevel::default();
        self.ledgers.iter().for_each(|ledger| bytes_by_level.add(&ledger.by_level));
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
        let stops =
            self.ledgers.iter().map(|ledger| ledger.stop.as_deref().copied().unwrap_or_default()).collect();
        let rows = page_rows(setup);
        let pages = setup.machine.dsm.is_some().then_some(PageSharing { nodes: self.pages, stops, rows });
        let team = setup
            .team
            .members
            .iter()
            .zip(self.ledgers)
            .map(|(member, ledger)| {
                let [bytes_by_node, time_by_node_ps] = ledger.by_node.into_amounts();
                ThreadOutcome {
                    processor: member.processor,
                    node: member.node.0,
                    compute_ps: ledger.compute.0,
                    stall_ps: ledger.stall.0,
                    overhead_ps: ledger.overhead.0,
                    idle_ps: ledger.idle.0,
                    iterations: ledger.iterations,
                    stolen: ledger.stolen,
                    cached_bytes: ledger.cached,
                    bytes_by_node,
                    time_by_node_ps,
                }
            })
            .collect();
        Ok(RunOutcome {
            schedule,
            makespan_ps: self.took.0,
            events: self.events,
            engine: self.engine,
            ideal_work_ps: sequential as u64,
            memory_penalty_ps: working as i64 - sequential as i64,
            overhead_ps: overhead,
            idle_ps: idle,
            transactions: self.transactions,
            tasks: self.tasks,
            pages,
            bytes_by_level,
            cached_bytes,
            phases: self.phases,
            losses: self.losses,
            team,
            resources,
            delays: self.delays,
            reach: Reach::default(),
        })
    }
}

impl World<'_> {
    /// Counts so far that no thread's ledger has.
    pub fn counted(&self) -> PhaseCounts {
        let threads_moved = self.balancer.as_ref().map_or(0, |balancer| balancer.moved);
        PhaseCounts { threads_moved, ..self.counts.clone() }
    }
}

/// Counts of software-shared pages so far, by node; empty without such pages.
fn page_counts<'w>(world: &'w World<'_>) -> &'w [NodeCounts] {
    world.dsm.as_ref().map_or(&[], |dsm| dsm.counts())
}
