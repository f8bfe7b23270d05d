//! Bytes of touched pages that a program can have accessed.
//!
//! A page counts as touched if one of its bytes is. Random accesses touch a page for each line, so that the pages of a
//! chunk may be more bytes than any core reads in the chunk's time.

use super::Class;
use std::collections::BTreeMap;

/// Bytes of a page and of a line, as recorded.
const PAGE: f64 = 4096.0;
const LINE: f64 = 64.0;
/// Bytes of data that a core may have in a cache of its own, where the bandwidth of memory does not limit it, and how
/// much faster it reads them there.
const CACHED: u64 = 1 << 20;
const FASTER: f64 = 8.0;
/// Excess over the measured bandwidth that is taken for noise.
const NOISE: f64 = 1.25;

/// Least and largest part of each touched page that was accessed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Density {
    pub least: f64,
    pub most: f64,
}

impl Density {
    /// The largest part at 0, the least at 1.
    pub fn at(&self, overlap: f64) -> f64 {
        self.most + overlap.clamp(0.0, 1.0) * (self.least - self.most)
    }
}

impl Class {
    /// Bytes of the pages that one instance touches.
    pub fn touched_bytes(&self) -> u64 {
        let runs = self.footprint.iter().flat_map(|part| &part.runs);
        runs.map(|run| run.bytes).fold(0, u64::saturating_add)
    }

    /// Part of each touched page that was accessed; `None` if one thread can have accessed all of them, at `bandwidth`
    /// bytes a second (0 if unknown).
    pub fn density(&self, bandwidth: u64) -> Option<Density> {
        let touched = self.touched_bytes() as f64;
        let seconds = 1e-9 * self.cost_ns() as f64;
        let faster = if self.extent() <= CACHED { FASTER } else { NOISE };
        let readable = bandwidth as f64 * faster * seconds;
        // What takes no time was too short to tell from the recorder.
        if bandwidth == 0 || readable <= 0.0 || touched <= readable {
            return None;
        }
        let most = bandwidth as f64 * seconds / touched;
        Some(Density { least: (LINE / PAGE).min(most), most })
    }

    /// Bytes from the first to the last that is touched of each allocation.
    fn extent(&self) -> u64 {
        let mut arrays: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
        for run in self.footprint.iter().flat_map(|part| &part.runs) {
            let (first, end) = arrays.entry(run.allocation).or_insert((u64::MAX, 0));
            (*first, *end) = ((*first).min(run.first), (*end).max(run.first.saturating_add(run.bytes)));
        }
        arrays.values().map(|(first, end)| end.saturating_sub(*first)).fold(0, u64::saturating_add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::{Chunk, Footprint, Run};

    /// A loop of 1 ms whose chunks touch the same `pages` pages `times` times.
    fn class(pages: u64, times: usize) -> Class {
        let run = Run { allocation: 0, written: false, first: 0, bytes: pages * 4096 };
        let text = r#"{"site":1,"form":"loop","iterations":1,"team":2,"schedule":"static","instances":1,"filled":false,
            "varies":false,"locked_ns":0}"#;
        let chunk = Chunk { count: 1, cost_ns: 1_000_000, ..Chunk::default() };
        let footprint = vec![Footprint { count: 1, runs: vec![run] }; times];
        Class { chunks: vec![chunk], footprint, ..serde_json::from_str(text).unwrap() }
    }

    // A thread of 10 GB/s reads 10 MB in 1 ms, which are 2441 pages; 24414 are ten times as much, from a line of each
    // to a tenth of each. Of 128 pages that stay in a cache, a hundred looks are 52 MB, which is possible.
    #[test]
    fn pages_beyond_the_bandwidth_are_lines() {
        let at = |pages, times| class(pages, times).density(10_000_000_000);
        assert_eq!([at(2441, 1), at(128, 100), class(24414, 1).density(0)], [None; 3]);
        let density = at(24414, 1).unwrap();
        assert!((density.most - 0.1).abs() < 1e-3, "{density:?}");
        assert_eq!((density.least, density.at(1.0), density.at(0.0)), (1.0 / 64.0, 1.0 / 64.0, density.most));
    }
}
