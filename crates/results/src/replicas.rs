//! Range of the makespans of a run and its replicas.

use serde::{Deserialize, Serialize};

/// Makespans of a run and of its replicas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replicas {
    /// Number of runs, the nominal one included.
    pub number: u32,
    /// Smallest makespan.
    pub low_ps: u64,
    /// Median of the makespans; the lower one of two.
    pub median_ps: u64,
    /// Largest makespan.
    pub high_ps: u64,
}

impl Replicas {
    /// Columns of the same meaning in files of rows.
    pub const COLUMNS: [&'static str; 4] =
        ["replicas", "makespan_low_ps", "makespan_median_ps", "makespan_high_ps"];

    /// Range from which it is shown, as a part of a makespan.
    pub const SHOWN: f64 = 0.01;

    /// Replicas with these makespans; `None` for less than two.
    pub fn of(makespans_ps: &[u64]) -> Option<Replicas> {
        let mut sorted = makespans_ps.to_vec();
        sorted.sort_unstable();
        let ([low_ps, _, ..], [.., high_ps]) = (&sorted[..], &sorted[..]) else { return None };
        let median_ps = sorted[(sorted.len() - 1) / 2];
        Some(Replicas { number: sorted.len() as u32, low_ps: *low_ps, median_ps, high_ps: *high_ps })
    }

    /// Range from which a run is unstable, as a part of the smallest makespan.
    const UNSTABLE: f64 = 0.2;

    /// Range of the makespans, as a part of the smallest.
    pub fn range(&self) -> f64 {
        match self.low_ps {
            0 => 0.0,
            low => self.high_ps.saturating_sub(low) as f64 / low as f64,
        }
    }

    /// True if the makespans differ by more than a fifth.
    pub fn is_unstable(&self) -> bool {
        self.range() > Self::UNSTABLE
    }

    /// True if the makespans differ by more than 1 %.
    pub fn differ(&self) -> bool {
        self.range() > Self::SHOWN
    }
}

#[cfg(test)]
mod tests {
    use super::Replicas;

    #[test]
    fn replicas_have_a_median_and_a_range() {
        let found = Replicas::of(&[210, 200, 230, 220]).unwrap();
        assert_eq!(found, Replicas { number: 4, low_ps: 200, median_ps: 210, high_ps: 230 });
        // 30 of 200.
        assert!((found.range() - 0.15).abs() < 1e-12 && found.differ());
        assert!(!Replicas::of(&[200, 202]).unwrap().differ());
        assert_eq!(Replicas::of(&[200]), None);
        assert_eq!(Replicas::of(&[0, 1]).unwrap().range(), 0.0);
    }
}
