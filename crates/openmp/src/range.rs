//! The share of a thread under `static`: contiguous, sizes differing by at most one, the larger ones first.

use numalab_units::ThreadId;
use std::ops::Range;

/// Iterations of `thread` out of `threads`.
pub fn share(iterations: u64, threads: u32, thread: ThreadId) -> Range<u64> {
    let (threads, thread) = (u64::from(threads), u64::from(thread.number()));
    let (each, over) = (iterations / threads, iterations % threads);
    let start = each * thread + over.min(thread);
    start..start + each + u64::from(thread < over)
}

#[cfg(test)]
mod tests {
    use super::share;
    use numalab_units::ThreadId;

    /// 10 iterations for 4 threads: 3, 3, 2, 2.
    #[test]
    fn the_first_threads_take_the_remainder() {
        let shares: Vec<_> = ThreadId::first(4).map(|thread| share(10, 4, thread)).collect();
        assert_eq!(shares, [0..3, 3..6, 6..8, 8..10]);
        assert_eq!(share(1, 4, ThreadId::new(3)), 1..1);
    }
}
