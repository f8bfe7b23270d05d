//! Errors of a look at results.

use super::some_of;
use std::fmt;

/// Why there is nothing to see. What to do about it is said by whoever knows how the look was asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum ViewError {
    /// The results have no such column.
    NoColumn {
        /// The name that was asked for.
        name: String,
        /// Names that are like it.
        close: Vec<String>,
        /// Names of all columns.
        all: Vec<String>,
    },
    /// A short name that ends the names of several columns.
    SeveralColumns {
        /// The short name.
        name: String,
        /// The names that it ends.
        columns: Vec<String>,
    },
    /// A column of words where numbers are needed.
    Words {
        /// The column.
        column: String,
        /// Columns of numbers.
        numbers: Vec<String>,
    },
    /// A column of numbers that no row has.
    Empty {
        /// The column.
        column: String,
        /// Columns of numbers.
        numbers: Vec<String>,
    },
    /// An outcome where a coordinate is needed.
    NoCoordinate {
        /// The column.
        column: String,
        /// The coordinates.
        coordinates: Vec<String>,
    },
    /// No row has the value that was chosen.
    NoSuchValue {
        /// The column.
        column: String,
        /// The value or pattern.
        wanted: String,
        /// Values of the column.
        values: Vec<String>,
    },
    /// Each choice meets rows, but none meets all choices.
    NothingChosen,
    /// Two files have other values for one point.
    Contradiction {
        /// The point's label, if its coordinates tell it from others.
        point: String,
        /// Names of the files.
        files: [String; 2],
    },
    /// One file has other values for one point.
    Twice {
        /// The point's label, if its coordinates tell it from others.
        point: String,
        /// Name of the file.
        file: String,
        /// Numbers of the rows, from 1.
        rows: [usize; 2],
    },
    /// More values than a picture can tell apart.
    TooManyValues {
        /// The column.
        column: String,
        /// The most that are told apart.
        most: usize,
        /// Parts of the picture that stand for a value each.
        parts: &'static str,
        /// A value of the column.
        example: String,
    },
    /// A logarithmic axis where bars are drawn over words.
    BarsOnLogarithm {
        /// The column of words.
        column: String,
    },
    /// A logarithmic axis of values that are not all above zero.
    NotAboveZero {
        /// The column.
        column: String,
        /// Its least value.
        least: f64,
        /// The axis that it stands on.
        axis: Axis,
    },
    /// No row has values in both columns.
    Apart {
        /// The columns.
        columns: [String; 2],
    },
    /// A mark would stand for points that differ in what is not shown.
    Mixed {
        /// The columns that they differ in, with their values. There is at least one.
        columns: Vec<(String, Vec<String>)>,
        /// Whether panels already show a column.
        facet: bool,
        /// Whether colours already show a column.
        colour: bool,
    },
    /// All rows have the same contestant.
    Alone {
        /// The coordinate whose values compete.
        coordinate: String,
        /// The only value.
        value: String,
    },
    /// No two contestants share all other coordinates.
    NoContest {
        /// The coordinate whose values compete.
        coordinate: String,
    },
}

/// Axis of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Across.
    X,
    /// Up.
    Y,
}

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ViewError::NoColumn { name, .. } => write!(f, "no column \"{name}\" in these results"),
            ViewError::SeveralColumns { name, columns } => {
                write!(f, "\"{name}\" may be any of the columns {}", columns.join(", "))
            }
            ViewError::Words { column, .. } => write!(f, "{column} holds words, and numbers are needed"),
            ViewError::Empty { column, .. } => write!(f, "{column} is empty in all of these rows"),
            ViewError::NoCoordinate { column, .. } => {
                write!(f, "{column} is what came out of a run, not what a run is told")
            }
            ViewError::NoSuchValue { column, wanted, .. } => write!(f, "no row has {column}=\"{wanted}\""),
            ViewError::NothingChosen => f.write_str("no row passes all choices"),
            ViewError::Contradiction { point, files: [a, b] } => {
                let point = if point.is_empty() { "a point" } else { point };
                write!(f, "{point} is in \"{a}\" and in \"{b}\", with other values")
            }
            ViewError::Twice { point, file, rows: [a, b] } => {
                let point = if point.is_empty() { "a point" } else { point };
                write!(f, "{point} is there twice with other values, in rows {a} and {b} of \"{file}\"")
            }
            ViewError::TooManyValues { column, most, parts, .. } => {
                write!(f, "{column} has more than {most} values, too many {parts} to tell apart")
            }
            ViewError::BarsOnLogarithm { column } => {
                write!(f, "{column} holds words, over which bars are drawn, and bars begin at 0")
            }
            ViewError::NotAboveZero { column, least, .. } => {
                write!(f, "{column} is {least} in some row, and a logarithmic axis begins above 0")
            }
            ViewError::Apart { columns } => write!(f, "no row has both {}", columns.join(" and ")),
            ViewError::Mixed { columns, .. } => {
                let say = |(name, values): &(String, Vec<String>)| format!("{name} ({})", some_of(values));
                let what: Vec<String> = columns.iter().map(say).collect();
                write!(f, "a mark would mix points that differ in {}", what.join(" and in "))
            }
            ViewError::Alone { coordinate, value } => {
                write!(f, "all rows have {coordinate} {value}: there is nobody to beat")
            }
            ViewError::NoContest { coordinate } => {
                write!(f, "no two values of {coordinate} share all other coordinates, so none can be ranked")
            }
        }
    }
}

impl std::error::Error for ViewError {}
