//! Page with a title, and frames with axes.

use super::{HEIGHT, MARGIN, Scale, WIDTH};
use crate::chart::colour::GREYS;
use crate::chart::shapes::{FONT, Tone, centred, ending, label, line, number, rect, text_width};
use svg::Document;
use svg::node::element::Group;

/// Creates a white page with title and subtitle.
pub(crate) fn page(title: &str, subtitle: &str, height: f64) -> Document {
    paper(height).add(label(MARGIN, 42.0, 26.0, &fit(title, 26.0, ACROSS), Tone::Strong)).add(label(
        MARGIN,
        66.0,
        14.0,
        &fit(subtitle, 14.0, ACROSS),
        Tone::Soft,
    ))
}

pub(crate) fn paper(height: f64) -> Document {
    let height = number(height);
    Document::new()
        .set("viewBox", format!("0 0 {WIDTH} {height}"))
        .set("width", WIDTH)
        .set("height", height)
        .set("font-family", FONT)
        .add(rect(0.0, 0.0, WIDTH, height, "#ffffff"))
}

/// Width of the page without margins.
const ACROSS: f64 = WIDTH - 2.0 * MARGIN;

/// The text, cut with an ellipsis if the text is wider than `width` pixels.
pub(crate) fn fit(text: &str, size: f64, width: f64) -> String {
    let most = (width / text_width("m", size)) as usize;
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

pub(crate) struct Plot<'a> {
    pub x: &'a Scale,
    pub y: &'a Scale,
    /// Names of the horizontal axis and of the vertical axis.
    pub names: (&'a str, &'a str),
    /// Left, top, right and bottom of the frame, in pixels of the page.
    pub frame: [f64; 4],
}

const LEFT: f64 = 84.0;
const TOP: f64 = 118.0;
const BOTTOM: f64 = HEIGHT - 84.0;
/// Font size of tick labels.
const TICK: f64 = 13.0;

impl<'a> Plot<'a> {
    /// Creates the only plot of a page; `room` is the width right of the plot's frame that is reserved for the names
    /// of curves.
    pub fn of_page(x: &'a Scale, y: &'a Scale, names: (&'a str, &'a str), room: f64) -> Plot<'a> {
        Plot { x, y, names, frame: [LEFT, TOP, WIDTH - MARGIN - room, BOTTOM] }
    }

    /// Position on the page, in pixels, of a point given in values of the axes.
    pub fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let [left, top, right, bottom] = self.frame;
        (left + self.x.at(x) * (right - left), bottom - self.y.at(y) * (bottom - top))
    }

    /// Left, top, right and bottom of the frame, in pixels of the page.
    pub fn frame(&self) -> [f64; 4] {
        self.frame
    }

    /// Draws grid lines, ticks, labels and names of the axes.
    pub fn axes(&self) -> Group {
        self.named(self.beside(self.below(self.grid())))
    }

    /// Draws grid lines and the line of the horizontal axis.
    pub fn grid(&self) -> Group {
        let [left, _, right, bottom] = self.frame;
        let heights = self.y.ticks.iter().map(|tick| self.place((0.0, tick.0)).1);
        let group =
            heights.fold(Group::new(), |group, y| group.add(line((left, y), (right, y), GREYS.grid, 1.0)));
        group.add(line((left, bottom), (right, bottom), GREYS.axis, 1.0))
    }

    /// Draws the ticks of the horizontal axis.
    pub fn ticks(&self, group: Group) -> Group {
        let bottom = self.frame[3];
        let places = self.x.ticks.iter().map(|tick| self.place((tick.0, 0.0)).0);
        places.fold(group, |group, x| group.add(line((x, bottom), (x, bottom + 5.0), GREYS.axis, 1.0)))
    }

    /// Draws the ticks of the horizontal axis, with labels where they do not overlap.
    pub fn below(&self, group: Group) -> Group {
        let mut group = self.ticks(group);
        let bottom = self.frame[3];
        let mut free = f64::NEG_INFINITY;
        for (value, text) in &self.x.ticks {
            let x = self.place((*value, 0.0)).0;
            let half = text_width(text, TICK) / 2.0;
            // A label that would exceed the page moves to the left. A label without room is omitted, but the tick is
            // drawn.
            let x = x.min(WIDTH - half - 4.0);
            if x - half > free {
                free = x + half + 8.0;
                group = group.add(centred(x, bottom + 22.0, TICK, text, Tone::Soft));
            }
        }
        group
    }

    /// Draws the labels of the vertical axis.
    pub fn beside(&self, mut group: Group) -> Group {
        for (value, text) in &self.y.ticks {
            let y = self.place((0.0, *value)).1;
            group = group.add(ending(self.frame[0] - 9.0, y + 4.5, TICK, text, Tone::Soft));
        }
        group
    }

    /// Draws the names of the axes.
    pub fn named(&self, group: Group) -> Group {
        let [left, top, right, bottom] = self.frame;
        group.add(label(left - 56.0, top - 18.0, 14.0, self.names.1, Tone::Plain)).add(centred(
            (left + right) / 2.0,
            bottom + 50.0,
            14.0,
            self.names.0,
            Tone::Plain,
        ))
    }
}
