//! Basic shapes and texts of the pictures.

use numalab_base::printable;
use svg::node::element::{Circle, Group, Line, Rectangle, Text, Title};

/// Font families of common systems; pictures do not load fonts.
pub(crate) const FONT: &str =
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Tone of titles.
    Strong,
    /// Tone of important texts.
    Plain,
    /// Tone of secondary texts.
    Soft,
}

/// Rounds to two decimals, which is finer than any screen and keeps files small.
pub(crate) fn number(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

pub(crate) fn rect(x: f64, y: f64, width: f64, height: f64, fill: &str) -> Rectangle {
    Rectangle::new()
        .set("x", number(x))
        .set("y", number(y))
        .set("width", number(width))
        .set("height", number(height))
        .set("fill", fill)
}

pub(crate) fn line(from: (f64, f64), to: (f64, f64), stroke: &str, width: f64) -> Line {
    Line::new()
        .set("x1", number(from.0))
        .set("y1", number(from.1))
        .set("x2", number(to.0))
        .set("y2", number(to.1))
        .set("stroke", stroke)
        .set("stroke-width", width)
}

/// Text that starts at `x` on the baseline `y`. Characters that XML forbids are replaced.
pub(crate) fn label(x: f64, y: f64, size: f64, text: &str, ink: Tone) -> Text {
    let (fill, weight) = match ink {
        Tone::Strong => ("#1a1a1a", Some(600)),
        Tone::Plain => ("#1a1a1a", None),
        Tone::Soft => ("#5c5c5c", None),
    };
    let label = Text::new(printable(text))
        .set("x", number(x))
        .set("y", number(y))
        .set("font-size", size)
        .set("fill", fill);
    match weight {
        Some(weight) => label.set("font-weight", weight),
        None => label,
    }
}

pub(crate) fn centred(x: f64, y: f64, size: f64, text: &str, tone: Tone) -> Text {
    label(x, y, size, text, tone).set("text-anchor", "middle")
}

pub(crate) fn ending(x: f64, y: f64, size: f64, text: &str, tone: Tone) -> Text {
    label(x, y, size, text, tone).set("text-anchor", "end")
}

/// Disc, with a white edge of width `edge` that separates overlapping discs.
pub(crate) fn dot((x, y): (f64, f64), radius: f64, fill: &str, edge: f64) -> Circle {
    let disc = Circle::new().set("cx", number(x)).set("cy", number(y)).set("r", radius).set("fill", fill);
    if edge > 0.0 { disc.set("stroke", "#ffffff").set("stroke-width", edge) } else { disc }
}

/// Empty group for shapes, with a tooltip.
pub(crate) fn titled(text: &str) -> Group {
    Group::new().add(Title::new(printable(text)))
}

/// Positions (left, top) of items with these widths that flow over lines of width `width`; all in pixels.
pub(crate) fn flow(widths: impl Iterator<Item = f64>, width: f64, gap: f64, row: f64) -> Vec<(f64, f64)> {
    let (mut x, mut y) = (0.0, 0.0);
    let place = |wide| {
        if x > 0.0 && x + wide > width {
            (x, y) = (0.0, y + row);
        }
        let at = (x, y);
        x += wide + gap;
        at
    };
    widths.map(place).collect()
}

/// Approximate width of a text in pixels; fonts differ by a few per cent.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.56
}
