//! Columns about the replicas of runs: median and range in a table, all figures in a file.

use super::Sheet;
use crate::numbers::TimeScale;
use numalab_results::Replicas;

impl<R> Sheet<R> {
    /// Median and range of makespans for people, if those of any row differ. `of`: the replicas of a row, and the scale
    /// of its makespan.
    pub fn spread(self, of: impl Fn(&R) -> (Option<Replicas>, TimeScale)) -> Sheet<R> {
        let differing = |row: &R| {
            let (replicas, scale) = of(row);
            Some((replicas.filter(Replicas::differ)?, scale))
        };
        let median = |(replicas, scale): (Replicas, TimeScale)| scale.show(replicas.median_ps as f64);
        let range = |(replicas, scale): (Replicas, TimeScale)| scale.range(replicas.low_ps, replicas.high_ps);
        let any = self.rows.iter().any(|row| differing(row).is_some());
        self.when(any, |sheet| {
            sheet
                .number("median", |row| differing(row).map(median))
                .number("range", |row| differing(row).map(range))
        })
    }

    /// Columns of the file, if any row has replicas.
    pub fn replicas(self, of: impl Fn(&R) -> Option<Replicas>) -> Sheet<R> {
        let any = self.rows.iter().any(|row| of(row).is_some());
        self.when(any, |sheet| {
            let [number, low, median, high] = Replicas::COLUMNS;
            sheet
                .file(number, |row| of(row).map(|replicas| replicas.number))
                .file(low, |row| of(row).map(|replicas| replicas.low_ps))
                .file(median, |row| of(row).map(|replicas| replicas.median_ps))
                .file(high, |row| of(row).map(|replicas| replicas.high_ps))
        })
    }
}
