//! How far off some measurements are, together.

use numalab_results::HostRow;

/// What many rows come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Off {
    /// Rows with an error.
    pub judged: usize,
    /// Of these, within their limits.
    pub within: usize,
    /// Median of `|error|`.
    pub error: f64,
    /// Median of the measured spreads.
    pub spread: f64,
    /// Number of the row with the largest `|error|`, and that error.
    pub worst: (usize, f64),
}

impl Off {
    /// `None` where nothing has an error.
    pub fn of(rows: &[&HostRow]) -> Option<Off> {
        let judged: Vec<(usize, f64)> =
            rows.iter().enumerate().filter_map(|(at, row)| Some((at, row.error?))).collect();
        // The first of equals.
        let worst = judged.iter().rev().copied().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))?;
        Some(Off {
            judged: judged.len(),
            within: rows.iter().filter(|row| row.within == Some(true)).count(),
            error: median(judged.iter().map(|(_, error)| error.abs())),
            spread: median(judged.iter().map(|(at, _)| rows[*at].spread)),
            worst,
        })
    }
}

/// Of at least one value.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0
}
