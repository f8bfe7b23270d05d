//! `static` and `static,c`: decided before the loop starts, nothing shared.

use crate::range::share;
use crate::{Exhausted, IterationSource};
use numalab_units::ThreadId;
use std::ops::Range;

/// `static`: one contiguous chunk per thread.
pub struct EvenSplit {
    iterations: u64,
    threads: u32,
    given: Vec<bool>,
}

impl EvenSplit {
    pub(crate) fn new(iterations: u64, threads: u32) -> EvenSplit {
        EvenSplit { iterations, threads, given: vec![false; threads as usize] }
    }

    pub(crate) fn aim(&self, thread: ThreadId) -> Result<IterationSource, Exhausted> {
        let none = self.given[thread.index()] || share(self.iterations, self.threads, thread).is_empty();
        if none { Err(Exhausted::Own) } else { Ok(IterationSource::Own) }
    }

    pub(crate) fn take(&mut self, thread: ThreadId) -> Option<Range<u64>> {
        self.given[thread.index()] = true;
        Some(share(self.iterations, self.threads, thread))
    }
}

/// `static,c`: chunks of c, round robin.
pub struct Cyclic {
    iterations: u64,
    chunk: u64,
    /// First iteration of each thread's next chunk.
    next: Vec<u64>,
}

impl Cyclic {
    pub(crate) fn new(iterations: u64, threads: u32, chunk: u64) -> Cyclic {
        let next = (0..u64::from(threads)).map(|thread| thread.saturating_mul(chunk)).collect();
        Cyclic { iterations, chunk, next }
    }

    pub(crate) fn aim(&self, thread: ThreadId) -> Result<IterationSource, Exhausted> {
        if self.next[thread.index()] < self.iterations {
            Ok(IterationSource::Own)
        } else {
            Err(Exhausted::Own)
        }
    }

    pub(crate) fn take(&mut self, thread: ThreadId) -> Option<Range<u64>> {
        let stride = self.chunk.saturating_mul(self.next.len() as u64);
        let next = &mut self.next[thread.index()];
        let start = *next;
        *next = start.saturating_add(stride);
        Some(start..start.saturating_add(self.chunk).min(self.iterations))
    }
}
