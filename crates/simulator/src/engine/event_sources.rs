//! Choice of the event source that fires next, and the macro that declares the list of sources in
//! [`engine`](crate::engine).

use crate::account::observer::Listener;
use crate::engine::segment::{Segment, SegmentState};
use crate::engine::setup::LONGEST;
use crate::engine::source::{Kind, Turn};
use crate::engine::{KINDS, ORDER, Sources};
use numalab_base::{Span, Time};

/// Declares the event sources, their order, and the calls that the event loop makes.
macro_rules! sources {
    ($($name:ident: $source:ty,)*) => {
        /// Event sources, in the order in which they fire at one instant.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum SourceId {
            $($name,)*
        }

        /// Sources in the order in which they fire at one instant.
        pub(crate) const ORDER: [SourceId; [$(SourceId::$name),*].len()] = [$(SourceId::$name),*];

        /// Kinds of the sources, in [`ORDER`].
        pub(crate) const KINDS: [$crate::engine::source::Kind; ORDER.len()] =
            [$(<$source as $crate::engine::source::Source>::KIND),*];

        #[derive(Clone, Debug)]
        #[allow(non_snake_case)]
        pub(crate) struct Sources {
            $($name: $source,)*
        }

        impl Sources {
            pub fn new(setup: &$crate::engine::setup::Setup<'_>) -> Sources {
                Sources { $($name: <$source as $crate::engine::source::Source>::new(setup),)* }
            }

            /// Instant of each source's next event, in [`ORDER`].
            #[inline]
            pub fn next<O: $crate::account::observer::Listener>(
                &self,
                segment: &mut $crate::engine::segment::Segment<'_, '_, O>,
            ) -> $crate::engine::event_sources::NextTimes {
                [$($crate::engine::event_sources::or_never(
                    $crate::engine::source::Source::next(&self.$name, segment)
                )),*]
            }

            /// Adds to a snapshot the state of all sources, as far as later events depend on it.
            pub fn snapshot(&self, into: &mut numalab_base::Snapshot) {
                $($crate::engine::source::Source::snapshot(&self.$name, into);)*
            }

            /// Number of clocked events of all sources so far.
            pub fn clocked(&self) -> u64 {
                [$($crate::engine::source::Source::clocked(&self.$name)),*].into_iter().sum()
            }

            /// Instant of the first clocked event of any source; `None` if there is none.
            pub fn next_clocked(&self) -> Option<numalab_base::Time> {
                [$($crate::engine::source::Source::next_clocked(&self.$name)),*].into_iter().flatten().min()
            }

            /// Advances all sources by `span`, the time of repetitions that were counted instead of simulated.
            pub fn pass(&mut self, span: numalab_base::Span) {
                $($crate::engine::source::Source::pass(&mut self.$name, span);)*
            }

            /// Instant of the next event of the source at index `place` of [`ORDER`].
            pub fn next_of<O: $crate::account::observer::Listener>(
                &self,
                place: usize,
                segment: &mut $crate::engine::segment::Segment<'_, '_, O>,
            ) -> Option<numalab_base::Time> {
                match ORDER[place] {
                    $(SourceId::$name => $crate::engine::source::Source::next(&self.$name, segment),)*
                }
            }

            pub fn fire<'a, O: $crate::account::observer::Listener>(
                &mut self,
                place: usize,
                segment: &mut $crate::engine::segment::Segment<'a, '_, O>,
                state: &mut $crate::engine::segment::SegmentState<'a, '_>,
                turn: &mut $crate::engine::source::Turn,
            ) {
                match ORDER[place] {
                    $(SourceId::$name => $crate::engine::source::Source::fire(&mut self.$name, segment, state, turn),)*
                }
            }
        }
    };
}

pub(crate) use sources;

/// Instant of each source's next event, in [`ORDER`]; [`Time::NEVER`] for a source without events.
pub(crate) type NextTimes = [Time; ORDER.len()];

/// Instant of a source's next event, in the form of [`NextTimes`]. An event at [`Time::NEVER`] becomes one picosecond
/// earlier: its run is too long, which is another error than a run without events.
#[inline]
pub(crate) fn or_never(next: Option<Time>) -> Time {
    next.map_or(Time::NEVER, |at| at.min(Time(Time::NEVER.0 - 1)))
}

/// Source that fires next, and the instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Due {
    /// Index of the source in [`ORDER`].
    pub place: usize,
    pub at: Time,
}

