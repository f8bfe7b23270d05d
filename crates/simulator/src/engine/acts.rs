//! Acts of a thread's script: meetings, programs of a construct, requests for work.

use crate::account::cause::{Cause, Interval};
use crate::account::observer::{GrantedWork, Listener};
use crate::engine::script::{Act, Level, Program};
use crate::engine::segment::{Next, source_of, team_of};
use crate::engine::segment::{Segment, SegmentState};
use crate::engine::worker::{Arrival, Doing};
use crate::os::noise::Piece;
use crate::plan::Step;
use crate::sync_state::Meeting;
use crate::work_source::pipeline::{self, Flag};
use crate::work_source::{AnyWorkSource, NextAction, SourceContext, WakeReason, WorkSource};
use numalab_base::{ThreadId, Time};
use numalab_workload::Construct;

impl<'a, O: Listener> Segment<'a, '_, O> {
    /// Begins an act of the script, or ends it if it has begun already, and moves to the next one. `Act::Share`
    /// requests work at every call until none is left.
    pub(crate) fn act(
        &mut self,
        state: &mut SegmentState<'a, '_>,
        thread: u32,
        act: Act,
        reason: WakeReason,
        now: Time,
    ) -> Next {
        if act == Act::Share {
            return self.share(state, thread, reason, now);
        }
        if let Act::Enter(place) = act {
            state.workers[thread as usize].position.advance();
            self.enter_phase(state, thread, place, now);
            return Next::Again;
        }
        let team_at = team_of(state, thread);
        let phase = self.phase_of(state, thread);
        let worker = &mut state.workers[thread as usize];
        if std::mem::replace(&mut worker.begun, false) {
            worker.position.advance();
            self.end(state, thread, act, reason, now);
            return starts(state, thread, act);
        }
        let team = &mut state.teams[team_at];
        let rank = thread - team.first;
        let is_chosen = act == Act::BodyIfWon && worker.won || act == Act::BodyIfFirst && rank == 0;
        let act = if is_chosen { Act::Body } else { act };
        worker.begun = true;
        let meeting = match act {
            Act::Body if u64::from(thread) < phase.iterations => {
                worker.begun = false;
                worker.grant(u64::from(thread)..u64::from(thread) + 1);
                self.books.ledger(thread).iterations += 1;
                worker.position.advance();
                return Next::Again;
            }
            Act::Share | Act::Body | Act::BodyIfWon | Act::BodyIfFirst | Act::Enter(_) => return Next::Again,
            Act::Step => {
                let step = pipeline::share_of(self.phase, worker.position.pass(), rank, team.size);
                worker.begun = false;
                self.books.ledger(thread).iterations += step.end - step.start;
                worker.grant(step);
                worker.position.advance();
                return Next::Again;
            }
            Act::Run(program)
                if let Some(flag) = pipeline::flag(self.phase.construct, program, rank, team.size) =>
            {
                let Some(flag) = flag else { return Next::Again };
                if self.world.dsm.is_some() {
                    let Flag { of, raised, other } = flag;
                    let (of, other) = (team.first + of, team.first + other);
                    worker.steps.push(Step::Flag(Flag { of, raised, other }));
                    return Next::Again;
                }
                return self.run_program(state, thread, (program, phase.construct), now);
            }
            Act::Run(program @ (Program::Acquire | Program::Release)) if self.world.dsm.is_some() => {
                return self.take_turns(state, thread, program, now);
            }
            Act::Sum => {
                worker.begun = false;
                worker.steps.extend(self.sum());
                worker.position.advance();
                return Next::Again;
            }
            Act::Run(program) => return self.run_program(state, thread, (program, phase.construct), now),
            Act::Echo => {
                if let (Construct::Echo { size, in_flight, count }, Some(dsm)) =
                    (self.phase.construct, &mut self.world.dsm)
                {
                    dsm.echo(thread, size, (in_flight, count), now);
                }
                return Next::Until(Doing::Meeting);
            }
            Act::Barrier => {
                worker.arrive(Level::Inner, team, thread, now);
                self.waits(thread, now);
                Meeting::Barrier
            }
            Act::Close(level) => {
                let team = if level == Level::Outer { &mut state.outer } else { team };
                worker.arrive(level, team, thread, now);
                self.waits(thread, now);
                if !self.sums_in_pages() {
                    self.world.aligned.end(thread, now);
                }
                Meeting::Close(level)
            }
            Act::Open(level) => Meeting::Open(level),
        };
        let outer = matches!(meeting, Meeting::Open(Level::Outer) | Meeting::Close(Level::Outer));
        let (team, rank) = match outer {
            true => (&mut state.outer, team_at as u32),
            false => (&mut state.teams[team_at], rank),
        };
        if self.world.dsm.is_some() {
            return self.meet_by_messages(meeting, thread, now);
        }
        if !team.free {
            self.refresh_loads(state);
            self.world.sync.meet(meeting, team_at, rank, now);
            return Next::Until(Doing::Program);
        }
        if let Meeting::Open(_) = meeting {
            return Next::Again;
        }
        state.released.extend(team.meet(thread).into_iter().flatten());
        Next::Until(Doing::Meeting)
    }

    /// Starts a program of a construct; the thread continues when the program ends.
    pub(crate) fn run_program(
        &mut self,
        state: &mut SegmentState<'a, '_>,
        thread: u32,
        (program, construct): (Program, Construct),
        now: Time,
    ) -> Next {
        let team_at = team_of(state, thread);
        if O::ACTIVE {
            state.note_turns(program, team_at, thread, now);
        }
        self.refresh_loads(state);
        self.world.sync.run((program, construct), team_at, thread - state.teams[team_at].first, now);
        Next::Until(match program {
            program if program.takes_turns() => Doing::Turn,
            program if program.passes_on() => Doing::PassingOn,
            program if program.is_the_programs() => Doing::Line,
            _ => Doing::Program,
        })
    }

    /// Applies the effects of a finished act.
    fn end(
        &mut self,
        state: &mut SegmentState<'a, '_>,
        thread: u32,
        act: Act,
        reason: WakeReason,
        now: Time,
    ) {
        let team = &state.teams[team_of(state, thread)];
        let first = thread == team.first;
        let worker = &mut state.workers[thread as usize];
        if let (Act::Run(Program::Claim), WakeReason::ProgramEnded(result)) = (act, reason) {
            worker.won = result != 0;
            self.world.sync.exec.decided(result);
        }
        // At the end of a region, all threads but the first only report their arrival. They do not know yet that all
        // have arrived, and learn this when the next region opens.
        let knows = match act {
            Act::Close(Level::Outer) => thread == 0 || team.free,
            Act::Close(_) => first || team.free,
            Act::Open(_)
            | Act::Enter(_)
            | Act::Share
            | Act::Body
            | Act::BodyIfWon
            | Act::BodyIfFirst
            | Act::Sum
            | Act::Step
            | Act::Echo
            | Act::Barrier
            | Act::Run(_) => true,
        };
        if let Some(Arrival { at, level, meeting }) = worker.arrived.take_if(|_| knows) {
            let team = if level == Level::Outer { &state.outer } else { team };
            self.books.met(thread, Interval { from: at, to: now }, team.last(meeting));
        }
        if knows && matches!(act, Act::Barrier | Act::Close(_) | Act::Open(_)) {
            self.goes_on(state, thread, now);
        }
    }

    /// Requests work from the source of the thread's team, and begins the action that the source returns.
    fn share(
        &mut self,
        state: &mut SegmentState<'a, '_>,
        thread: u32,
        reason: WakeReason,
        now: Time,
    ) -> Next {
        self.refresh_loads(state);
        let source_at = source_of(state, thread);
        let first = state.teams[team_of(state, thread)].first;
        let stolen_before = if O::ACTIVE { state.sources[source_at].stolen(thread - first) } else { 0 };
        let mut context =
            SourceContext { exec: &mut self.world.sync.exec, first, now, woken: &mut state.woken };
        let action = state.sources[source_at].next_action(thread - first, reason, &mut context);
        if O::ACTIVE {
            state.note_woken(thread, now);
        }
        let worker = &mut state.workers[thread as usize];
        match action {
            NextAction::Work(iterations) => {
                let count = iterations.end - iterations.start;
                self.books.ledger(thread).iterations += count;
                if O::ACTIVE {
                    let source = &state.sources[source_at];
                    let stolen = source.stolen(thread - first) - stolen_before;
                    self.books.observer.work(granted(source, thread, first, count, stolen, now));
                }
                worker.grant(iterations);
                Next::Again
            }
            NextAction::Compute(task, instructions) => {
                if O::ACTIVE {
                    let source = &state.sources[source_at];
                    self.books.observer.work(granted(source, thread, first, 0, 0, now));
                }
                let member = &self.team.members[thread as usize];
                let planner = &state.planners[worker.phase as usize];
                let time = planner.computing(instructions, (thread, member), Piece::After(task));
                Next::For(Doing::Compute, time)
            }
            NextAction::Pause(span) => Next::For(Doing::Overhead(Cause::Runtime), span),
            NextAction::Program => Next::Until(Doing::Program),
            NextAction::Park => Next::Until(Doing::Parked),
            NextAction::Done => {
                worker.position.advance();
                Next::Again
            }
        }
    }
}

