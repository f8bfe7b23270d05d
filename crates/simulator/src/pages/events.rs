//! Events of the memory that nodes share by pages: messages, daemons, and threads that have their page.

use crate::account::cause::{Activity, Cause, Interval};
use crate::account::observer::Listener;
use crate::engine::segment::{Segment, SegmentState};
use crate::engine::setup::Setup;
use crate::engine::source::{Kind, Source, Turn};
use crate::work_source::WakeReason;
use numalab_base::{Span, Time};
use numalab_dsm::Part;

/// Event source of software-shared memory: messages and daemons.
#[derive(Clone, Debug)]
pub(crate) struct Pages;

impl Source for Pages {
    const KIND: Kind = Kind::Ahead;

    fn new(_: &Setup<'_>) -> Pages {
        Pages
    }

    #[inline]
    fn next<O: Listener>(&self, segment: &mut Segment<'_, '_, O>) -> Option<Time> {
        segment.world.dsm.as_ref()?.next()
    }

    /// Serves messages. A daemon that shares a processor with a thread takes the thread's time.
    fn fire<'a, O: Listener>(
        &mut self,
        segment: &mut Segment<'a, '_, O>,
        state: &mut SegmentState<'a, '_>,
        turn: &mut Turn,
    ) {
        let Some(dsm) = &mut segment.world.dsm else { return };
        let mut woken = Vec::new();
        let at = dsm.advance(turn.until, &mut turn.events, &mut woken);
        for (worker, span) in dsm.take_daemons() {
            segment.serve_instead(state, worker, span);
        }
        let Some(at) = at else { return };
        segment.world.now = at;
        segment.show_loads(false);
        turn.ready.extend(woken.into_iter().map(|thread| (thread, WakeReason::Ready)));
    }
}

impl<'a, O: Listener> Segment<'a, '_, O> {
    /// A thread's processor serves messages for its node's daemon, which postpones the end of the thread's computing.
    fn serve_instead(&mut self, state: &mut SegmentState<'a, '_>, thread: u32, span: Span) {
        let now = self.world.now;
        let worker = &mut state.workers[thread as usize];
        if worker.gives_way(now, span) {
            // Earlier messages may have been served until later than now.
            let from = worker.since.max(now);
            let computed = Interval { from: std::mem::replace(&mut worker.since, from + span), to: from };
            self.books.computed(thread, computed, self.team.members[thread as usize].core_mates);
            let (during, cause) = (Interval { from, to: from + span }, Cause::Page(Part::DaemonService));
            self.books.book(thread, Activity::Overhead, during, cause);
        }
    }
}
