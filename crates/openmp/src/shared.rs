//! `dynamic,c` and `guided,c`: threads take chunks from one shared counter in iteration order.

use std::ops::Range;

/// `dynamic,c`: each request gets the next chunk of c iterations.
pub struct DynamicChunks {
    next: u64,
    iterations: u64,
    chunk: u64,
}

impl DynamicChunks {
    pub(crate) fn new(iterations: u64, chunk: u64) -> DynamicChunks {
        DynamicChunks { next: 0, iterations, chunk }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.next >= self.iterations
    }

    pub(crate) fn take(&mut self) -> Option<Range<u64>> {
        take(&mut self.next, self.iterations, self.chunk)
    }
}

/// `guided,c`: the next chunk is the remaining iterations divided by the threads, at least c.
pub struct GuidedChunks {
    next: u64,
    iterations: u64,
    threads: u64,
    chunk: u64,
}

impl GuidedChunks {
    pub(crate) fn new(iterations: u64, threads: u32, chunk: u64) -> GuidedChunks {
        GuidedChunks { next: 0, iterations, threads: u64::from(threads), chunk }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.next >= self.iterations
    }

    pub(crate) fn take(&mut self) -> Option<Range<u64>> {
        let size = ((self.iterations - self.next) / self.threads).max(self.chunk);
        take(&mut self.next, self.iterations, size)
    }
}

fn take(next: &mut u64, iterations: u64, size: u64) -> Option<Range<u64>> {
    let start = *next;
    *next = start.saturating_add(size).min(iterations);
    (start < iterations).then_some(start..*next)
}
