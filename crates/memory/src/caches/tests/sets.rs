//! Caches of sets, compared with a cache that is simulated line by line, whose pages lie at random.

use super::random::{Amounts, access};
use super::{AccessKind, Caches, LINE, levels};
use numalab_base::Bytes;
use numalab_machine::{CoreId, NodeId};
use std::collections::BTreeMap;
use std::ops::Range;

/// Lines of a page.
const PAGE: u64 = 4;

fn cache(lines: u64, ways: u32) -> Caches {
    let mut caches = levels(&[(lines, 1)]);
    caches[0].ways = Some(ways);
    Caches::new(&caches, 1, Bytes(LINE), |core: CoreId| NodeId(core.0))
}

fn hits(caches: &mut Caches, region: usize, lines: Range<u64>) -> f64 {
    let mut amounts = Amounts::new();
    access(caches, 0, region, &lines, AccessKind::Read, &mut amounts);
    amounts.get("Cache(0)").copied().unwrap_or(0.0)
}

/// Sets of lines, each with its most recent line last. Each page lies in a random colour (sets of one page).
struct Plain {
    ways: usize,
    sets: Vec<Vec<(usize, u64)>>,
    colours: BTreeMap<(usize, u64), u64>,
    draw: u64,
}

impl Plain {
    fn new(lines: u64, ways: u32, seed: u64) -> Plain {
        let sets = vec![Vec::new(); (lines / u64::from(ways)) as usize];
        Plain { ways: ways as usize, sets, colours: BTreeMap::new(), draw: seed }
    }

    fn hits(&mut self, region: usize, lines: Range<u64>) -> f64 {
        let all = self.sets.len() as u64 / PAGE;
        lines.filter(|line| self.read(region, *line, all)).count() as f64
    }

    fn read(&mut self, region: usize, line: u64, colours: u64) -> bool {
        let Plain { ways, sets, colours: of, draw } = self;
        let colour = *of.entry((region, line / PAGE)).or_insert_with(|| {
            *draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*draw >> 33) % colours
        });
        let set = &mut sets[(colour * PAGE + line % PAGE) as usize];
        let found = set.iter().position(|other| *other == (region, line));
        match found {
            Some(at) => drop(set.remove(at)),
            None if set.len() == *ways => drop(set.remove(0)),
            None => {}
        }
        set.push((region, line));
        found.is_some()
    }
}

/// Hit ratio of the last of four sweeps.
fn swept(mut sweep: impl FnMut() -> f64, lines: u64) -> f64 {
    (0..4).map(|_| sweep()).last().unwrap_or(0.0) / lines as f64
}

/// Law: A cache of sets loses hits gradually near its capacity, as a cache of lines whose pages lie at random.
///
/// Sweeps over half to one and a half of a cache of 2048 pages, again and again. By the Poisson sum, 16 ways keep 0.99 of
/// half, 0.84 of three quarters, 0.47 of all and 0.16 of five quarters; 8 ways 0.95, 0.74, 0.45 and 0.22. Eight placements
/// differ from their mean by about 0.01.
#[test]
fn sweeps_lose_hits_gradually() {
    let lines = 2048 * PAGE;
    for ways in [4, 8, 16] {
        for percent in [50, 75, 90, 100, 110, 125, 150] {
            let footprint = lines * percent / 100;
            let mut caches = cache(lines, ways);
            let share = swept(|| hits(&mut caches, 0, 0..footprint), footprint);
            let placements = 8;
            let plain = (0..placements).map(|seed| {
                let mut plain = Plain::new(lines, ways, 7 + seed);
                swept(|| plain.hits(0, 0..footprint), footprint)
            });
            let plain = plain.sum::<f64>() / f64::from(placements as u32);
            assert!((share - plain).abs() < 0.02, "{ways} ways, {percent} %: {share}, line by line {plain}");
        }
    }
}

/// Of two arrays of 0.4 and 0.5 of the cache, read A A B again and again, the second A comes after 0.4, and the first and B
/// after 0.9: with 8 ways 0.983 and 0.569 are kept.
#[test]
fn distances_count_each_line_once() {
    let lines = 2048 * PAGE;
    let (a, b) = (lines * 4 / 10, lines / 2);
    let mut caches = cache(lines, 8);
    let mut round = || {
        let first = hits(&mut caches, 0, 0..a) / a as f64;
        let second = hits(&mut caches, 0, 0..a) / a as f64;
        [first, second, hits(&mut caches, 1, 0..b) / b as f64]
    };
    let shares = (0..3).map(|_| round()).last().unwrap();
    let mut sums = [0.0; 3];
    for seed in 0..8 {
        let mut plain = Plain::new(lines, 8, seed);
        let mut round = || {
            let first = plain.hits(0, 0..a) / a as f64;
            let second = plain.hits(0, 0..a) / a as f64;
            [first, second, plain.hits(1, 0..b) / b as f64]
        };
        let last = (0..3).map(|_| round()).last().unwrap();
        sums.iter_mut().zip(last).for_each(|(sum, share)| *sum += share / 8.0);
    }
    for (share, plain) in shares.iter().zip(sums) {
        assert!((share - plain).abs() < 0.02, "{shares:?}, line by line {sums:?}");
    }
}

/// A repeated sweep keeps its state, whatever it finds: the list is as after the sweep before.
#[test]
fn sweeps_of_sets_are_steady() {
    let mut caches = cache(100 * PAGE, 8);
    let rounds: Vec<f64> = (0..6).map(|_| hits(&mut caches, 0, 0..110 * PAGE)).collect();
    assert_eq!(rounds[0], 0.0);
    assert!(rounds[1] > 0.0 && rounds[1..].iter().all(|hits| *hits == rounds[1]), "{rounds:?}");
}
