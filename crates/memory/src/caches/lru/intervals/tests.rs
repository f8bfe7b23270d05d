//! Interval lists: a hand-made case, and comparison with a plain list.

use super::{Interval, Intervals, Mark, SMALL};
use proptest::prelude::*;

/// A hundred intervals, of which every tenth is left: the slab shrinks to them, and they keep their
/// order by age (scattered over their addresses) and by address.
#[test]
fn slab_compacts_after_removals() {
    let mut intervals = Intervals::new();
    let interval = |at: u64| {
        let mark = Mark {
            sole: if at.is_multiple_of(20) { Mark::MANY } else { at as u32 },
            dirty: at.is_multiple_of(3),
        };
        Interval { region: (at / 50) as u32, start: at * 10, end: at * 10 + 7, stamp: 200 - at, mark }
    };
    let scattered = || (0..100).map(|age| (age * 37 + 50) % 100);
    scattered().for_each(|at| intervals.append(interval(at)));
    for at in (0..100).filter(|at| at % 10 > 0) {
        let place = intervals.find(interval(at).region, at * 10 + 3).unwrap();
        intervals.cut(place, at * 10..at * 10 + 7);
    }
    assert!(intervals.nodes.len() < 3 * 10 + SMALL && intervals.nodes.capacity() < 50);
    let show = |interval: Interval| format!("{interval:?}");
    let left: Vec<String> = (0..100).step_by(10).map(|at| show(interval(at))).collect();
    assert_eq!(intervals.by_address().map(show).collect::<Vec<_>>(), left);
    let by_age: Vec<String> = intervals.by_age().map(show).collect();
    let aged = scattered().filter(|at| at % 10 == 0);
    assert_eq!(by_age, aged.clone().map(|at| show(interval(at))).collect::<Vec<_>>());
    // Both ends of the order are known, and freed slab entries are used again.
    assert_eq!(intervals.oldest().map(|oldest| oldest.1.start), aged.clone().next().map(|at| at * 10));
    assert_eq!(intervals.newest().map(|newest| newest.start), aged.clone().next_back().map(|at| at * 10));
    intervals.append(interval(55));
    assert_eq!(intervals.newest().map(|newest| newest.start), Some(550));
    assert_eq!(intervals.find(1, 551).map(|place| intervals.get(place).end).ok(), Some(557));
}

/// Change of an interval list at a byte of a region: of the interval that holds the byte, unless stated otherwise.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// Append an interval of this length that starts at the byte, if no interval holds the byte. It ends at the
    /// latest where the next interval starts.
    Append(u64),
    /// Make the interval the newest.
    Renew,
    /// Remove this many bytes of the interval, from the byte on.
    Cut(u64),
    /// Remove the interval, or the next interval of the region if none holds the byte.
    Drop,
    /// Extend the newest interval of the list by this many bytes. If another interval is in the way, the test case
    /// ends.
    Extend(u64),
}

/// Changes that fill and cut up a cache, and then remove most of its contents.
fn changes() -> impl Strategy<Value = Vec<(Change, u32, u64)>> {
    let fill = prop_oneof![
        6 => (1u64..12).prop_map(Change::Append),
        2 => Just(Change::Renew),
        2 => (1u64..5).prop_map(Change::Cut),
        1 => (1u64..6).prop_map(Change::Extend),
    ];
    let empty =
        prop_oneof![8 => Just(Change::Drop), 1 => Just(Change::Renew), 1 => (1u64..40).prop_map(Change::Cut)];
    let of = |change: BoxedStrategy<Change>| prop::collection::vec((change, 0u32..3, 0u64..400), 20..80);
    let both = (of(fill.boxed()), of(empty.boxed())).prop_map(|(fill, empty)| [fill, empty].concat());
    prop::collection::vec(both, 1..4).prop_map(|bursts| bursts.concat())
}

proptest! {
    /// The list of intervals, oldest first, equals a plain list after any sequence of changes.
    #[test]
    fn segments_equal_plain_list(changes in changes()) {
        let (mut intervals, mut list) = (Intervals::new(), Vec::<Interval>::new());
        for (stamp, (change, region, byte)) in (0..).zip(changes) {
            let mark = Mark { sole: if byte.is_multiple_of(7) { Mark::MANY } else { region }, dirty: byte.is_multiple_of(2) };
            let of = |one: &Interval| one.region == region;
            let here = list.iter().position(|one| of(one) && (one.start..one.end).contains(&byte));
            let next = list.iter().filter(|one| of(one) && one.start > byte).map(|one| one.start).min();
            let found = intervals.find(region, byte);
            prop_assert_eq!(found.is_ok(), here.is_some());
            prop_assert!(found.is_ok() || found.err() == Some(next.unwrap_or(u64::MAX)));
            match (change, here) {
                (Change::Append(length), None) => {
                    let end = (byte + length).min(next.unwrap_or(u64::MAX));
                    let interval = Interval { region, start: byte, end, stamp, mark };
                    intervals.append(interval);
                    list.push(interval);
                }
                (Change::Renew, Some(at)) => {
                    intervals.renew(found.unwrap(), stamp, mark);
                    let interval = list.remove(at);
                    list.push(Interval { stamp, mark, ..interval });
                }
                (Change::Cut(length), Some(at)) => {
                    let whole = list[at];
                    let end = (byte + length).min(whole.end);
                    intervals.cut(found.unwrap(), byte..end);
                    let parts = [Interval { end: byte, ..whole }, Interval { start: end, ..whole }];
                    list.splice(at..=at, parts.into_iter().filter(|part| part.start < part.end));
                }
                (Change::Drop, _) => {
                    let goes = here.or_else(|| list.iter().position(|one| of(one) && Some(one.start) == next));
                    let Some(at) = goes else { continue };
                    let Interval { start, end, .. } = list.remove(at);
                    intervals.cut(intervals.find(region, start).unwrap(), start..end);
                }
                (Change::Extend(length), _) => {
                    let Some(newest) = list.last_mut() else { continue };
                    let Interval { region, end, .. } = *newest;
                    let grown = (end + length, stamp, mark);
                    (newest.end, newest.stamp, newest.mark) = grown;
                    if list.iter().any(|one| one.region == region && one.start >= end && one.start < grown.0) {
                        break;
                    }
                    intervals.extend_newest(grown.0, stamp, mark);
                }
                (Change::Append(_), Some(_)) | (Change::Renew | Change::Cut(_), None) => {}
            }
            let show = |intervals: &mut dyn Iterator<Item = Interval>| -> Vec<String> {
                intervals.map(|interval| format!("{interval:?}")).collect()
            };
            let by_age = show(&mut list.iter().copied());
            prop_assert_eq!(show(&mut intervals.by_age()), by_age.clone());
            let mut sorted = list.clone();
            sorted.sort_by_key(|one| (one.region, one.start));
            prop_assert_eq!(show(&mut intervals.by_address()), show(&mut sorted.into_iter()));
            let ends = [intervals.oldest().map(|oldest| oldest.1), intervals.newest()];
            let shown = ends.map(|end| end.map(|end| format!("{end:?}")));
            prop_assert_eq!(shown, [by_age.first().cloned(), by_age.last().cloned()]);
        }
    }
}
