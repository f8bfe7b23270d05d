//! Times of a loop's chunks, as the adaptive policies measure them.

use super::set;
use numalab_base::{PS_PER_S, Span, ThreadId};
use numalab_workload::policy::{Measures, Update, VALUES, variable};

/// Count, mean and deviation of numbers that come one after the other.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    count: f64,
    mean: f64,
    /// Sum of the squared distances from the mean.
    squares: f64,
}

impl Moments {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        let before = value - self.mean;
        self.mean += before / self.count;
        self.squares += before * (value - self.mean);
    }

    fn deviation(&self) -> f64 {
        if self.count > 1.0 { (self.squares / (self.count - 1.0)).max(0.0).sqrt() } else { 0.0 }
    }
}

/// Sums of a thread's times and units, each chunk or step weighted by its number.
#[derive(Clone, Copy, Debug, Default)]
struct Pace {
    time: f64,
    units: f64,
    /// Number of the last chunk or step.
    number: f64,
    /// Time and units since then.
    open: (f64, f64),
}

impl Pace {
    /// Ends a chunk or a step.
    fn close(&mut self) {
        let (time, units) = std::mem::take(&mut self.open);
        if units > 0.0 {
            self.number += 1.0;
            self.time += self.number * time;
            self.units += self.number * units;
        }
    }

    fn value(&self) -> f64 {
        if self.units > 0.0 { self.time / self.units } else { 0.0 }
    }
}

/// Measured values at an instant.
#[derive(Clone, Debug, Default)]
struct Known {
    all: Moments,
    overhead: Moments,
    threads: Vec<(Moments, Pace)>,
}

/// Times of a loop's chunks in all of its executions.
#[derive(Clone, Debug)]
pub struct Measured {
    measures: Measures,
    steps: u64,
    /// Everything measured so far.
    now: Known,
    /// Values that expressions read.
    shown: Known,
}

impl Measured {
    pub fn new(measures: Measures, threads: u32) -> Measured {
        let known = Known { threads: vec![Default::default(); threads as usize], ..Known::default() };
        Measured { measures, steps: 0, now: known.clone(), shown: known }
    }

    /// True if the times can serve a loop that measures so with this many threads.
    pub fn fits(&self, measures: Measures, threads: u32) -> bool {
        self.measures == measures && self.now.threads.len() == threads as usize
    }

    /// Adds a chunk of `units` that took a thread `work`, after `overhead` from its request to the chunk.
    pub fn chunk(&mut self, thread: ThreadId, units: u64, work: Span, overhead: Span) {
        if units == 0 {
            return;
        }
        let time = if self.measures.with_overhead { work + overhead } else { work };
        let seconds = time.0 as f64 / PS_PER_S;
        let each = seconds / units as f64;
        self.now.all.add(each);
        self.now.overhead.add(overhead.0 as f64 / PS_PER_S);
        let (moments, pace) = &mut self.now.threads[thread.index()];
        moments.add(each);
        pace.open.0 += seconds;
        pace.open.1 += units as f64;
        if self.measures.update == Update::Chunk {
            pace.close();
            let Known { all, overhead, threads } = &mut self.shown;
            (*all, *overhead) = (self.now.all, self.now.overhead);
            threads[thread.index()] = self.now.threads[thread.index()];
        }
    }

    /// Ends an execution of the loop.
    pub fn step(&mut self) {
        self.steps += 1;
        if self.measures.update == Update::Step {
            self.now.threads.iter_mut().for_each(|(_, pace)| pace.close());
            self.shown.clone_from(&self.now);
        }
    }

    /// Sets the values that are the same for all threads.
    pub(super) fn of_all(&self, values: &mut [f64; VALUES]) {
        let Known { all, overhead, .. } = &self.shown;
        set(values, variable::STEP, self.steps as f64);
        set(values, variable::MEASURED, all.count);
        set(values, variable::MEAN, all.mean);
        set(values, variable::DEVIATION, all.deviation());
        set(values, variable::OVERHEAD, overhead.mean);
    }

    /// Sets the values of a thread.
    pub(super) fn of_thread(&self, thread: ThreadId, values: &mut [f64; VALUES]) {
        let (moments, pace) = &self.shown.threads[thread.index()];
        set(values, variable::MY_MEASURED, moments.count);
        set(values, variable::MY_MEAN, moments.mean);
        set(values, variable::MY_DEVIATION, moments.deviation());
        set(values, variable::MY_PACE, pace.value());
    }
}
