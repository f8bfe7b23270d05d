//! What a fit found, in a terminal.

use crate::style::Style;
use crate::table::Grid;

/// A fitted parameter.
#[derive(Clone, Debug)]
pub struct FittedRow {
    /// Where it stands in its file.
    pub path: String,
    /// As the file says it.
    pub value: String,
    /// Standard error as a fraction.
    pub error: f64,
    /// Whether the measurements say what it is.
    pub identifiable: bool,
    /// On how many rows.
    pub rows: usize,
    /// What was fitted with it.
    pub stage: &'static str,
}

/// A line for each parameter.
pub fn fitted_table(rows: &[FittedRow], style: Style) -> String {
    let texts = |pick: fn(&FittedRow) -> String| rows.iter().map(pick).collect::<Vec<_>>();
    let sure = |row: &FittedRow| match row.identifiable {
        true => format!("±{:.1}%", row.error * 100.0),
        false => "not identifiable".to_owned(),
    };
    Grid::new()
        .text("parameter", texts(|row| row.path.clone()))
        .number("value", texts(|row| row.value.clone()))
        .number("error", rows.iter().map(sure).collect::<Vec<_>>())
        .number("rows", texts(|row| row.rows.to_string()))
        .text("fitted with", texts(|row| row.stage.to_owned()))
        .draw(&style)
}
