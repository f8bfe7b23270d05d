//! Laws over random machines and accesses.

use super::oracle::{Entry, Oracle};
use super::{AccessKind, CacheId, Caches, LINE, Served, odd_machine};
use numalab_machine::{CoreId, NodeId};
use proptest::prelude::*;
use std::ops::Range;

#[derive(Clone, Debug)]
enum Step {
    Access { core: u32, region: usize, bytes: Range<u64>, kind: AccessKind },
    Forget(usize),
}

/// Up to four levels, innermost first; the size of each is in lines.
fn machines() -> impl Strategy<Value = (Vec<(u64, u32)>, u32)> {
    let level = (prop_oneof![1u64..8, 8u64..40], prop_oneof![3 => Just(1u32), 2 => Just(2), 1 => Just(3)]);
    (prop::collection::vec(level, 0..=4), 1u32..=4).prop_map(|(levels, groups)| {
        let mut shared_by = 1;
        let levels: Vec<(u64, u32)> = levels
            .into_iter()
            .map(|(lines, factor)| {
                shared_by *= factor;
                (lines, shared_by)
            })
            .collect();
        (levels, shared_by * groups)
    })
}

fn steps(cores: u32) -> impl Strategy<Value = Vec<Step>> {
    let kind =
        prop_oneof![4 => Just(AccessKind::Read), 3 => Just(AccessKind::Write), 1 => Just(AccessKind::Stream)];
    let length = prop_oneof![4 => 1..10 * LINE, 2 => 1..60 * LINE, 1 => Just(0u64)];
    // Half of the accesses start at one of a few addresses, so that accesses meet.
    let start = prop_oneof![(0u64..6).prop_map(|at| at * 8 * LINE), 0..60 * LINE];
    let access =
        (0..cores, 0usize..3, start, length, kind).prop_map(|(core, region, start, length, kind)| {
            Step::Access { core, region, bytes: start..start + length, kind }
        });
    let step = prop_oneof![40 => access, 1 => (0usize..3).prop_map(Step::Forget)];
    prop::collection::vec(step, 1..80)
}

/// The parts of an access, after checking that they cover its bytes in order, without gaps or
/// overlaps.
fn heard(
    caches: &mut Caches,
    core: u32,
    region: usize,
    bytes: &Range<u64>,
    kind: AccessKind,
) -> Vec<(Served, Range<u64>)> {
    let mut parts: Vec<(Served, Range<u64>)> = Vec::new();
    caches.access(CoreId(core), region, bytes.clone(), kind, |served, part, amount| {
        assert_eq!(amount, part.end - part.start);
        assert!(part.start < part.end);
        assert_eq!(part.start, parts.last().map_or(bytes.start, |(_, before)| before.end));
        assert!(parts.last().is_none_or(|(before, _)| *before != served), "one part in two pieces");
        parts.push((served, part));
    });
    let end = parts.last().map_or(bytes.start, |(_, part)| part.end);
    assert_eq!(end, bytes.end);
    parts
}

/// The lines of a cache, oldest first.
fn contents(caches: &Caches, level: usize, cache: u32) -> Vec<Entry> {
    let (last, cache) = (level + 1 == caches.levels.len(), CacheId::new(cache));
    let mut entries = Vec::new();
    for interval in caches.levels[level].used(cache).map_or(Vec::new(), |lru| lru.contents()) {
        let owners = caches.regions.iter().flatten().find(|region| region.name == interval.region);
        for line in interval.start / LINE..interval.end / LINE {
            let mut entry = Entry { region: interval.region, line, valid: true, dirty: interval.mark.dirty };
            entry.dirty &= owners.is_some();
            if let Some(region) = owners.filter(|_| last) {
                region.owners.each(line * LINE..(line + 1) * LINE, |run, _| {
                    entry.valid = run.is_none_or(|run| run.valid(cache, interval.stamp));
                    entry.dirty &= run.is_some_and(|run| run.exclusive() && run.owner == Some(cache));
                });
            }
            entries.push(entry);
        }
    }
    entries
}

/// Checks that all caches hold the same lines as the oracle, in the same order and state.
fn same(caches: &Caches, oracle: &Oracle) {
    for (level, lists) in oracle.lists.iter().enumerate() {
        for (cache, list) in lists.iter().enumerate() {
            let live =
                |entry: &Entry| caches.regions.iter().flatten().any(|region| region.name == entry.region);
            // Lines of forgotten regions occupy space without a state.
            let state =
                |entry: &Entry| (entry.region, entry.line, live(entry).then_some((entry.valid, entry.dirty)));
            let held: Vec<_> = contents(caches, level, cache as u32).iter().map(state).collect();
            let wanted: Vec<_> = list.iter().map(state).collect();
            assert_eq!(held, wanted, "level {level}, cache {cache}");
        }
    }
}

/// Checks that no line is dirty in two last-level caches.
fn one_is_dirty(caches: &Caches) {
    let Some(last) = caches.levels.len().checked_sub(1) else { return };
    let all = (0..caches.levels[last].count() as u32).flat_map(|cache| contents(caches, last, cache));
    let mut dirty: Vec<(u32, u64)> =
        all.filter(|entry| entry.dirty).map(|entry| (entry.region, entry.line)).collect();
    let count = dirty.len();
    dirty.sort_unstable();
    dirty.dedup();
    assert_eq!(dirty.len(), count);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn caches_equal_plain_lists(
        ((sizes, cores), steps) in machines().prop_flat_map(|machine| {
            let steps = steps(machine.1);
            (Just(machine), steps)
        }),
        victims in prop::collection::vec(prop::bool::weighted(0.3), 4),
        coverage in prop_oneof![2 => Just(None), 1 => (1u64..80).prop_map(Some)],
    ) {
        let mut caches = odd_machine(&sizes, &victims, cores, coverage);
        let mut oracle = Oracle::new(&sizes, &victims, cores, coverage);
        for step in &steps {
            match step {
                Step::Forget(region) => {
                    caches.forget(*region);
                    oracle.forget(*region);
                }
                Step::Access { bytes, .. } if bytes.is_empty() => {}
                Step::Access { core, region, bytes, kind } => {
                    let parts = heard(&mut caches, *core, *region, bytes, *kind);
                    let wanted = oracle.access(*core, *region, bytes, *kind);
                    let first = bytes.start / LINE;
                    for (at, served) in wanted.iter().enumerate() {
                        let byte = ((first + at as u64) * LINE).max(bytes.start);
                        let part = parts.iter().find(|(_, part)| part.contains(&byte)).unwrap();
                        prop_assert_eq!(part.0, *served, "byte {} in {:?}", byte, step);
                    }
                    if *kind != AccessKind::Stream {
                        // The home node alternates every eight lines.
                        for (at, served) in wanted.iter().enumerate() {
                            let line = first + at as u64;
                            if *served == Served::Memory {
                                let home = (line / 8 % 2) as u32;
                                caches.fill(NodeId(home), *region, line * LINE..(line + 1) * LINE);
                                oracle.fill(home, *region, line);
                            }
                        }
                    }
                    for (_, part) in &parts {
                        prop_assert!(part.start == bytes.start || part.start.is_multiple_of(LINE));
                    }
                }
            }
            same(&caches, &oracle);
            one_is_dirty(&caches);
        }
    }
}
