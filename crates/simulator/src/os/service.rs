//! Work of processors for others than their threads.

use crate::account::cause::{Activity, Cause, Interval};
use crate::account::observer::Listener;
use crate::engine::actor::Actor;
use crate::engine::segment::{Segment, SegmentState};
use crate::engine::worker::Doing;
use crate::engine::world::World;
use crate::os::processors::Service;
use numalab_base::{Span, Time};

impl<'a, O: Listener> Segment<'a, '_, O> {
    /// The scanner of automatic balancing walks, before anything else happens at `unseen`. As in Linux it is the
    /// threads that do so, in turn, on their processors.
    pub(crate) fn scan(&mut self, state: &mut SegmentState<'a, '_>, unseen: Time) {
        let Some(at) = self.world.calendar.next_scan() else { return };
        self.world.now = at.max(self.world.now);
        self.world.tell_store();
        let World { scanner, calendar, store, now, .. } = &mut *self.world;
        let Some(scanner) = scanner else { return };
        let (made, span) = scanner.walk(*now, unseen, store);
        calendar.scan(Some(scanner.next()));
        if span > Span::ZERO {
            let members = &self.team.members;
            let processor = members[(made % members.len() as u64) as usize].processor;
            self.request_service(state, processor, Service { span, cause: Cause::Scanner });
        }
    }

    /// A processor is to do something, as soon as it has done what it was asked for before.
    pub(crate) fn request_service(
        &mut self,
        state: &mut SegmentState<'a, '_>,
        processor: u32,
        service: Service,
    ) {
        if self.world.processors.request(processor, service, self.world.now) {
            self.begin_service(state, processor, service);
        }
    }

    /// Threads that compute on the processor stop, and are booked so far.
    fn begin_service(&mut self, state: &mut SegmentState<'a, '_>, processor: u32, service: Service) {
        let now = self.world.now;
        self.world.calendar.end(now + service.span, Actor::Processor(processor));
        let members = &self.team.members;
        for (thread, worker) in (0..).zip(&mut state.workers) {
            let member = &members[thread as usize];
            if member.processor != processor {
                continue;
            }
            if worker.gives_way(now, service.span) {
                let from = std::mem::replace(&mut worker.since, now);
                self.books.computed(thread, Interval { from, to: now }, member.core_mates);
            }
        }
    }

    /// A processor has done what it was asked for: its threads go on, unless there is more to do.
    pub(crate) fn end_service(&mut self, state: &mut SegmentState<'a, '_>, processor: u32) {
        let now = self.world.now;
        let Some((service, _)) = self.world.processors.serving(processor) else { return };
        let members = &self.team.members;
        for (thread, worker) in (0..).zip(&mut state.workers) {
            if members[thread as usize].processor == processor && matches!(worker.doing, Doing::Compute) {
                let from = std::mem::replace(&mut worker.since, now);
                self.books.book(thread, Activity::Overhead, Interval { from, to: now }, service.cause);
            }
        }
        if let Some(next) = self.world.processors.end(processor, now) {
            self.begin_service(state, processor, next);
        }
    }
}