impl Due {
    /// Source with the earliest event, the first by [`ORDER`] if there are several. `None` if no source but those in
    /// the background has an event.
    #[inline]
    pub fn first(next: &NextTimes) -> Option<Due> {
        let (mut first, mut goes_on) = (Due { place: 0, at: next[0] }, false);
        for (place, at) in next.iter().enumerate() {
            goes_on |= KINDS[place] != Kind::Background && *at < Time::NEVER;
            if *at < first.at {
                first = Due { place, at: *at };
            }
        }
        goes_on.then_some(first)
    }

    pub fn kind(self) -> Kind {
        KINDS[self.place]
    }

    /// Last instant up to which the source may run ahead: the next event of any other source, less one picosecond if
    /// that source is earlier in [`ORDER`] and fires first at a tie. At most [`LONGEST`].
    #[inline]
    pub fn until(self, next: &NextTimes) -> Time {
        let (before, after) = (&next[..self.place], &next[self.place + 1..]);
        let before = before.iter().map(|at| Time(at.0 - 1));
        before.chain(after.iter().copied()).fold(LONGEST, Time::min)
    }
}

impl Sources {
    /// Number of further periods, each `period` long, that end before the next clocked event; at most `most`.
    pub fn undisturbed(&self, now: Time, period: Span, most: u64) -> u64 {
        let until = self.next_clocked().map(|at| at.0.saturating_sub(now.0));
        until.map_or(most, |until| most.min(until.saturating_sub(1) / period.0.max(1)))
    }

    /// Fires the timed sources behind index `fired` of [`ORDER`] that are due now.
    pub fn fire_the_rest<'a, O: Listener>(
        &mut self,
        fired: usize,
        segment: &mut Segment<'a, '_, O>,
        state: &mut SegmentState<'a, '_>,
        turn: &mut Turn,
    ) {
        for (place, kind) in KINDS.iter().enumerate().skip(fired + 1) {
            let now = segment.world.now;
            if *kind == Kind::Timed && self.next_of(place, segment).is_some_and(|at| at <= now) {
                self.fire(place, segment, state, turn);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::SourceId;
    use crate::engine::SourceId::{Balancer, Flows, Pages, Processors, Programs, Scanner, Threads};

    const T: Time = Time(1_000_000);
    const NS: u64 = 1000;

    fn place(source: SourceId) -> usize {
        ORDER.iter().position(|known| *known == source).unwrap()
    }

    /// Next times when only the sources in `due` have an event.
    fn next<const N: usize>(due: [(SourceId, Time); N]) -> NextTimes {
        let mut next = [Time::NEVER; ORDER.len()];
        due.into_iter().for_each(|(source, at)| next[place(source)] = at);
        next
    }

    /// Each source fires before the next one of this list at the same instant.
    const BEFORE: [SourceId; 7] = [Scanner, Balancer, Programs, Pages, Flows, Processors, Threads];

    /// Law: sources at one instant fire in one order.
    #[test]
    fn ties_are_decided_by_the_order() {
        for (at, first) in BEFORE.iter().enumerate() {
            for second in &BEFORE[at + 1..] {
                let alive = if *second == Balancer {
                    next([(*first, T), (*second, T), (Threads, T)])
                } else {
                    next([(*first, T), (*second, T)])
                };
                assert_eq!(
                    Due::first(&alive),
                    Some(Due { place: place(*first), at: T }),
                    "{first:?} {second:?}"
                );
            }
        }
    }

    /// Law: the earlier of two sources fires first, and the clock never passes the other.
    #[test]
    fn no_source_runs_past_another() {
        let later = Time(T.0 + NS);
        for first in ORDER {
            for second in ORDER.into_iter().filter(|second| *second != first) {
                let mut next = next([(first, T), (second, later)]);
                let last = Time(later.0 + NS);
                next.iter_mut().for_each(|at| *at = (*at).min(last));
                let due = Due::first(&next).unwrap();
                assert_eq!((due.place, due.at), (place(first), T));
                let until = due.until(&next);
                let limit = if place(second) < place(first) { Time(later.0 - 1) } else { later };
                assert_eq!(until, limit, "{first:?} before {second:?}");
            }
        }
    }

    /// Law: sources in the background do not keep a phase going.
    #[test]
    fn background_alone_is_stuck() {
        assert_eq!(Due::first(&next([(Scanner, T), (Balancer, T)])), None);
        assert_eq!(Due::first(&next([])), None);
        assert_eq!(Due::first(&next([(Scanner, T), (Flows, T)])).map(|due| due.place), Some(place(Scanner)));
    }
}
