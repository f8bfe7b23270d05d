//! Events of threads: ends of their activities, and wake-ups of parked threads.

use crate::account::observer::Listener;
use crate::engine::segment::{Segment, SegmentState};
use crate::engine::setup::Setup;
use crate::engine::source::{Kind, Source, Turn};
use crate::engine::worker::Doing;
use crate::work_source::WakeReason;
use numalab_base::Time;
use std::cmp::Ordering;

/// Event source of threads. Their entries are in the world's calendar.
#[derive(Clone, Debug)]
pub(crate) struct Threads;

impl Source for Threads {
    const KIND: Kind = Kind::Timed;

    fn new(_: &Setup<'_>) -> Threads {
        Threads
    }

    #[inline]
    fn next<O: Listener>(&self, segment: &mut Segment<'_, '_, O>) -> Option<Time> {
        segment.world.calendar.next()
    }

    fn fire<'a, O: Listener>(
        &mut self,
        segment: &mut Segment<'a, '_, O>,
        state: &mut SegmentState<'a, '_>,
        turn: &mut Turn,
    ) {
        let now = segment.world.now;
        let calendar = &mut segment.world.calendar;
        while let Some(thread) = calendar.take_end(now) {
            let until = state.workers[thread.index()].until;
            match until.cmp(&now) {
                // A service of the processor has postponed the end.
                Ordering::Greater => calendar.end(until, thread),
                Ordering::Equal => turn.ready.push((thread.number(), WakeReason::Ready)),
                // The activity was cut short, and the thread has gone on.
                Ordering::Less => {}
            }
        }
        while let Some(thread) = calendar.take_wake(now) {
            if matches!(state.workers[thread.index()].doing, Doing::Parked) {
                turn.ready.push((thread.number(), WakeReason::Woken));
            }
        }
    }
}
