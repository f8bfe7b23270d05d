//! Errors of `plot`, `rank` and `pareto`.

use super::some_of;
use std::fmt;

/// Reason why results cannot be shown. The command line adds advice.
#[derive(Clone, Debug, PartialEq)]
pub enum ViewError {
    NoColumn {
        /// Name of the column, as typed.
        name: String,
        /// Column names similar to the requested name.
        close: Vec<String>,
        /// Names of all columns.
        all: Vec<String>,
    },
    /// A short name matches several columns.
    SeveralColumns { name: String, columns: Vec<String> },
    /// The column must have numbers, but has words.
    Words {
        column: String,
        /// Names of the columns that have numbers, as suggestions.
        numbers: Vec<String>,
    },
    /// The column must have numbers, but no row has a value in it.
    Empty {
        column: String,
        /// Names of the columns that have numbers, as suggestions.
        numbers: Vec<String>,
    },
    /// The column must be a coordinate, but is a result.
    NoCoordinate { column: String, coordinates: Vec<String> },
    /// No row has the selected value.
    NoSuchValue {
        column: String,
        /// Value or pattern of the filter, as typed.
        wanted: String,
        values: Vec<String>,
    },
    /// Each filter matches rows, but no row matches all filters.
    NothingChosen,
    /// Two files have different results of one point.
    Contradiction {
        /// Label of the point; empty if there is only one point.
        point: String,
        files: [String; 2],
    },
    /// One file has different results of one point.
    Twice {
        /// Label of the point; empty if there is only one point.
        point: String,
        file: String,
        /// Row numbers, from 1.
        rows: [usize; 2],
    },
    /// The column has more values than a picture can distinguish.
    TooManyValues {
        column: String,
        /// Largest number of values that can be distinguished.
        most: usize,
        /// Part of the picture with one value each: colours or panels.
        parts: &'static str,
        /// A value of the column, for advice on filters.
        example: String,
    },
    /// Bars over words cannot have a logarithmic axis.
    BarsOnLogarithm { column: String },
    /// A logarithmic axis is requested for values that are not above zero.
    NotAboveZero { column: String, least: f64, axis: Axis },
    /// No row has values in both of two columns.
    Apart { columns: [String; 2] },
    /// A mark would mix points that differ in hidden columns.
    Mixed {
        /// Columns that the picture does not show and in which points of the mark differ, with their values; not
        /// empty.
        columns: Vec<(String, Vec<String>)>,
        /// True if the panels already show a column.
        facet: bool,
        /// True if the colours already show a column.
        colour: bool,
    },
    /// The ranked coordinate has one value in all rows, so there is nothing to rank.
    Alone {
        /// Coordinate whose values are ranked.
        coordinate: String,
        /// The only value of the coordinate.
        value: String,
    },
    /// No two values of the ranked coordinate have points that agree in all other coordinates.
    NoContest {
        /// Coordinate whose values are ranked.
        coordinate: String,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    X,
    Y,
}

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ViewError::NoColumn { name, .. } => write!(f, "the results have no column \"{name}\""),
            ViewError::SeveralColumns { name, columns } => {
                write!(f, "\"{name}\" matches several columns: {}", columns.join(", "))
            }
            ViewError::Words { column, .. } => write!(f, "{column} has words, but numbers are needed"),
            ViewError::Empty { column, .. } => write!(f, "{column} is empty in all rows"),
            ViewError::NoCoordinate { column, .. } => {
                write!(f, "{column} is a result of runs, not a coordinate")
            }
            ViewError::NoSuchValue { column, wanted, .. } => write!(f, "no row has {column}=\"{wanted}\""),
            ViewError::NothingChosen => f.write_str("no row passes all filters"),
            ViewError::Contradiction { point, files: [a, b] } => {
                let point = if point.is_empty() { "a point" } else { point };
                write!(f, "{point} has different results in \"{a}\" and \"{b}\"")
            }
            ViewError::Twice { point, file, rows: [a, b] } => {
                let point = if point.is_empty() { "a point" } else { point };
                write!(f, "{point} has two different results, in rows {a} and {b} of \"{file}\"")
            }
            ViewError::TooManyValues { column, most, parts, .. } => {
                write!(f, "{column} has more than {most} values, too many for {parts}")
            }
            ViewError::BarsOnLogarithm { column } => {
                write!(f, "a logarithmic axis cannot show bars, which are drawn over the words of {column}")
            }
            ViewError::NotAboveZero { column, least, .. } => {
                write!(f, "{column} is {least} in some row; a logarithmic axis needs values above 0")
            }
            ViewError::Apart { columns } => write!(f, "no row has both {}", columns.join(" and ")),
            ViewError::Mixed { columns, .. } => {
                let say = |(name, values): &(String, Vec<String>)| format!("{name} ({})", some_of(values));
                let what: Vec<String> = columns.iter().map(say).collect();
                write!(f, "a mark would mix points that differ in {}", what.join(" and in "))
            }
            ViewError::Alone { coordinate, value } => {
                write!(f, "cannot rank: only one {coordinate} ({value})")
            }
            ViewError::NoContest { coordinate } => {
                write!(f, "cannot rank: no two values of {coordinate} share all other coordinates")
            }
        }
    }
}

impl std::error::Error for ViewError {}
