//! A sweep equals the same accesses made one by one.

use super::{AccessKind, CacheId, Caches, LINE, Served, levels, machine};
use crate::caches::SweptArray;
use numalab_base::Bytes;
use numalab_machine::{CoreId, NodeId};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::cell::Cell;
use std::ops::Range;

const CORES: u32 = 6;

/// Accesses before the sweep: core, region, bytes, kind.
type Before = Vec<(u32, usize, Range<u64>, AccessKind)>;

fn kind() -> impl Strategy<Value = AccessKind> {
    prop_oneof![Just(AccessKind::Read), Just(AccessKind::Write), Just(AccessKind::Stream)]
}

fn before() -> impl Strategy<Value = Before> {
    let length = prop_oneof![3 => 1..20 * LINE, 1 => 1..200 * LINE];
    let access = (0..CORES, 0usize..4, 0..300 * LINE, length, kind())
        .prop_map(|(core, region, start, length, kind)| (core, region, start..start + length, kind));
    prop::collection::vec(access, 0..12)
}

/// Arrays of different regions with the same number of blocks.
fn arrays() -> impl Strategy<Value = Vec<SweptArray>> {
    let least = prop_oneof![Just(2 * LINE), Just(7 * LINE)];
    (2usize..5, 3usize..14, least).prop_flat_map(|(count, blocks, least)| {
        let lengths = prop::collection::vec(least..11 * LINE, blocks);
        let array = (prop_oneof![Just(0), 0..300 * LINE], any::<bool>(), kind(), lengths).prop_map(
            |(start, whole, kind, lengths)| {
                let mut bounds = vec![start];
                bounds.extend(lengths.iter().scan(start, |at, length| {
                    *at += length;
                    Some(*at)
                }));
                if whole {
                    bounds.iter_mut().for_each(|bound| *bound = *bound / LINE * LINE);
                }
                SweptArray { region: 0, kind, bounds }
            },
        );
        let number = |(region, array)| SweptArray { region, ..array };
        prop::collection::vec(array, count)
            .prop_map(move |arrays| arrays.into_iter().enumerate().map(number).collect())
    })
}

/// Bytes of each array that each cache of the core serves; `None` if another cache serves any.
fn one_by_one(
    caches: &mut Caches,
    core: u32,
    arrays: &[SweptArray],
    blocks: Range<usize>,
) -> Option<Vec<u64>> {
    let levels = caches.levels.len();
    let mut shared = vec![0; arrays.len() * levels];
    let mut other = false;
    for block in blocks {
        for (at, SweptArray { region, kind, bounds }) in arrays.iter().enumerate() {
            let bytes = bounds[block]..bounds[block + 1];
            caches.access(CoreId(core), *region, bytes, *kind, |served, part, _| match served {
                Served::Memory => {}
                Served::Cache(level) => shared[at * levels + level] += part.end - part.start,
                Served::Peer(_) => other = true,
            });
        }
    }
    (!other).then_some(shared)
}

/// All state that decides later results.
fn state(caches: &Caches) -> impl PartialEq + std::fmt::Debug {
    let held = caches.levels.iter().flat_map(|level| {
        (0..level.count() as u32).map(|cache| {
            let intervals = level.used(CacheId::new(cache)).map(|lru| lru.contents());
            format!("{intervals:?}")
        })
    });
    let owners = caches.regions.iter().map(|region| {
        let mut owners = String::new();
        if let Some(region) = region {
            region.owners.each(0..u64::MAX, |run, bytes| owners += &format!("{run:?} {bytes:?} "));
            region.owners.stamps(|stamp| owners += &format!("{stamp} "));
        }
        owners
    });
    (held.collect::<Vec<String>>(), owners.collect::<Vec<String>>(), caches.now)
}

/// Sweeps on one of two equal machines and accesses one by one on the other. Returns false if the
/// fast path did not apply.
fn agree(mut caches: Caches, before: &Before, core: u32, arrays: &[SweptArray]) -> bool {
    for (core, region, bytes, kind) in before {
        caches.access(CoreId(*core), *region, bytes.clone(), *kind, |_, _, _| {});
    }
    one_by_one(&mut caches, core, arrays, 0..1);
    let mut plain = caches.clone();
    let levels = caches.levels.len();
    let mut shared = vec![0; arrays.len() * levels];
    let swept = caches.sweep(CoreId(core), arrays, |at, level, bytes| shared[at * levels + level] += bytes);
    if swept {
        let blocks = arrays[0].bounds.len() - 1;
        assert_eq!(one_by_one(&mut plain, core, arrays, 1..blocks), Some(shared));
    }
    assert_eq!(state(&caches), state(&plain));
    swept
}

/// Law: Blocks that are planned together equal blocks that are planned one by one.
#[test]
fn sweep_equals_single_accesses() {
    let swept = Cell::new(0);
    let inner = (1u64..7, 1u64..7, 1u32..3, prop_oneof![4 => Just(1u32), 1 => Just(2)]);
    let last = (60u64..260, 1u32..4);
    let all = (inner, last, before(), 0..CORES, arrays());
    let mut runner = TestRunner::new(ProptestConfig::with_cases(1500));
    let law = runner.run(&all, |((first, second, shared_by, factor), last, before, core, arrays)| {
        let sizes = [(first, shared_by), (second, shared_by * factor), (last.0, shared_by * factor * last.1)];
        swept.set(swept.get() + u32::from(agree(machine(&sizes, CORES), &before, core, &arrays)));
        Ok(())
    });
    law.unwrap_or_else(|failure| panic!("{failure}"));
    // The property concerns only accesses that the fast path takes.
    assert!(swept.get() > 150, "{} of 1500", swept.get());
}

/// Arrays of 9 blocks of 10 lines; some begin inside a line. Inner caches have 2 and 4 lines, the outer one 80 for
/// three cores. The caches are empty, or hold other data.
#[test]
fn untouched_arrays_are_swept() {
    for (start, kind) in [(0, AccessKind::Read), (24, AccessKind::Write), (40, AccessKind::Stream)] {
        let bounds = |start: u64| (0..=9).map(|block| start + block * 10 * LINE).collect::<Vec<u64>>();
        let array = |region, kind, start| SweptArray { region, kind, bounds: bounds(start) };
        let arrays =
            [array(0, AccessKind::Write, start), array(1, AccessKind::Read, 0), array(2, kind, start)];
        let caches =
            || Caches::new(&levels(&[(2, 1), (4, 1), (80, 3)]), CORES, Bytes(LINE), |core| NodeId(core.0));
        assert!(agree(caches(), &Vec::new(), 4, &arrays), "{kind:?}");
        // Another core of the cache, and one of another cache, accessed other data before.
        let others = vec![
            (3, 3, 0..50 * LINE, AccessKind::Write),
            (5, 3, 40 * LINE..60 * LINE, AccessKind::Read),
            (0, 0, 500 * LINE..600 * LINE, AccessKind::Write),
        ];
        assert!(agree(caches(), &others, 4, &arrays), "{kind:?}");
    }
}
