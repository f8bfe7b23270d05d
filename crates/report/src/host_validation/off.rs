//! How far off some measurements are, together.

use super::cases::Case;

/// What many measurements come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Off {
    /// Measurements with an error.
    pub judged: usize,
    /// Of these, within their limits.
    pub within: usize,
    /// Median of `|error|`.
    pub error: f64,
    /// Median of the measured spreads.
    pub spread: f64,
    /// Number of the measurement with the largest `|error|`, and that error.
    pub worst: (usize, f64),
}

impl Off {
    /// `None` where nothing has an error.
    pub fn of(cases: &[&Case<'_>]) -> Option<Off> {
        let judged: Vec<(usize, f64)> =
            cases.iter().enumerate().filter_map(|(at, case)| Some((at, case.row.error?))).collect();
        // The first of equals.
        let worst = judged.iter().rev().copied().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))?;
        Some(Off {
            judged: judged.len(),
            within: cases.iter().filter(|case| case.row.within == Some(true)).count(),
            error: median(judged.iter().map(|(_, error)| error.abs())),
            spread: median(judged.iter().map(|(at, _)| cases[*at].row.spread)),
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
