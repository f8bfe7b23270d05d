//! Begins and ends of services: threads that compute on the processor are stopped meanwhile.

use crate::account::cause::{Activity, Interval};
use crate::account::observer::Listener;
use crate::engine::segment::{Segment, SegmentState};
use crate::engine::setup::Setup;
use crate::engine::source::{Kind, Source, Turn};
use crate::engine::worker::Doing;
use crate::os::processors::Service;
use numalab_base::Time;

/// Event source of the processors' services. Their queues are in the world.
#[derive(Clone, Debug)]
pub(crate) struct Services;

impl Source for Services {
    const KIND: Kind = Kind::Timed;

    fn new(_: &Setup<'_>) -> Services {
        Services
    }

    #[inline]
    fn next<O: Listener>(&self, segment: &mut Segment<'_, '_, O>) -> Option<Time> {
        segment.world.processors.next()
    }

    fn fire<'a, O: Listener>(
        &mut self,
        segment: &mut Segment<'a, '_, O>,
        state: &mut SegmentState<'a, '_>,
        turn: &mut Turn,
    ) {
        while let Some(processor) = segment.world.processors.take_end(segment.world.now) {
            segment.end_service(state, processor);
            turn.events += 1;
        }
    }
}

impl<'a, O: Listener> Segment<'a, '_, O> {
    /// Requests a service of a processor. The service begins after the services that were requested before it.
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

    /// Stops the threads that compute on the processor, and books their computing up to now.
    fn begin_service(&mut self, state: &mut SegmentState<'a, '_>, processor: u32, service: Service) {
        let now = self.world.now;
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

    /// Ends a service: the processor's threads continue, unless another service follows.
    fn end_service(&mut self, state: &mut SegmentState<'a, '_>, processor: u32) {
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
