//! The few shapes and letters that the pictures are made of.

use svg::node::element::{Circle, Group, Line, Rectangle, Text, Title};

/// Fonts that systems have; no picture fetches one.
pub(crate) const FONT: &str =
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/// Weight of a text in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Titles.
    Strong,
    /// Texts that must be read.
    Plain,
    /// Texts that may be read.
    Soft,
}

/// Two decimals are finer than any screen and keep the file small.
pub(crate) fn number(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// A filled rectangle.
pub(crate) fn rect(x: f64, y: f64, width: f64, height: f64, fill: &str) -> Rectangle {
    Rectangle::new()
        .set("x", number(x))
        .set("y", number(y))
        .set("width", number(width))
        .set("height", number(height))
        .set("fill", fill)
}

/// A straight line.
pub(crate) fn line(from: (f64, f64), to: (f64, f64), stroke: &str, width: f64) -> Line {
    Line::new()
        .set("x1", number(from.0))
        .set("y1", number(from.1))
        .set("x2", number(to.0))
        .set("y2", number(to.1))
        .set("stroke", stroke)
        .set("stroke-width", width)
}

/// A text that starts at `x`, on the baseline `y`. Characters that XML forbids are replaced.
pub(crate) fn label(x: f64, y: f64, size: f64, text: &str, ink: Tone) -> Text {
    let (fill, weight) = match ink {
        Tone::Strong => ("#1a1a1a", Some(600)),
        Tone::Plain => ("#1a1a1a", None),
        Tone::Soft => ("#5c5c5c", None),
    };
    let label = Text::new(legal(text))
        .set("x", number(x))
        .set("y", number(y))
        .set("font-size", size)
        .set("fill", fill);
    match weight {
        Some(weight) => label.set("font-weight", weight),
        None => label,
    }
}

/// A text with its middle at `x`.
pub(crate) fn centred(x: f64, y: f64, size: f64, text: &str, tone: Tone) -> Text {
    label(x, y, size, text, tone).set("text-anchor", "middle")
}

/// A text that ends at `x`.
pub(crate) fn ending(x: f64, y: f64, size: f64, text: &str, tone: Tone) -> Text {
    label(x, y, size, text, tone).set("text-anchor", "end")
}

/// A disc with a white edge, so that those that overlap are told apart.
pub(crate) fn dot((x, y): (f64, f64), radius: f64, fill: &str, edge: f64) -> Circle {
    let disc = Circle::new().set("cx", number(x)).set("cy", number(y)).set("r", radius).set("fill", fill);
    if edge > 0.0 { disc.set("stroke", "#ffffff").set("stroke-width", edge) } else { disc }
}

/// Shapes that say something when they are pointed at.
pub(crate) fn titled(text: &str) -> Group {
    Group::new().add(Title::new(legal(text)))
}

/// Places of things of these widths that flow over lines of this width: left and top of each.
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

/// XML 1.0 has no way to write most control characters, not even escaped.
pub(crate) fn legal(text: &str) -> String {
    let allowed = |c: char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    text.chars().map(|c| if allowed(c) { c } else { '\u{fffd}' }).collect()
}

/// About how wide a text comes out; the fonts differ by a few per cent.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.56
}
