//! Rows of results arranged for a picture: columns of the axes, lines and panels.

use crate::Frame;

/// A picture of one column over another.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Text above the picture.
    pub title: String,
    /// Column on the horizontal axis.
    pub x: ChartAxis,
    /// Column on the vertical axis.
    pub y: ChartAxis,
    /// Names of the values on the horizontal axis if these are words, such as policies: `x` = 0 is the first name.
    /// `None` for numbers.
    pub words: Option<Vec<String>>,
    /// The coordinate shown by colours; `None` for one colour.
    pub colour: Option<String>,
    /// Values of the coordinate shown by colours. Lines refer to these by index.
    pub colours: Vec<String>,
    /// The coordinate with a panel for each value; `None` for one panel.
    pub facet: Option<String>,
    /// The panels, in the order of the values.
    pub panels: Vec<ChartPanel>,
    /// Coordinates with one value in all rows, each with that value.
    pub common: Vec<(String, String)>,
    /// Names of coordinates that are not drawn because they change together with a drawn one.
    pub along: Vec<String>,
    /// Number of rows without a value on one of the axes.
    pub without_value: u64,
    /// Rows behind the marks, for the table that accompanies the picture.
    pub rows: Frame,
}

/// A column shown on an axis.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChartAxis {
    /// Name of the column, with its unit.
    pub column: String,
    /// Unit of the texts, if numbers were parsed from texts such as `12 GB/s`.
    pub unit: Option<String>,
    /// True for a logarithmic axis.
    pub log: bool,
}

/// One panel: the lines or bars for one value of the facet.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartPanel {
    /// Value of the panel's coordinate; empty for a single panel.
    pub name: String,
    /// Lines, or groups of bars of one colour, in the order of [`Chart::colours`].
    pub lines: Vec<ChartLine>,
}

/// Marks of one colour: a line, or one bar for each word on the horizontal axis.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartLine {
    /// Index into [`Chart::colours`].
    pub colour: usize,
    /// Ascending in x, one for each x.
    pub marks: Vec<Mark>,
}

/// Replicas at one x, as median and range.
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
    /// Number of replicas behind this mark.
    pub of: u64,
}
