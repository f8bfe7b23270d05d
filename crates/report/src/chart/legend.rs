//! What the colours mean, in lines across the page.

use super::lines::{PATTERNS, line_colour};
use super::page::fit;
use crate::ink::{Ink, label, line, rect, text_width};
use svg::node::element::Group;

/// What stands before a name.
pub(crate) enum Swatch {
    /// A line of this number's colour and pattern.
    Line(usize),
    /// A field of this colour.
    Field(String),
}

/// A name and its swatch.
pub(crate) struct Entry {
    pub name: String,
    pub swatch: Swatch,
}

const SIZE: f64 = 13.0;
const SWATCH: f64 = 24.0;
const ROW: f64 = 22.0;
const GAP: f64 = 24.0;

/// The entries from a corner on, and how high they are together.
pub(crate) fn legend(entries: &[Entry], (left, top): (f64, f64), width: f64) -> (Group, f64) {
    let mut group = Group::new();
    let (mut x, mut y) = (0.0, 0.0);
    for entry in entries {
        let name = fit(&entry.name, SIZE, width - SWATCH - 8.0);
        let wide = SWATCH + 8.0 + text_width(&name, SIZE);
        if x > 0.0 && x + wide > width {
            (x, y) = (0.0, y + ROW);
        }
        let (at, middle) = (left + x, top + y + ROW / 2.0);
        group = match &entry.swatch {
            Swatch::Line(number) => group.add(
                line((at, middle), (at + SWATCH, middle), &line_colour(*number), 3.0)
                    .set("stroke-dasharray", PATTERNS[number / 7 % PATTERNS.len()]),
            ),
            Swatch::Field(colour) => group.add(rect(at, middle - 6.0, SWATCH, 12.0, colour)),
        };
        group = group.add(label(at + SWATCH + 8.0, middle + 4.5, SIZE, &name, Ink::Plain));
        x += wide + GAP;
    }
    (group, if entries.is_empty() { 0.0 } else { y + ROW })
}
