//! Threads on memory that nodes share by pages: stops, meetings, flags.

use crate::account::cause::{Activity, Cause, Interval};
use crate::account::observer::Listener;
use crate::engine::segment::Next;
use crate::engine::segment::{Segment, SegmentState};
use crate::engine::worker::Doing;
use crate::error::SimulationError;
use crate::pages::shared_memory::FLAG;
use crate::plan::{PageUse, Step};
use crate::sync_state::Meeting;
use crate::work_source::pipeline::Flag;
use numalab_base::Time;
use numalab_dsm::{Fault, Part, Use};
use numalab_openmp::{SharedWords, shared_words};
use numalab_workload::{Context, Mode, OverPages, Phase, Schedule};

/// Use of pages by an access in `mode`; `None` if the access uses no data.
pub(crate) fn use_of(mode: Mode) -> Option<Use> {
    match mode {
        Mode::Read => Some(Use::Read),
        Mode::Write | Mode::StreamingWrite => Some(Use::Write),
        Mode::Update => Some(Use::Update),
        Mode::Fetch | Mode::Migrate(_) | Mode::NextTouch | Mode::Replicate => None,
    }
}

/// Name of a part of a phase that needs coherent lines, or sequentially consistent pages under `lazy` consistency;
/// `None` if the phase needs neither.
pub(crate) fn needs_lines(phase: &Phase, schedule: Schedule, lazy: bool) -> Option<&'static str> {
    let facts = phase.construct.facts();
    match facts.over_pages {
        OverPages::Yes => {}
        OverPages::UnlessLazy if lazy => return Some("critical under lazy consistency"),
        OverPages::UnlessLazy => {}
        OverPages::No => return Some(facts.word),
    }
    if phase.continues {
        return Some("a region that several phases share");
    }
    if phase.section.is_some() {
        return Some("a section inside iterations");
    }
    if phase.teams > 1 {
        return Some("inner teams");
    }
    let in_advance = shared_words(schedule) == SharedWords::None;
    (!in_advance && phase.construct.is_loop()).then_some(schedule.name())
}

