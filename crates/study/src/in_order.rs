//! Parallel runs whose results and errors do not depend on timing.

use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Results of all items in their order, computed on the current thread pool, up to the first item that fails. That one
/// is the same for every number of workers: items before it are all computed. Results after it may be missing.
///
/// Collecting a parallel iterator into a `Result` would yield the error that comes first in time.
pub fn in_order<T: Send, R: Send, E: Send>(
    items: impl IntoParallelIterator<Item = T, Iter: IndexedParallelIterator>,
    run: impl Fn(T) -> Result<R, E> + Sync,
) -> Vec<Result<R, E>> {
    let failed = AtomicUsize::new(usize::MAX);
    let run_item = |(at, item)| {
        if at > failed.load(Ordering::Relaxed) {
            return None;
        }
        let result = run(item);
        if result.is_err() {
            failed.fetch_min(at, Ordering::Relaxed);
        }
        Some(result)
    };
    // Each worker takes one item at a time: otherwise adjacent long runs could be in one worker's share.
    let results: Vec<_> = items.into_par_iter().enumerate().with_max_len(1).map(run_item).collect();
    // Skipped items come after a failure.
    results.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn first_failing_item_wins_for_any_number_of_workers() {
        for workers in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(workers).build().unwrap();
            // Items 2, 5 and 6 fail; the later an item, the earlier it ends.
            let run = |item: u64| {
                std::thread::sleep(Duration::from_millis(4 * (8 - item)));
                if [2, 5, 6].contains(&item) { Err(item) } else { Ok(item) }
            };
            let results = pool.install(|| in_order((0..8_u64).collect::<Vec<_>>(), run));
            assert_eq!(results.into_iter().collect::<Result<Vec<_>, _>>(), Err(2), "{workers} workers");
        }
    }

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let results: Result<Vec<u32>, ()> =
            in_order(vec![3_u32, 1, 2], |item| Ok(10 * item)).into_iter().collect();
        assert_eq!(results, Ok(vec![30, 10, 20]));
    }
}
