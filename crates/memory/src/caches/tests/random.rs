//! Random replacement, with results worked out by hand.

use super::super::contents::Contents;
use super::super::random::decay::{drawn, swept};
use super::{AccessKind, CacheId, Caches, LINE, Served, levels};
use numalab_base::{Bytes, Snapshot};
use numalab_machine::{CoreId, NodeId, Replacement};
use std::collections::BTreeMap;
use std::ops::Range;

/// Caches given as lines and cores, each with its replacement and `true` for a victim cache.
pub(super) type Level = (u64, u32, Replacement, bool);

pub(super) fn machine(levels_of: &[Level], cores: u32) -> Caches {
    let sizes: Vec<(u64, u32)> = levels_of.iter().map(|level| (level.0, level.1)).collect();
    let mut caches = levels(&sizes);
    for (cache, (_, _, replacement, victim)) in caches.iter_mut().zip(levels_of) {
        (cache.replacement, cache.inclusive) = (*replacement, !victim);
    }
    Caches::new(&caches, cores, Bytes(LINE), |core| NodeId(core.0))
}

/// Number of lines by server.
pub(super) type Amounts = BTreeMap<String, f64>;

pub(super) fn add(amounts: &mut Amounts, served: Served, lines: f64) {
    *amounts.entry(format!("{served:?}")).or_default() += lines;
}

/// Lines of an access by server, after checking that they add up.
pub(super) fn access(
    caches: &mut Caches,
    core: u32,
    region: usize,
    lines: &Range<u64>,
    kind: AccessKind,
    into: &mut Amounts,
) {
    let mut sum = 0;
    caches.access(
        CoreId(core),
        region,
        lines.start * LINE..lines.end * LINE,
        kind,
        |served, part, amount| {
            assert!(amount > 0 && amount <= part.end - part.start);
            assert!(part.start >= lines.start * LINE && part.end <= lines.end * LINE);
            sum += amount;
            add(into, served, amount as f64 / LINE as f64);
        },
    );
    assert_eq!(sum, (lines.end - lines.start) * LINE);
}

/// Number of lines of a read that the first cache serves.
fn hits(caches: &mut Caches, lines: Range<u64>) -> f64 {
    let mut amounts = Amounts::new();
    access(caches, 0, 0, &lines, AccessKind::Read, &mut amounts);
    amounts.get("Cache(0)").copied().unwrap_or(0.0)
}

fn one(lines: u64) -> Caches {
    machine(&[(lines, 1, Replacement::Random, false)], 1)
}

/// A cache of 1000 lines. The first 1000 fill it, and each of 500 more evicts a thousandth of the
/// contents: of the first 1000, exp(-0.5) = 0.6065 are left, also of those that came last. Of the
/// 500, the first were followed by 500 and the last by none: 1000 (1 - exp(-0.5)) = 393.5. Together
/// they are the 1000 lines that it holds.
#[test]
fn random_eviction_hits_all_lines_equally() {
    let mut caches = one(1000);
    assert_eq!(hits(&mut caches, 0..1000), 0.0);
    assert_eq!(hits(&mut caches, 0..1000), 1000.0);
    assert_eq!(hits(&mut caches, 1000..1500), 0.0);
    assert!((hits(&mut caches.clone(), 0..10) - 6.05).abs() < 0.05);
    // Read line by line, a missing line does not evict the next one to be read.
    let each = (1000..1500).map(|line| hits(&mut caches.clone(), line..line + 1)).sum::<f64>();
    assert!((each - 393.5).abs() < 0.5, "{each}");
    // The missing lines of 1000 evict lines ahead: 1000 (u - 0.5) come in while exp(u) grows from
    // exp(0.5) by (exp(0.5) - 1) (exp(1) - 1); it becomes 2.763, and 516.5 have come in.
    let found = hits(&mut caches, 0..1000);
    assert!((found - (1000.0 - 516.5)).abs() < 2.0, "{found}");
}

