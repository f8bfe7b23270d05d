//! The page: title, and a frame with its axes.

use super::{HEIGHT, MARGIN, Scale, WIDTH};
use crate::colour::GREYS;
use crate::ink::{FONT, Ink, label, line, rect, text_width};
use svg::Document;
use svg::node::element::Group;

/// A white page with a title and what stands below it.
pub(crate) fn page(title: &str, subtitle: &str, height: f64) -> Document {
    Document::new()
        .set("viewBox", format!("0 0 {WIDTH} {height}"))
        .set("width", WIDTH)
        .set("height", height)
        .set("font-family", FONT)
        .add(rect(0.0, 0.0, WIDTH, height, "#ffffff"))
        .add(label(MARGIN, 42.0, 26.0, &fit(title, 26.0), Ink::Strong))
        .add(label(MARGIN, 66.0, 14.0, &fit(subtitle, 14.0), Ink::Soft))
}

/// The text, or as much of it as fits across the page.
fn fit(text: &str, size: f64) -> String {
    let most = ((WIDTH - 2.0 * MARGIN) / text_width("m", size)) as usize;
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// A frame between two axes.
pub(crate) struct Plot<'a> {
    pub x: &'a Scale,
    pub y: &'a Scale,
    /// What the axes show.
    pub names: (&'a str, &'a str),
    /// Room right of the frame, for the names of curves.
    pub right: f64,
}

const LEFT: f64 = 84.0;
const TOP: f64 = 118.0;
const BOTTOM: f64 = HEIGHT - 84.0;

impl Plot<'_> {
    fn right(&self) -> f64 {
        WIDTH - MARGIN - self.right
    }

    /// Where a point lies on the page.
    pub fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (LEFT + self.x.at(x) * (self.right() - LEFT), BOTTOM - self.y.at(y) * (BOTTOM - TOP))
    }

    /// The frame's left, top, right and bottom.
    pub fn frame(&self) -> [f64; 4] {
        [LEFT, TOP, self.right(), BOTTOM]
    }

    /// Grid lines, ticks and names of the axes.
    pub fn axes(&self) -> Group {
        let [left, top, right, bottom] = self.frame();
        let mut group = Group::new();
        let mut free = f64::NEG_INFINITY;
        for (value, text) in &self.x.ticks {
            let x = self.place((*value, 0.0)).0;
            let half = text_width(text, 13.0) / 2.0;
            group = group.add(line((x, bottom), (x, bottom + 5.0), GREYS.axis, 1.0));
            // A label without room is left out; its tick stays.
            if x - half > free {
                free = x + half + 8.0;
                group =
                    group.add(label(x, bottom + 22.0, 13.0, text, Ink::Soft).set("text-anchor", "middle"));
            }
        }
        for (value, text) in &self.y.ticks {
            let y = self.place((0.0, *value)).1;
            group = group
                .add(line((left, y), (right, y), GREYS.grid, 1.0))
                .add(label(left - 9.0, y + 4.5, 13.0, text, Ink::Soft).set("text-anchor", "end"));
        }
        group
            .add(line((left, bottom), (right, bottom), GREYS.axis, 1.0))
            .add(label(left - 56.0, top - 18.0, 14.0, self.names.1, Ink::Plain))
            .add(
                label((left + right) / 2.0, bottom + 50.0, 14.0, self.names.0, Ink::Plain)
                    .set("text-anchor", "middle"),
            )
    }
}
