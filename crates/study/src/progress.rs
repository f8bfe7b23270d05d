//! Progress over all runs of a study, from all worker threads.

use numalab_simulator::Work;
use std::sync::atomic::{AtomicU64, Ordering};

/// Receiver of the progress of a study, in iterations. Several threads may call it, so numbers can decrease.
pub trait Progress: Sync {
    /// Called when `done` of `total` iterations are done.
    fn report(&self, done: u64, total: u64);

    /// True if the study is to end now: runs under way end with [`SimulationError::Stopped`](crate::SimulationError::Stopped).
    fn stops(&self) -> bool {
        false
    }
}

impl Progress for () {
    fn report(&self, _: u64, _: u64) {}
}

/// Listener that hears nothing of a run's progress, and can stop it.
pub struct Silent<'a>(pub &'a dyn Progress);

impl Progress for Silent<'_> {
    fn report(&self, _: u64, _: u64) {}

    fn stops(&self) -> bool {
        self.0.stops()
    }
}

/// Sum of the progress of several simulations.
pub struct Tally<'a> {
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

    fn stops(&self, _: Work) -> bool {
        self.listener.stops()
    }
}

/// Tally for one run, whose work it counts.
pub struct Weighed<'a> {
    tally: &'a Tally<'a>,
    work: AtomicU64,
}

impl<'a> Weighed<'a> {
    pub fn new(tally: &'a Tally<'a>) -> Weighed<'a> {
        Weighed { tally, work: AtomicU64::new(0) }
    }

    /// Work of the run so far, in the units of [`Work::units`].
    pub fn work(&self) -> u64 {
        self.work.load(Ordering::Relaxed)
    }
}

impl numalab_simulator::Progress for Weighed<'_> {
    fn advance(&self, iterations: u64) {
        self.tally.advance(iterations);
    }

    fn stops(&self, work: Work) -> bool {
        self.work.fetch_max(work.units(), Ordering::Relaxed);
        self.tally.stops(work)
    }
}
