//! The event loop of one phase: from the moment when its first thread may begin to the moment when the
//! first thread has all the others behind it.

use crate::flow_network::FlowNetwork;
use crate::ledger::Ledger;
use crate::loads::Loads;
use crate::outcome::TaskCounts;
use crate::plan::Planner;
use crate::run::Setup;
use crate::script::Script;
use crate::station::Station;
use crate::system::System;
use crate::team_state::TeamState;
use crate::work_source::{self, AnyWorkSource, WakeReason, WorkSource};
use crate::worker::{Doing, Worker};
use crate::world::World;
use crate::{Progress, SimulationError};
use numalab_units::{Span, Time};
use numalab_workload::{Construct, Phase, Schedule};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// No phase lasts longer, so that sums of a few phases cannot overflow.
const LONGEST: u64 = u64::MAX / 4;

/// What one phase did.
pub(crate) struct Outcome<'a> {
    pub took: Span,
    pub events: u64,
    /// The resources, with what crossed them.
    pub network: FlowNetwork<'a>,
    /// What became of its tasks.
    pub tasks: Option<TaskCounts>,
}

/// Everything that one phase needs; `run` executes it.
pub(crate) struct Execution<'a, 'w> {
    pub setup: &'a Setup<'a>,
    pub phase: &'a Phase,
    pub policy: Schedule,
    pub world: &'w mut World<'a>,
    pub ledgers: &'w mut [Ledger],
    pub progress: &'w dyn Progress,
}

/// The state of a phase under way.
pub(crate) struct Loop<'a, 'b> {
    pub network: FlowNetwork<'a>,
    /// What they make line transactions wait for.
    pub loads: Loads,
    pub planner: Planner<'a>,
    /// The teams that execute it.
    pub crews: Vec<TeamState>,
    /// Those who opened them, if there are several.
    pub outer: TeamState,
    /// Where each team's work comes from.
    pub sources: Vec<AnyWorkSource<'a, 'b>>,
    /// What the first thread of a team does, and what the others do.
    pub scripts: [Script; 2],
    pub workers: Vec<Worker>,
    /// Ends of overhead and of computing, with the thread. One at most for each thread, and never moved.
    pub timers: BinaryHeap<Reverse<(u64, u32)>>,
    pub address_space: Station,
    /// Who was told to look for work again, and when; not yet in `wakes`.
    pub woken: Vec<(Time, u32)>,
    /// The same. Who is not parked any more when its time comes has found work without it.
    pub wakes: BinaryHeap<Reverse<(u64, u32)>>,
    /// Threads whose meeting is over at the present instant.
    pub released: Vec<u32>,
    /// Iterations since the last report of progress.
    pub unreported: u64,
}

