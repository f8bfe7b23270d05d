//! Event loop of a phase: fires the source with the earliest event, then resumes the threads that the event made
//! ready.

use crate::account::cause::{Activity, Cause, Interval};
use crate::account::observer::Listener;
use crate::account::parts::Parts;
use crate::engine::Sources;
use crate::engine::event_sources::Due;
use crate::engine::script::Script;
use crate::engine::segment::{Planners, Segment, SegmentOutcome, SegmentState};
use crate::engine::setup::{LONGEST, Setup};
use crate::engine::source::{Kind, Turn};
use crate::engine::team_state::TeamState;
use crate::engine::worker::{Told, Worker};
use crate::engine::world::World;
use crate::error::SimulationError;
use crate::os::noise::PhaseNoise;
use crate::os::system::System;
use crate::plan::Planner;
use crate::repeat::passes::{Counted, Passes};
use crate::work_source::{self, WakeReason, WorkSource};
use numalab_base::{ThreadId, Time};
use numalab_workload::Phase;

/// Number of fired events between two questions to the listener whether the run stops.
const ASK_EVERY: u64 = 64;

impl<'a, O: Listener> Segment<'a, '_, O> {
    /// Runs the phase until thread 0 has left the phase's final barrier.
    pub fn run(mut self, sources: &mut Sources) -> Result<SegmentOutcome, SimulationError> {
        self.check_sharing()?;
        let Setup { machine, fabric, .. } = *self.setup;
        let team = self.team.clone();
        let Phase { construct, teams, .. } = *self.phase;
        let threads = team.members.len() as u32;
        let began = self.world.now;
        self.enter_context();
        self.books.observer.phase(&self.phase.name, self.phase.measured, began);
        self.take_places();
        let placed = self.world.now;
        if O::ACTIVE {
            self.world.network.watch();
        }
        let free = self.world.sync.prepare(self.setup, &team, self.phases) && self.world.dsm.is_none();
        let size = threads / teams;
        let members = work_source::teams(&team, teams);
        let neighbourhoods = work_source::neighbourhoods(self.setup, &members);
        let busy = self.world.sync.busy.clone();
        let sums = self.sums_in_pages();
        let planner = |phase: &'a Phase| {
            Planner::new(self.setup, phase, &team, System::new(machine, fabric, &team))
                .varied(PhaseNoise::new(self.setup, phase))
                .ideally(self.setup.ideal)
        };
        let planners =
            Planners { first: planner(self.phase), others: self.phases[1..].iter().map(planner).collect() };
        if planners.iter().any(|planner| planner.keeps) {
            self.world.caches.unlimit();
        }
        let mut state = SegmentState {
            planners,
            teams: (0..teams).map(|team| TeamState::new(team * size, size, free, placed)).collect(),
            outer: TeamState::new(0, teams, free, placed),
            sources: work_source::sources(
                self.setup,
                self.phases,
                self.compared,
                self.world,
                &members,
                &neighbourhoods,
            ),
            scripts: [teams > 1, false].map(|outer| Script::new(self.phases, (outer, sums))),
            workers: busy.iter().map(|busy| Worker::new(*busy, placed)).collect(),
            kernel_locks: Default::default(),
            woken: Vec::new(),
            released: Vec::new(),
            flags: Vec::new(),
            parts: Parts::new(self.phases, &self.books.ledgers[..threads as usize], self.world),
            unreported: 0,
            last_release: vec![None; if O::ACTIVE { teams as usize } else { 0 }],
            told: Told::default(),
        };
        let idle = (0..threads).filter(|thread| !busy[*thread as usize]);
        let ready = idle.map(|thread| (thread, WakeReason::Ready)).collect();
        let mut turn = Turn { until: placed, ready, events: 0 };
        if construct.is_alone() {
            state.workers.iter_mut().skip(1).for_each(|worker| worker.over = true);
            turn.ready.retain(|(thread, _)| *thread == 0);
        }
        let transactions = self.world.sync.exec.counts().transactions();
        let mut passes = Passes::new::<O>(self.phases, self.setup.exact);
        loop {
            turn.events += turn.ready.len() as u64;
            for (thread, reason) in turn.ready.drain(..) {
                self.resume(&mut state, thread, reason)?;
            }
            if state.released.is_empty() && state.workers[0].over {
                break;
            }
            if passes.is_due(&state.workers) {
                self.pass(&mut passes, sources, &mut state, turn.events)?;
            }
            self.advance(sources, &mut state, &mut turn)?;
        }
        self.end_passes(&mut passes);
        self.progress.advance(state.unreported);
        self.show_loads(true);
        self.close(&mut state);
        (0..threads).for_each(|thread| self.leave_phase(&mut state, thread, self.world.now));
        self.leave_out(threads, Interval { from: began, to: self.world.now }, passes.counted.took);
        self.world.calendar.forget_wakes();
        if state.planners.iter().last().is_some_and(|planner| planner.streams) {
            self.world.caches.clear();
        }
        let Counted { took, events: counted, transactions: moved, estimated } = passes.counted;
        let took = self.world.now - began + took;
        let moved = self.world.sync.exec.counts().transactions() - transactions + moved;
        let tasks = work_source::finish(state.sources, self.phases, self.world, teams as usize, took);
        let parts = state.parts.map_or_else(Vec::new, |parts| parts.outcomes);
        if let Some(balancer) = self.world.balancer.as_mut().filter(|_| !self.has_own_team) {
            balancer.team = self.team.into_owned();
        } else if let Some(sleepers) = self.world.sleepers.as_mut().filter(|_| !self.has_own_team) {
            sleepers.team = self.team.into_owned();
        }
        Ok(SegmentOutcome {
            took,
            events: turn.events + counted,
            transactions: moved,
            estimated,
            tasks,
            parts,
        })
    }

    /// Fires sources until some threads can continue. Threads in `released` continue before any source fires.
    fn advance(
        &mut self,
        sources: &mut Sources,
        state: &mut SegmentState<'a, '_>,
        turn: &mut Turn,
    ) -> Result<(), SimulationError> {
        if !state.released.is_empty() {
            turn.ready.extend(state.released.drain(..).map(|thread| (thread, WakeReason::Ready)));
            turn.ready.sort_unstable_by_key(|entry| entry.0);
            return Ok(());
        }
        for (at, thread) in state.woken.drain(..) {
            self.world.calendar.wake(at.max(self.world.now), ThreadId::new(thread));
        }
        loop {
            let next = sources.next(self);
            let phase = || self.phase.name.clone();
            let Some(due) = Due::first(&next) else { return Err(SimulationError::Stuck { phase: phase() }) };
            if due.at > LONGEST {
                return Err(SimulationError::TooLong { phase: phase() });
            }
            if due.kind() != Kind::Timed {
                turn.until = due.until(&next);
            }
            if due.kind() != Kind::Ahead {
                self.go_to(due.at);
            }
            let (before, events) = (self.world.now, turn.events);
            self.world.fired += 1;
            if self.world.fired.is_multiple_of(ASK_EVERY) && self.progress.stops(self.world.work()) {
                return Err(SimulationError::Stopped);
            }
            sources.fire(due.place, self, state, turn);
            if due.kind() == Kind::Timed {
                sources.fire_the_rest(due.place, self, state, turn);
            }
            debug_assert!(self.world.now <= before.max(turn.until), "the clock passes an event");
            self.world.watchdog.count(1 + turn.events - events);
            if self.world.watchdog.is_due() {
                self.check_progress(state)?;
            }
            if !turn.ready.is_empty() {
                // Threads go on in the order of their numbers. A thread has one reason at an instant, which may come twice.
                turn.ready.sort_unstable_by_key(|entry| entry.0);
                let one_reason =
                    |pair: &[(u32, WakeReason)]| pair[0].0 != pair[1].0 || pair[0].1 == pair[1].1;
                debug_assert!(turn.ready.windows(2).all(one_reason), "a thread is ready for two reasons");
                turn.ready.dedup_by_key(|entry| entry.0);
                return Ok(());
            }
        }
    }

    /// Sets the clock, before any state changes at that instant. An event may be due before the present time, since a
    /// change of teams between two phases takes time.
    fn go_to(&mut self, at: Time) {
        let now = at.max(self.world.now);
        self.world.now = now;
        self.show_loads(false);
        self.world.network.tidy(now);
        self.world.network.fluid.go_to(now);
    }

    /// Updates the waiting times of lines behind flows, before lines move.
    pub(crate) fn refresh_loads(&mut self, state: &SegmentState<'a, '_>) {
        let World { loads, network, sync, .. } = &mut *self.world;
        loads.refresh(network, state.planners[0].machine.memory.line, &mut sync.exec);
    }

    /// Ends the phase: books the time of all threads up to now, and counts the iterations that they stole.
    fn close(&mut self, state: &mut SegmentState<'a, '_>) {
        let now = self.world.now;
        let outer = state.outer.latest();
        let last = state.teams.iter().map(TeamState::latest).max().map_or(outer, |last| last.max(outer));
        for (thread, worker) in (0..).zip(&mut state.workers) {
            let during = Interval { from: worker.since, to: now };
            if let Some(arrival) = worker.arrived.take() {
                self.books.met(thread, Interval { from: arrival.at, ..during }, last);
            } else if worker.over {
                // Thread 0 ends the phase by leaving the barrier.
                if during.to > during.from {
                    self.books.released(thread, 0, now);
                }
                self.books.book(thread, Activity::Idle, during, Cause::NoWork);
            } else {
                self.books.book(thread, Activity::Overhead, during, Cause::Runtime);
            }
            self.world.sync.busy[thread as usize] = worker.doing.facts().is_program;
        }
        for (team, source) in state.teams.iter().cycle().zip(&state.sources) {
            for rank in 0..team.size {
                self.books.ledger(team.first + rank).stolen += source.stolen(rank);
            }
        }
    }
}
