//! Moves of threads by the system: waiting threads go to sleep, sleeping threads wake up on some processor, and the
//! activities of threads on a core continue at the new share of that core.

use crate::account::cause::{Activity, Interval};
use crate::account::observer::Listener;
use crate::engine::calendar::earlier;
use crate::engine::segment::{Segment, SegmentState};
use crate::engine::setup::Setup;
use crate::engine::source::{Kind, Source, Turn};
use crate::engine::team::Member;
use crate::engine::worker::Doing;
use crate::os::balancer::Balancer;
use crate::os::sleep::Sleepers;
use crate::plan::{CachedData, DataStream, Step};
use crate::work_source::WakeReason;
use numalab_base::{Span, Time};

/// Event source of the load balancer: spinning threads go to sleep, and idle processors look for threads in the
/// queues of others.
#[derive(Clone, Debug)]
pub(crate) struct Balancing;

impl Source for Balancing {
    const KIND: Kind = Kind::Background;

    fn new(_: &Setup<'_>) -> Balancing {
        Balancing
    }

    #[inline]
    fn next<O: Listener>(&self, segment: &mut Segment<'_, '_, O>) -> Option<Time> {
        let sleep = segment.sleepers().and_then(|sleepers| sleepers.due());
        let balance = segment.balancer().and_then(|balancer| balancer.due());
        earlier(sleep, balance)
    }

    fn fire<'a, O: Listener>(
        &mut self,
        segment: &mut Segment<'a, '_, O>,
        state: &mut SegmentState<'a, '_>,
        turn: &mut Turn,
    ) {
        turn.events += 1;
        segment.fall_asleep(state);
        segment.balance(state);
        turn.ready.extend(state.released.drain(..).map(|thread| (thread, WakeReason::Ready)));
    }
}

