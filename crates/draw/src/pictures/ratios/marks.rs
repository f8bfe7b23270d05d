//! Points of the picture, and its legend.

use super::SIZE;
use super::across::BAND;
use crate::chart::MARGIN;
use crate::chart::colour::{GREYS, hue};
use crate::chart::shapes::{Tone, label, number, rect};
use svg::node::element::{Circle, Group, Path};

const RADIUS: f64 = 5.0;

/// Point of a measurement: a disc for an error within its limit, a diamond for a larger one, so that they differ
/// without colour.
pub(super) fn point(passed: bool, (x, y): (f64, f64)) -> Group {
    let styled = Group::new().set("fill", ink(passed)).set("stroke", "#ffffff").set("stroke-width", 1.2);
    if passed {
        return styled.add(Circle::new().set("cx", number(x)).set("cy", number(y)).set("r", RADIUS));
    }
    let r = RADIUS + 1.5;
    let [left, right, up, down] = [x - r, x + r, y - r, y + r].map(number);
    let (x, y) = (number(x), number(y));
    styled.add(Path::new().set("d", format!("M{left} {y}L{x} {up}L{right} {y}L{x} {down}Z")))
}

/// Colour of a point and its text: blue within limits, vermillion beyond. Both are dark enough for text.
pub(super) fn ink(passed: bool) -> String {
    if passed { hue(0, 0, 1) } else { hue(6, 1, 8) }
}

pub(super) fn legend(y: f64) -> Group {
    let text = |x: f64, text: &str| label(x, y, SIZE, text, Tone::Plain);
    let x = MARGIN + 220.0;
    Group::new()
        .add(point(true, (MARGIN + 8.0, y - 4.5)))
        .add(text(MARGIN + 20.0, "within limits"))
        .add(point(false, (MARGIN + 128.0, y - 4.5)))
        .add(text(MARGIN + 140.0, "beyond"))
        .add(rect(x, y - 7.5, 30.0, 6.0, GREYS.compute))
        .add(text(x + 38.0, "measured spread, 10th to 90th percentile"))
        .add(rect(x + 320.0, y - 12.0, 30.0, 15.0, BAND))
        .add(text(x + 358.0, "10% either way"))
        .add(text(x + 490.0, "* disturbed"))
}
