//! Table of fitted parameters.

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
