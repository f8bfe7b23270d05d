//! Arranges rows for a picture: lines over numbers, bars over words, one panel per value of a
//! coordinate.

mod across;
mod mixed;
mod split;

use crate::group::{REPLICAS, differs, number};
use crate::pareto::common;
use crate::values::{ColumnValues, Ranged};
use crate::view::{Axis, FILE, ViewError, column, coordinates, measure};
use across::Across;
use numalab_results::{Chart, ChartAxis, ChartLine, ChartPanel, Column, Frame, Mark};
use split::{Places, Split};
use std::collections::BTreeMap;

/// Columns that the axes, colours and panels of a chart show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrangement<'a> {
    /// Column on the horizontal axis.
    pub x: &'a str,
    /// Column on the vertical axis.
    pub y: &'a str,
    /// Column with one colour per value.
    pub colour: Option<&'a str>,
    /// Column with one panel per value.
    pub facet: Option<&'a str>,
    /// True for a logarithmic axis, as horizontal and vertical axis.
    pub log: (bool, bool),
    /// Title. Default: both axes, then workload and machine if all rows have the same.
    pub title: Option<&'a str>,
}

/// Largest number of colours: lines must stay distinguishable by colour and dash pattern.
const MOST_COLOURS: usize = 28;
/// Largest number of panels; with more, panels would be too small or the picture too long.
const MOST_PANELS: usize = 48;

/// Arranges rows for a picture, with medians of replicas. Fails if a mark would mix rows that are not replicas of one
/// point.
pub fn chart(frame: &Frame, wanted: &Arrangement<'_>) -> Result<Chart, ViewError> {
    let (x, y) = (column(frame, wanted.x)?, measure(frame, wanted.y)?);
    let colour = wanted.colour.map(|name| column(frame, name)).transpose()?;
    let facet = wanted.facet.map(|name| column(frame, name)).transpose()?;
    let across = Across::of(frame, x);
    if across.words.is_some() && wanted.log != (false, false) {
        return Err(ViewError::BarsOnLogarithm { column: frame.columns[x].name.clone() });
    }
    let colours = Split::of(frame, colour, MOST_COLOURS, "colours")?;
    let facets = Split::of(frame, facet, MOST_PANELS, "panels")?;
    let mut marks: BTreeMap<(usize, usize, usize), Vec<usize>> = BTreeMap::new();
    let (mut places, mut drawn) = (Places::default(), Vec::new());
    for row in 0..frame.rows.len() {
        let (Some(at), Some(_)) = (across.at[row], number(frame, row, y)) else { continue };
        marks.entry((facets.of[row], colours.of[row], places.number(at))).or_default().push(row);
        drawn.push(row);
    }
    if drawn.is_empty() {
        return Err(ViewError::Apart { columns: [x, y].map(|at| frame.columns[at].name.clone()) });
    }
    let shown: Vec<usize> = [Some(x), colour, facet].into_iter().flatten().collect();
    mixed::refuse(frame, &shown, marks.values(), (colour.is_some(), facet.is_some()))?;
    let values = ColumnValues::of(frame, y);
    let mark = |place: usize, rows: &[usize]| {
        let Ranged { median, low, high, runs, .. } = values.over(frame, rows)?;
        Some(Mark { x: places.0[place], median, low, high, of: runs })
    };
    let line = |facet: usize, colour: usize| {
        let of = marks.range((facet, colour, 0)..=(facet, colour, usize::MAX));
        let mut marks: Vec<Mark> = of.filter_map(|((_, _, place), rows)| mark(*place, rows)).collect();
        marks.sort_by(|a, b| a.x.total_cmp(&b.x));
        (!marks.is_empty()).then_some(ChartLine { colour, marks })
    };
    let panels: Vec<ChartPanel> = facets
        .names
        .iter()
        .enumerate()
        .map(|(at, name)| ChartPanel {
            name: name.clone(),
            lines: (0..colours.names.len()).filter_map(|colour| line(at, colour)).collect(),
        })
        .filter(|panel: &ChartPanel| !panel.lines.is_empty())
        .collect();
    let axis = |at: usize, unit: Option<String>, log| ChartAxis {
        column: frame.columns[at].name.clone(),
        unit,
        log,
    };
    let name = |at: Option<usize>| at.map(|at| frame.columns[at].name.clone());
    let hidden: Vec<&str> =
        REPLICAS.into_iter().chain(shown.iter().map(|at| &*frame.columns[*at].name)).collect();
    let along = coordinates(frame, &hidden).filter(|at| differs(frame, *at));
    let mut chart = Chart {
        title: String::new(),
        x: axis(x, across.unit, wanted.log.0),
        y: axis(y, None, wanted.log.1),
        words: across.words,
        colour: name(colour),
        colours: colours.names,
        facet: name(facet),
        panels,
        common: common(frame, &hidden),
        along: along.map(|at| frame.columns[at].name.clone()).collect(),
        without_value: (frame.rows.len() - drawn.len()) as u64,
        rows: table(frame, &drawn, &[x, y]),
    };
    positive(&chart)?;
    chart.title = wanted.title.map_or_else(|| title(&chart), str::to_owned);
    Ok(chart)
}

/// Fails if a logarithmic axis has a value that is not above zero.
fn positive(chart: &Chart) -> Result<(), ViewError> {
    let marks = || chart.panels.iter().flat_map(|panel| &panel.lines).flat_map(|line| &line.marks);
    let least = |value: fn(&Mark) -> f64| marks().map(value).fold(f64::INFINITY, f64::min);
    for (shown, axis, least) in
        [(&chart.x, Axis::X, least(|mark| mark.x)), (&chart.y, Axis::Y, least(|mark| mark.low))]
    {
        if shown.log && least <= 0.0 {
            return Err(ViewError::NotAboveZero { column: shown.column.clone(), least, axis });
        }
    }
    Ok(())
}

/// The rows `drawn` as a frame. Its columns are the coordinates with a value in one of these rows, the column of
/// files if rows come from several files, and the columns `always`.
fn table(frame: &Frame, drawn: &[usize], always: &[usize]) -> Frame {
    let has_text = |at: &usize| drawn.iter().any(|row| !frame.rows[*row][*at].text().is_empty());
    let mut columns: Vec<usize> = coordinates(frame, &[]).filter(has_text).collect();
    columns.extend(frame.position(FILE).filter(|at| differs(frame, *at)));
    for at in always {
        if !columns.contains(at) {
            columns.push(*at);
        }
    }
    let row = |row: &usize| columns.iter().map(|at| frame.rows[*row][*at].clone()).collect();
    Frame {
        columns: columns.iter().map(|at| frame.columns[*at].clone()).collect(),
        rows: drawn.iter().map(row).collect(),
    }
}

/// Default title, such as `makespan over threads: loadbal on bcs16`.
fn title(chart: &Chart) -> String {
    let common = |name: &str| chart.common.iter().find(|(column, _)| column == name).map(|entry| &*entry.1);
    let what = format!("{} over {}", Column::short(&chart.y.column), Column::short(&chart.x.column));
    match (common("workload"), common("machine")) {
        (Some(workload), Some(machine)) => format!("{what}: {workload} on {machine}"),
        (Some(name), None) | (None, Some(name)) => format!("{what}: {name}"),
        (None, None) => what,
    }
}

#[cfg(test)]
mod tests;
