//! Rows of results arranged for a picture: columns of the axes, lines and panels.

use crate::Frame;

/// A picture of one column over another.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Text above the picture.
    pub title: String,
    /// The horizontal axis.
    pub x: ChartAxis,
    /// The vertical axis.
    pub y: ChartAxis,
    /// Names of the values on the horizontal axis, if they are words; position 0 is the first.
    pub words: Option<Vec<String>>,
    /// The coordinate shown by colours; `None` for one colour.
    pub colour: Option<String>,
    /// Values of the coordinate shown by colours. Lines refer to these by index.
    pub colours: Vec<String>,
    /// The coordinate with a panel for each value; `None` for one panel.
    pub facet: Option<String>,
    /// The panels, in the order of the values.
    pub panels: Vec<ChartPanel>,
    /// Coordinates with the same value in all rows, with that value.
    pub common: Vec<(String, String)>,
    /// Coordinates that vary together with the shown ones.
    pub along: Vec<String>,
    /// Number of rows without a value on one of the axes.
    pub without_value: u64,
    /// The rows that are drawn.
    pub rows: Frame,
}

/// A column shown on an axis.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChartAxis {
    /// Name of the column.
    pub column: String,
    /// Unit of the texts, if numbers were parsed from texts such as `12 GB/s`.
    pub unit: Option<String>,
    /// True for a logarithmic axis.
    pub log: bool,
}

/// One panel of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartPanel {
    /// Value of the panel's coordinate; empty for a single panel.
    pub name: String,
    /// Lines, or groups of bars, in the order of [`Chart::colours`].
    pub lines: Vec<ChartLine>,
}

/// Marks connected by a line.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartLine {
    /// Index into [`Chart::colours`].
    pub colour: usize,
    /// Ascending in x, one for each x.
    pub marks: Vec<Mark>,
}

/// Values at one x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// Position on the horizontal axis.
    pub x: f64,
    /// Median of the replicas.
    pub median: f64,
    /// Smallest value of the replicas.
    pub low: f64,
    /// Largest value of the replicas.
    pub high: f64,
    /// Number of replicas.
    pub of: u64,
}
