//! Victim: the thread with the most iterations left. Ties go to the lowest thread number, as in a scan that keeps the
//! first maximum.

use super::{Choice, Scanning};
use numalab_base::ThreadId;
use std::ops::Range;

/// Children per node of the tournament tree: two cache lines of the host.
const GROUP: usize = 16;

/// A tournament tree of all threads by iterations left. A thread that takes an iteration is rarely the maximum of its
/// group, so the upper levels of the tree seldom change.
#[derive(Default)]
pub struct MostLoaded {
    /// First the iterations left of each thread, then the maximum of each group of `GROUP` threads, then the maximum
    /// of each group of these maxima, and so on up to a single number.
    levels: Vec<Vec<u64>>,
}

impl Scanning for MostLoaded {
    const SCANS: bool = true;
}

impl Choice for MostLoaded {
    fn start(&mut self, left: &[Range<u64>]) {
        self.levels = vec![left.iter().map(|range| range.end.saturating_sub(range.start)).collect()];
        while let Some(below) = self.levels.last().filter(|below| below.len() > 1) {
            let most = below.chunks(GROUP).map(most).collect();
            self.levels.push(most);
        }
    }

    fn changed(&mut self, thread: ThreadId, _: u64, now: u64) {
        let (mut at, mut now) = (thread.index(), now);
        for level in 0..self.levels.len() {
            let was = std::mem::replace(&mut self.levels[level][at], now);
            at /= GROUP;
            let Some(&above) = self.levels.get(level + 1).and_then(|above| above.get(at)) else { return };
            if was < above && now <= above {
                return;
            }
            let below = &self.levels[level];
            now = most(&below[at * GROUP..((at + 1) * GROUP).min(below.len())]);
            if now == above {
                return;
            }
        }
    }

    fn victim(&mut self, _: ThreadId, _: &[Range<u64>]) -> Option<ThreadId> {
        let (top, below) = self.levels.split_last()?;
        let most = top.first().copied().filter(|most| *most > 0)?;
        let first = |at: usize, level: &Vec<u64>| {
            let group = at * GROUP;
            group + level[group..].iter().position(|left| *left == most).unwrap_or(0)
        };
        Some(ThreadId::new(below.iter().rev().fold(0, first) as u32))
    }
}

fn most(of: &[u64]) -> u64 {
    of.iter().copied().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn most_loaded_victim_equals_scan(
            left in prop::collection::vec(0u64..4, 1..700),
            takes in prop::collection::vec(any::<prop::sample::Index>(), 0..300),
        ) {
            let mut left: Vec<Range<u64>> = left.into_iter().map(|count| 7..7 + count).collect();
            let mut choice = MostLoaded::default();
            choice.start(&left);
            for take in takes {
                let most = left.iter().map(|range| range.end - range.start).max().filter(|most| *most > 0);
                let scanned = left.iter().position(|range| Some(range.end - range.start) == most);
                let victim = choice.victim(ThreadId::new(0), &left);
                prop_assert_eq!(victim.map(ThreadId::index), scanned);
                // Half of the time the victim loses an iteration, otherwise a random thread.
                let taker = scanned.filter(|at| at % 2 == 0).unwrap_or(take.index(left.len()));
                let before = left[taker].end - left[taker].start;
                if before > 0 {
                    left[taker].end -= 1;
                    choice.changed(ThreadId::new(taker as u32), before, before - 1);
                }
            }
        }
    }
}
