//! Repetitions whose state does not come back, but which take nearly equal times: samples stand for others.
//!
//! Under `dynamic` with data on other nodes, rates depend on the order of threads to the picosecond, and no two time
//! steps are equal. Their lengths vary little, though, and around one mean. Simulators of processors sample long
//! programs in the same way.

use crate::repeat::times::LEAST;

/// Number of repetitions that are simulated before the first sample, and least number in a sample.
const FIRST: (u64, u64) = (48, LEAST);

/// Number of passes of a construct that are simulated before the first sample, and number in it.
const FIRST_OF_PASSES: (u64, u64) = (64, 64);

/// Largest number of repetitions for which a sample stands, as a multiple of those before.
const REACH: u64 = 3;

/// When to take a sample, and how many repetitions it has at least (of passes: in all).
pub(crate) struct Samples {
    /// Number of repetitions after which the next sample begins, and its length; `None`: no samples are taken.
    next: Option<(u64, u64)>,
}

impl Samples {
    pub fn new(allowed: bool) -> Samples {
        Samples { next: allowed.then_some(FIRST) }
    }

    pub fn of_passes(allowed: bool) -> Samples {
        Samples { next: allowed.then_some(FIRST_OF_PASSES) }
    }

    /// Least length of the sample that begins after `passed` repetitions, of which `left` remain. `None` if none begins: a
    /// sample must stand for at least as many repetitions as it has.
    pub fn due(&self, passed: u64, left: u64) -> Option<u64> {
        self.next.filter(|&(after, length)| passed >= after && left >= 2 * length).map(|next| next.1)
    }

    /// Largest number of repetitions for which a sample stands that ends when `past` repetitions are over, counted ones
    /// included, and `left` remain. Rates can change late and for good, since the order of threads can.
    pub fn reach(past: u64, left: u64) -> u64 {
        left.min(REACH * past)
    }

    /// The next sample begins after `passed` repetitions, and has `length`.
    pub fn follow(&mut self, passed: u64, length: u64) {
        self.next = self.next.map(|_| (passed, length));
    }

    /// The next sample begins at once, counted from a new first repetition. Returns false if no samples are taken.
    pub fn begin_again(&mut self) -> bool {
        self.next = self.next.map(|(_, length)| (0, length));
        self.next.is_some()
    }
}

/// Mean of a sample's times, and how sure it is.
pub(super) struct Estimate {
    mean: f64,
    /// Two standard errors of the mean. Also the standard error of the difference between the means of both halves.
    errors: f64,
    /// Difference between the means of both halves.
    drift: f64,
}

impl Estimate {
    pub fn of(times: &[f64]) -> Estimate {
        let mean_of = |times: &[f64]| times.iter().sum::<f64>() / times.len() as f64;
        let (mean, count) = (mean_of(times), times.len() as f64);
        let squares: f64 = times.iter().map(|time| (time - mean).powi(2)).sum();
        let errors = 2.0 * (squares / (count - 1.0) / count).sqrt();
        let (first, second) = times.split_at(times.len() / 2);
        Estimate { mean, errors, drift: (mean_of(first) - mean_of(second)).abs() }
    }

    /// True if the times vary around one mean, and give this mean closely enough: two standard errors, and the
    /// difference between the means of both halves, are at most `unsure` of the mean.
    pub fn is_settled(&self, unsure: f64) -> bool {
        self.errors.max(self.drift) <= unsure * self.mean
    }

    /// True if the halves differ by more than chance: the times change on the way.
    pub fn drifts(&self) -> bool {
        self.drift > 3.0 * self.errors
    }
}

#[cfg(test)]
mod tests {
    use super::{Estimate, Samples};

    const UNSURE: f64 = 0.01;

    fn of(time: impl Fn(u64) -> u64) -> Estimate {
        Estimate::of(&(0..16).map(|at| time(at) as f64).collect::<Vec<_>>())
    }

    /// The standard error of 16 times m ± d is d / sqrt(15). Twice that is 1 % of m for d = 1.936 % of m.
    #[test]
    fn a_sample_varies_around_one_mean() {
        let apart = |by: u64| of(|at| 10_000 + at % 2 * 2 * by - by);
        assert!(of(|_| 1000).is_settled(UNSURE));
        assert!(apart(193).is_settled(UNSURE));
        assert!(!apart(195).is_settled(UNSURE));
        // The halves differ by 90, then by 110 of 10 000.
        let drifts = |by: u64| of(|at| 10_000 + at / 8 * by);
        assert!(drifts(90).is_settled(UNSURE));
        assert!(!drifts(110).is_settled(UNSURE));
    }

    /// Times m ± d whose second half is b longer: twice the standard error is 2 sqrt(((b / 2)² + d²) / 15), and the
    /// halves differ by b. Three times that is less than b for b² (15 / 36 - 1 / 4) > d²: for b > 2.45 d.
    #[test]
    fn a_drift_is_more_than_chance() {
        let varied = |by: u64| of(|at| 10_000 + at % 2 * 200 - 100 + at / 8 * by);
        assert!(!varied(240).drifts());
        assert!(varied(250).drifts());
    }

    #[test]
    fn samples_follow_each_other() {
        let mut samples = Samples::new(true);
        assert_eq!([47, 48].map(|passed| samples.due(passed, 100)), [None, Some(16)]);
        assert_eq!(samples.due(48, 31), None);
        samples.follow(64, 64);
        assert_eq!([127, 128].map(|left| samples.due(64, left)), [None, Some(64)]);
        assert_eq!(Samples::new(false).due(1000, 1000), None);
        assert_eq!([100, 1000].map(|left| Samples::reach(64, left)), [100, 192]);
    }
}
