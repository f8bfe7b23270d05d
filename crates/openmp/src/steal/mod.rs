//! `numa-steal:V`: start as `static`; a thread that runs dry takes one iteration from the **back** of a
//! victim's range while the owner works from the front, so that the two meet as late as possible.

mod most_loaded;
mod nearest;
mod random;

pub use most_loaded::MostLoaded;
pub use nearest::{Nearest, Proximity};
pub use random::Random;

use crate::range::share;
use crate::{Exhausted, Grant, Source};
use std::ops::Range;

/// How a thief chooses. Told about every change of every range, so that choosing is cheap.
pub trait Choice {
    /// Whether choosing reads the counters of all threads.
    const SCANS: bool;

    /// The loop starts with these ranges.
    fn start(&mut self, left: &[Range<u64>]);

    /// `thread` had so many iterations left and now has one less.
    fn took_one(&mut self, thread: u32, before: u64);

    /// Somebody with work left. The thief itself has none.
    fn victim(&mut self, thief: u32, left: &[Range<u64>]) -> Option<u32>;
}

/// The ranges of all threads, and a way to choose among them.
pub struct Stealing<C> {
    left: Vec<Range<u64>>,
    choice: C,
}

impl<C: Choice> Stealing<C> {
    pub(crate) fn new(iterations: u64, threads: u32, mut choice: C) -> Stealing<C> {
        let left: Vec<_> = (0..threads).map(|thread| share(iterations, threads, thread)).collect();
        choice.start(&left);
        Stealing { left, choice }
    }

    pub(crate) fn next(&mut self, thread: u32) -> Result<Grant, Exhausted> {
        let own = &mut self.left[thread as usize];
        if !own.is_empty() {
            let (at, before) = (own.start, own.end - own.start);
            own.start += 1;
            self.choice.took_one(thread, before);
            return Ok(Grant { iterations: at..at + 1, source: Source::Own });
        }
        let Some(victim) = self.choice.victim(thread, &self.left) else {
            return Err(if C::SCANS { Exhausted::Scan } else { Exhausted::SharedCounter });
        };
        debug_assert_ne!(victim, thread, "nobody steals from itself");
        let range = &mut self.left[victim as usize];
        let before = range.end - range.start;
        range.end -= 1;
        let at = range.end;
        self.choice.took_one(victim, before);
        Ok(Grant { iterations: at..at + 1, source: Source::Victim { thread: victim, after_scan: C::SCANS } })
    }
}
