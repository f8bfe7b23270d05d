//! The threads of one processor, and for how long it is idle.

use numalab_base::{Span, Time};

/// The mean idle time moves by this part of what the last idle time differs from it.
pub(super) const WEIGHT: u64 = 8;

/// Threads that want a processor.
#[derive(Clone, Debug)]
pub(super) struct RunQueue {
    /// In the order in which they came.
    pub awake: Vec<u32>,
    /// `None`: for longer than counts.
    pub idle_since: Option<Time>,
    pub mean_idle: Span,
}

impl RunQueue {
    /// A processor that has long been idle.
    pub fn idle(most: Span) -> RunQueue {
        RunQueue { awake: Vec::new(), idle_since: None, mean_idle: most }
    }

    /// Somebody wakes up here. Only that ends a time that counts as idle: who looks for work and finds some was not idle.
    pub fn end_idle_time(&mut self, now: Time, most: Span) {
        if !self.awake.is_empty() {
            return;
        }
        let mean = self.mean_idle.0;
        self.mean_idle = match self.idle_since.map(|since| (now - since).0) {
            Some(last) if last < mean => Span(mean - (mean - last) / WEIGHT),
            Some(last) => most.min(Span(mean + (last - mean) / WEIGHT)),
            None => most,
        };
    }
}
