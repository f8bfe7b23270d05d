//! A thread ended what it was doing: its account is settled, and what comes next begins.

use crate::SimulationError;
use crate::flow_network::FlowNetwork;
use crate::phase::{Execution, Loop};
use crate::plan::Step;
use crate::script::{Act, Level};
use crate::sync_state::Meeting;
use crate::work_source::{NextAction, SourceContext, WakeReason, WorkSource};
use crate::worker::{Arrival, Doing};
use numalab_units::{Span, Time};
use std::cmp::Reverse;

/// Iterations between two reports of progress.
const REPORT_EVERY: u64 = 4096;

/// What came of an act.
enum Next {
    /// Nothing that takes time.
    Again,
    /// Something that ends by itself after a while.
    For(Doing, Span),
    /// Something that others end.
    Until(Doing),
}

impl<'a> Execution<'a, '_> {
    /// A thread goes on.
    pub(crate) fn resume(
        &mut self,
        state: &mut Loop<'a, '_>,
        thread: u32,
        mut reason: WakeReason,
        now: Time,
    ) -> Result<(), SimulationError> {
        self.account(state, thread, &mut reason, now);
        // Somebody who had only a program of an earlier phase to end, outside of all regions.
        if state.workers[thread as usize].over {
            return Ok(());
        }
        let script = usize::from(!leads(state, thread));
        loop {
            let worker = &mut state.workers[thread as usize];
            let next = match worker.steps.pop() {
                Some(step) => self.step(state, thread, step, now),
                None if !worker.granted.is_empty() => {
                    self.plan(state, thread, now)?;
                    continue;
                }
                None => match state.scripts[script].act(&mut worker.place) {
                    Some(act) => {
                        self.act(state, thread, act, std::mem::replace(&mut reason, WakeReason::Ready), now)
                    }
                    None => {
                        worker.over = true;
                        return Ok(());
                    }
                },
            };
            let worker = &mut state.workers[thread as usize];
            match next {
                Next::Again | Next::For(_, Span::ZERO) => {}
                Next::For(doing, span) => {
                    worker.doing = doing;
                    state.timers.push(Reverse(((now + span).0, thread)));
                    return Ok(());
                }
                Next::Until(doing) => {
                    worker.doing = doing;
                    return Ok(());
                }
            }
        }
    }

    /// Books the time since the thread was last looked at.
    fn account(&mut self, state: &mut Loop<'a, '_>, thread: u32, reason: &mut WakeReason, now: Time) {
        let member = &self.setup.team.members[thread as usize];
        let ledger = &mut self.ledgers[thread as usize];
        let worker = &mut state.workers[thread as usize];
        let took = now - worker.since;
        worker.since = now;
        match std::mem::replace(&mut worker.doing, Doing::Nothing) {
            Doing::Nothing => {}
            Doing::Overhead => ledger.overhead += took,
            Doing::Locked => {
                ledger.overhead += took;
                let wake = state.planner.system.os.wake;
                if let Some((next, span)) = state.address_space.leave() {
                    state.timers.push(Reverse(((now + wake + span).0, next)));
                }
            }
            Doing::Compute => ledger.computed(took, member.core_mates),
            Doing::Cached(bytes, hidden, pace) => ledger.cached(bytes, took, hidden, pace),
            Doing::Stream(segment, pace) => {
                ledger.streamed(&segment, took, pace, member.node, &self.world.blends);
            }
            Doing::Parked => ledger.idle += took,
            Doing::Tail => {
                ledger.overhead += took;
                self.world.sync.busy[thread as usize] = false;
                *reason = WakeReason::Ready;
            }
            // What belongs to a meeting is booked when its end is known.
            Doing::Program | Doing::Meeting if worker.arrived.is_some() => {}
            Doing::Program | Doing::Meeting => ledger.overhead += took,
        }
    }

    /// Iterations become steps.
    fn plan(&mut self, state: &mut Loop<'a, '_>, thread: u32, now: Time) -> Result<(), SimulationError> {
        let member = &self.setup.team.members[thread as usize];
        let worker = &mut state.workers[thread as usize];
        let clock = self.world.clock(now);
        let full = |full| SimulationError::MemoryFull { phase: self.phase.name.clone(), full };
        state
            .planner
            .plan(&mut worker.granted, member, self.world, clock, &mut worker.steps)
            .map_err(full)?;
        worker.steps.reverse();
        Ok(())
    }

    /// Begins a step of an iteration.
    fn step(&mut self, state: &mut Loop<'a, '_>, thread: u32, step: Step, now: Time) -> Next {
        let member = &self.setup.team.members[thread as usize];
        match step {
            Step::Overhead(span) => Next::For(Doing::Overhead, span),
            Step::Locked(span) => {
                if state.address_space.enter(thread, span) {
                    state.timers.push(Reverse(((now + span).0, thread)));
                }
                Next::Until(Doing::Locked)
            }
            Step::Compute(span) => Next::For(Doing::Compute, span),
            Step::Cached(cache, bytes, hidden) => {
                let cache = &self.setup.machine.caches[cache];
                let (seconds, pace) = FlowNetwork::cached(cache, member, &state.planner);
                let span = Span::from_secs_ceil(seconds * bytes as f64) - hidden;
                if span == Span::ZERO {
                    self.ledgers[thread as usize].cached(bytes, span, hidden, pace);
                }
                Next::For(Doing::Cached(bytes, hidden, pace), span)
            }
            Step::Stream(segment) if segment.bytes == 0 => Next::Again,
            Step::Stream(segment) => {
                let (class, pace) = state.network.class(&segment, member, &state.planner, &self.world.blends);
                state.network.fluid.start(now.0, class, segment.bytes, thread);
                Next::Until(Doing::Stream(segment, pace))
            }
            Step::Copy(_, _, 0) => Next::Again,
            Step::Copy(from, to, bytes) => {
                let class = state.network.copying(from, to, member, self.setup.machine);
                state.network.fluid.start(now.0, class, bytes, thread);
                Next::Until(Doing::Overhead)
            }
        }
    }

    /// Begins an act of the script, or ends it.
    fn act(
        &mut self,
        state: &mut Loop<'a, '_>,
        thread: u32,
        act: Act,
        reason: WakeReason,
        now: Time,
    ) -> Next {
        if act == Act::Share {
            return self.share(state, thread, reason, now);
        }
        let crew_at = crew_of(state, thread);
        let worker = &mut state.workers[thread as usize];
        if std::mem::replace(&mut worker.begun, false) {
            worker.place.advance();
            self.end(state, thread, act, reason, now);
            return Next::Again;
        }
        let act = if act == Act::BodyIfWon && worker.won { Act::Body } else { act };
        worker.begun = true;
        let crew = &mut state.crews[crew_at];
        let rank = thread - crew.first;
        let clock = self.world.clock(now);
        let meeting = match act {
            Act::Body if u64::from(thread) < self.phase.iterations => {
                (worker.begun, worker.granted) = (false, u64::from(thread)..u64::from(thread) + 1);
                self.ledgers[thread as usize].packages += 1;
                worker.place.advance();
                return Next::Again;
            }
            Act::Share | Act::Body | Act::BodyIfWon => return Next::Again,
            Act::Run(program) => {
                self.load(state);
                self.world.sync.run(program, crew_at, rank, clock);
                return Next::Until(Doing::Program);
            }
            Act::Barrier => {
                worker.arrive(Level::Inner, crew, now);
                Meeting::Barrier
            }
            Act::Close(level) => {
                let crew = if level == Level::Outer { &mut state.outer } else { crew };
                worker.arrive(level, crew, now);
                Meeting::Close(level)
            }
            Act::Open(level) => Meeting::Open(level),
        };
        let outer = matches!(meeting, Meeting::Open(Level::Outer) | Meeting::Close(Level::Outer));
        let (crew, rank) = match outer {
            true => (&mut state.outer, crew_at as u32),
            false => (&mut state.crews[crew_at], rank),
        };
        if !crew.free {
            self.load(state);
            self.world.sync.meet(meeting, crew_at, rank, clock);
            return Next::Until(Doing::Program);
        }
        if let Meeting::Open(_) = meeting {
            return Next::Again;
        }
        state.released.extend(crew.meet(thread).into_iter().flatten());
        Next::Until(Doing::Meeting)
    }

    /// Lines are about to move.
    fn load(&mut self, state: &mut Loop<'a, '_>) {
        state.loads.refresh(&mut state.network, self.setup.machine.memory.line, &mut self.world.sync.exec);
    }

    /// What an act leaves behind.
    fn end(&mut self, state: &mut Loop<'a, '_>, thread: u32, act: Act, reason: WakeReason, now: Time) {
        let crew = &state.crews[crew_of(state, thread)];
        let first = thread == crew.first;
        let worker = &mut state.workers[thread as usize];
        if let (Act::Run(_), WakeReason::ProgramEnded(result)) = (act, reason) {
            worker.won = result != 0;
        }
        // Who only has to say that it has come does not know yet that all have: it learns that when the
        // next region opens.
        let knows = match act {
            Act::Close(Level::Outer) => thread == 0 || crew.free,
            Act::Close(_) => first || crew.free,
            _ => true,
        };
        if let Some(Arrival { level, meeting, .. }) = worker.arrived.filter(|_| knows) {
            let crew = if level == Level::Outer { &state.outer } else { crew };
            worker.settle(crew.last(meeting), &mut self.ledgers[thread as usize], now);
        }
    }

    /// Asks for work.
    fn share(&mut self, state: &mut Loop<'a, '_>, thread: u32, reason: WakeReason, now: Time) -> Next {
        self.load(state);
        let crew_at = crew_of(state, thread);
        let first = state.crews[crew_at].first;
        let clock = self.world.clock(now);
        let mut context =
            SourceContext { exec: &mut self.world.sync.exec, first, now: clock, woken: &mut state.woken };
        let worker = &mut state.workers[thread as usize];
        match state.sources[crew_at].next_action(thread - first, reason, &mut context) {
            NextAction::Work(iterations) => {
                let packages = iterations.end - iterations.start;
                self.ledgers[thread as usize].packages += packages;
                state.unreported += packages;
                if state.unreported >= REPORT_EVERY {
                    self.progress.advance(std::mem::take(&mut state.unreported));
                }
                worker.granted = iterations;
                Next::Again
            }
            NextAction::Compute(instructions) => {
                let member = &self.setup.team.members[thread as usize];
                Next::For(Doing::Compute, state.planner.computing(instructions, member))
            }
            NextAction::Pause(span) => Next::For(Doing::Overhead, span),
            NextAction::Program => Next::Until(Doing::Program),
            NextAction::Park => Next::Until(Doing::Parked),
            NextAction::Done => {
                worker.place.advance();
                Next::Again
            }
        }
    }
}

/// Which team a thread is in.
fn crew_of(state: &Loop<'_, '_>, thread: u32) -> usize {
    (thread / state.crews[0].size) as usize
}

/// Whether a thread is the first of its team.
fn leads(state: &Loop<'_, '_>, thread: u32) -> bool {
    thread.is_multiple_of(state.crews[0].size)
}
