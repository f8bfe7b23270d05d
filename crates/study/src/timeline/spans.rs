//! Spans of all threads in bounded memory. If there are too many, short ones are merged: within intervals of a length
//! that doubles as needed, spans of one kind become one. Sums by kind stay exact and spans still have no gaps; only
//! their order within an interval is lost.

use numalab_results::{TimelineSpan, put_together};
use std::ops::Range;

#[derive(Clone, Debug)]
pub(super) struct Spans {
    window: Range<u64>,
    threads: Vec<Vec<TimelineSpan>>,
    kept: usize,
    most: usize,
    grain: u64,
    seen: u64,
    end: u64,
}

impl Spans {
    /// Recorder of at most `most` spans, or more if the threads and kinds need them.
    pub fn new(threads: usize, window: Range<u64>, most: usize) -> Spans {
        Spans { window, threads: vec![Vec::new(); threads], kept: 0, most, grain: 0, seen: 0, end: 0 }
    }

    /// Adds the next span of a thread, in picoseconds; spans of a thread follow each other without gaps.
    pub fn push(&mut self, thread: usize, during: Range<u64>, kind: u32) {
        let (from, to) = (during.start.max(self.window.start), during.end.min(self.window.end));
        if from >= to {
            return;
        }
        self.seen += 1;
        self.end = self.end.max(to);
        self.threads[thread].push(TimelineSpan { to_ps: to, kind });
        self.kept += 1;
        if self.kept > self.most {
            self.make_room();
        }
    }

    /// End of the last span, in picoseconds.
    pub fn end(&self) -> u64 {
        self.end.max(self.window.start)
    }

    /// Length of the intervals within which spans were merged, in picoseconds; 0 if none were.
    pub fn grain(&self) -> u64 {
        self.grain
    }

    /// Number of all added spans, including those merged later.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    pub fn into_threads(self) -> Vec<Vec<TimelineSpan>> {
        self.threads
    }

    /// Merges spans until at most half of the allowed number is left.
    fn make_room(&mut self) {
        let passed = self.end - self.window.start;
        let rows = self.threads.len().max(1) as u64;
        if self.grain == 0 {
            self.grain = (passed * rows / self.most.max(1) as u64).max(1).next_power_of_two() / 2;
        }
        while self.kept > self.most / 2 && self.grain <= passed {
            self.grain = (2 * self.grain).max(1);
            let (start, grain) = (self.window.start, self.grain);
            self.threads.iter_mut().for_each(|spans| put_together(spans, start, grain));
            self.kept = self.threads.iter().map(Vec::len).sum();
        }
        if self.kept > self.most / 2 {
            // One interval covers everything, and there are still more threads and kinds than the limit allows.
            self.most = self.kept * 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    // Merged in intervals of 100. In the first, kinds 1 and 2 alternate, with times of 60 and 30. Then follow one
    // span of 200, and 10 more spans.
    #[test]
    fn short_spans_are_merged_by_hand() {
        let span = |to_ps, kind| TimelineSpan { to_ps, kind };
        let mut spans =
            vec![span(20, 1), span(35, 2), span(55, 1), span(70, 2), span(90, 1), span(290, 3), span(300, 1)];
        put_together(&mut spans, 0, 100);
        assert_eq!(spans, [span(60, 1), span(90, 2), span(290, 3), span(300, 1)]);
    }

    fn by_kind(spans: &[TimelineSpan], start: u64) -> BTreeMap<u32, u64> {
        let mut sums = BTreeMap::new();
        let mut from = start;
        for span in spans {
            assert!(span.to_ps > from, "spans follow each other");
            *sums.entry(span.kind).or_default() += span.to_ps - from;
            from = span.to_ps;
        }
        sums
    }

    proptest! {
        /// Law: A timeline adds up to the run, at any memory limit.
        ///
        /// Time by kind is exact and spans leave no gaps, with any limit of spans.
        #[test]
        fn sums_are_exact_at_any_limit(
            parts in prop::collection::vec((0usize..3, 1u64..5000, 0u32..5), 1..400),
            most in 1usize..100,
            window in prop::option::of((0u64..5000, 1u64..100_000)),
        ) {
            let window = window.map_or(0..u64::MAX, |(from, long)| from..from + long);
            let mut all = Spans::new(3, window.clone(), usize::MAX);
            let mut few = Spans::new(3, window.clone(), most);
            let mut ends = [0; 3];
            for (thread, long, kind) in parts {
                let from = ends[thread];
                ends[thread] += long;
                all.push(thread, from..from + long, kind);
                few.push(thread, from..from + long, kind);
            }
            prop_assert_eq!((all.seen(), all.end()), (few.seen(), few.end()));
            let bound = most.max(2 * few.kept);
            for (all, few) in all.into_threads().iter().zip(few.into_threads()) {
                prop_assert_eq!(by_kind(all, window.start), by_kind(&few, window.start));
                prop_assert!(few.len() <= all.len() && few.len() <= bound);
            }
        }
    }
}
