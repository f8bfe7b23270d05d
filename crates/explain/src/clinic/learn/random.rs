//! Random selection: a schedule is drawn with ten times the imbalance as probability, and at the first step in any case.

use super::Method;
use crate::clinic::measured::LoopTime;
use numalab_des::Stream;

/// Probability of a draw per unit of imbalance: from 10 % on a schedule is always drawn.
const CHANGE: f64 = 10.0;

pub(super) struct Random {
    /// Number of candidates.
    number: usize,
    stream: Stream,
    /// True before the first choice.
    is_first: bool,
}

impl Random {
    pub fn new(number: usize, stream: Stream) -> Random {
        Random { number, stream, is_first: true }
    }
}

impl Method for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn exploration(&self) -> u64 {
        0
    }

    fn next(&mut self, last: usize, time: LoopTime) -> usize {
        /// Number of equally likely draws.
        const DRAWS: u64 = 1 << 32;
        let drawn = self.stream.below(DRAWS) as f64 / DRAWS as f64;
        let changes = std::mem::take(&mut self.is_first) || time.imbalance * CHANGE > drawn;
        if changes { self.stream.below(self.number as u64) as usize } else { last }
    }
}
