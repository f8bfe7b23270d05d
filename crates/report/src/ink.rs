//! The few shapes and letters that the pictures are made of.

use svg::node::element::{Line, Rectangle, Text};

/// Fonts that systems have; no picture fetches one.
pub(crate) const FONT: &str =
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/// How much a text is to stand out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// Titles.
    Strong,
    /// What must be read.
    Plain,
    /// What may be read.
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
pub(crate) fn label(x: f64, y: f64, size: f64, text: &str, ink: Ink) -> Text {
    let (fill, weight) = match ink {
        Ink::Strong => ("#1a1a1a", Some(600)),
        Ink::Plain => ("#1a1a1a", None),
        Ink::Soft => ("#5c5c5c", None),
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

/// XML 1.0 has no way to write most control characters, not even escaped.
pub(crate) fn legal(text: &str) -> String {
    let allowed = |c: char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    text.chars().map(|c| if allowed(c) { c } else { '\u{fffd}' }).collect()
}

/// About how wide a text comes out; the fonts differ by a few per cent.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.56
}
