//! Parameters that a fit found.

use crate::page::{Page, Sheet, View};
use crate::style::Style;

/// A fitted parameter.
#[derive(Clone, Debug)]
pub struct FittedRow {
    /// Its path in its file.
    pub path: String,
    /// As the file says it.
    pub value: String,
    /// Certainty of the value.
    pub sure: String,
    /// On how many rows.
    pub rows: usize,
    /// Name of the stage in which it was fitted.
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
