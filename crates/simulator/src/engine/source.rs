//! Interface of an event source to the event loop.

use crate::account::observer::Listener;
use crate::engine::segment::{Ready, Segment, SegmentState};
use crate::engine::setup::Setup;
use numalab_base::{Snapshot, Span, Time};

/// Time behaviour of a source: how its events relate to the threads and to the other sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Works beside the threads. Its events alone do not keep a phase going.
    Background,
    /// Has an event queue of its own and processes it up to the next event of another source. The source sets the
    /// clock itself.
    Ahead,
    /// Fires at one instant. Timed sources that are due at the same instant fire before any thread goes on.
    Timed,
}

/// One turn of the event loop: a source fires, then the ready threads go on.
pub(crate) struct Turn {
    /// Last instant up to which a source ahead may process its events (`Due::until`).
    pub until: Time,
    /// Threads that go on in this turn, with the reasons.
    pub ready: Ready,
    /// Number of events since the phase began.
    pub events: u64,
}

// Glossary: event source: Part of the engine that says when its next event is and serves it: flows, programs,
//   threads, the scanner. The order of the sources decides what happens first at one instant.
pub(crate) trait Source {
    const KIND: Kind;

    /// State before the first phase. Sources whose state is in the world have none.
    fn new(setup: &Setup<'_>) -> Self;

    /// Instant of the source's next event; `None` if the source has no event.
    fn next<O: Listener>(&self, segment: &mut Segment<'_, '_, O>) -> Option<Time>;

    /// Serves every event that is due at the present instant. A source that runs ahead serves its events up to
    /// [`Turn::until`], but stops at the first that makes threads ready. Adds to [`Turn::events`] the events that make
    /// no thread ready; the loop adds the ready threads. Events of the runtime's programs are counted as transactions.
    fn fire<'a, O: Listener>(
        &mut self,
        segment: &mut Segment<'a, '_, O>,
        state: &mut SegmentState<'a, '_>,
        turn: &mut Turn,
    );

    /// Adds the state that later events depend on, for the search of repetitions.
    fn snapshot(&self, _: &mut Snapshot) {}

    /// Number of clocked events so far: events at fixed times of the clock, such as walks of the scanner. A
    /// repetition with such an event is simulated, not counted.
    fn clocked(&self) -> u64 {
        0
    }

    /// Instant of the next clocked event. Only repetitions that end before it are counted instead of simulated.
    fn next_clocked(&self) -> Option<Time> {
        None
    }

    /// Advances by the time of repetitions that were counted instead of simulated, which end before
    /// [`Source::next_clocked`]. The clock of the world stands still.
    fn pass(&mut self, _: Span) {}
}
