//! One count over all runs of a study, whichever worker thread makes them.

use std::sync::atomic::{AtomicU64, Ordering};

/// Told how far a study is: iterations that are through, of all iterations. May be called from several
/// threads, so a later call may bring a smaller number.
pub trait Progress: Sync {
    /// Reports that `done` of `total` is done.
    fn report(&self, done: u64, total: u64);
}

/// No interest in progress.
impl Progress for () {
    fn report(&self, _: u64, _: u64) {}
}

/// Adds up what simulations report.
pub(crate) struct Tally<'a> {
    listener: &'a dyn Progress,
    done: AtomicU64,
    total: u64,
}

impl<'a> Tally<'a> {
    pub fn new(listener: &'a dyn Progress, total: u64) -> Tally<'a> {
        Tally { listener, done: AtomicU64::new(0), total }
    }
}

impl numalab_simulator::Progress for Tally<'_> {
    fn advance(&self, iterations: u64) {
        let done = self.done.fetch_add(iterations, Ordering::Relaxed) + iterations;
        self.listener.report(done.min(self.total), self.total);
    }
}
