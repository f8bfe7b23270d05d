//! The event loop of one parallel loop, up to its barrier.

use crate::costs::Costs;
use crate::gate::Gate;
use crate::lanes::{Lanes, Pace};
use crate::ledger::Ledger;
use crate::plan::{Planner, Segment, Step};
use crate::run::Setup;
use crate::system::System;
use crate::team::Neighbourhood;
use crate::world::World;
use crate::{Progress, SimulationError};
use numalab_kernel::Streams;
use numalab_openmp::{Dispatcher, Source};
use numalab_program::{Phase, Policy};
use numalab_units::{Span, Time};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// No phase lasts longer, so that sums of a few phases cannot overflow.
const LONGEST: u64 = u64::MAX / 4;

/// Iterations between two reports of progress.
const REPORT_EVERY: u64 = 4096;

/// What a thread is in the middle of.
#[derive(Clone, Copy, Debug)]
enum Doing {
    Nothing,
    Overhead,
    /// At the lock of the address space, or holding it.
    Locked,
    Compute,
    /// So many bytes, and how much of their time is hidden.
    Cached(u64, Span, Pace),
    Stream(Segment, Pace),
}

struct Worker {
    doing: Doing,
    since: Time,
    /// Iterations granted and not yet planned.
    granted: Range<u64>,
    /// Steps planned and not yet begun, last first.
    steps: Vec<Step>,
    /// Set when there is no more work; the thread waits at the barrier from then on.
    done: Option<Time>,
}

/// What one phase did.
pub(crate) struct Outcome<'a> {
    pub took: Span,
    pub events: u64,
    /// The resources, with what crossed them.
    pub lanes: Lanes<'a>,
}

/// Everything that one phase needs; `run` executes it.
pub(crate) struct Execution<'a, 'w> {
    pub setup: &'a Setup<'a>,
    pub phase: &'a Phase,
    pub policy: Policy,
    pub world: &'w mut World<'a>,
    pub ledgers: &'w mut [Ledger],
    pub progress: &'w dyn Progress,
}

struct Loop<'a, 'b> {
    lanes: Lanes<'a>,
    dispatcher: Dispatcher<'b>,
    planner: Planner<'a>,
    costs: Costs<'a>,
    workers: Vec<Worker>,
    /// Ends of overhead and of computing, with the thread. One at most for each thread, and never moved.
    timers: BinaryHeap<Reverse<(u64, u32)>>,
    address_space: Gate,
    unreported: u64,
}

