//! Sets of a cache: the share of earlier lines that is left.
//!
//! A line can be in one set only, which holds as many lines as the cache has ways. Which set that is, the physical address
//! decides, so pages lie in sets at random (and lines do, where the index is hashed). Of `W` ways, the lines used since a
//! line's last use, a fraction `x` of the capacity, put a Poisson number of lines with mean `W x` into its set. The line is
//! still there if these are at most `W - 1`: A. J. Smith, *A comparative study of set associative memory mapping algorithms
//! and their use for cache and main memory*, 1978; M. D. Hill and A. J. Smith, *Evaluating associativity in CPU caches*,
//! 1989.
//!
//! With many ways that is the step of a cache without sets: all up to the capacity, and nothing beyond.

use super::Lru;
use super::intervals::Place;

/// Share of lines below which a list forgets them.
const NOTHING: f64 = 1.0 / 256.0;

/// Steps through a list for the distance of one interval.
const STEPS: usize = 256;

#[derive(Clone, Copy, Debug)]
pub(super) struct Sets {
    /// Bytes of the cache.
    capacity: u64,
    ways: u32,
    /// Multiple of the capacity at which next to nothing is left.
    reach: f64,
}

impl Sets {
    pub fn new(capacity: u64, ways: u32) -> Sets {
        /// Steps of one capacity in the search for the reach.
        const PARTS: u32 = 16;
        let ways = ways.max(1);
        let reaches = |parts: &u32| kept(ways, f64::from(*parts) / f64::from(PARTS)) < NOTHING;
        // One way keeps less than that of six capacities, and more ways less.
        let parts = (PARTS..6 * PARTS).find(reaches).unwrap_or(6 * PARTS);
        Sets { capacity, ways, reach: f64::from(parts) / f64::from(PARTS) }
    }

    /// Bytes of the list.
    pub fn reach(&self) -> u64 {
        (self.capacity as f64 * self.reach) as u64
    }

    /// Adds capacity, up to `most` in total. Returns the bytes of the list.
    pub fn widen(&mut self, more: u64, most: u64) -> u64 {
        self.capacity = self.capacity.saturating_add(more).min(most);
        self.reach()
    }
}

impl Lru {
    /// Number of bytes present of `length` bytes of an interval. `from_end`: distance of the first of them, before this
    /// access, to the end of the interval.
    #[inline]
    pub(super) fn left(&self, place: Place, from_end: u64, length: u64) -> u64 {
        let Some(Sets { capacity, ways, .. }) = self.sets else { return length };
        if capacity == 0 {
            return 0;
        }
        // The access makes bytes the newest one after the other, so all of them are as far from their last use.
        let since = self.intervals.newer_than(place, self.used, STEPS) + from_end;
        (length as f64 * kept(ways, since as f64 / capacity as f64)).round() as u64
    }
}

/// Share of lines that are left when lines of `times` the capacity were used since: the probability that a Poisson
/// number with mean `ways * times` is below `ways`.
pub fn kept(ways: u32, times: f64) -> f64 {
    let mean = f64::from(ways) * times;
    let mut term = (-mean).exp();
    let mut sum = 0.0;
    for number in 1..=ways {
        sum += term;
        term *= mean / f64::from(number);
    }
    sum.min(1.0)
}

/// Share of a window of `times` the capacity that a cache of so many ways holds, if lines of the window are used in random
/// order: of the Poisson number of lines in a set, at most `ways`.
pub fn held(ways: u32, times: f64) -> f64 {
    let mean = f64::from(ways) * times;
    if mean <= 0.0 {
        return 1.0;
    }
    let mut term = (-mean).exp();
    let (mut below, mut lines) = (0.0, 0.0);
    for number in 0..ways {
        below += term;
        lines += f64::from(number) * term;
        term *= mean / f64::from(number + 1);
    }
    ((lines + f64::from(ways) * (1.0 - below)) / mean).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums of Poisson probabilities, from tables: mean 8, 12, 14, 16, 20 up to 15; mean 4, 6, 7, 8, 10 up to 7.
    #[test]
    fn shares_are_poisson_sums() {
        let sixteen = [(0.5, 0.9918), (0.75, 0.8444), (0.875, 0.6694), (1.0, 0.4667), (1.25, 0.1565)];
        let eight = [(0.5, 0.9489), (0.75, 0.7440), (0.875, 0.5987), (1.0, 0.4530), (1.25, 0.2202)];
        for (ways, table) in [(16, sixteen), (8, eight)] {
            for (times, share) in table {
                assert!(
                    (kept(ways, times) - share).abs() < 1e-4,
                    "{ways} ways, {times}: {}",
                    kept(ways, times)
                );
            }
        }
        // One way: no other line of the set.
        assert!((kept(1, 1.0) - (-1.0_f64).exp()).abs() < 1e-12);
        assert!((kept(16, 0.0) - 1.0).abs() < 1e-12);
    }

    /// With one way, draws hold the first line of each set that has any: (1 - exp(-1)) at a window of the capacity. With
    /// 16 ways and half of the capacity, sets seldom have more lines than ways.
    #[test]
    fn draws_hold_as_many_lines_of_a_set_as_ways() {
        assert!((held(1, 1.0) - (1.0 - (-1.0_f64).exp())).abs() < 1e-12);
        assert!(held(16, 0.5) > 0.998);
        assert!((held(16, 4.0) - 0.25).abs() < 1e-3);
        assert!(held(16, 1.0) < held(64, 1.0));
    }

    #[test]
    fn lists_reach_as_far_as_lines_are_left() {
        for ways in 1..=64 {
            let sets = Sets::new(1 << 20, ways);
            assert!(kept(ways, sets.reach) < NOTHING, "{ways} ways: {}", sets.reach);
        }
    }
}
