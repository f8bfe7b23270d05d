//! Results beside earlier ones: for reading, as JSON, as CSV.

mod table;

pub use table::frame_comparison_table;

use crate::csv_text::written;
use crate::json::readable;
use numalab_results::{Change, FrameComparison};

/// One object with everything.
pub fn frame_comparison_json(comparison: &FrameComparison) -> String {
    readable(comparison)
}

/// A line for each value that changed, and for each point that only one side has.
pub fn frame_comparison_csv(comparison: &FrameComparison) -> String {
    let header =
        ["what", "point", "policy", "measure", "unit", "a", "b", "change"].map(str::to_owned).to_vec();
    let number = |value: Option<f64>| value.filter(|value| value.is_finite()).map(|value| value.to_string());
    let changed = |change: &Change| {
        let Change { point, policy, measure, unit, a, b, change } = change;
        let words = ["changed", point, policy, measure, unit].map(str::to_owned);
        words.into_iter().chain([*a, *b, *change].map(|value| number(value).unwrap_or_default())).collect()
    };
    let only = |what: &str, point: &String| {
        let mut row = vec![String::new(); header.len()];
        row[0] = what.to_owned();
        row[1] = point.clone();
        row
    };
    let rows = comparison.changes.iter().map(changed);
    let rows = rows.chain(comparison.only_a.iter().map(|point| only("only in a", point)));
    let rows = rows.chain(comparison.only_b.iter().map(|point| only("only in b", point)));
    written(std::iter::once(header.clone()).chain(rows))
}

#[cfg(test)]
mod tests;
