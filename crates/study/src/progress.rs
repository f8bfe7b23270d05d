//! Progress over all runs of a study, from all worker threads.

use std::sync::atomic::{AtomicU64, Ordering};

/// Receiver of the progress of a study, in iterations. Several threads may call it, so numbers can decrease.
pub trait Progress: Sync {
    /// Called when `done` of `total` iterations are done.
    fn report(&self, done: u64, total: u64);
}

impl Progress for () {
    fn report(&self, _: u64, _: u64) {}
}

/// Sum of the progress of several simulations.
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