impl<'a, O: Listener> Segment<'a, '_, O> {
    /// Refuses phases that cannot be simulated over shared pages. Refuses messages between nodes unless the team has
    /// threads on several nodes that share pages.
    pub(crate) fn check_sharing(&self) -> Result<(), SimulationError> {
        let several = self.world.dsm.as_ref().is_some_and(|dsm| dsm.peers().next().is_some());
        if !self.phase.construct.facts().has_body && !several {
            return Err(SimulationError::NoPeerNode { phase: self.phase.name.clone() });
        }
        let Some(dsm) = &self.world.dsm else { return Ok(()) };
        let own = self.phase.team.as_ref().map(|_| "a team of its own");
        let needs = |phase: &Phase| needs_lines(phase, phase.under(self.compared), dsm.is_lazy());
        match own.or_else(|| self.phases.iter().find_map(needs)) {
            None => Ok(()),
            Some(needs) => Err(SimulationError::NotOverPages { phase: self.phase.name.clone(), needs }),
        }
    }

    /// Begins a phase over shared pages: marks pages if `align` trains, and tells the predictor the context under
    /// which it learns the phase's use of pages.
    pub(crate) fn enter_context(&mut self) {
        let Some(dsm) = &mut self.world.dsm else { return };
        dsm.close(self.world.now);
        let number = self.setup.workload.phases.iter().position(|phase| std::ptr::eq(phase, self.phase));
        let aligned = self.phase.under(self.compared) == Schedule::Align && self.phase.construct.is_loop();
        let trains = match number.filter(|_| aligned) {
            Some(number) => self.world.aligned.begin(self.setup, number, dsm.page_size(), self.world.now),
            None => self.world.aligned.pass(),
        };
        dsm.mark_writes(trains);
        match number {
            Some(number) if self.phase.construct.is_alone() => dsm.go_alone(number as u32),
            Some(number) => {
                let context = match self.phase.context {
                    None => Some(number as u32),
                    Some(Context::None) => None,
                    Some(Context::Of(phase)) => Some(phase as u32),
                };
                dsm.enter(number as u32, context, self.phase.presend);
            }
            None => {}
        }
    }

    /// Uses pages for a thread. If the thread's node lacks a right to a page, the thread is stopped and uses the
    /// remaining pages later.
    pub(crate) fn use_pages(
        &mut self,
        state: &mut SegmentState<'a, '_>,
        thread: u32,
        PageUse { pages, how, each }: PageUse,
        now: Time,
    ) -> Next {
        let Some(dsm) = &mut self.world.dsm else { return Next::Again };
        let Some(fault) = dsm.touch(thread, pages.clone(), how, each) else { return Next::Again };
        let Fault { page, .. } = fault;
        dsm.fault(thread, fault, now);
        if page > pages.start {
            self.world.watchdog.reset();
        }
        let left = PageUse { pages: page..pages.end, how, each };
        state.workers[thread as usize].steps.push(Step::Pages(left));
        Next::Until(Doing::Paging)
    }

    /// Lets a thread spin on a flag until the flag has the expected state. The thread then inverts the flag. The flag
    /// is in a shared page, so the thread sees no change while its node's copy of the page is valid. Under lazy
    /// consistency the inversion is a message to the waiting thread.
    pub(crate) fn turn_flag(
        &mut self,
        state: &mut SegmentState<'a, '_>,
        thread: u32,
        flag: Flag,
        now: Time,
    ) -> Next {
        let Flag { of, raised, other } = flag;
        let threads = self.team.members.len();
        let Some(dsm) = &mut self.world.dsm else { return Next::Again };
        state.flags.resize(threads, false);
        if dsm.is_lazy() {
            if dsm.turn(thread, of, raised, other, now) {
                return Next::Again;
            }
            state.workers[thread as usize].steps.push(Step::Flag(flag));
            return Next::Until(Doing::Meeting);
        }
        let at = FLAG * u64::from(of);
        let page = dsm.pages(self.setup.workload.regions.len(), at..at + FLAG);
        let worker = &mut state.workers[thread as usize];
        let ready = state.flags[of as usize] == raised;
        let fault = match dsm.touch(thread, page.clone(), Use::Read, FLAG as u32) {
            None if ready => dsm.touch(thread, page.clone(), Use::Write, FLAG as u32),
            other => other,
        };
        match fault {
            Some(fault) => {
                dsm.fault(thread, fault, now);
                worker.steps.push(Step::Flag(flag));
                Next::Until(Doing::Paging)
            }
            None if ready => {
                state.flags[of as usize] = !raised;
                dsm.tell(thread, page.start, now);
                Next::Again
            }
            None => {
                dsm.watch(thread, page.start);
                worker.steps.push(Step::Flag(flag));
                Next::Until(Doing::Meeting)
            }
        }
    }

    /// Books the time in which a thread was stopped at shared pages, by the parts of the stop, in order. Time beyond
    /// the known parts counts as a busy page.
    pub(crate) fn stopped(&mut self, thread: u32, during: Interval) {
        let Some(dsm) = &mut self.world.dsm else { return };
        let stop = dsm.take_stop(thread);
        let mut from = during.from;
        for part in Part::ALL {
            let to = Time((from.0 + stop.0[part as usize].0).min(during.to.0));
            self.books.ledger(thread).stopped(part, to - from);
            self.books.book(thread, Activity::Stall, Interval { from, to }, Cause::Page(part));
            from = to;
        }
        self.books.ledger(thread).stopped(Part::PageBusy, during.to - from);
        self.books.book(
            thread,
            Activity::Stall,
            Interval { from, to: during.to },
            Cause::Page(Part::PageBusy),
        );
    }

    /// Executes a meeting as messages between daemons.
    pub(crate) fn meet_by_messages(&mut self, meeting: Meeting, thread: u32, now: Time) -> Next {
        let Some(dsm) = &mut self.world.dsm else { return Next::Again };
        let waits = match meeting {
            Meeting::Open(_) if thread == 0 => {
                dsm.fork(now);
                false
            }
            Meeting::Open(_) => !dsm.follow(thread),
            Meeting::Close(_) => dsm.meet(thread, numalab_dsm::Meeting::Join, now),
            Meeting::Barrier => dsm.meet(thread, numalab_dsm::Meeting::Barrier, now),
        };
        if waits { Next::Until(Doing::Meeting) } else { Next::Again }
    }
}
