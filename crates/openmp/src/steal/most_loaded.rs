//! The thread with the most iterations left; ties go to the lowest thread number, as a scan that keeps
//! the first maximum finds it.

use super::Choice;
use numalab_units::ThreadId;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

/// See the module.
#[derive(Default)]
pub struct MostLoaded {
    /// (iterations left, thread) of the threads that have any.
    loaded: BTreeSet<(u64, Reverse<ThreadId>)>,
}

impl Choice for MostLoaded {
    const SCANS: bool = true;

    fn start(&mut self, left: &[Range<u64>]) {
        self.loaded = left
            .iter()
            .zip(ThreadId::first(left.len() as u32))
            .filter(|(range, _)| !range.is_empty())
            .map(|(range, thread)| (range.end - range.start, Reverse(thread)))
            .collect();
    }

    fn took_one(&mut self, thread: ThreadId, before: u64) {
        self.loaded.remove(&(before, Reverse(thread)));
        if before > 1 {
            self.loaded.insert((before - 1, Reverse(thread)));
        }
    }

    fn victim(&mut self, _: ThreadId, _: &[Range<u64>]) -> Option<ThreadId> {
        self.loaded.last().map(|(_, Reverse(thread))| *thread)
    }
}
