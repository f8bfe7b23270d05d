//! Times of the repetitions in a sample, and when they are enough.

use crate::repeat::sample::{Estimate, Samples};
use numalab_base::Span;

/// Least number of repetitions in a sample.
pub(super) const LEAST: u64 = 16;

/// Number of repetitions after which the times are judged again.
const STEP: u64 = 8;

/// Largest uncertainty of the mean of a sample's times, as a part of the mean.
const UNSURE: f64 = 0.01;

/// Times of the repetitions of a sample.
#[derive(Default)]
pub(super) struct Times {
    times: Vec<f64>,
    settled: bool,
    drifts: bool,
}

impl Times {
    /// Adds the time of a repetition.
    pub fn push(&mut self, time: Span) {
        self.times.push(time.0 as f64);
        if self.len() >= LEAST && (self.settled || self.len().is_multiple_of(STEP)) {
            let estimate = Estimate::of(&self.times);
            (self.settled, self.drifts) = (estimate.is_settled(UNSURE), estimate.drifts());
        }
    }

    pub fn len(&self) -> u64 {
        self.times.len() as u64
    }

    /// True if the times give their mean closely enough.
    pub fn is_settled(&self) -> bool {
        self.settled
    }

    /// True if the sample takes another repetition, after `past` ones of all with its own, of which `left` remain. A
    /// sample whose times drift ends: the repetitions before the drift are like none that follow. A settled one takes
    /// as many more as leave fewer repetitions beside those for which it stands.
    pub fn goes_on(&self, past: u64, left: u64) -> bool {
        if left == 0 || self.drifts && !self.settled {
            return false;
        }
        !self.settled || Samples::reach(past, left) == left && self.spares(left) > 0
    }

    /// Number of repetitions by which the sample grows at best, if `left` remain that it is to stand for. What is no
    /// multiple of its length is simulated one by one.
    fn spares(&self, left: u64) -> u64 {
        let simulated = |more: u64| more + (left - more) % (self.len() + more);
        (0..=(self.len() / 4).min(left)).min_by_key(|more| simulated(*more)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::Times;
    use numalab_base::Span;

    /// Number of repetitions that a sample takes of `left` that remain, and true if it settles.
    fn taken(left: u64, time: impl Fn(u64) -> u64) -> (u64, bool) {
        let mut times = Times::default();
        while times.goes_on(1000, left - times.len()) {
            times.push(Span(time(times.len())));
        }
        (times.len(), times.is_settled())
    }

    /// 16 equal times are enough. With 48 left 16 + 2 * 16 divide evenly. With 52 left, 17 + 2 * 17 leave 1, and 18 +
    /// 1 * 18 leave 16.
    #[test]
    fn equal_times_settle_at_once() {
        assert_eq!([48, 52].map(|left| taken(left, |_| 1000)), [(16, true), (17, true)]);
    }

    /// Times m ± 5 % have a mean that is known to 1 % when 2 * 5 % / sqrt(n - 1) <= 1 %: n >= 101, and the next
    /// multiple of 8 is 104; 104 * 10 = 1040.
    #[test]
    fn varied_times_take_longer() {
        assert_eq!(taken(1040, |at| 1000 + at % 2 * 100), (104, true));
    }

    #[test]
    fn a_drift_ends_a_sample() {
        assert_eq!(taken(1000, |at| 1000 + 20 * at), (16, false));
    }

    #[test]
    fn a_sample_ends_with_its_repetitions() {
        assert_eq!(taken(40, |at| 1000 + at % 2 * 1000), (40, false));
    }
}
