//! Ends of flows as events.

use crate::account::observer::Listener;
use crate::engine::segment::{Segment, SegmentState};
use crate::engine::setup::Setup;
use crate::engine::source::{Kind, Source, Turn};
use crate::flow::owner::FlowOwner;
use crate::work_source::WakeReason;
use numalab_base::Time;

/// Event source of ends of flows: streams of threads, and copies of each node's `kswapd`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flows {
    /// Tokens of the flows that end now. Scratch space.
    ended: Vec<u32>,
}

impl Source for Flows {
    const KIND: Kind = Kind::Timed;

    fn new(_: &Setup<'_>) -> Flows {
        Flows::default()
    }

    #[inline]
    fn next<O: Listener>(&self, segment: &mut Segment<'_, '_, O>) -> Option<Time> {
        segment.world.network.fluid.next_finish()
    }

    fn fire<'a, O: Listener>(
        &mut self,
        segment: &mut Segment<'a, '_, O>,
        state: &mut SegmentState<'a, '_>,
        turn: &mut Turn,
    ) {
        let mut copied = Vec::new();
        segment.world.network.fluid.finish(segment.world.now, &mut self.ended);
        for token in self.ended.drain(..) {
            match FlowOwner::of_token(token) {
                FlowOwner::Thread(thread) => turn.ready.push((thread.number(), WakeReason::Ready)),
                FlowOwner::Reclaimer(node) => copied.push(node),
            }
        }
        turn.events += copied.len() as u64;
        copied.sort_unstable();
        copied.into_iter().for_each(|node| segment.reclaimed(state, node));
    }
}
