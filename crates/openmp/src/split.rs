//! `static` and `static,c`: iterations are decided before the loop starts, so no words are shared.

use crate::range::{share, share_by_cost};
use crate::{Exhausted, IterationSource};
use numalab_base::{Snapshot, ThreadId};
use std::ops::Range;
use std::sync::Arc;

/// `static`: one contiguous chunk per thread.
pub struct EvenSplit {
    iterations: u64,
    threads: u32,
    /// Sum of the costs of all iterations before an iteration, by iteration, with the total as last entry; `None` if
    /// threads get equally many iterations.
    costs: Option<Arc<[u64]>>,
    /// First iteration of each thread and, as last entry, the number of iterations; `None` if shares are computed on
    /// request.
    limits: Option<Arc<[u64]>>,
    given: Vec<bool>,
}

impl EvenSplit {
    pub(crate) fn new(iterations: u64, threads: u32, costs: Option<Arc<[u64]>>) -> EvenSplit {
        EvenSplit { iterations, threads, costs, limits: None, given: vec![false; threads as usize] }
    }

    pub(crate) fn cut(limits: Arc<[u64]>) -> EvenSplit {
        let threads = limits.len().saturating_sub(1) as u32;
        let whole = EvenSplit::new(limits.last().copied().unwrap_or(0), threads, None);
        EvenSplit { limits: Some(limits), ..whole }
    }

    /// Adds to a snapshot which threads have had their iterations. The rest is constant.
    pub(crate) fn snapshot(&self, into: &mut Snapshot) {
        let EvenSplit { iterations: _, threads: _, costs: _, limits: _, given } = self;
        into.add(given);
    }

    fn share(&self, thread: ThreadId) -> Range<u64> {
        match (&self.limits, &self.costs) {
            (Some(limits), _) => limits[thread.index()]..limits[thread.index() + 1],
            (None, Some(costs)) => share_by_cost(costs, self.threads, thread),
            (None, None) => share(self.iterations, self.threads, thread),
        }
    }

    pub(crate) fn aim(&self, thread: ThreadId) -> Result<IterationSource, Exhausted> {
        let none = self.given[thread.index()] || self.share(thread).is_empty();
        if none { Err(Exhausted::Own) } else { Ok(IterationSource::Own) }
    }

    pub(crate) fn take(&mut self, thread: ThreadId) -> Option<Range<u64>> {
        self.given[thread.index()] = true;
        Some(self.share(thread))
    }
}

/// `static,c`: chunks of c iterations, round-robin.
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