impl<'a, O: Listener> Segment<'a, '_, O> {
    /// Load balancer; `None` if the balancer does not move the threads of this phase.
    fn balancer(&mut self) -> Option<&mut Balancer> {
        self.world.balancer.as_deref_mut().filter(|_| !self.has_own_team)
    }

    /// Bound threads that sleep; `None` if those of this phase do not.
    fn sleepers(&mut self) -> Option<&mut Sleepers> {
        self.world.sleepers.as_deref_mut().filter(|_| !self.has_own_team)
    }

    /// Puts bound threads to sleep whose spinning ends by now.
    fn fall_asleep(&mut self, state: &mut SegmentState<'a, '_>) {
        let now = self.world.now;
        while let Some(thread) = self.sleepers().and_then(|sleepers| sleepers.fall_asleep(now)) {
            self.share_among_awake(state, thread);
        }
    }

    /// Divides a thread's core among those of its threads that do not sleep.
    fn share_among_awake(&mut self, state: &mut SegmentState<'a, '_>, thread: u32) {
        let awake = self.sleepers().map(|sleepers| sleepers.awake_beside(thread));
        self.share_among(state, &awake.unwrap_or_default());
    }

    /// Puts threads to sleep whose spinning ends by now, and moves threads that wait for a processor to idle
    /// processors. `None` if the balancer does not move the threads of this phase.
    fn balance(&mut self, state: &mut SegmentState<'a, '_>) -> Option<()> {
        let now = self.world.now;
        while let Some((thread, place)) = self.balancer()?.fall_asleep(now) {
            self.share_core(state, place);
            debug_assert!(self.balancer()?.is_asleep(thread));
            if let Some(found) = self
                .balancer()?
                .at_once(place, |thread| state.workers[thread as usize].doing.facts().is_movable)
            {
                self.bring(state, found, place);
            }
        }
        if self.balancer()?.look_is_due(now) {
            while let Some((found, place)) =
                self.balancer()?.look(now, |thread| state.workers[thread as usize].doing.facts().is_movable)
            {
                self.bring(state, found, place);
            }
        }
        Some(())
    }

    /// Tells the balancer that a thread begins to wait for other threads, which it does by spinning.
    pub(crate) fn waits(&mut self, thread: u32, now: Time) {
        if let Some(balancer) = self.balancer() {
            balancer.waits_from(thread, now);
        }
        if let Some(sleepers) = self.sleepers() {
            sleepers.waits_from(thread, now);
        }
    }

    /// Tells the balancer that a thread has ended its wait. A sleeping thread wakes up, possibly on another
    /// processor.
    pub(crate) fn goes_on(&mut self, state: &mut SegmentState<'a, '_>, thread: u32, now: Time) {
        if self.sleepers().is_some_and(|sleepers| sleepers.goes_on(thread)) {
            self.share_among_awake(state, thread);
        }
        let Some(balancer) = self.balancer() else { return };
        if balancer.goes_on(thread) {
            let before = balancer.place(thread);
            let place = balancer.wake(thread, now);
            if place != before {
                self.settle(thread, place);
            }
            self.share_core(state, place);
        }
    }

    /// Moves a thread to an idle processor, where it continues after a context switch.
    fn bring(&mut self, state: &mut SegmentState<'a, '_>, thread: u32, place: usize) {
        self.cut(state, thread);
        let now = self.world.now;
        let Some(balancer) = self.balancer() else { return };
        let before = balancer.place(thread);
        balancer.pull(thread, place, now);
        self.settle(thread, place);
        for place in [before, place] {
            self.share_core(state, place);
        }
        let switch = state.planners[0].system.os.context_switch;
        state.workers[thread as usize].steps.push(Step::Overhead(switch));
    }

    /// Updates the team after a thread has moved to the processor with index `place`.
    fn settle(&mut self, thread: u32, place: usize) {
        let Some(processor) = self.balancer().map(|balancer| balancer.number(place)) else { return };
        let fabric = self.setup.fabric;
        let member = &mut self.team.to_mut().members[thread as usize];
        *member = Member { core_mates: member.core_mates, ..Member::on(fabric, processor) };
        self.books.observer.team(&self.team.members);
    }

    /// Divides the core of a processor evenly among its awake threads: their activities are cut and continue at the
    /// new share.
    fn share_core(&mut self, state: &mut SegmentState<'a, '_>, place: usize) {
        let Some(balancer) = self.balancer() else { return };
        let threads: Vec<u32> = balancer.on_core(place).collect();
        self.share_among(state, &threads);
    }

    /// Divides a core evenly among `threads`.
    fn share_among(&mut self, state: &mut SegmentState<'a, '_>, threads: &[u32]) {
        let mates = threads.len() as u32;
        for &thread in threads {
            let before = self.team.members[thread as usize].core_mates;
            if before == mates {
                continue;
            }
            self.cut(state, thread);
            self.team.to_mut().members[thread as usize].core_mates = mates;
            for step in &mut state.workers[thread as usize].steps {
                if let Step::Compute(span) = step {
                    *span = Span(part(span.0, mates.into(), before.into()));
                }
            }
        }
    }

    /// Ends a thread's activity now if its speed depends on the processor. The rest becomes the thread's next step,
    /// which begins when the engine resumes the thread at this instant.
    fn cut(&mut self, state: &mut SegmentState<'a, '_>, thread: u32) {
        let now = self.world.now;
        let worker = &mut state.workers[thread as usize];
        let passed = (now - worker.since).0;
        let left = Span(worker.until.0.saturating_sub(now.0));
        let rest = match worker.doing {
            Doing::Compute => {
                let processor = self.team.members[thread as usize].processor;
                let serving = self.world.processors.serving(processor);
                if let Some((service, until)) = serving.filter(|(_, until)| *until > now) {
                    // A service stops the thread until `until`; the thread has not computed since the service began.
                    let from = std::mem::replace(&mut worker.since, now);
                    self.books.book(thread, Activity::Overhead, Interval { from, to: now }, service.cause);
                    worker.doing = Doing::Nothing;
                    Some(Step::Compute(Span(worker.until.0.saturating_sub(until.0))))
                } else {
                    Some(Step::Compute(left))
                }
            }
            Doing::Cached(ref mut cached, _) => {
                let all = passed + left.0;
                let done = if all == 0 { cached.bytes } else { part(cached.bytes, passed, all) };
                let hidden = if all == 0 { cached.hidden } else { Span(part(cached.hidden.0, passed, all)) };
                let rest =
                    CachedData { bytes: cached.bytes - done, hidden: cached.hidden - hidden, ..*cached };
                (cached.bytes, cached.hidden) = (done, hidden);
                Some(Step::Cached(rest))
            }
            Doing::Stream(ref mut stream, _, class) => {
                // `None`: the flow has ended and is about to resume its thread.
                let rest = self.world.network.fluid.stop(now, class, thread);
                stream.bytes -= rest.unwrap_or(0);
                rest.map(|bytes| Step::Stream(DataStream { bytes, ..*stream }))
            }
            Doing::Nothing
            | Doing::Overhead(_)
            | Doing::Copying(_)
            | Doing::Interrupted
            | Doing::Locked(_)
            | Doing::Starting
            | Doing::Program
            | Doing::Turn
            | Doing::PassingOn
            | Doing::Line
            | Doing::Tail
            | Doing::Parked
            | Doing::Meeting
            | Doing::Paging => return,
        };
        let timed = matches!(worker.doing, Doing::Compute | Doing::Cached(..) | Doing::Nothing);
        let goes_on = if timed { worker.until > now } else { rest.is_some() };
        self.account(state, thread, &mut WakeReason::Ready, now);
        let worker = &mut state.workers[thread as usize];
        // The calendar's entry of the cut activity is ignored.
        worker.until = now;
        if goes_on {
            worker.steps.extend(rest);
            state.released.push(thread);
        }
    }
}

/// Part `of`/`all` of an amount, rounded up.
fn part(amount: u64, of: u64, all: u64) -> u64 {
    let part = (u128::from(amount) * u128::from(of)).div_ceil(u128::from(all.max(1)));
    u64::try_from(part).unwrap_or(u64::MAX)
}
