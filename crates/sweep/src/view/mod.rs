//! Common parts of `plot`, `rank` and `pareto`: several files as one frame, columns by name,
//! filters on rows.

mod columns;
mod error;
mod only;
mod together;

pub use error::{Axis, ViewError};
pub use only::Only;
pub(crate) use together::repetitions;
pub use together::together;

pub(crate) use crate::group::coordinates;
pub(crate) use columns::{column, coordinate, distinct, measure, named};

/// Name of the additional column that holds the file of a row, present if several files are read.
pub const FILE: &str = "file";

/// At most eight of some values as a list, for a message.
pub fn some_of(values: &[String]) -> String {
    const MOST: usize = 8;
    let more = if values.len() > MOST { ", …" } else { "" };
    format!("{}{more}", values[..values.len().min(MOST)].join(", "))
}
