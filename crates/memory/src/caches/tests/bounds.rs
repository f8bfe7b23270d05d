//! Accesses that cut caches up: the number of intervals is bounded, bytes are conserved, and results
//! are close to those of exact caches.

use super::{AccessKind, CacheId, Caches, Served, access, machine};
use crate::caches::level::CacheLevel;
use numalab_base::Snapshot;
use numalab_machine::NodeId;
use proptest::prelude::*;

fn intervals(caches: &Caches, level: usize, cache: u32) -> usize {
    caches.levels[level].used(CacheId::new(cache)).map_or(0, |lru| lru.contents().len())
}

/// Pseudo-random numbers below `most`, the same in every run.
fn random(most: u64) -> impl FnMut() -> u64 {
    let mut state = 1u64;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    }
}

#[test]
fn arrays_streamed_side_by_side_stay_in_a_cache_that_holds_them() {
    // Three arrays of 1 MiB by 8 cores in pieces of a KiB: 3072 intervals, all of which fit 4 MiB.
    let mut caches = machine(&[(65_536, 8)], 8);
    let piece = 16;
    let mut sweep = |expected: Served| {
        for step in 0..128 {
            for core in 0..8u64 {
                for array in 0..3 {
                    let start = (core * 128 + step) * piece;
                    let parts =
                        access(&mut caches, core as u32, array, start..start + piece, AccessKind::Read);
                    assert_eq!(parts, [(expected, start..start + piece)]);
                }
            }
            assert!(intervals(&caches, 0, 0) <= 1024);
        }
    };
    sweep(Served::Memory);
    sweep(Served::Cache(0));
}

#[test]
fn interleaved_small_pieces_do_not_hit() {
    // Two sockets of 8 cores and 18 MiB, pieces of 4 KiB in turn: every byte is used once, so nothing
    // can hit.
    let mut caches = machine(&[(294_912, 8)], 16);
    let piece = 64;
    for at in 0..8192u64 {
        for (array, kind) in [(0, AccessKind::Read), (1, AccessKind::Read), (2, AccessKind::Write)] {
            let lines = at * piece..(at + 1) * piece;
            let parts = access(&mut caches, (at % 16) as u32, array, lines.clone(), kind);
            assert_eq!(parts, [(Served::Memory, lines)]);
        }
    }
}

#[test]
fn random_hit_ratio_is_cache_share() {
    // 8 MiB of an array of 32 MiB: a quarter of the accesses hit once the cache is full.
    let mut caches = machine(&[(512, 1), (131_072, 1)], 1);
    let mut line = random(524_288);
    let (mut hits, count) = (0, 200_000);
    for turn in 0..3 * count {
        let line = line();
        let parts = access(&mut caches, 0, 0, line..line + 1, AccessKind::Read);
        hits += usize::from(turn >= 2 * count && parts[0].0 != Served::Memory);
        // One interval per 2 KiB of 8 MiB.
        assert!(turn % 1000 > 0 || intervals(&caches, 1, 0) <= 4096);
    }
    let share = hits as f64 / count as f64;
    assert!((share - 0.25).abs() < 0.01, "{share}");
    // A sweep makes the cache exact again.
    access(&mut caches, 0, 1, 0..131_072, AccessKind::Read);
    access(&mut caches, 0, 0, 0..1, AccessKind::Read);
    let parts = access(&mut caches, 0, 0, 0..2, AccessKind::Read);
    assert_eq!(parts, [(Served::Cache(0), 0..1), (Served::Memory, 1..2)]);
}

#[test]
fn scattered_writers_are_kept_in_bounded_runs() {
    let mut caches = machine(&[(65_536, 1)], 4);
    let mut line = random(1 << 24);
    for turn in 0..50_000 {
        let line = line();
        access(&mut caches, turn % 4, 0, line..line + 1, AccessKind::Write);
        if let (0, Some(region)) = (turn % 100, &caches.regions[0]) {
            assert!(region.owners.len() <= 4096 + 4 * 4);
        }
    }
    // Writes of large ranges stay exact: the last writer owns all bytes.
    access(&mut caches, 0, 1, 0..1000, AccessKind::Write);
    assert_eq!(access(&mut caches, 1, 1, 0..1000, AccessKind::Write), [(Served::Peer(NodeId(0)), 0..1000)]);
}