/// Law: Caches with random replacement hold what lists of single lines hold on average.
///
/// Sweeps over N lines in a cache of C converge to h = exp(-(1 - h) N / C). At 1.25 that is 0.629
/// (1.25 * 0.371 = 0.4637, and exp(-0.4637) = 0.629), at 1.5 0.417, at 2 0.203, at 4 0.020. Arrays
/// that fit are always hits.
#[test]
fn sweeps_converge_to_closed_form() {
    for (times, expected) in
        [(0.5, 1.0), (1.0, 1.0), (1.25, 0.629), (1.5, 0.417), (2.0, 0.203), (4.0, 0.0198)]
    {
        assert!((swept(times) - expected).abs() < 0.001, "{}", swept(times));
        for parts in [1, 3, 50] {
            let mut caches = one(10_000);
            let lines = (times * 10_000.0) as u64;
            let mut found = 0.0;
            for _ in 0..60 {
                found = (0..parts)
                    .map(|at| hits(&mut caches, lines * at / parts..lines * (at + 1) / parts))
                    .sum();
            }
            let part = found / lines as f64;
            assert!((part - expected).abs() < 0.01, "{times} times it, in {parts} parts: {part}");
            assert!(caches.levels[0].met() < 60 * 40 * parts, "{}", caches.levels[0].met());
        }
    }
}

/// Draws from a window W find C / W of it. With one streaming line per draw, h = 1 / (1 + W / C (2
/// - h)): for W = C, h² - 3 h + 1 = 0 and h = 0.382.
#[test]
fn hit_ratio_of_random_draws() {
    assert_eq!((drawn(0.5, 0.0), drawn(1.0, 0.0), drawn(4.0, 0.0)), (1.0, 1.0, 0.25));
    assert!((drawn(1.0, 1.0) - 0.382).abs() < 0.001);
    assert!(drawn(1.0, 1e9) < 1e-8);
    let mut caches = one(4096);
    let (mut draw, mut found) = (1u64, 0.0);
    for at in 0..60_000u64 {
        draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let line = (draw >> 33) % 4096;
        let here = hits(&mut caches, line..line + 1);
        let stream = 10_000 + at;
        hits(&mut caches, stream..stream + 1);
        found += if at >= 40_000 { here } else { 0.0 };
    }
    let part = found / 20_000.0;
    assert!((part - 0.382).abs() < 0.03, "{part}");
}

/// A private cache inside a cache of 3000 lines, which has lost the fraction 1 - exp(-0.5) of its first lines. The
/// private cache loses the same fraction, since a line lost outside is lost inside, too.
#[test]
fn inner_contents_are_limited_by_outer() {
    let shape = [(400, 1, Replacement::Lru, false), (3000, 2, Replacement::Random, false)];
    let mut caches = machine(&shape, 2);
    let mut heard = Amounts::new();
    access(&mut caches, 0, 0, &(0..500), AccessKind::Read, &mut heard);
    access(&mut caches, 1, 1, &(0..4000), AccessKind::Read, &mut heard);
    heard.clear();
    // The first 2500 of 4000 filled the cache. 100..500 are in the inner one, exp(-0.5) of them in
    // both.
    access(&mut caches, 0, 0, &(300..301), AccessKind::Read, &mut heard);
    access(&mut caches, 0, 0, &(50..51), AccessKind::Read, &mut heard);
    let expected = [("Cache(0)", 0.6065), ("Cache(1)", 0.6065), ("Memory", 2.0 * 0.3935)];
    for (server, lines) in expected {
        assert!((heard[server] - lines).abs() < 0.02, "{server}: {heard:?}");
    }
}

/// Law: Caches with random replacement hold what lists of single lines hold on average.
///
/// A cache of 1000 lines in front of a random victim cache of 2000. Sweeps over 4000 lines: a line
/// is inside for a quarter of the time between two reads of it. h = exp(-(1 - h) 3000 / 2000) =
/// 0.417; as one cache of 3000 it would be 0.547.
#[test]
fn victim_cache_keeps_lines_held_inside() {
    let shape = [(1000, 1, Replacement::Lru, false), (2000, 1, Replacement::Random, true)];
    let mut caches = machine(&shape, 1);
    let mut heard = Amounts::new();
    for _ in 0..60 {
        heard.clear();
        access(&mut caches, 0, 0, &(0..4000), AccessKind::Read, &mut heard);
    }
    assert!((heard["Cache(1)"] / 4000.0 - 0.417).abs() < 0.02, "{heard:?}");
    // Data that fit both caches together are hits.
    let mut caches = machine(&shape, 1);
    for _ in 0..5 {
        heard.clear();
        access(&mut caches, 0, 0, &(0..2900), AccessKind::Read, &mut heard);
    }
    assert!(heard["Cache(1)"] > 2880.0, "{heard:?}");
}

