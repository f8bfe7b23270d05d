//! Divides rows by the value of a column, for colours and panels.

use crate::view::{ViewError, named};
use numalab_results::Frame;

/// The values of a column, and the index of each row's value.
pub(super) struct Split {
    pub names: Vec<String>,
    pub of: Vec<usize>,
}

impl Split {
    /// Splits by a column; without a column, all rows are one part. More than `most` values are an error, which names
    /// the `parts` (colours or panels). Numbers are ascending, words are in order of occurrence.
    pub fn of(
        frame: &Frame,
        column: Option<usize>,
        most: usize,
        parts: &'static str,
    ) -> Result<Split, ViewError> {
        let Some(at) = column else {
            return Ok(Split { names: vec![String::new()], of: vec![0; frame.rows.len()] });
        };
        let mut names: Vec<String> = Vec::new();
        let texts: Vec<String> = (0..frame.rows.len()).map(|row| named(frame, row, at)).collect();
        for text in &texts {
            if !names.contains(text) {
                names.push(text.clone());
            }
            if names.len() > most {
                let (column, example) = (frame.columns[at].name.clone(), names.swap_remove(0));
                return Err(ViewError::TooManyValues { column, most, parts, example });
            }
        }
        if names.iter().all(|name| name.parse::<f64>().is_ok()) {
            let value = |name: &String| name.parse::<f64>().unwrap_or(0.0);
            names.sort_by(|a, b| value(a).total_cmp(&value(b)));
        }
        let of = texts.iter().map(|text| names.iter().position(|name| name == text).unwrap_or(0)).collect();
        Ok(Split { names, of })
    }
}

/// Distinct positions on the horizontal axis, numbered in order of occurrence.
#[derive(Default)]
pub(super) struct Places(pub Vec<f64>);

impl Places {
    pub fn number(&mut self, at: f64) -> usize {
        let place = self.0.iter().position(|other| *other == at);
        place.unwrap_or_else(|| {
            self.0.push(at);
            self.0.len() - 1
        })
    }
}
