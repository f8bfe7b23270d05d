//! Scans of automatic balancing as events.

use crate::account::cause::Cause;
use crate::account::observer::Listener;
use crate::engine::segment::{Segment, SegmentState};
use crate::engine::setup::Setup;
use crate::engine::source::{Kind, Source, Turn};
use crate::engine::world::World;
use crate::os::balancing::Scanner;
use crate::os::processors::Service;
use numalab_base::{Span, Time};
use numalab_workload::Placement;

/// Event source of automatic balancing: the scanner's walks. `None` if no region is balanced or tiered.
#[derive(Clone, Debug)]
pub(crate) struct Scans(Option<Scanner>);

impl Source for Scans {
    const KIND: Kind = Kind::Background;

    fn new(setup: &Setup<'_>) -> Scans {
        let any = |placement| setup.workload.regions.iter().any(|region| region.placement == placement);
        let (balanced, tiered) = (any(Placement::Balancing), any(Placement::Tiering));
        Scans((balanced || tiered).then(|| Scanner::new(&setup.machine.os.balancing, tiered)))
    }

    #[inline]
    fn next<O: Listener>(&self, _: &mut Segment<'_, '_, O>) -> Option<Time> {
        self.next_clocked()
    }

    /// Walks over pages, see [`Scanner::walk`]. As in Linux, the threads' processors lose the processor time of the
    /// scans, in turn.
    fn fire<'a, O: Listener>(
        &mut self,
        segment: &mut Segment<'a, '_, O>,
        state: &mut SegmentState<'a, '_>,
        turn: &mut Turn,
    ) {
        turn.events += 1;
        segment.world.tell_store();
        let World { store, now, .. } = &mut *segment.world;
        let Some(scanner) = &mut self.0 else { return };
        let (made, span) = scanner.walk(*now, turn.until, store);
        if span > Span::ZERO {
            let members = &segment.team.members;
            let processor = members[(made % members.len() as u64) as usize].processor;
            segment.request_service(state, processor, Service { span, cause: Cause::Scanner });
        }
    }

    fn clocked(&self) -> u64 {
        self.0.as_ref().map_or(0, Scanner::made)
    }

    fn next_clocked(&self) -> Option<Time> {
        self.0.as_ref().map(Scanner::next)
    }

    fn pass(&mut self, span: Span) {
        if let Some(scanner) = &mut self.0 {
            scanner.pass(span);
        }
    }
}
