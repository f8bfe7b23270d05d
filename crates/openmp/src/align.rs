//! `align` schedule: moves the cuts between the threads' shares to iterations that begin to write a page, so that no
//! page has two writers. Cuts stay near the positions that would balance the threads' times.

use crate::range::even_cuts;

/// Positions at which a loop may be cut, and the number of pages with writers on both sides of a cut.
pub struct Cuts<'a> {
    pub iterations: u64,
    /// Iterations that write the first byte of a page, ascending.
    pub candidates: &'a [u64],
    /// Number of pages that iterations before a cut and iterations after the cut both write, by the iteration of the
    /// cut.
    pub shared: &'a dyn Fn(u64) -> u64,
}

/// Returns the first iteration of each thread and, as last entry, the number of iterations. `begins` has the present
/// cuts in the same form, `times` the time of each thread with the present cuts. `None` for one thread, for fewer
/// iterations than threads, and if `static` is as good: no candidate is near, or no fewer pages have two writers.
pub fn align(cuts: &Cuts<'_>, begins: &[u64], times: &[u64]) -> Option<Vec<u64>> {
    let Cuts { iterations, candidates, shared } = *cuts;
    let threads = times.len() as u64;
    if threads < 2 || iterations < threads {
        return None;
    }
    let speeds: Vec<f64> = match times.iter().all(|time| *time > 0) {
        true => {
            begins.windows(2).zip(times).map(|(own, time)| (own[1] - own[0]) as f64 / *time as f64).collect()
        }
        false => vec![1.0; times.len()],
    };
    // A thread without iterations has no measured speed: it gets the mean of the others.
    let known: Vec<f64> = speeds.iter().copied().filter(|speed| *speed > 0.0).collect();
    let usual = known.iter().sum::<f64>() / known.len().max(1) as f64;
    let speeds: Vec<f64> = speeds.iter().map(|speed| if *speed > 0.0 { *speed } else { usual }).collect();
    let total: f64 = speeds.iter().sum();
    let half = iterations / threads / 2;
    // A cut is at most the largest gap between candidates further from its target than the nearest candidate. Beyond
    // that, waiting costs more than sharing.
    let gap = candidates.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
    let mut limits = vec![0];
    let mut sum = 0.0;
    for speed in &speeds[..speeds.len() - 1] {
        sum += speed;
        let wanted = ((iterations as f64 * sum / total).round() as u64).min(iterations);
        let from = candidates.partition_point(|candidate| *candidate + half < wanted);
        let near = candidates[from..].iter().take_while(|candidate| **candidate <= wanted + half);
        let distance = near.clone().map(|candidate| candidate.abs_diff(wanted)).min()?;
        let best = near
            .filter(|candidate| candidate.abs_diff(wanted) <= distance + gap)
            .min_by_key(|candidate| (shared(**candidate), candidate.abs_diff(wanted), **candidate))?;
        limits.push((*best).max(limits[limits.len() - 1]));
    }
    let writers = |limits: &[u64]| limits.iter().skip(1).map(|limit| shared(*limit)).sum::<u64>();
    if writers(&limits) >= writers(&even_cuts(iterations, threads as u32)[..times.len()]) {
        return None;
    }
    limits.push(iterations);
    Some(limits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A loop over elements of 8 bytes with pages of 64 bytes: every eighth iteration begins a page, and a cut at any
    /// other iteration shares a page.
    fn of_pages(iterations: u64, times: &[u64], begins: &[u64]) -> Option<Vec<u64>> {
        let candidates: Vec<u64> = (0..iterations).step_by(8).collect();
        let shared = |at: u64| u64::from(!at.is_multiple_of(8));
        align(&Cuts { iterations, candidates: &candidates, shared: &shared }, begins, times)
    }

    /// 100 iterations for 2 equally fast threads: the cut at 50 moves to the nearest start of a page, 48. If the
    /// first thread is three times as fast, the best cut is 75, and the nearest start of a page is 72.
    #[test]
    fn cuts_are_at_page_starts() {
        assert_eq!(of_pages(100, &[10, 10], &[0, 50, 100]), Some(vec![0, 48, 100]));
        assert_eq!(of_pages(100, &[10, 30], &[0, 50, 100]), Some(vec![0, 72, 100]));
        // Static cuts are at page borders already.
        assert_eq!(of_pages(96, &[10, 10], &[0, 48, 96]), None);
    }

    /// Columns of slightly more than a page: every iteration begins a page, but every cut still shares a page.
    #[test]
    fn unavoidable_sharing_keeps_static_cuts() {
        let candidates: Vec<u64> = (0..100).collect();
        let cuts = Cuts { iterations: 100, candidates: &candidates, shared: &|_| 1 };
        assert_eq!(align(&cuts, &[0, 50, 100], &[1, 1]), None);
        // With one page for all iterations, no cut inside the loop is possible.
        let cuts = Cuts { iterations: 100, candidates: &[0], shared: &|_| 1 };
        assert_eq!(align(&cuts, &[0, 50, 100], &[1, 1]), None);
    }

    /// Iterations of 600 bytes begin a page somewhere inside, and every 512th iteration begins a page with its first
    /// byte. A cut is not moved as far as the next such iteration, since that would only make threads wait.
    #[test]
    fn a_cut_is_not_moved_past_the_next_page() {
        let inside = |at: u64| (600 * at) % 4096;
        let candidates: Vec<u64> =
            (0..1000).filter(|at| inside(*at) == 0 || inside(*at) > 4096 - 600).collect();
        let shared = |at: u64| u64::from(inside(at) != 0);
        let cuts = Cuts { iterations: 1000, candidates: &candidates, shared: &shared };
        assert_eq!(align(&cuts, &[0, 200, 400, 600, 800, 1000], &[1; 5]), None);
        // For two threads the distance is small enough.
        assert_eq!(align(&cuts, &[0, 500, 1000], &[103, 100]), None);
        assert_eq!(align(&cuts, &[0, 500, 1000], &[50, 51]), Some(vec![0, 512, 1000]));
    }

    proptest! {
        /// Cuts never decrease, cover the loop, and share no page.
        #[test]
        fn limits_are_a_partition(iterations in 8u64..4000, times in prop::collection::vec(1u64..1000, 2..12)) {
            let threads = times.len() as u32;
            if let Some(limits) = of_pages(iterations, &times, &even_cuts(iterations, threads)) {
                prop_assert_eq!((limits[0], limits[times.len()]), (0, iterations));
                prop_assert!(limits.windows(2).all(|pair| pair[0] <= pair[1]));
                prop_assert!(limits[..times.len()].iter().all(|limit| limit.is_multiple_of(8)));
            }
        }
    }
}
