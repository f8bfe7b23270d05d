//! Legends that flow over lines across the page.

use super::lines::{PATTERNS, line_colour};
use super::page::fit;
use crate::chart::shapes::{Tone, flow, label, line, rect, text_width};
use svg::node::element::Group;

/// Sample of a line or a bar, shown before the name of an entry.
pub(crate) enum Swatch {
    /// A line with the colour and dash pattern of this index.
    Line(usize),
    /// A filled rectangle of this colour.
    Field(String),
}

pub(crate) struct Entry {
    pub name: String,
    pub swatch: Swatch,
}

const SIZE: f64 = 13.0;
const SWATCH: f64 = 24.0;
const ROW: f64 = 22.0;
const GAP: f64 = 24.0;

/// Draws a legend below and right of a corner; returns the legend and its height in pixels.
pub(crate) fn legend(entries: &[Entry], (left, top): (f64, f64), width: f64) -> (Group, f64) {
    let names: Vec<String> =
        entries.iter().map(|entry| fit(&entry.name, SIZE, width - SWATCH - 8.0)).collect();
    let widths = names.iter().map(|name| SWATCH + 8.0 + text_width(name, SIZE));
    let places = flow(widths, width, GAP, ROW);
    let mut group = Group::new();
    for ((entry, name), (x, y)) in entries.iter().zip(&names).zip(&places) {
        let (at, middle) = (left + x, top + y + ROW / 2.0);
        group = match &entry.swatch {
            Swatch::Line(number) => group.add(
                line((at, middle), (at + SWATCH, middle), &line_colour(*number), 3.0)
                    .set("stroke-dasharray", PATTERNS[number / 7 % PATTERNS.len()]),
            ),
            Swatch::Field(colour) => group.add(rect(at, middle - 6.0, SWATCH, 12.0, colour)),
        };
        group = group.add(label(at + SWATCH + 8.0, middle + 4.5, SIZE, name, Tone::Plain));
    }
    (group, places.last().map_or(0.0, |(_, y)| y + ROW))
}
