//! Events of the runtime's programs: moving cache lines, timers, and ends of programs.

use crate::account::observer::Listener;
use crate::engine::segment::{Segment, SegmentState};
use crate::engine::setup::Setup;
use crate::engine::source::{Kind, Source, Turn};
use crate::engine::world::World;
use crate::work_source::WakeReason;
use numalab_base::Time;

/// Event source of the runtime's programs. Their state is in the world.
#[derive(Clone, Debug)]
pub(crate) struct Programs;

impl Source for Programs {
    const KIND: Kind = Kind::Ahead;

    fn new(_: &Setup<'_>) -> Programs {
        Programs
    }

    #[inline]
    fn next<O: Listener>(&self, segment: &mut Segment<'_, '_, O>) -> Option<Time> {
        segment.world.sync.exec.next()
    }

    fn fire<'a, O: Listener>(
        &mut self,
        segment: &mut Segment<'a, '_, O>,
        state: &mut SegmentState<'a, '_>,
        turn: &mut Turn,
    ) {
        segment.refresh_loads(state);
        let World { sync, now, watchdog, .. } = &mut *segment.world;
        sync.finished.clear();
        watchdog.count(sync.exec.advance(turn.until, &mut sync.finished));
        let Some(first) = sync.finished.first() else { return };
        *now = first.at;
        turn.ready.extend(
            sync.finished.iter().map(|end| (end.agent.number(), WakeReason::ProgramEnded(end.result))),
        );
        segment.show_loads(false);
    }
}