/// Late start of a thread in a region that opens in a replica; nothing otherwise.
fn starts(state: &SegmentState<'_, '_>, thread: u32, act: Act) -> Next {
    let planner = &state.planners[state.workers[thread as usize].phase as usize];
    let Some(noise) = &planner.noise else { return Next::Again };
    match act {
        Act::Open(Level::Inner | Level::Reducing) => Next::For(Doing::Starting, noise.start(thread)),
        Act::Open(Level::Outer)
        | Act::Close(_)
        | Act::Enter(_)
        | Act::Share
        | Act::Body
        | Act::BodyIfWon
        | Act::BodyIfFirst
        | Act::Sum
        | Act::Step
        | Act::Barrier
        | Act::Echo
        | Act::Run(_) => Next::Again,
    }
}

/// Report of granted iterations for an observer. `first`: first thread of the team.
fn granted(
    source: &AnyWorkSource<'_, '_>,
    thread: u32,
    first: u32,
    iterations: u64,
    stolen: u64,
    at: Time,
) -> GrantedWork {
    let from = source.owner(thread - first).map(|rank| ThreadId::new(first + rank));
    let task = matches!(source, AnyWorkSource::Tasks(_));
    GrantedWork { thread: ThreadId::new(thread), iterations, stolen, from, task, at }
}
