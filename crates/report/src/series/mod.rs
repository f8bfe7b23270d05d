//! A series of runs: as a table, as JSON, as CSV, as a picture of curves.

mod csv;
mod curves;
mod table;

pub use csv::series_csv;
pub use curves::series_svg;
pub use table::series_table;

use crate::json::readable;
use numalab_results::Series;

/// The whole series as one JSON object.
pub fn series_json(series: &Series) -> String {
    readable(series)
}

/// A unit that is one is none.
fn unit(unit: &str) -> &str {
    if unit == "1" { "" } else { unit }
}

#[cfg(test)]
mod tests;