#[test]
fn owners_merge_to_the_ranges_of_the_writers() {
    let mut caches = machine(&[(65_536, 1)], 4);
    for step in 0..100 {
        for core in 0..4u64 {
            let start = (core * 100 + step) * 8;
            access(&mut caches, core as u32, 0, start..start + 8, AccessKind::Read);
            access(&mut caches, core as u32, 0, start..start + 8, AccessKind::Write);
        }
    }
    assert_eq!(caches.regions[0].as_ref().map(|region| region.owners.len()), Some(4));
    // One core reads all, in pieces: each piece is shared by the same last write and merges with the
    // one before.
    for step in 0..400 {
        access(&mut caches, 0, 0, step * 8..step * 8 + 8, AccessKind::Read);
    }
    assert_eq!(caches.regions[0].as_ref().map(|region| region.owners.len()), Some(4));
}

/// Law: Merging the intervals of a fragmented cache costs no more than the accesses that fragmented it.
///
/// Sixteen cores write pieces of two lines in turn, as under `dynamic` with small chunks. Each writes into the extents
/// of the others, so that no merge joins anything. With a merge at every access this takes 26 visits an access.
#[test]
fn merges_that_join_nothing_are_rare() {
    let mut caches = machine(&[(512, 1), (4096, 1), (294_912, 8)], 16);
    let turns = 40_000;
    for turn in 0..turns {
        let core = (turn * 7 % 16) as u32;
        access(&mut caches, core, (turn % 3) as usize, turn * 2..turn * 2 + 2, AccessKind::Write);
    }
    let visits = caches.visits() as f64 / turns as f64;
    assert!(visits < 20.0, "{visits}");
}

/// One step of a solver. First each core goes through a plane of two arrays. Then the cores go through all planes
/// upwards, and back downwards: in each plane a core reads its own row and the row before, and writes its own row and
/// its part of a third array. All data fit the last level, in more intervals than it keeps in exact order.
fn step(caches: &mut Caches, cores: u32) {
    let (row, planes) = (41, 62);
    let plane = u64::from(cores + 2) * row;
    for core in 0..cores {
        let start = u64::from(core) * plane;
        access(caches, core, 0, start..start + plane, AccessKind::Read);
        access(caches, core, 1, start..start + plane, AccessKind::Write);
    }
    for turn in 0..2 * planes {
        for core in 0..cores {
            let up = turn < planes;
            let (at, own) = if up { (turn, core + 1) } else { (2 * planes - 1 - turn, cores - core) };
            let start = at * plane + u64::from(own) * row;
            access(caches, core, 0, start - row..start + row, AccessKind::Read);
            access(caches, core, 2, u64::from(own) * 203..u64::from(own) * 203 + 203, AccessKind::Write);
            access(caches, core, 1, start - row..start, AccessKind::Read);
            access(caches, core, 1, start..start + row, AccessKind::Write);
        }
    }
}

/// Law: Caches that are fragmented settle between repetitions.
#[test]
fn settled_steps_restore_contents() {
    // Number of steps since the contents were the same.
    let came_back = |settles: bool| {
        let mut caches = machine(&[(512, 1), (524_288, 10)], 40);
        let mut states: Vec<Snapshot> = Vec::new();
        for _ in 0..12 {
            step(&mut caches, 40);
            if settles {
                caches.settle();
            }
            let mut state = Snapshot::new(numalab_base::Time::ZERO);
            caches.snapshot(&mut state);
            states.push(state);
        }
        assert!(intervals(&caches, 1, 0) > 128, "it is cut up");
        let last = states.pop();
        last.and_then(|last| states.iter().rev().position(|state| last.is_like(state))).map(|at| at + 1)
    };
    assert_eq!((came_back(true), came_back(false)), (Some(1), None));
}

