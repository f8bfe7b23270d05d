//! Decides whether another round would add information.

/// Minimum number of rounds to detect a drift.
const LEAST_ROUNDS: usize = 3;
/// Maximum standard error of a steady mean, as a fraction of the mean.
const STEADY: f64 = 0.005;

/// Medians of one quantity, one from each round so far.
#[derive(Debug, Default)]
pub(super) struct Medians(Vec<f64>);

impl Medians {
    /// Adds the median of a round's samples, of which there must be at least one.
    pub(super) fn add(&mut self, mut samples: Vec<f64>) {
        samples.sort_by(f64::total_cmp);
        let count = samples.len();
        self.0.push((samples[(count - 1) / 2] + samples[count / 2]) / 2.0);
    }

    /// True if enough rounds were measured and the standard error over their medians is small. Rounds are minutes
    /// apart, so a quantity that drifts or was disturbed is measured further.
    pub(super) fn are_steady(&self) -> bool {
        let count = self.0.len() as f64;
        if self.0.len() < LEAST_ROUNDS {
            return false;
        }
        let mean = self.0.iter().sum::<f64>() / count;
        let variance = self.0.iter().map(|median| (median - mean).powi(2)).sum::<f64>() / (count - 1.0);
        (variance / count).sqrt() < STEADY * mean.abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn medians(values: &[f64]) -> Medians {
        let mut medians = Medians::default();
        values.iter().for_each(|value| medians.add(vec![*value]));
        medians
    }

    #[test]
    fn a_median_is_between_the_two_in_the_middle() {
        let mut medians = Medians::default();
        medians.add(vec![9.0, 1.0, 2.0, 4.0]);
        medians.add(vec![5.0, 1.0, 7.0]);
        assert_eq!(medians.0, [3.0, 5.0]);
    }

    #[test]
    fn steady_is_half_a_per_cent_over_three_rounds() {
        // 99, 100, 101: deviation 1, standard error 1 / sqrt 3 = 0.577 of 100.
        assert!(!medians(&[99.0, 100.0, 101.0]).are_steady());
        // 99.2, 100, 100.8: 0.8 / sqrt 3 = 0.462.
        assert!(medians(&[99.2, 100.0, 100.8]).are_steady());
        assert!(!medians(&[100.0, 100.0]).are_steady());
        assert!(!medians(&[100.0, 100.0, 130.0]).are_steady());
    }
}