impl<'a> Execution<'a, '_> {
    /// Runs the loop from its start to the barrier.
    pub fn run(mut self) -> Result<Outcome<'a>, SimulationError> {
        let Setup { machine, fabric, team, seed, .. } = *self.setup;
        let threads = team.members.len() as u32;
        let neighbourhood = Neighbourhood { fabric, team };
        let streams = Streams::new(seed);
        let mut state = Loop {
            lanes: Lanes::new(fabric),
            dispatcher: Dispatcher::new(
                self.policy,
                self.phase.iterations,
                threads,
                &streams,
                &neighbourhood,
            ),
            planner: Planner::new(machine, fabric, self.phase, threads, System::new(machine, fabric, team)),
            costs: Costs::new(machine, fabric, team),
            workers: (0..threads).map(|_| Worker::new()).collect(),
            timers: BinaryHeap::new(),
            address_space: Gate::default(),
            unreported: 0,
        };
        let mut ready: Vec<u32> = (0..threads).collect();
        let (mut now, mut events) = (Time::ZERO, 0);
        loop {
            events += ready.len() as u64;
            for &thread in &ready {
                self.resume(&mut state, thread, now)?;
            }
            let finish = state.lanes.fluid.next_finish();
            let timer = state.timers.peek().map(|Reverse((time, _))| *time);
            let Some(next) = finish.into_iter().chain(timer).min() else { break };
            if next > LONGEST {
                return Err(SimulationError::TooLong { phase: self.phase.name.clone() });
            }
            now = Time(next);
            ready.clear();
            state.lanes.fluid.finish(next, &mut ready);
            while state.timers.peek().is_some_and(|Reverse((time, _))| *time == next) {
                ready.extend(state.timers.pop().map(|Reverse((_, thread))| thread));
            }
            // Simultaneous events happen in thread order, whatever the solver's inner order.
            ready.sort_unstable();
        }
        self.progress.advance(state.unreported);
        let arrivals =
            state.workers.iter().map(|worker| worker.done.expect("the loop ends when all are done"));
        let end = arrivals.clone().max().unwrap_or(Time::ZERO);
        for (ledger, arrival) in self.ledgers.iter_mut().zip(arrivals) {
            ledger.idle += end - arrival;
        }
        if state.planner.streams {
            self.world.caches.clear();
        }
        self.world.began = self.world.began + (end - Time::ZERO);
        Ok(Outcome { took: end - Time::ZERO, events, lanes: state.lanes })
    }

    /// A thread ended what it was doing: account for it and begin what comes next.
    fn resume(&mut self, state: &mut Loop, thread: u32, now: Time) -> Result<(), SimulationError> {
        let member = &self.setup.team.members[thread as usize];
        let ledger = &mut self.ledgers[thread as usize];
        let worker = &mut state.workers[thread as usize];
        let took = now - worker.since;
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
        }
        worker.since = now;
        if worker.done.is_some() {
            return Ok(());
        }
        loop {
            let (doing, span) = match worker.steps.pop() {
                Some(Step::Overhead(span)) => (Doing::Overhead, span),
                Some(Step::Locked(span)) => {
                    worker.doing = Doing::Locked;
                    if state.address_space.enter(thread, span) {
                        state.timers.push(Reverse(((now + span).0, thread)));
                    }
                    return Ok(());
                }
                Some(Step::Compute(span)) => (Doing::Compute, span),
                Some(Step::Cached(cache, bytes, hidden)) => {
                    let cache = &self.setup.machine.caches[cache];
                    let (seconds, pace) = Lanes::cached(cache, member, &state.planner);
                    let span = Span::from_secs_ceil(seconds * bytes as f64) - hidden;
                    if span == Span::ZERO {
                        ledger.cached(bytes, span, hidden, pace);
                        continue;
                    }
                    (Doing::Cached(bytes, hidden, pace), span)
                }
                Some(Step::Stream(segment)) if segment.bytes == 0 => continue,
                Some(Step::Stream(segment)) => {
                    let blends = &self.world.blends;
                    let (class, pace) = state.lanes.class(&segment, member, &state.planner, blends);
                    state.lanes.fluid.start(now.0, class, segment.bytes, thread);
                    worker.doing = Doing::Stream(segment, pace);
                    return Ok(());
                }
                Some(Step::Copy(_, _, 0)) => continue,
                Some(Step::Copy(from, to, bytes)) => {
                    let class = state.lanes.copying(from, to, member, self.setup.machine);
                    state.lanes.fluid.start(now.0, class, bytes, thread);
                    worker.doing = Doing::Overhead;
                    return Ok(());
                }
                None if !worker.granted.is_empty() => {
                    let clock = self.world.began + (now - Time::ZERO);
                    state
                        .planner
                        .plan(&mut worker.granted, member, self.world, clock, &mut worker.steps)
                        .map_err(|full| SimulationError::MemoryFull {
                            phase: self.phase.name.clone(),
                            full,
                        })?;
                    worker.steps.reverse();
                    continue;
                }
                None => match state.dispatcher.next(thread) {
                    Ok(grant) => {
                        let packages = grant.iterations.end - grant.iterations.start;
                        ledger.packages += packages;
                        if matches!(grant.source, Source::Victim { .. }) {
                            ledger.stolen += packages;
                        }
                        state.unreported += packages;
                        if state.unreported >= REPORT_EVERY {
                            self.progress.advance(std::mem::take(&mut state.unreported));
                        }
                        worker.granted = grant.iterations;
                        (Doing::Overhead, state.costs.grant(thread, grant.source))
                    }
                    Err(seen) => {
                        let span = state.costs.exhausted(thread, seen);
                        worker.done = Some(now + span);
                        (Doing::Overhead, span)
                    }
                },
            };
            if span > Span::ZERO {
                worker.doing = doing;
                state.timers.push(Reverse(((now + span).0, thread)));
                return Ok(());
            }
            if worker.done.is_some() {
                return Ok(());
            }
        }
    }
}

impl Worker {
    fn new() -> Worker {
        Worker { doing: Doing::Nothing, since: Time::ZERO, granted: 0..0, steps: Vec::new(), done: None }
    }
}
