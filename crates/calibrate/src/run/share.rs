//! Divides the remaining time among the measurements.

use std::time::Duration;

/// Shortest measurement, in seconds: the resolution of the system's counters. The load of a shorter window is
/// unknown.
const LEAST: f64 = 0.05;

/// Sum of the time that measurements took beyond their sampling time, in seconds: starting, filling memory, checking.
#[derive(Debug, Default)]
pub(super) struct Shares {
    beyond: f64,
    taken: u32,
}

impl Shares {
    /// Sampling time in seconds of the next of `ahead` measurements: an equal share of the time `left`, less the mean
    /// additional time. Measurements that end early leave more to all later ones.
    pub(super) fn next(&self, left: Duration, ahead: usize) -> f64 {
        let beyond = self.beyond / f64::from(self.taken.max(1));
        (left.as_secs_f64() / ahead.max(1) as f64 - beyond).max(LEAST)
    }

    /// Records that a measurement with `given` seconds of sampling time took `wall` in all.
    pub(super) fn took(&mut self, given: f64, wall: Duration) {
        self.beyond += (wall.as_secs_f64() - given).max(0.0);
        self.taken += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_equal_share_less_what_others_took_beyond_theirs() {
        let mut shares = Shares::default();
        // 120 s are left for 300 measurements.
        assert_eq!(shares.next(Duration::from_secs(120), 300), 0.4);
        // One measurement takes 0.3 s longer, one ends early: the mean excess is 0.15 s.
        shares.took(0.4, Duration::from_millis(700));
        shares.took(0.4, Duration::from_millis(100));
        assert!((shares.next(Duration::from_secs(60), 150) - 0.25).abs() < 1e-12);
        // The result never falls below the shortest measurement, even at the end.
        assert_eq!(shares.next(Duration::ZERO, 0), LEAST);
    }
}
