//! `static` and `static,c`: decided before the loop starts, nothing shared.

use crate::range::share;
use crate::{Exhausted, Grant, Source};

/// `static`: one contiguous chunk per thread.
pub struct Split {
    iterations: u64,
    threads: u32,
    given: Vec<bool>,
}

impl Split {
    pub(crate) fn new(iterations: u64, threads: u32) -> Split {
        Split { iterations, threads, given: vec![false; threads as usize] }
    }

    pub(crate) fn next(&mut self, thread: u32) -> Result<Grant, Exhausted> {
        let iterations = share(self.iterations, self.threads, thread);
        if std::mem::replace(&mut self.given[thread as usize], true) || iterations.is_empty() {
            return Err(Exhausted::Own);
        }
        Ok(Grant { iterations, source: Source::Own })
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

    pub(crate) fn next(&mut self, thread: u32) -> Result<Grant, Exhausted> {
        let stride = self.chunk.saturating_mul(self.next.len() as u64);
        let next = &mut self.next[thread as usize];
        let start = *next;
        if start >= self.iterations {
            return Err(Exhausted::Own);
        }
        *next = start.saturating_add(stride);
        let end = start.saturating_add(self.chunk).min(self.iterations);
        Ok(Grant { iterations: start..end, source: Source::Own })
    }
}