/// Of lines that are dirty in another socket's cache, the share that is still present there comes from this cache.
#[test]
fn peer_serves_remaining_dirty_share() {
    let mut caches = machine(&[(1000, 1, Replacement::Random, false)], 2);
    let mut heard = Amounts::new();
    access(&mut caches, 0, 0, &(0..1000), AccessKind::Write, &mut heard);
    access(&mut caches, 0, 1, &(0..500), AccessKind::Read, &mut heard);
    heard.clear();
    access(&mut caches, 1, 0, &(0..1000), AccessKind::Read, &mut heard);
    assert!((heard["Peer(NodeId(0))"] - 606.5).abs() < 1.0, "{heard:?}");
    assert!((heard["Memory"] - 393.5).abs() < 1.0, "{heard:?}");
}

/// Law: Caches with random replacement keep few extents, and their state comes back.
///
/// Single lines in random order from a window of twice the cache: extents become averages over a few windows of
/// addresses, and the hit ratio is that of `drawn`.
#[test]
fn extents_stay_few() {
    let mut caches = one(16_384);
    let (mut draw, mut found, mut most) = (1u64, 0.0, 0);
    for at in 0..200_000u64 {
        draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let line = (draw >> 33) % 32_768;
        let here = hits(&mut caches, line..line + 1);
        found += if at >= 100_000 { here } else { 0.0 };
        if at % 1000 == 0 {
            let cache = caches.levels[0].used(CacheId::new(0));
            most = most.max(cache.map_or(0, Contents::count));
        }
    }
    assert!(most <= 1024, "{most}");
    let part = found / 100_000.0;
    assert!((part - drawn(2.0, 0.0)).abs() < 0.02, "{part}");
}

/// Law: Caches with random replacement keep few extents, and their state comes back.
///
/// Three cores sweep over 13 000 lines, 1.3 times the capacity of their common cache, and read 1000 of them twice.
/// After fewer than 60 rounds the caches are in a state that comes back within 8 rounds.
#[test]
fn rounded_ages_recur() {
    for shape in [
        vec![(100, 1, Replacement::Lru, false), (10_000, 4, Replacement::Random, false)],
        vec![(1000, 1, Replacement::Lru, false), (10_000, 4, Replacement::Random, true)],
    ] {
        let mut caches = machine(&shape, 4);
        let mut states: Vec<Snapshot> = Vec::new();
        for _ in 0..100 {
            for (core, lines) in [(0, 0..5_000), (1, 5_000..9_000), (2, 2_000..3_000), (0, 9_000..13_000)] {
                access(&mut caches, core, 0, &lines, AccessKind::Read, &mut Amounts::new());
            }
            caches.settle();
            let mut state = Snapshot::new(numalab_base::Time::ZERO);
            caches.snapshot(&mut state);
            states.push(state);
        }
        let last = states.pop().expect("there are states");
        let back = states.iter().rev().position(|state| last.is_like(state));
        assert!(back.is_some_and(|back| back < 8), "{back:?}");
        let first = states.iter().position(|state| last.is_like(state));
        assert!(first.is_some_and(|first| first < 60), "{first:?}");
    }
}

/// Accesses at any byte borders: the parts found end inside of lines, and amounts still add up.
#[test]
fn amounts_of_parts_of_lines_add_up() {
    for shape in [
        vec![(40, 1, Replacement::Lru, false), (300, 2, Replacement::Random, false)],
        vec![(40, 1, Replacement::Lru, false), (300, 2, Replacement::Random, true)],
        vec![(40, 1, Replacement::Random, false), (300, 2, Replacement::Random, false)],
    ] {
        let mut caches = machine(&shape, 4);
        let mut draw = 1u64;
        let mut below = |most: u64| {
            draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (draw >> 33) % most
        };
        for _ in 0..20_000 {
            let (core, region, start) = (below(4) as u32, below(2) as usize, below(30_000));
            let length = if below(4) == 0 { 1 + below(9) } else { 1 + below(9000) };
            let bytes = start..start + length;
            let kind = if below(3) == 0 { AccessKind::Write } else { AccessKind::Read };
            let mut sum = 0;
            caches.access(CoreId(core), region, bytes.clone(), kind, |_, part, amount| {
                assert!(amount > 0 && part.start < part.end);
                assert!(bytes.start <= part.start && part.end <= bytes.end);
                sum += amount;
            });
            assert_eq!(sum, length);
        }
    }
}
