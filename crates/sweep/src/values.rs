//! Values of a column in rows and groups of rows. The makespan is the median of a row's replicas, with their range.

use crate::group::{median, number, spread};
use numalab_results::{Frame, Replicas};

/// Column that rows are compared by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnValues {
    pub column: usize,
    /// `None` if the frame has no columns about the replicas of this one.
    replicas: Option<ReplicaColumns>,
}

/// Columns of the number of a row's runs, and of their smallest, median and largest value.
#[derive(Clone, Copy, Debug)]
struct ReplicaColumns {
    runs: usize,
    low: usize,
    median: usize,
    high: usize,
}

/// Median and range of a value in several rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ranged {
    pub median: f64,
    pub low: f64,
    pub high: f64,
    /// Medians of the rows' own smallest and largest values: what is not known of one row. Rows of several seeds have
    /// other inputs, which both sides of a comparison share.
    unknown: [f64; 2],
    /// Number of runs.
    pub runs: u64,
}

impl Ranged {
    /// True if the difference is decided: if the ranges of what is not known have no value in common.
    pub fn is_apart(&self, other: &Ranged) -> bool {
        self.unknown[1] < other.unknown[0] || other.unknown[1] < self.unknown[0]
    }

    /// The range in another unit.
    pub fn scaled(self, unit: f64) -> Ranged {
        let Ranged { median, low, high, unknown, runs } = self;
        let [median, low, high] = [median, low, high].map(|value| value / unit);
        Ranged { median, low, high, unknown: unknown.map(|value| value / unit), runs }
    }
}

impl ColumnValues {
    pub fn of(frame: &Frame, column: usize) -> ColumnValues {
        let replicas = || {
            let [runs, low, median, high] = Replicas::COLUMNS.map(|name| frame.position(name));
            Some(ReplicaColumns { runs: runs?, low: low?, median: median?, high: high? })
        };
        let is_makespan = frame.columns[column].name == "makespan_ps";
        ColumnValues { column, replicas: is_makespan.then(replicas).flatten() }
    }

    pub fn at(&self, frame: &Frame, row: usize) -> Option<f64> {
        self.of_replicas(frame, row, |columns| columns.median).or_else(|| number(frame, row, self.column))
    }

    /// Median of the values in some rows, and the range of all their replicas; `None` if no row has a value.
    pub fn over(&self, frame: &Frame, rows: &[usize]) -> Option<Ranged> {
        let all = |which: fn(&ReplicaColumns) -> usize| -> Vec<f64> {
            let value = |row: &usize| self.of_replicas(frame, *row, which).or_else(|| self.at(frame, *row));
            rows.iter().filter_map(value).collect()
        };
        let (lows, medians, highs) =
            (all(|columns| columns.low), all(|columns| columns.median), all(|columns| columns.high));
        Some(Ranged {
            median: median(&medians)?,
            low: spread(&lows)?.0,
            high: spread(&highs)?.1,
            unknown: [median(&lows)?, median(&highs)?],
            runs: rows.iter().map(|row| self.runs(frame, *row)).sum(),
        })
    }

    /// Number of runs with a value behind a row.
    fn runs(&self, frame: &Frame, row: usize) -> u64 {
        let of_replicas = self.of_replicas(frame, row, |columns| columns.runs).map(|runs| runs as u64);
        of_replicas.unwrap_or(u64::from(self.at(frame, row).is_some()))
    }

    fn of_replicas(&self, frame: &Frame, row: usize, which: fn(&ReplicaColumns) -> usize) -> Option<f64> {
        number(frame, row, which(self.replicas.as_ref()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_results::{Cell, CellKind, Column};

    #[test]
    fn replicas_give_the_makespan_a_median_and_a_range() {
        let names = [
            "makespan_ps",
            "makespan_low_ps",
            "makespan_median_ps",
            "makespan_high_ps",
            "replicas",
            "events",
        ];
        let columns = names.map(|name| Column::new(name, CellKind::Count)).to_vec();
        let row = |cells: [u64; 6]| cells.map(Cell::Count).to_vec();
        let mut rows =
            vec![row([12, 10, 14, 20, 6, 7]), row([30, 25, 30, 31, 2, 7]), row([16, 0, 0, 0, 0, 9])];
        // The last row has no replicas.
        rows[2][1..5].fill(Cell::Empty);
        let frame = Frame { columns, rows };
        let makespan = ColumnValues::of(&frame, 0);
        assert_eq!([0, 1, 2].map(|row| makespan.at(&frame, row)), [Some(14.0), Some(30.0), Some(16.0)]);
        let over = |rows: &[usize]| makespan.over(&frame, rows).unwrap();
        // Low values 10, 25 and 16, high values 20, 31 and 16.
        let all = over(&[0, 2, 1]);
        assert_eq!(
            (all.low, all.median, all.high, all.unknown, all.runs),
            (10.0, 16.0, 31.0, [16.0, 20.0], 9)
        );
        assert!(over(&[0]).is_apart(&over(&[1])) && over(&[1]).is_apart(&over(&[0])));
        assert!(!over(&[0]).is_apart(&over(&[2])));
        assert_eq!(makespan.over(&frame, &[]), None);
        let events = ColumnValues::of(&frame, 5).over(&frame, &[0, 2]).unwrap();
        assert_eq!((events.low, events.median, events.high, events.runs), (7.0, 8.0, 9.0, 2));
    }
}
