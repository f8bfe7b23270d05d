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

/// Walks of the scanner.
#[derive(Clone, Debug)]
pub(crate) struct Scans;

impl Source for Scans {
    const KIND: Kind = Kind::Background;

    fn new(_: &Setup<'_>) -> Scans {
        Scans
    }

    fn next<O: Listener>(&self, segment: &mut Segment<'_, '_, O>) -> Option<Time> {
        segment.world.scanner.as_ref().map(Scanner::next)
    }

    /// Walks over pages. As in Linux the threads do so, in turn, on their processors. Scans before the next event of
    /// another source are made at once: no thread could tell them apart.
    fn fire<'a, O: Listener>(
        &mut self,
        segment: &mut Segment<'a, '_, O>,
        state: &mut SegmentState<'a, '_>,
        turn: &mut Turn,
    ) {
        turn.events += 1;
        segment.world.tell_store();
        let World { scanner, store, now, .. } = &mut *segment.world;
        let Some(scanner) = scanner else { return };
        let (made, span) = scanner.walk(*now, turn.until, store);
        if span > Span::ZERO {
            let members = &segment.team.members;
            let processor = members[(made % members.len() as u64) as usize].processor;
            segment.request_service(state, processor, Service { span, cause: Cause::Scanner });
        }
    }
}
