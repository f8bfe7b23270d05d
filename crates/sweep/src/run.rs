//! Runs missing points, and stores each result as it arrives.

use crate::plan::Plan;
use crate::shard::Shard;
use crate::store::{Store, StoreError};
use numalab_study::Progress;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Indices of the points that the store lacks: of one shard, or of all. Of points with equal keys only the first is
/// listed.
pub fn missing(plan: &Plan<'_>, store: &Store, shard: Option<Shard>) -> Vec<usize> {
    let mut taken = BTreeSet::new();
    let mut is_missing = |at: usize| {
        let key = plan.points()[at].key();
        key.is_some_and(|key| !store.has(key) && taken.insert(key))
    };
    let owned = |at: &usize| shard.is_none_or(|shard| shard.owns(*at));
    (0..plan.points().len()).filter(owned).filter(|at| is_missing(*at)).collect()
}

/// Reason why a sweep ended early.
#[derive(Debug)]
pub enum RunError {
    Store(StoreError),
    /// A file has changed since the sweep was planned, or a run had no result; the text is the error.
    Changed(String),
}

impl From<StoreError> for RunError {
    fn from(error: StoreError) -> RunError {
        RunError::Store(error)
    }
}

/// Largest number of workers; more would only wait for each other.
const MOST_WORKERS: usize = 1024;

/// Divisor for the size of groups: a group has at most 1/4 of the points that each worker would get in an even
/// division, so that all workers end at about the same time.
const TAKEN: usize = 4;

/// Simulates some points (given by index) with `jobs` workers; `None` for one per processor. Points are started in
/// order, those that differ only in the policy together, and stored when all of these are done. Points under way when
/// `progress` stops the sweep are not stored.
pub fn run(
    plan: &Plan<'_>,
    store: &mut Store,
    points: &[usize],
    jobs: Option<NonZeroUsize>,
    progress: &dyn Progress,
) -> Result<(), RunError> {
    if points.is_empty() {
        return Ok(());
    }
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let (failed, failures) = (AtomicBool::new(false), Mutex::new(BTreeMap::new()));
    let (total, shared) = (points.len() as u64, &*store);
    progress.report(0, total);
    let here = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let workers = jobs.map_or_else(here, NonZeroUsize::get).min(points.len()).min(MOST_WORKERS);
    let can_run: Vec<usize> =
        points.iter().copied().filter(|at| plan.points()[*at].key().is_some()).collect();
    let groups = plan.by_setting(&can_run, points.len() / (workers * TAKEN));
    let add = |group: &[usize]| {
        let outcomes = plan.run(group, progress).map_err(RunError::Changed)?;
        let ended = outcomes.len();
        for (at, outcome) in group.iter().zip(outcomes) {
            if let Some(key) = plan.points()[*at].key() {
                shared.add(key, &outcome).map_err(RunError::Store)?;
            }
        }
        Ok(ended)
    };
    // Each free worker takes the next group. If the groups were divided in advance, the sweep would wait for the
    // slowest worker.
    let work = || {
        while !failed.load(Ordering::Relaxed)
            && !progress.stops()
            && let at = next.fetch_add(1, Ordering::Relaxed)
            && let Some(group) = groups.get(at)
        {
            let ended = add(group).unwrap_or_else(|error| {
                failed.store(true, Ordering::Relaxed);
                failures.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(at, error);
                group.len()
            });
            progress.report((done.fetch_add(ended, Ordering::Relaxed) + ended) as u64, total);
        }
    };
    match rayon::ThreadPoolBuilder::new().num_threads(workers).build() {
        Ok(pool) => {
            pool.broadcast(|_| work());
        }
        // If no threads can be created, the calling thread does the work.
        Err(_) => work(),
    }
    // Groups before a failed one have been started, too, so the first failure is the same for any number of workers.
    match failures.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).pop_first() {
        Some((_, error)) => Err(error),
        None => Ok(store.settle()?),
    }
}