/// Law: Caches that are fragmented settle between repetitions.
#[test]
fn settle_keeps_exact_cache() {
    let mut caches = machine(&[(512, 1), (65_536, 2)], 2);
    for at in [30, 10, 20] {
        access(&mut caches, 0, 0, at..at + 1, AccessKind::Read);
    }
    let contents = |caches: &Caches| {
        let mut state = Snapshot::new(numalab_base::Time::ZERO);
        caches.snapshot(&mut state);
        state
    };
    let before = contents(&caches);
    caches.settle();
    assert!(contents(&caches).is_like(&before));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// The parts of every access are in order and add up to its bytes. No cache holds more bytes than fit (`contents`
    /// would panic), or more intervals than allowed. Visits are counted as soon as they are made.
    #[test]
    fn bytes_are_conserved(seed in 0u64..1000, most in prop::sample::select(vec![4096u64, 1 << 20, 1 << 30])) {
        let mut caches = machine(&[(512, 1), (4096, 2), (65_536, 4)], 8);
        let mut next = random(u64::MAX);
        for _ in 0..seed {
            next();
        }
        for turn in 0..6000 {
            let (start, core, region) = (next() % most, (next() % 8) as u32, (next() % 3) as usize);
            let lines = start..start + 1 + next() % 40;
            let kind = [AccessKind::Read, AccessKind::Write, AccessKind::Read, AccessKind::Stream][(next() % 4) as usize];
            let mut at = lines.start;
            for (_, part) in access(&mut caches, core, region, lines.clone(), kind) {
                prop_assert!(part.start == at && part.end > at);
                at = part.end;
            }
            prop_assert_eq!(at, lines.end);
            let uncounted: u64 = caches.levels.iter_mut().map(CacheLevel::uncounted).sum();
            prop_assert_eq!(uncounted, 0);
            if turn % 500 == 0 {
                // One interval per 2 KiB of 4 MiB in the last level.
                for (level, count, bound) in [(0, 8, 1024), (1, 4, 1024), (2, 2, 2048)] {
                    prop_assert!((0..count).all(|cache| intervals(&caches, level, cache) <= bound));
                }
            }
        }
    }
}

/// Law: Rows that fragment a cache with room come back.
///
/// Two arrays of 1.6 MB that eight cores have written before, then 100 rows of 1 to 100 lines in each, read in one
/// and written in the other, alternately: 400 intervals in a cache of 8 MiB, and nothing is evicted. Each repetition
/// leaves the same contents.
#[test]
fn cut_up_rows_recur_in_cache_with_room() {
    let mut caches = machine(&[(1024, 1), (131_072, 8)], 8);
    let rows = |core: u32| (0..100u64).filter(move |row| row / 13 == u64::from(core));
    for core in 0..8 {
        for (row, array) in rows(core).flat_map(|row| [(row, 0), (row, 1)]) {
            access(&mut caches, core, array, row * 256..row * 256 + 256, AccessKind::Write);
        }
    }
    let turn = |caches: &mut Caches| {
        for (read, written) in [(0, 1), (1, 0)] {
            for core in 0..8 {
                for row in rows(core) {
                    access(caches, core, read, row * 256..row * 257 + 1, AccessKind::Read);
                    access(caches, core, written, row * 256..row * 257 + 1, AccessKind::Write);
                }
            }
        }
        let mut state = Snapshot::new(numalab_base::Time::ZERO);
        caches.snapshot(&mut state);
        state
    };
    let states: Vec<Snapshot> = (0..5).map(|_| turn(&mut caches)).collect();
    assert!(states.windows(2).skip(1).all(|pair| pair[1].is_like(&pair[0])));
    // More intervals than a full cache would keep.
    assert!(intervals(&caches, 1, 0) > 128, "{}", intervals(&caches, 1, 0));
}
