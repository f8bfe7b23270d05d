//! Tables of fitted parameters, and of measured rows beside their simulation.

use crate::page::{Page, Sheet, View};
use crate::style::Style;

#[derive(Clone, Debug)]
pub struct FittedRow {
    /// Path of the parameter in the machine or runtime file.
    pub path: String,
    pub value: String,
    /// Standard error of the value as text, or the reason why it is unknown.
    pub sure: String,
    /// Number of measurements to which the parameter was fitted.
    pub rows: usize,
    pub stage: &'static str,
}

impl View for [FittedRow] {
    fn page(&self, _: &Style) -> Page {
        let sheet = Sheet::of(self)
            .text("parameter", |row| row.path.clone())
            .number("value", |row| row.value.clone())
            .number("error", |row| row.sure.clone())
            .number("rows", |row| row.rows)
            .text("fitted with", |row| row.stage);
        Page::default().table(sheet)
    }
}

/// Measured rows of one kind beside their simulation with the fitted machine.
#[derive(Clone, Debug)]
pub struct MeasuredKind {
    pub kind: String,
    /// Number of rows.
    pub rows: usize,
    /// Median of the measured values, with its unit.
    pub measured: String,
    /// Median of the simulated values; empty if no row can be simulated.
    pub simulated: String,
    /// Relative error of the row that the machine misses by most.
    pub worst: String,
}

impl View for [MeasuredKind] {
    fn page(&self, _: &Style) -> Page {
        let sheet = Sheet::of(self)
            .text("measured rows", |row| row.kind.clone())
            .number("rows", |row| row.rows)
            .number("measured", |row| row.measured.clone())
            .number("simulated", |row| row.simulated.clone())
            .number("largest error", |row| row.worst.clone());
        Page::default().table(sheet)
    }
}
