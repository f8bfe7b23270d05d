//! Amounts, such as bytes, in bins of time. If a run turns out to need more bins than allowed, pairs of bins are
//! merged.

use std::ops::Range;

/// Least initial width, in picoseconds, of bins for a window without an end. All widths are powers of two, so that
/// bins of different series align.
const FIRST_PS: u64 = 1024;

/// Several series of amounts over common bins of time.
#[derive(Clone, Debug)]
pub(super) struct Bins {
    /// Recorded window in picoseconds; amounts outside are ignored.
    window: Range<u64>,
    width: u64,
    most: u64,
    /// Amounts by series and bin, one series after another.
    amounts: Vec<f64>,
}

impl Bins {
    /// Empty bins, at most `most` per series, that cover the window. For a window without an end they cover the time
    /// until `shortest`, the earliest end of the run: bins that are wide from the start cause few events of the
    /// observer.
    pub fn new(window: Range<u64>, most: usize, shortest: u64) -> Bins {
        let most = most.max(2) as u64;
        let width = match window.end {
            u64::MAX => {
                FIRST_PS.max(shortest.saturating_sub(window.start).div_ceil(most).next_power_of_two())
            }
            end => (end - window.start).div_ceil(most).max(1).next_power_of_two(),
        };
        Bins { window, width, most, amounts: Vec::new() }
    }

    /// Adds a series; returns its index.
    pub fn add_series(&mut self) -> usize {
        let series = self.amounts.len() / self.most as usize;
        self.amounts.resize(self.amounts.len() + self.most as usize, 0.0);
        series
    }

    /// Width of bins, in picoseconds, with which at most `most` bins cover the time until `end`; at least the present
    /// width.
    pub fn width_until(&self, end: u64) -> u64 {
        end.saturating_sub(self.window.start).div_ceil(self.most).next_power_of_two().max(self.width)
    }

    /// First bin edge after `after`; `u64::MAX` if there is none.
    pub fn next_edge(&self, after: u64) -> u64 {
        let Range { start, end } = self.window;
        let edge = match after.checked_sub(start) {
            None => start,
            Some(passed) => (passed / self.width + 1).saturating_mul(self.width).saturating_add(start),
        };
        if after < end { edge.min(end) } else { u64::MAX }
    }

    /// Adds an amount that is spread evenly over the time from `from` to `to`.
    pub fn add(&mut self, series: usize, from: u64, to: u64, amount: f64) {
        let (start, end) = (from.max(self.window.start), to.min(self.window.end));
        if start > end || amount == 0.0 || (start == end && from < to) {
            return;
        }
        while end - self.window.start > self.width * self.most {
            self.widen();
        }
        let (start, end) = (start - self.window.start, end - self.window.start);
        // Divides by shifting, since widths are powers of two. An amount without duration on an edge belongs to the
        // bin that ends there.
        let shift = self.width.trailing_zeros();
        let last = end.saturating_sub(1) >> shift;
        let first = (start >> shift).min(last);
        let bins = &mut self.amounts[series * self.most as usize..][..self.most as usize];
        let whole = (end - start) == (to - from);
        if first == last && whole {
            bins[first as usize] += amount;
            return;
        }
        let each = amount / (to - from) as f64;
        let part = |from: u64, to: u64| each * (to - from) as f64;
        bins[first as usize] += part(start, end.min((first + 1) * self.width));
        if first < last {
            let whole = part(0, self.width);
            bins[first as usize + 1..last as usize].iter_mut().for_each(|bin| *bin += whole);
            bins[last as usize] += part(last * self.width, end);
        }
    }

    fn widen(&mut self) {
        self.width *= 2;
        for bins in self.amounts.chunks_exact_mut(self.most as usize) {
            let half = bins.len().div_ceil(2);
            for at in 0..half {
                bins[at] = bins[2 * at] + bins.get(2 * at + 1).copied().unwrap_or(0.0);
            }
            bins[half..].fill(0.0);
        }
    }

    /// Amounts of each series until `end`, in bins of at least the width `width`.
    pub fn into_series(mut self, end: u64, width: u64) -> Vec<Vec<f64>> {
        while self.width < width {
            self.widen();
        }
        let count = end.saturating_sub(self.window.start).div_ceil(self.width) as usize;
        self.amounts.chunks_exact(self.most as usize).map(|bins| bins[..count].to_vec()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Bins;
    use proptest::prelude::*;

    // 4 bins of 1024 ps. 10 bytes from 0.5 to 5.5 (times 1.024 ns) need bins of twice the width: 3, 4 and 3 bytes.
    #[test]
    fn bins_widen_by_hand() {
        let mut bins = Bins::new(0..u64::MAX, 4, 0);
        let series = bins.add_series();
        bins.add(series, 512, 512 + 5 * 1024, 10.0);
        assert_eq!(bins.width_until(512 + 5 * 1024), 2048);
        assert_eq!(bins.into_series(512 + 5 * 1024, 2048), [vec![3.0, 4.0, 3.0]]);
    }

    proptest! {
        /// The bins contain all amounts inside the window, for any start of the bins and any number of merges.
        #[test]
        fn amounts_are_conserved(
            parts in prop::collection::vec((0u64..1_000_000, 0u64..300_000, 1.0f64..100.0), 1..40),
            most in 2usize..20,
            window in prop::option::of((0u64..600_000, 1u64..600_000)),
            shortest in 0u64..1_000_000,
        ) {
            let window = window.map_or(0..u64::MAX, |(from, long)| from..from + long);
            let mut bins = Bins::new(window.clone(), most, shortest);
            let series = bins.add_series();
            let mut expected = 0.0;
            for (from, long, amount) in parts {
                let to = from + long;
                bins.add(series, from, to, amount);
                let inside = to.min(window.end).saturating_sub(from.max(window.start));
                expected += match long {
                    0 if window.start <= from && from <= window.end => amount,
                    0 => 0.0,
                    _ => amount * inside as f64 / long as f64,
                };
            }
            let end = window.end.min(1_300_001);
            let width = bins.width_until(end);
            let sums = bins.into_series(end, width);
            prop_assert!(sums[0].len() <= most);
            prop_assert!((sums[0].iter().sum::<f64>() - expected).abs() <= 1e-9 * expected.max(1.0));
        }
    }
}
