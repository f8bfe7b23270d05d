//! Threads of one processor, and its idle time.

use numalab_base::{Span, Time};

/// Weight of the mean idle time: each new idle time moves it by 1/8 of the difference.
pub(super) const WEIGHT: u64 = 8;

/// Run queue of a processor, and the processor's idle times.
#[derive(Clone, Debug)]
pub(super) struct RunQueue {
    /// Threads that run on the processor or wait for it, in the order of arrival.
    pub awake: Vec<u32>,
    /// Instant at which the processor last became idle. `None` if it never had a thread: it counts as idle for the
    /// maximal time.
    pub idle_since: Option<Time>,
    pub mean_idle: Span,
}

impl RunQueue {
    /// Queue of a processor that never had a thread. `most`: upper bound of its mean idle time.
    pub fn idle(most: Span) -> RunQueue {
        RunQueue { awake: Vec::new(), idle_since: None, mean_idle: most }
    }

    /// Updates the mean idle time when a thread wakes up on this processor; no change if the processor was not idle.
    /// Only wake-ups end idle time; pulling a thread does not. `most`: upper bound of the mean.
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
