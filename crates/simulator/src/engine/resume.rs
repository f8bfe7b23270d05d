//! End of a thread's activity: its time is booked, and the next activity begins.

use crate::account::books::Waited;
use crate::account::cause::{Activity, Cause, Interval};
use crate::account::observer::Listener;
use crate::engine::script::Program;
use crate::engine::segment::{Next, Segment, SegmentState, leads};
use crate::engine::worker::Doing;
use crate::engine::world::World;
use crate::error::SimulationError;
use crate::flow::flow_network::FlowNetwork;
use crate::flow::owner::FlowOwner;
use crate::flow::rates::line_time;
use crate::os::noise::Piece;
use crate::plan::{KernelLock, Step};
use crate::work_source::WakeReason;
use numalab_base::{Span, ThreadId, Time};
use numalab_coherence::AgentId;
use numalab_dsm::Part;
use numalab_workload::{Construct, ConstructWords};

/// Minimum number of iterations between two reports of progress.
const REPORT_EVERY: u64 = 256;

impl<'a, O: Listener> Segment<'a, '_, O> {
    /// Resumes a thread: books its last activity, then begins steps and acts until one takes time. If the processor
    /// was taken from the thread meanwhile, the thread first makes up for this time (`Doing::Interrupted`).
    pub(crate) fn resume(
        &mut self,
        state: &mut SegmentState<'a, '_>,
        thread: u32,
        mut reason: WakeReason,
    ) -> Result<(), SimulationError> {
        let now = self.world.now;
        self.account(state, thread, &mut reason, now);
        // The end of a step's program is not that of an act's.
        if std::mem::take(&mut state.workers[thread as usize].steps_program) {
            reason = WakeReason::Ready;
        }
        let debt = std::mem::take(&mut state.workers[thread as usize].debt);
        if debt > Span::ZERO {
            self.begin(state, thread, Doing::Interrupted, debt, now);
            return Ok(());
        }
        // The script is finished: the thread only had to end a program of an earlier phase.
        if state.workers[thread as usize].over {
            return Ok(());
        }
        let script = usize::from(!leads(state, thread));
        loop {
            let worker = &mut state.workers[thread as usize];
            let next = match worker.steps.pop() {
                Some(step) => self.step(state, thread, step, now),
                None if worker.under_way > 0 => {
                    state.unreported += std::mem::take(&mut worker.under_way);
                    if state.unreported >= REPORT_EVERY {
                        self.progress.advance(std::mem::take(&mut state.unreported));
                    }
                    let Some(noise) = &state.planners[worker.phase as usize].noise else { continue };
                    let (first, received) = worker.piece;
                    let late = noise.interruptions(thread, Piece::Iterations(first), received);
                    Next::For(Doing::Overhead(Cause::Kernel), late)
                }
                None if !worker.granted.is_empty() => {
                    self.plan(state, thread)?;
                    continue;
                }
                None => match state.scripts[script].act(&mut worker.position) {
                    Some(act) => {
                        self.act(state, thread, act, std::mem::replace(&mut reason, WakeReason::Ready), now)
                    }
                    None => {
                        worker.over = true;
                        return Ok(());
                    }
                },
            };
            if next.is_progress() {
                self.world.watchdog.reset();
            }
            match next {
                Next::Again | Next::For(_, Span::ZERO) => {}
                Next::For(doing, span) => {
                    self.begin(state, thread, doing, span, now);
                    return Ok(());
                }
                Next::Until(doing) => {
                    state.workers[thread as usize].doing = doing;
                    return Ok(());
                }
            }
        }
    }

    /// Begins an activity that ends by itself.
    fn begin(&mut self, state: &mut SegmentState<'a, '_>, thread: u32, doing: Doing, span: Span, now: Time) {
        let processor = self.team.members[thread as usize].processor;
        // Computing begins after the processor's present service.
        let start = match (doing, self.world.processors.serving(processor)) {
            (Doing::Compute, Some((_, until))) => until.max(now),
            _ => now,
        };
        state.workers[thread as usize].doing = doing;
        self.end_at(state, thread, start + span);
    }

    /// Sets the end of a thread's present activity, also in the calendar.
    fn end_at(&mut self, state: &mut SegmentState<'a, '_>, thread: u32, until: Time) {
        state.workers[thread as usize].until = until;
        self.world.calendar.end(until, ThreadId::new(thread));
    }

    /// Books the time since the thread's last booking and ends its activity. `reason` becomes [`WakeReason::Ready`]
    /// after a program of an earlier phase.
    pub(crate) fn account(
        &mut self,
        state: &mut SegmentState<'a, '_>,
        thread: u32,
        reason: &mut WakeReason,
        now: Time,
    ) {
        let member = self.team.members[thread as usize];
        let worker = &mut state.workers[thread as usize];
        let during = Interval { from: std::mem::replace(&mut worker.since, now), to: now };
        let doing = std::mem::replace(&mut worker.doing, Doing::Nothing);
        if O::ACTIVE {
            self.tell(state, thread, &doing, during);
        }
        let SegmentState { workers, told, .. } = state;
        let worker = &mut workers[thread as usize];
        // A core predicts that a lock is free and continues while its line is in flight; a thread that has to wait
        // for a value does not.
        worker.foreseen = match doing.facts().is_speculated_past {
            true => worker.foreseen + self.world.foreseen(thread, during.length()),
            false => Span::ZERO,
        };
        // Within the core's window, requests of the next program may have left since the thread began to compute.
        if self.setup.machine.core.window.is_some() {
            let computed = if matches!(doing, Doing::Compute) { during.length() } else { Span::ZERO };
            self.world.sync.exec.began_to_compute(AgentId::new(thread), now - computed);
        }
        let books = &mut self.books;
        match doing {
            Doing::Nothing => {}
            Doing::Overhead(cause) => books.book(thread, Activity::Overhead, during, cause),
            Doing::Copying(alone) => books.copied(thread, during, alone),
            Doing::Interrupted => {
                let shared = self.world.dsm.is_some();
                let cause = if shared { Cause::Page(Part::DaemonService) } else { Cause::Scanner };
                books.book(thread, Activity::Overhead, during, cause);
            }
            Doing::Locked(lock) => {
                books.book(thread, Activity::Overhead, during, Cause::AddressSpace);
                let wake = match lock {
                    KernelLock::AddressSpace => state.planners[0].system.os.wake,
                    KernelLock::Translations => Span::ZERO,
                };
                if let Some((next, span)) = state.kernel_locks[lock as usize].leave() {
                    books.released(next, thread, now);
                    self.end_at(state, next, now + wake + span);
                }
            }
            Doing::Compute => books.computed(thread, during, member.core_mates),
            Doing::Cached(cached, pace) => {
                worker.piece.1 += during.length();
                books.cached(thread, during, cached, pace);
            }
            Doing::Stream(stream, pace, class) => {
                worker.piece.1 += during.length();
                let unhindered = 1.0 / self.world.network.fluid.ceiling(class);
                let (rest, line) = match O::ACTIVE {
                    true => {
                        let line =
                            line_time(during, &stream, pace, &member, &state.planners[worker.phase as usize]);
                        (self.reasons((worker, told), thread, &stream, (pace, class)), line)
                    }
                    false => (Cause::Instructions, Span::ZERO),
                };
                let blends = &self.world.blends;
                let waited = Waited { unhindered, delays: &told.reasons, rest, line };
                self.books.streamed(
                    thread,
                    during,
                    (&stream, pace),
                    (member.node, self.setup.fabric),
                    blends,
                    waited,
                );
            }
            Doing::Parked => books.book(thread, Activity::Idle, during, Cause::NoWork),
            Doing::Paging => self.stopped(thread, during),
            Doing::Tail => {
                books.book(thread, Activity::Overhead, during, Cause::Runtime);
                self.world.sync.busy[thread as usize] = false;
                *reason = WakeReason::Ready;
            }
            // Time at a meeting is booked when the end of the meeting is known.
            Doing::Program | Doing::Meeting if worker.arrived.is_some() => {}
            Doing::Program | Doing::Meeting | Doing::Starting => {
                books.book(thread, Activity::Overhead, during, Cause::Runtime);
            }
            Doing::Turn | Doing::PassingOn => {
                books.book(thread, Activity::Overhead, during, Cause::Turn);
            }
            Doing::Line => books.book(thread, Activity::Overhead, during, Cause::Line),
        }
    }

    /// Plans the steps of granted iterations.
    fn plan(&mut self, state: &mut SegmentState<'a, '_>, thread: u32) -> Result<(), SimulationError> {
        self.world.watchdog.reset();
        let member = self.team.members[thread as usize];
        let worker = &mut state.workers[thread as usize];
        let pages = |world: &World<'_>| (world.counts.pages_faulted, world.counts.pages_moved);
        let before = pages(self.world);
        self.world.tell_store();
        let planner = &mut state.planners[worker.phase as usize];
        let mut granted = worker.granted.clone();
        let section = planner.phase.section.as_ref();
        let with_section = section.and_then(|section| section.next(granted.clone()));
        if let Some(iteration) = with_section {
            granted.end = iteration + 1;
        }
        worker.piece = (granted.start, Span::ZERO);
        std::mem::swap(&mut planner.carried, &mut worker.carried);
        let planned =
            planner.plan::<O>(&mut granted, worker.grant, (thread, &member), self.world, &mut worker.steps);
        std::mem::swap(&mut planner.carried, &mut worker.carried);
        planned.map_err(|full| SimulationError::MemoryFull { phase: planner.phase.name.clone(), full })?;
        worker.under_way = granted.start - worker.granted.start;
        worker.granted.start = granted.start;
        if let (Some(section), Some(iteration)) = (section, with_section.filter(|_| granted.is_empty())) {
            let at = iteration as usize;
            let instructions = section.instructions.get(at).copied().unwrap_or(0.0);
            let computing = planner.computing(instructions, (thread, &member), Piece::Iterations(iteration));
            worker.steps.push(Step::Section(section.times[at], computing));
        }
        worker.grant.last_part = worker.under_way;
        worker.steps.reverse();
        if O::ACTIVE {
            planner.take_data(&mut worker.seen.data);
            let after = pages(self.world);
            let (placed, moved) = (after.0 - before.0, after.1 - before.1);
            if placed + moved > 0 {
                self.books.observer.pages(ThreadId::new(thread), placed, moved, self.world.now);
            }
        }
        self.wake_reclaimers(state);
        Ok(())
    }

    /// Begins a step of an iteration.
    fn step(&mut self, state: &mut SegmentState<'a, '_>, thread: u32, step: Step, now: Time) -> Next {
        let member = self.team.members[thread as usize];
        let member = &member;
        let planner = &state.planners[state.workers[thread as usize].phase as usize];
        let token = FlowOwner::Thread(ThreadId::new(thread)).token();
        match step {
            Step::Overhead(span) => Next::For(Doing::Overhead(Cause::Kernel), span),
            Step::Lines(span) => Next::For(Doing::Overhead(Cause::Line), span),
            Step::Locked(lock, span) => {
                if state.kernel_locks[lock as usize].enter((thread, span)) {
                    self.end_at(state, thread, now + span);
                }
                Next::Until(Doing::Locked(lock))
            }
            Step::Compute(span) => {
                let foreseen = std::mem::take(&mut state.workers[thread as usize].foreseen);
                Next::For(
                    Doing::Compute,
                    span - span.min(foreseen).min(self.setup.machine.core.window_time()),
                )
            }
            Step::Section(times, computing) => {
                let Some(section) = &planner.phase.section else { return Next::Again };
                let steps = &mut state.workers[thread as usize].steps;
                if times > 1 {
                    steps.push(Step::Section(times - 1, computing));
                }
                let (before, after) = programs(section.construct);
                steps.extend(after.map(Step::Run));
                steps.push(Step::Compute(computing));
                steps.extend(before.map(Step::Run));
                Next::Again
            }
            Step::Run(program) => {
                let construct = planner.phase.section.as_ref().map(|section| section.construct);
                state.workers[thread as usize].steps_program = true;
                self.run_program(state, thread, (program, construct.unwrap_or_default()), now)
            }
            Step::Cached(cached) => {
                let cache = &self.setup.machine.caches[cached.cache as usize];
                let (seconds, pace) = FlowNetwork::cached(cache, cached.demand, member, planner);
                let span = Span::from_secs_ceil(seconds * cached.bytes as f64);
                // For a step that was cut, the hidden part is rounded up as well.
                let span = Span(span.0.saturating_sub(cached.hidden.0));
                if span == Span::ZERO {
                    if O::ACTIVE {
                        self.show_cached(&mut state.workers[thread as usize], thread, cached);
                    }
                    let at_once = Interval { from: now, to: now };
                    self.books.cached(thread, at_once, cached, pace);
                }
                Next::For(Doing::Cached(cached, pace), span)
            }
            Step::Stream(stream) if stream.bytes == 0 => Next::Again,
            Step::Stream(stream) => {
                let World { network, blends, .. } = &mut *self.world;
                let (class, pace) = network.class(&stream, member, planner, blends);
                network.begin((class, stream.bytes, token), now, O::ACTIVE);
                if O::ACTIVE {
                    network.fluid.delays(class, &mut state.workers[thread as usize].seen.delayed);
                }
                Next::Until(Doing::Stream(stream, pace, class))
            }
            Step::Pages(used) => self.use_pages(state, thread, used, now),
            Step::Flag(flag) => self.turn_flag(state, thread, flag, now),
            Step::SyncPoint => {
                if let Some(dsm) = &mut self.world.dsm {
                    dsm.sync_point(thread, now);
                }
                Next::Again
            }
            Step::Copy(_, _, 0) => Next::Again,
            Step::Copy(from, to, bytes) => {
                let network = &mut self.world.network;
                let (class, each) = network.copying(from, to, member, self.setup.machine);
                network.begin((class, bytes, token), now, O::ACTIVE);
                Next::Until(Doing::Copying(Span::from_secs_ceil(each * bytes as f64)))
            }
        }
    }
}

/// Programs before and after the instructions of a section.
fn programs(construct: Construct) -> (Option<Program>, Option<Program>) {
    match construct.facts().words {
        ConstructWords::Lock(_) => (Some(Program::Acquire), Some(Program::Release)),
        ConstructWords::Atomic => (None, Some(Program::Atomic)),
        ConstructWords::None
        | ConstructWords::Claim
        | ConstructWords::Ordered
        | ConstructWords::Flags
        | ConstructWords::Elements { .. } => (None, None),
    }
}
