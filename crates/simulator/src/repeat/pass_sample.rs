//! Samples of passes through a lock or an atomic operation whose state does not return: times of requests are drawn,
//! or the order of threads changes from pass to pass.
//!
//! A sample has batches of about equally many passes of the team. It stands for the passes that follow if the team's
//! rate (passes of all threads by time) varies around one mean from batch to batch. Threads that a lock favours go ahead
//! in the sample, and as many times as far by what it stands for. How much of the difference between threads is
//! chance, their batches tell; the passes that are counted differ by the rest.

use crate::account::observer::Listener;
use crate::engine::Sources;
use crate::engine::segment::{Segment, SegmentState};
use crate::engine::worker::Worker;
use crate::error::SimulationError;
use crate::repeat::passes::{Mark, Passes};
use crate::repeat::pending::Pending;
use crate::repeat::sample::{Estimate, Samples};
use numalab_base::Time;

/// Number of batches in a sample.
const BATCHES: usize = 16;

/// Largest uncertainty of the team's time per pass, as a part of it.
const UNSURE: f64 = 0.02;

/// Largest uncertainty of a thread's number of passes, as a part of the largest number of a thread: what is counted
/// ends with the passes of that thread.
const UNSURE_OF_ONE: f64 = 0.02;

/// Sample that is being taken.
pub(super) struct PassSample {
    /// Number of passes in the sample: the mean over threads.
    length: u64,
    /// State of the books before the sample.
    pub mark: Mark,
    /// Number of clocked events before the sample.
    clocked: u64,
    /// Time of each thread before the sample that is booked in it.
    pending: Vec<Pending>,
    /// Instants between batches, and the passes of each thread by then.
    ends: Vec<(Time, Vec<u32>)>,
}

impl PassSample {
    pub fn new(length: u64, mark: Mark, clocked: u64, workers: &[Worker]) -> PassSample {
        let pending = Pending::of_all(workers, mark.at);
        PassSample { length, clocked, pending, ends: vec![(mark.at, passes(workers))], mark }
    }

    /// Ends a batch if it has enough passes. Returns true at the end of the last one.
    fn end_batch(&mut self, now: Time, workers: &[Worker]) -> bool {
        let passes = passes(workers);
        let due = self.length * workers.len() as u64 * self.ends.len() as u64 / BATCHES as u64;
        if now > self.mark.at && sum(&passes) - sum(&self.ends[0].1) >= due {
            self.ends.push((now, passes));
        }
        self.ends.len() > BATCHES
    }

    /// Time per pass of the team, by batch.
    fn by_team(&self) -> Vec<f64> {
        let batch = |pair: &[(Time, Vec<u32>)]| {
            (pair[1].0 - pair[0].0).0 as f64 / (sum(&pair[1].1) - sum(&pair[0].1)).max(1) as f64
        };
        self.ends.windows(2).map(batch).collect()
    }

    /// Number of passes of each thread in the sample without what is chance, and the uncertainty of such a number, as
    /// parts of the mean number (empirical Bayes, as James and Stein shrink means).
    fn by_thread(&self, mean: f64) -> (Vec<f64>, f64) {
        let count = BATCHES as f64;
        let variance = |values: &[f64]| {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            values.iter().map(|value| (value - mean).powi(2)).sum::<f64>()
                / (values.len() as f64 - 1.0).max(1.0)
        };
        let threads = self.ends[0].1.len();
        let passed = |from: usize, to: usize, thread: usize| {
            f64::from(self.ends[to].1[thread] - self.ends[from].1[thread]) / mean
        };
        let chance = |thread: usize| {
            let batches: Vec<f64> = (0..BATCHES).map(|at| passed(at, at + 1, thread)).collect();
            count * variance(&batches)
        };
        let chance = (0..threads).map(chance).sum::<f64>() / threads as f64;
        let all: Vec<f64> = (0..threads).map(|thread| passed(0, BATCHES, thread)).collect();
        let rest = (1.0 - chance / variance(&all).max(f64::MIN_POSITIVE)).max(0.0);
        (all.iter().map(|passed| 1.0 + rest * (passed - 1.0)).collect(), rest * chance.sqrt())
    }
}

fn passes(workers: &[Worker]) -> Vec<u32> {
    workers.iter().map(|worker| worker.position.pass()).collect()
}

fn sum(passes: &[u32]) -> u64 {
    passes.iter().map(|passes| u64::from(*passes)).sum()
}

impl<O: Listener> Segment<'_, '_, O> {
    /// Called when the leader begins a pass of a sample. At the end of the sample counts the passes for which it
    /// stands.
    pub(super) fn sample(
        &mut self,
        passes: &mut Passes,
        sources: &mut Sources,
        state: &mut SegmentState<'_, '_>,
        events: u64,
    ) -> Result<(), SimulationError> {
        let Some(mut sample) = passes.sample.take() else { return Ok(()) };
        let workers = &mut state.workers;
        if !sample.end_batch(self.world.now, workers) {
            passes.sample = Some(sample);
            return Ok(());
        }
        let (first, last) = (&sample.ends[0].1, &sample.ends[BATCHES].1);
        let mean = (sum(last) - sum(first)) as f64 / workers.len() as f64;
        let (by_thread, unsure) = sample.by_thread(mean);
        let settled = Estimate::of(&sample.by_team()).is_settled(UNSURE)
            && unsure <= UNSURE_OF_ONE * by_thread.iter().copied().fold(0.0, f64::max)
            && self.world.clocked() + sources.clocked() == sample.clocked;
        let each: Vec<u32> = by_thread.iter().map(|part| (mean * part).round() as u32).collect();
        let ahead = workers.iter().zip(&each).filter(|(worker, _)| !worker.over);
        let fits = ahead
            .filter_map(|(worker, each)| worker.position.passes_ahead(self.phase.times).checked_div(*each))
            .min()
            .unwrap_or(0);
        let leader = passes.leader;
        let past = workers[leader].position.pass().checked_div(each[leader]).unwrap_or(0);
        let fits = Samples::reach(past.into(), fits.into());
        let took = self.world.now - sample.mark.at;
        let more = if settled { sources.undisturbed(self.world.now, took, fits) } else { 0 };
        for (worker, each) in workers.iter_mut().zip(&each).filter(|(worker, _)| !worker.over) {
            worker.position.skip(more as u32 * each);
        }
        passes.search.passed += u64::from(last[leader] - first[leader]);
        let length = if settled { sample.length } else { 2 * sample.length };
        passes.samples.follow(passes.search.passed, length);
        passes.counted.estimated += more * u64::from(each[leader]);
        passes.at = Some(workers[leader].position.pass());
        let pending = Pending::of_all(workers, self.world.now);
        self.count(&mut passes.counted, sample.mark, more, (sources, events))?;
        self.correct_borders(&sample.pending, &pending, more);
        Ok(())
    }
}
