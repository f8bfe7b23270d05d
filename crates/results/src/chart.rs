//! Rows of results arranged for a picture: what is along which axis, what is a line, what a panel.

use crate::Frame;

/// A picture of one column over another.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Text above it.
    pub title: String,
    /// The horizontal axis.
    pub x: ChartAxis,
    /// The vertical axis.
    pub y: ChartAxis,
    /// Names of the values on the horizontal axis, where they are words: a mark at 0 belongs to the first.
    pub words: Option<Vec<String>>,
    /// The coordinate that the colours tell apart.
    pub colour: Option<String>,
    /// Its values; a line's number is among these.
    pub colours: Vec<String>,
    /// The coordinate that has a panel for each of its values.
    pub facet: Option<String>,
    /// One, or one for each of these values.
    pub panels: Vec<ChartPanel>,
    /// Coordinates that all rows have in common, with their value.
    pub common: Vec<(String, String)>,
    /// Coordinates that change from mark to mark along with those that are shown.
    pub along: Vec<String>,
    /// Rows without a value on one of the axes.
    pub without_value: u64,
    /// The rows that were drawn.
    pub rows: Frame,
}

/// Column that an axis shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChartAxis {
    /// The column's name.
    pub column: String,
    /// The unit that its texts have, where numbers were read off texts such as `12 GB/s`.
    pub unit: Option<String>,
    /// Whether equal factors are equal lengths.
    pub log: bool,
}

/// One of the panels.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartPanel {
    /// The value that its rows have in common, empty where there is one panel.
    pub name: String,
    /// Its lines, or groups of bars, in the order of [`Chart::colours`].
    pub lines: Vec<ChartLine>,
}

/// Marks that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartLine {
    /// Index into [`Chart::colours`].
    pub colour: usize,
    /// Ascending in x, one for each x.
    pub marks: Vec<Mark>,
}

/// One x with what was seen there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// Position of the mark.
    pub x: f64,
    /// Median of its replicas.
    pub median: f64,
    /// The least of them.
    pub low: f64,
    /// The most.
    pub high: f64,
    /// Number of replicas.
    pub of: u64,
}
