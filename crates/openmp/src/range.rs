//! The share of a thread under `static`: contiguous iterations. Shares differ by at most one iteration, and the first
//! shares are the larger ones.

use numalab_base::ThreadId;
use std::ops::Range;

pub fn share(iterations: u64, threads: u32, thread: ThreadId) -> Range<u64> {
    let (threads, thread) = (u64::from(threads), u64::from(thread.number()));
    let (each, over) = (iterations / threads, iterations % threads);
    let start = each * thread + over.min(thread);
    start..start + each + u64::from(thread < over)
}

/// The first iteration of each thread and, as last entry, the number of iterations.
pub fn even_cuts(iterations: u64, threads: u32) -> Vec<u64> {
    ThreadId::first(threads)
        .map(|thread| share(iterations, threads, thread).start)
        .chain([iterations])
        .collect()
}

/// Iterations of a thread if a loop is cut by cost. `costs[i]` is the sum of the costs of iterations before `i`, with
/// the total as last entry. A cut is at the iteration where this sum is nearest to the thread's part of the total;
/// ties go to the earlier iteration.
pub fn share_by_cost(costs: &[u64], threads: u32, thread: ThreadId) -> Range<u64> {
    let total = u128::from(costs.last().copied().unwrap_or(0));
    let cut = |thread: u64| {
        // Sums are multiplied by the number of threads, so that a thread's part of the total is not rounded.
        let part = total * u128::from(thread);
        let sum = |at: usize| u128::from(costs[at]) * u128::from(threads);
        let at = costs.partition_point(|cost| u128::from(*cost) * u128::from(threads) < part);
        let earlier = at > 0 && part - sum(at - 1) <= sum(at) - part;
        (at - usize::from(earlier)) as u64
    };
    let thread = u64::from(thread.number());
    // The last thread also gets iterations without cost at the end.
    let end = if thread + 1 == u64::from(threads) { costs.len() as u64 - 1 } else { cut(thread + 1) };
    (if thread == 0 { 0 } else { cut(thread) })..end
}

#[cfg(test)]
mod tests {
    use super::{share, share_by_cost};
    use numalab_base::ThreadId;

    /// 10 iterations for 4 threads: 3, 3, 2, 2.
    #[test]
    fn the_first_threads_take_the_remainder() {
        let shares: Vec<_> = ThreadId::first(4).map(|thread| share(10, 4, thread)).collect();
        assert_eq!(shares, [0..3, 3..6, 6..8, 8..10]);
        assert_eq!(share(1, 4, ThreadId::new(3)), 1..1);
    }

    /// Costs 1, 2, 3, 4 for two threads: 5 each. The sum before the third iteration is 3, before the fourth 6, which
    /// is nearer. For four threads the cuts are due at 2.5, which is nearest to 3, and at 5 and 7.5, both nearest to
    /// 6: the thread between these two cuts has no iterations.
    #[test]
    fn cost_cuts_are_nearest_to_equal_parts() {
        let costs = [0, 1, 3, 6, 10];
        let shares = |threads| -> Vec<_> {
            ThreadId::first(threads).map(|thread| share_by_cost(&costs, threads, thread)).collect()
        };
        assert_eq!(shares(2), [0..3, 3..4]);
        assert_eq!(shares(4), [0..2, 2..3, 3..3, 3..4]);
        assert_eq!(share_by_cost(&[0, 0, 0], 2, ThreadId::new(1)), 0..2);
    }
}
