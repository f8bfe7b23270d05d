//! `numa-steal:V`: the loop starts as `static`. A thread without work takes one iteration from the
//! **back** of a victim's range while the owner works from the front, so that the two meet as late
//! as possible.

mod most_loaded;
mod nearest;
mod random;

pub use most_loaded::MostLoaded;
pub use nearest::{Nearest, Proximity};
pub use random::Random;

use crate::range::share;
use crate::{Exhausted, IterationSource};
use numalab_base::ThreadId;
use std::ops::Range;

/// Choice of a victim. Every change of a range is reported, so that an implementation can keep its data up to date.
pub trait Choice {
    /// Starts a loop; `left` has the range of each thread.
    fn start(&mut self, left: &[Range<u64>]);

    /// Reports a change of a range: numbers of iterations that `thread` had left before and has now.
    fn changed(&mut self, thread: ThreadId, before: u64, now: u64);

    /// Victim for a thief: a thread with iterations left; `None` if no thread has any. The thief itself has none
    /// left.
    fn victim(&mut self, thief: ThreadId, left: &[Range<u64>]) -> Option<ThreadId>;
}

/// Choices of the built-in schedules.
pub trait Scanning: Choice {
    /// True if choosing reads the counters of all threads.
    const SCANS: bool;
}

/// Dispatcher of `numa-steal:V`: the ranges of all threads, and the choice of victims.
pub struct Stealing<C> {
    left: Vec<Range<u64>>,
    choice: C,
}

impl<C: Scanning> Stealing<C> {
    pub(crate) fn new(iterations: u64, threads: u32, mut choice: C) -> Stealing<C> {
        let left: Vec<_> =
            ThreadId::first(threads).map(|thread| share(iterations, threads, thread)).collect();
        choice.start(&left);
        Stealing { left, choice }
    }

    pub(crate) fn aim(&mut self, thread: ThreadId) -> Result<IterationSource, Exhausted> {
        if !self.left[thread.index()].is_empty() {
            return Ok(IterationSource::Own);
        }
        match self.choice.victim(thread, &self.left) {
            None if C::SCANS => Err(Exhausted::Scan),
            None => Err(Exhausted::SharedCounter),
            Some(victim) => {
                debug_assert_ne!(victim, thread, "the victim has work, the thief has none");
                Ok(IterationSource::Victim { thread: victim, after_scan: C::SCANS, looks_first: false })
            }
        }
    }

    pub(crate) fn take(&mut self, thread: ThreadId, source: IterationSource) -> Option<Range<u64>> {
        let from = if let IterationSource::Victim { thread: victim, .. } = source { victim } else { thread };
        let range = &mut self.left[from.index()];
        if range.is_empty() {
            return None;
        }
        let before = range.end - range.start;
        let at = if from == thread { range.start } else { range.end - 1 };
        if from == thread {
            range.start += 1;
        } else {
            range.end -= 1;
        }
        self.choice.changed(from, before, before - 1);
        Some(at..at + 1)
    }
}
