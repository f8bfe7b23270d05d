//! Parts that every look at results needs: one frame of several files, columns by what people call
//! them, a choice of rows.

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

/// The column that says which file a row is from, where there are several.
pub const FILE: &str = "file";

/// A few values, for a message.
pub fn some_of(values: &[String]) -> String {
    const MOST: usize = 8;
    let more = if values.len() > MOST { ", …" } else { "" };
    format!("{}{more}", values[..values.len().min(MOST)].join(", "))
}
