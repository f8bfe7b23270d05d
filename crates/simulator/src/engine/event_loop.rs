//! The event loop of a phase.

use crate::account::cause::{Activity, Cause, Interval};
use crate::account::observer::Listener;
use crate::engine::actor::Actor;
use crate::engine::calendar::earlier;
use crate::engine::script::Script;
use crate::engine::setup::Setup;
use crate::engine::team_state::TeamState;
use crate::engine::worker::Told;
use crate::engine::worker::{Doing, Worker};
use crate::engine::world::World;
use crate::error::SimulationError;
use crate::os::system::System;
use crate::plan::Planner;
use crate::repeat::passes::{Counted, Passes};
use crate::work_source::{self, WakeReason, WorkSource};
use numalab_base::{Span, ThreadId, Time};
use numalab_machine::NodeId;
use numalab_workload::Phase;
use std::cmp::Ordering;

use crate::engine::segment::{Ready, Segment, SegmentOutcome, SegmentState};
use crate::engine::setup::LONGEST;

impl<'a, O: Listener> Segment<'a, '_, O> {
    /// Runs the phase.
    pub fn run(mut self) -> Result<SegmentOutcome, SimulationError> {
        self.check_sharing()?;
        let Setup { machine, fabric, .. } = *self.setup;
        let team = self.team.clone();
        let Phase { construct, times, teams, .. } = *self.phase;
        let threads = team.members.len() as u32;
        let began = self.world.now;
        self.enter_context();
        self.books.observer.phase(&self.phase.name, self.phase.measured, began);
        self.take_places();
        let placed = self.world.now;
        if O::ACTIVE {
            self.world.network.watch();
        }
        let free = self.world.sync.prepare(self.setup, &team, self.phase) && self.world.dsm.is_none();
        let size = threads / teams;
        let members = work_source::teams(&team, teams);
        let neighbourhoods = work_source::neighbourhoods(self.setup, &members);
        let busy = self.world.sync.busy.clone();
        let sums = self.sums_in_pages();
        let system = System::new(machine, fabric, &team);
        let planner = Planner::new(machine, fabric, self.phase, threads, system).ideally(self.setup.ideal);
        if planner.keeps {
            self.world.caches.unlimit();
        }
        let mut state = SegmentState {
            planner,
            teams: (0..teams).map(|team| TeamState::new(team * size, size, free, placed)).collect(),
            outer: TeamState::new(0, teams, free, placed),
            sources: work_source::sources(
                self.setup,
                self.phase,
                self.schedule,
                self.world,
                &members,
                &neighbourhoods,
            ),
            scripts: [teams > 1, false].map(|outer| Script::new(construct, times, (outer, sums))),
            workers: busy.iter().map(|busy| Worker::new(*busy, placed)).collect(),
            kernel_locks: Default::default(),
            woken: Vec::new(),
            released: Vec::new(),
            flags: Vec::new(),
            unreported: 0,
            passed_on: vec![None; if O::ACTIVE { teams as usize } else { 0 }],
            told: Told::default(),
        };
        let idle = (0..threads).filter(|thread| !busy[*thread as usize]);
        let mut ready: Ready = idle.map(|thread| (thread, WakeReason::Ready)).collect();
        if construct.is_alone() {
            state.workers.iter_mut().skip(1).for_each(|worker| worker.over = true);
            ready.retain(|(thread, _)| *thread == 0);
        }
        let mut events = 0;
        let transactions = self.world.sync.exec.counts().transactions();
        let mut passes = Passes::new::<O>(self.phase);
        loop {
            events += ready.len() as u64;
            for (thread, reason) in ready.drain(..) {
                self.resume(&mut state, thread, reason)?;
            }
            if state.released.is_empty() && state.workers[0].over {
                break;
            }
            if passes.is_due(&state.workers[0]) {
                self.pass(&mut passes, &mut state, events)?;
            }
            events += self.advance(&mut state, &mut ready)?;
        }
        self.end_passes(&mut passes);
        self.progress.advance(state.unreported);
        self.show_loads(true);
        self.close(&mut state);
        self.leave_out(threads, Interval { from: began, to: self.world.now }, passes.counted.took);
        self.world.calendar.forget_wakes();
        if state.planner.streams {
            self.world.caches.clear();
        }
        let Counted { took, events: counted, transactions: moved } = passes.counted;
        let took = self.world.now - began + took;
        let moved = self.world.sync.exec.counts().transactions() - transactions + moved;
        let tasks = work_source::finish(state.sources, self.world, took);
        if let Some(balancer) = self.world.balancer.as_mut().filter(|_| !self.has_own_team) {
            balancer.team = self.team.into_owned();
        }
        Ok(SegmentOutcome { took, events: events + counted, transactions: moved, tasks })
    }

    /// Goes to the next instant at which something happens to threads, and finds to whom. Returns the events
    /// of other actors on the way.
    fn advance(
        &mut self,
        state: &mut SegmentState<'a, '_>,
        ready: &mut Ready,
    ) -> Result<u64, SimulationError> {
        if !state.released.is_empty() {
            ready.extend(state.released.drain(..).map(|thread| (thread, WakeReason::Ready)));
            ready.sort_unstable_by_key(|entry| entry.0);
            return Ok(0);
        }
        for (at, thread) in state.woken.drain(..) {
            self.world.calendar.wake(at.max(self.world.now), ThreadId::new(thread));
        }
        let mut events = 0;
        loop {
            let world = &mut *self.world;
            let flow = world.network.fluid.next_finish();
            let next = earlier(flow, world.calendar.next());
            let first = earlier(next, world.sync.exec.next().map(Time));
            if let Some(first) = first
                && world.calendar.next_scan().is_some_and(|scan| scan <= first)
            {
                self.scan(state, first);
                events += 1;
                continue;
            }
            if let Some(at) = self.balance_due()
                && first.is_some_and(|first| at <= first)
            {
                self.balance(state, at);
                events += 1;
                if state.released.is_empty() {
                    continue;
                }
                ready.extend(state.released.drain(..).map(|thread| (thread, WakeReason::Ready)));
                ready.sort_unstable_by_key(|entry| entry.0);
                return Ok(events);
            }
            // Programs that end before or with anything else are seen first.
            if self.programs(state, next.unwrap_or(LONGEST).min(LONGEST), ready) {
                return Ok(events);
            }
            if self.paging(state, next.unwrap_or(LONGEST), ready, &mut events) {
                return Ok(events);
            }
            let phase = || self.phase.name.clone();
            // A program that goes on later than any run does is not stuck.
            let ahead = self.world.sync.exec.next().map(|at| Time(at).max(LONGEST + Span(1)));
            let Some(next) = next.or(ahead) else { return Err(SimulationError::Stuck { phase: phase() }) };
            if next > LONGEST {
                return Err(SimulationError::TooLong { phase: phase() });
            }
            // A service may have ended while threads were on their way to other places.
            self.world.now = next.max(self.world.now);
            events += self.due(state, ready);
            return Ok(events);
        }
    }

    /// Runs programs until then, but no further than to the first instant at which one ends; whether one did.
    fn programs(&mut self, state: &SegmentState<'a, '_>, until: Time, ready: &mut Ready) -> bool {
        if self.world.sync.exec.next().is_none_or(|at| at > until.0) {
            return false;
        }
        self.refresh_loads(state);
        let World { sync, now, .. } = &mut *self.world;
        sync.finished.clear();
        sync.exec.advance(until.0, &mut sync.finished);
        let Some(first) = sync.finished.first() else { return false };
        ready.extend(sync.finished.iter().map(|end| (end.agent, WakeReason::ProgramEnded(end.result))));
        *now = Time(first.at);
        self.show_loads(false);
        true
    }

    /// Everything but programs that is due at the present instant. Returns the events of other actors.
    fn due(&mut self, state: &mut SegmentState<'a, '_>, ready: &mut Ready) -> u64 {
        let now = self.world.now;
        let (mut flows, mut reclaimed) = (std::mem::take(&mut state.released), Vec::new());
        // What ended before has been asked for what limited it.
        self.show_loads(false);
        self.world.network.tidy(now);
        self.world.network.fluid.finish(now, &mut flows);
        for token in flows.drain(..) {
            match Actor::of_token(token) {
                Actor::Thread(thread) => ready.push((thread.number(), WakeReason::Ready)),
                Actor::Reclaimer(node) => reclaimed.push(NodeId(node)),
                Actor::Scanner | Actor::Processor(_) => debug_assert!(false, "they copy nothing"),
            }
        }
        state.released = flows;
        let mut events = reclaimed.len() as u64;
        reclaimed.sort_unstable();
        reclaimed.into_iter().for_each(|node| self.reclaimed(state, node));
        while let Some(actor) = self.world.calendar.take_end(now) {
            match actor {
                Actor::Thread(thread) => {
                    let until = state.workers[thread.index()].until;
                    match until.cmp(&now) {
                        // Its processor did something else meanwhile.
                        Ordering::Greater => self.world.calendar.end(until, actor),
                        Ordering::Equal => ready.push((thread.number(), WakeReason::Ready)),
                        // It was cut, and goes on with something else.
                        Ordering::Less => {}
                    }
                }
                Actor::Processor(processor) => {
                    self.end_service(state, processor);
                    events += 1;
                }
                Actor::Scanner | Actor::Reclaimer(_) => debug_assert!(false, "their entries are elsewhere"),
            }
        }
        while let Some(thread) = self.world.calendar.take_wake(now) {
            if matches!(state.workers[thread.index()].doing, Doing::Parked) {
                ready.push((thread.number(), WakeReason::Woken));
            }
        }
        // Simultaneous events happen in thread order, whatever the solver's inner order. Woken twice is
        // woken once.
        ready.sort_unstable_by_key(|entry| entry.0);
        ready.dedup_by_key(|entry| entry.0);
        events
    }

    /// Lines are about to move: what makes them wait may have changed.
    pub(crate) fn refresh_loads(&mut self, state: &SegmentState<'a, '_>) {
        let World { loads, network, sync, .. } = &mut *self.world;
        loads.refresh(network, state.planner.machine.memory.line, &mut sync.exec);
    }

    /// The phase is over: books what every thread has been doing since it was last looked at.
    fn close(&mut self, state: &mut SegmentState<'a, '_>) {
        let now = self.world.now;
        let outer = state.outer.latest();
        let last = state.teams.iter().map(TeamState::latest).max().map_or(outer, |last| last.max(outer));
        for (thread, worker) in (0..).zip(&mut state.workers) {
            let during = Interval { from: worker.since, to: now };
            if let Some(arrival) = worker.arrived.take() {
                self.books.met(thread, Interval { from: arrival.at, ..during }, last);
            } else if worker.over {
                // The phase is over when the first thread is through.
                if during.to > during.from {
                    self.books.released(thread, 0, now);
                }
                self.books.book(thread, Activity::Idle, during, Cause::NoWork);
            } else {
                self.books.book(thread, Activity::Overhead, during, Cause::Runtime);
            }
            self.world.sync.busy[thread as usize] = worker.doing.is_a_program();
        }
        for (team, source) in state.teams.iter().zip(&state.sources) {
            for rank in 0..team.size {
                self.books.ledger(team.first + rank).stolen += source.stolen(rank);
            }
        }
    }
}