impl<'a> Execution<'a, '_> {
    /// Runs the phase.
    pub fn run(mut self) -> Result<Outcome<'a>, SimulationError> {
        let Setup { machine, fabric, team, .. } = *self.setup;
        let Phase { construct, times, teams, .. } = *self.phase;
        let threads = team.members.len() as u32;
        let free = self.world.sync.prepare(self.setup, self.phase);
        let size = threads / teams;
        let staff = work_source::staff(self.setup, teams);
        let neighbourhoods = work_source::neighbourhoods(self.setup, &staff);
        let busy = self.world.sync.busy.clone();
        let mut state = Loop {
            network: FlowNetwork::new(fabric),
            loads: Loads::default(),
            planner: Planner::new(machine, fabric, self.phase, threads, System::new(machine, fabric, team)),
            crews: (0..teams).map(|crew| TeamState::new(crew * size, size, free)).collect(),
            outer: TeamState::new(0, teams, free),
            sources: work_source::sources(
                self.setup,
                self.phase,
                self.policy,
                self.world,
                &staff,
                &neighbourhoods,
            ),
            scripts: [teams > 1, false].map(|outer| Script::new(construct, times, outer)),
            workers: busy.iter().map(|busy| Worker::new(*busy)).collect(),
            timers: BinaryHeap::new(),
            address_space: Station::default(),
            woken: Vec::new(),
            wakes: BinaryHeap::new(),
            released: Vec::new(),
            unreported: 0,
        };
        let mut ready: Vec<(u32, WakeReason)> = (0..threads)
            .filter(|thread| !busy[*thread as usize])
            .map(|thread| (thread, WakeReason::Ready))
            .collect();
        if construct == Construct::Serial {
            state.workers.iter_mut().skip(1).for_each(|worker| worker.over = true);
            ready.retain(|(thread, _)| *thread == 0);
        }
        let (mut now, mut events) = (Time::ZERO, 0);
        loop {
            events += ready.len() as u64;
            for (thread, reason) in ready.drain(..) {
                self.resume(&mut state, thread, reason, now)?;
            }
            if state.released.is_empty() && state.workers[0].over {
                break;
            }
            now = self.next(&mut state, now, &mut ready)?;
        }
        self.progress.advance(state.unreported);
        self.close(&mut state, now);
        state.loads.clear(&state.network, &mut self.world.sync.exec);
        if state.planner.streams {
            self.world.caches.clear();
        }
        self.world.began = self.world.clock(now);
        let took = now - Time::ZERO;
        let tasks = work_source::finish(state.sources, self.world, took);
        Ok(Outcome { took, events, network: state.network, tasks })
    }

    /// Finds the next instant at which something happens to threads, and to whom.
    fn next(
        &mut self,
        state: &mut Loop<'a, '_>,
        now: Time,
        ready: &mut Vec<(u32, WakeReason)>,
    ) -> Result<Time, SimulationError> {
        if !state.released.is_empty() {
            ready.extend(state.released.drain(..).map(|thread| (thread, WakeReason::Ready)));
            ready.sort_unstable_by_key(|entry| entry.0);
            return Ok(now);
        }
        let began = self.world.began;
        for (at, thread) in state.woken.drain(..) {
            state.wakes.push(Reverse(((at - began).0.max(now.0), thread)));
        }
        let name = || self.phase.name.clone();
        let timer = state.timers.peek().map(|Reverse((time, _))| *time);
        let wake = state.wakes.peek().map(|Reverse((time, _))| *time);
        let next = state.network.fluid.next_finish().into_iter().chain(timer).chain(wake).min();
        let sync = &mut self.world.sync;
        let until = next.unwrap_or(LONGEST);
        // Programs that end before or with anything else are seen first.
        if sync.exec.next().is_some_and(|at| at <= began.0 + until) {
            sync.finished.clear();
            state.loads.refresh(&mut state.network, self.setup.machine.memory.line, &mut sync.exec);
            sync.exec.advance(began.0 + until, &mut sync.finished);
            if let Some(first) = sync.finished.first() {
                ready.extend(
                    sync.finished.iter().map(|end| (end.agent, WakeReason::ProgramEnded(end.result))),
                );
                return Ok(Time(first.at - began.0));
            }
        }
        let Some(next) = next else { return Err(SimulationError::Stuck { phase: name() }) };
        if next > LONGEST {
            return Err(SimulationError::TooLong { phase: name() });
        }
        let mut flows = std::mem::take(&mut state.released);
        state.network.fluid.finish(next, &mut flows);
        ready.extend(flows.drain(..).map(|thread| (thread, WakeReason::Ready)));
        state.released = flows;
        while state.timers.peek().is_some_and(|Reverse((time, _))| *time == next) {
            ready.extend(state.timers.pop().map(|Reverse((_, thread))| (thread, WakeReason::Ready)));
        }
        while state.wakes.peek().is_some_and(|Reverse((time, _))| *time == next) {
            let thread = state.wakes.pop().map(|Reverse((_, thread))| thread);
            let parked = |thread: &u32| matches!(state.workers[*thread as usize].doing, Doing::Parked);
            ready.extend(thread.filter(parked).map(|thread| (thread, WakeReason::Woken)));
        }
        // Simultaneous events happen in thread order, whatever the solver's inner order. Woken twice is
        // woken once.
        ready.sort_unstable_by_key(|entry| entry.0);
        ready.dedup_by_key(|entry| entry.0);
        Ok(Time(next))
    }

    /// The phase is over: what every thread has been doing since it was last looked at.
    fn close(&mut self, state: &mut Loop<'a, '_>, now: Time) {
        let last = state.crews.iter().map(TeamState::latest).max().unwrap_or(now).max(state.outer.latest());
        for ((worker, ledger), busy) in
            state.workers.iter_mut().zip(self.ledgers.iter_mut()).zip(&mut self.world.sync.busy)
        {
            if worker.arrived.is_some() {
                worker.settle(last, ledger, now);
            } else if worker.over {
                ledger.idle += now - worker.since;
            } else {
                ledger.overhead += now - worker.since;
            }
            *busy = matches!(worker.doing, Doing::Program | Doing::Tail);
        }
        for (crew, source) in state.crews.iter().zip(&state.sources) {
            for rank in 0..crew.size {
                self.ledgers[(crew.first + rank) as usize].stolen += source.stolen(rank);
            }
        }
    }
}
