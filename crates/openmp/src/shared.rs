//! `dynamic,c` and `guided,c`: one shared counter, taken from in iteration order.

use std::ops::Range;

/// `dynamic,c`: the next chunk of c to whoever asks.
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

/// `guided,c`: the next chunk is what remains divided by the threads, at least c.
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
