//! Exhaustive search: each schedule once, then the fastest.

use super::Method;
use crate::clinic::measured::LoopTime;

pub(super) struct Exhaustive {
    /// Number of candidates.
    number: usize,
    /// Fastest candidate so far, with its time.
    best: Option<(usize, u64)>,
    /// True once each candidate was tried.
    is_done: bool,
}

impl Exhaustive {
    pub fn new(number: usize) -> Exhaustive {
        Exhaustive { number, best: None, is_done: false }
    }
}

impl Method for Exhaustive {
    fn name(&self) -> &'static str {
        "exhaustive"
    }

    fn exploration(&self) -> u64 {
        self.number as u64
    }

    fn next(&mut self, last: usize, time: LoopTime) -> usize {
        if !self.is_done {
            if self.best.is_none_or(|(_, best)| time.time_ps < best) {
                self.best = Some((last, time.time_ps));
            }
            if last + 1 < self.number {
                return last + 1;
            }
            self.is_done = true;
        }
        self.best.map_or(last, |(at, _)| at)
    }
}
