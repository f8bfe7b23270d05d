//! Random replacement, compared with plain lists from which a random line is evicted.

use super::random::{Amounts, Level, access, add, machine};
use super::{AccessKind, Served};
use numalab_machine::Replacement;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Caches as lists of single lines, of which a random one is evicted.
struct Plain {
    levels: Vec<Level>,
    /// Lines by level and cache; oldest first in LRU caches.
    lists: Vec<Vec<Vec<(usize, u64)>>>,
    draw: u64,
}

impl Plain {
    fn new(levels: &[Level], cores: u32, seed: u64) -> Plain {
        let lists = levels.iter().map(|level| vec![Vec::new(); (cores / level.1) as usize]).collect();
        Plain { levels: levels.to_vec(), lists, draw: seed }
    }

    fn below(&mut self, most: usize) -> usize {
        self.draw = self.draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.draw >> 33) % most as u64) as usize
    }

    /// Adds a line to a cache. Returns the line that it evicts, if the cache is full.
    fn insert(&mut self, level: usize, cache: usize, line: (usize, u64)) -> Option<(usize, u64)> {
        let (size, _, replacement, _) = self.levels[level];
        let full = self.lists[level][cache].len() as u64 == size;
        let gone = full.then(|| match replacement {
            Replacement::Lru => self.lists[level][cache].remove(0),
            Replacement::Random => {
                let at = self.below(size as usize);
                self.lists[level][cache].swap_remove(at)
            }
        });
        self.lists[level][cache].push(line);
        gone
    }

    fn take_out(&mut self, level: usize, cache: usize, line: (usize, u64)) -> bool {
        let list = &mut self.lists[level][cache];
        let at = list.iter().position(|other| *other == line);
        at.map(|at| list.remove(at)).is_some()
    }

    fn read(&mut self, core: u32, line: (usize, u64)) -> Served {
        let count = self.levels.len();
        let cache = |level: &Level| (core / level.1) as usize;
        let at: Vec<usize> = self.levels.iter().map(cache).collect();
        let holds = (0..count).find(|level| self.lists[*level][at[*level]].contains(&line));
        // Outermost first; evictions of an inclusive cache also leave the caches inside.
        for level in (0..count).rev() {
            let takes = self.levels[level].3;
            let had = self.take_out(level, at[level], line);
            if takes {
                continue;
            }
            match (had, self.levels[level].2) {
                (true, Replacement::Lru | Replacement::Random) => self.lists[level][at[level]].push(line),
                (false, _) => {
                    let Some(gone) = self.insert(level, at[level], line) else { continue };
                    if self.levels.get(level + 1).is_some_and(|outer| outer.3) {
                        self.insert(level + 1, at[level + 1], gone);
                    } else {
                        self.drop_inside(level, at[level], gone);
                    }
                }
            }
        }
        holds.map_or(Served::Memory, Served::Cache)
    }

    fn drop_inside(&mut self, level: usize, cache: usize, line: (usize, u64)) {
        for inner in 0..level {
            let caches = (self.levels[level].1 / self.levels[inner].1) as usize;
            (cache * caches..(cache + 1) * caches).for_each(|cache| {
                self.take_out(inner, cache, line);
            });
        }
    }
}

fn shapes() -> impl Strategy<Value = (Vec<Level>, u32)> {
    let (lru, random) = (Replacement::Lru, Replacement::Random);
    prop_oneof![
        Just((vec![(256, 1, random, false)], 1)),
        Just((vec![(512, 2, random, false)], 2)),
        Just((vec![(64, 1, lru, false), (512, 2, random, false)], 2)),
        Just((vec![(64, 1, random, false), (512, 1, lru, false)], 1)),
        Just((vec![(64, 1, random, false), (512, 1, random, false)], 1)),
        Just((vec![(128, 1, lru, false), (384, 1, random, true)], 1)),
        Just((vec![(128, 1, lru, false), (512, 2, random, true)], 2)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Law: Caches with random replacement hold what lists of single lines hold on average.
    ///
    /// The mean over many random evictions agrees with the closed form for random sequences of
    /// accesses. Each core has regions of its own, since a line shared by two leaves both at the
    /// eviction of the first.
    #[test]
    fn random_lists_agree_on_average(
        (shape, cores) in shapes(),
        steps in prop::collection::vec((0u32..2, 0usize..2, 0u64..16, 1u64..700), 20..50),
    ) {
        const SEEDS: u64 = 10;
        let steps: Vec<_> = steps
            .iter()
            .map(|(core, region, place, length)| (core % cores, region + 2 * (core % cores) as usize, place * 40..place * 40 + length))
            .collect();
        let mut caches = machine(&shape, cores);
        let (mut heard, mut wanted) = (Amounts::new(), Amounts::new());
        for (core, region, lines) in &steps {
            access(&mut caches, *core, *region, lines, AccessKind::Read, &mut heard);
        }
        for seed in 0..SEEDS {
            let mut plain = Plain::new(&shape, cores, seed * 7919 + 1);
            for (core, region, lines) in &steps {
                for line in lines.clone() {
                    let served = plain.read(*core, (*region, line));
                    add(&mut wanted, served, 1.0 / SEEDS as f64);
                }
            }
        }
        let total: f64 = wanted.values().sum();
        let servers: BTreeSet<&String> = heard.keys().chain(wanted.keys()).collect();
        for server in servers {
            let of = |amounts: &Amounts| amounts.get(server).copied().unwrap_or(0.0) / total;
            prop_assert!((of(&heard) - of(&wanted)).abs() < 0.01, "{server}: {heard:?} {wanted:?}");
        }
    }
}
