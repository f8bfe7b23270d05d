//! The thread with the most iterations left; ties go to the lowest thread number, as a scan that keeps
//! the first maximum finds it.

use super::Choice;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

/// See the module.
#[derive(Default)]
pub struct MostLoaded {
    /// (iterations left, thread) of the threads that have any.
    loaded: BTreeSet<(u64, Reverse<u32>)>,
}

impl Choice for MostLoaded {
    const SCANS: bool = true;

    fn start(&mut self, left: &[Range<u64>]) {
        self.loaded = left
            .iter()
            .enumerate()
            .filter(|(_, range)| !range.is_empty())
            .map(|(thread, range)| (range.end - range.start, Reverse(thread as u32)))
            .collect();
    }

    fn took_one(&mut self, thread: u32, before: u64) {
        self.loaded.remove(&(before, Reverse(thread)));
        if before > 1 {
            self.loaded.insert((before - 1, Reverse(thread)));
        }
    }

    fn victim(&mut self, _: u32, _: &[Range<u64>]) -> Option<u32> {
        self.loaded.last().map(|(_, Reverse(thread))| *thread)
    }
}
