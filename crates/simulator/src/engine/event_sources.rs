//! The list of event sources.
//!
//! [`ORDER`] is the order of the list, and the only place that decides which of several sources fires first at one
//! instant. To add a source, implement [`Source`] in a file of its own and add a line to the list below.

use crate::account::observer::Listener;
use crate::engine::segment::{Segment, SegmentState};
use crate::engine::setup::{LONGEST, Setup};
use crate::engine::source::{Kind, Source, Turn};
use numalab_base::{Snapshot, Span, Time};

/// Declares the sources, their order, and the calls that the loop makes.
macro_rules! sources {
    ($($name:ident: $source:ty,)*) => {
        /// Name of a source.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum SourceId {
            $($name,)*
        }

        /// Order of the sources at one instant.
        pub(crate) const ORDER: [SourceId; [$(SourceId::$name),*].len()] = [$(SourceId::$name),*];

        /// Kinds of the sources, in [`ORDER`].
        const KINDS: [Kind; ORDER.len()] = [$(<$source>::KIND),*];

        /// States of the sources.
        #[derive(Clone, Debug)]
        #[allow(non_snake_case)]
        pub(crate) struct Sources {
            $($name: $source,)*
        }

        impl Sources {
            pub fn new(setup: &Setup<'_>) -> Sources {
                Sources { $($name: <$source>::new(setup),)* }
            }

            /// Next instants of all sources, in [`ORDER`].
            #[inline]
            pub fn next<O: Listener>(&self, segment: &mut Segment<'_, '_, O>) -> Next {
                [$(self.$name.next(segment)),*]
            }

            /// Writes down what later events depend on.
            pub fn snapshot(&self, into: &mut Snapshot) {
                $(self.$name.snapshot(into);)*
            }

            /// Number of events so far that came by the clock.
            pub fn clocked(&self) -> u64 {
                [$(self.$name.clocked()),*].into_iter().sum()
            }

            /// Instant of the next event that comes by the clock.
            pub fn next_clocked(&self) -> Option<Time> {
                [$(self.$name.next_clocked()),*].into_iter().flatten().min()
            }

            /// Lets time pass that was counted instead of simulated.
            pub fn pass(&mut self, span: Span) {
                $(self.$name.pass(span);)*
            }

            fn next_of<O: Listener>(&self, place: usize, segment: &mut Segment<'_, '_, O>) -> Option<Time> {
                match ORDER[place] {
                    $(SourceId::$name => self.$name.next(segment),)*
                }
            }

            /// Fires a source.
            pub fn fire<'a, O: Listener>(
                &mut self,
                place: usize,
                segment: &mut Segment<'a, '_, O>,
                state: &mut SegmentState<'a, '_>,
                turn: &mut Turn,
            ) {
                match ORDER[place] {
                    $(SourceId::$name => self.$name.fire(segment, state, turn),)*
                }
            }
        }
    };
}

sources! {
    Scanner: crate::os::scan::Scans,
    Balancer: crate::os::moves::Balancing,
    Programs: crate::engine::programs::Programs,
    Pages: crate::pages::events::Pages,
    Flows: crate::flow::finish::Flows,
    Processors: crate::os::service::Services,
    Threads: crate::engine::thread_events::Threads,
}

/// Next instant of each source, in [`ORDER`].
pub(crate) type Next = [Option<Time>; ORDER.len()];

/// Source that fires first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Due {
    /// Index in [`ORDER`].
    pub place: usize,
    pub at: Time,
}

impl Due {
    /// Source with the earliest event, the first by [`ORDER`] if there are several. `None` if only sources in the
    /// background have events.
    #[inline]
    pub fn first(next: &Next) -> Option<Due> {
        let (mut first, mut goes_on): (Option<Due>, bool) = (None, false);
        for (place, at) in next.iter().enumerate() {
            let Some(at) = *at else { continue };
            goes_on |= KINDS[place] != Kind::Background;
            if first.is_none_or(|first| at < first.at) {
                first = Some(Due { place, at });
            }
        }
        first.filter(|_| goes_on)
    }

    pub fn kind(self) -> Kind {
        KINDS[self.place]
    }

    /// Last instant up to which it may run before any other source fires: those before it in [`ORDER`] fire first at
    /// their instant.
    pub fn until(self, next: &Next) -> Time {
        let others = next.iter().enumerate().filter(|(place, _)| *place != self.place);
        let limit = |(place, at): (usize, &Option<Time>)| {
            at.map(|at| if place < self.place { Time(at.0 - 1) } else { at })
        };
        others.filter_map(limit).fold(LONGEST, Time::min)
    }
}

impl Sources {
    /// Number of periods, `most` at most, that pass before the next event that comes by the clock.
    pub fn undisturbed(&self, now: Time, period: Span, most: u64) -> u64 {
        let until = self.next_clocked().map(|at| at.0.saturating_sub(now.0));
        until.map_or(most, |until| most.min(until.saturating_sub(1) / period.0.max(1)))
    }

    /// Fires the timed sources behind one that has fired, if they are due now.
    pub fn fire_the_rest<'a, O: Listener>(
        &mut self,
        fired: usize,
        segment: &mut Segment<'a, '_, O>,
        state: &mut SegmentState<'a, '_>,
        turn: &mut Turn,
    ) {
        for place in fired + 1..ORDER.len() {
            let now = segment.world.now;
            if KINDS[place] == Kind::Timed && self.next_of(place, segment).is_some_and(|at| at <= now) {
                self.fire(place, segment, state, turn);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SourceId::{Balancer, Flows, Pages, Processors, Programs, Scanner, Threads};
    use super::*;

    const T: Time = Time(1_000_000);
    const NS: u64 = 1000;

    fn place(source: SourceId) -> usize {
        ORDER.iter().position(|known| *known == source).unwrap()
    }

    /// Next instants, with nothing due but at these.
    fn next<const N: usize>(due: [(SourceId, Time); N]) -> Next {
        let mut next = [None; ORDER.len()];
        due.into_iter().for_each(|(source, at)| next[place(source)] = Some(at));
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
                next.iter_mut().for_each(|at| *at = at.or(Some(last)));
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
