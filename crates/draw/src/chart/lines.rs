//! Curves with their names at their ends.

use super::names::apart;
use super::{Plot, fit};
use crate::chart::colour::{HUES, hue};
use crate::chart::shapes::{Tone, dot, label, number, text_width, titled};
use numalab_base::printable;
use svg::node::element::{Group, Path, Title};

/// A curve, interrupted where a value is missing.
#[derive(Default)]
pub(crate) struct Curve {
    pub name: String,
    pub points: Vec<(f64, Option<f64>)>,
    /// Index of the curve's colour.
    pub colour: usize,
    /// Index of the curve's dash pattern; 0 is solid.
    pub dash: usize,
    /// True if each point has a dot.
    pub dots: bool,
    /// Band around the curve as (x, low, high), by ascending x; empty for no band.
    pub band: Vec<(f64, f64, f64)>,
    /// Tooltip of each point; empty if the points have none.
    pub titles: Vec<String>,
}

/// Largest number of points with dots; with more, dots would hide the line.
const MOST_DOTS: usize = 48;
/// Smallest vertical distance between the names of two curves, in pixels.
const LEADING: f64 = 20.0;
const SIZE: f64 = 14.0;
/// Width of the widest name beside the frame, in pixels; longer names are cut.
const WIDEST: f64 = 300.0;
pub(super) const PATTERNS: [&str; 4] = ["none", "8 5", "2 4", "10 4 2 4"];

impl Curve {
    fn colour(&self) -> String {
        line_colour(self.colour)
    }

    /// Colour of the curve's name: the curve's hue, dark enough for text.
    fn ink(&self) -> String {
        hue(self.colour % (HUES.len() - 1), 1, 8)
    }
}

/// Colour of the line with index `at`. The last hue is too pale for a thin line and is skipped.
pub(super) fn line_colour(at: usize) -> String {
    hue(at % (HUES.len() - 1), 0, 1)
}

/// Width in pixels that the names need beside the frame; 0 for a single curve, which is not named.
pub(crate) fn room(curves: &[Curve]) -> f64 {
    if curves.len() < 2 {
        return 0.0;
    }
    let widest = curves.iter().map(|curve| text_width(&curve.name, SIZE)).fold(0.0, f64::max);
    widest.min(WIDEST) + 24.0
}

/// Draws all curves and their names.
pub(crate) fn draw(curves: &[Curve], plot: &Plot<'_>) -> Group {
    let mut group = unnamed(curves, plot);
    if curves.len() < 2 {
        return group;
    }
    let last = |curve: &Curve| curve.points.iter().rev().find_map(|(x, y)| Some((*x, (*y)?)));
    let ends: Vec<(&Curve, f64)> =
        curves.iter().filter_map(|curve| Some((curve, plot.place(last(curve)?).1))).collect();
    let wanted: Vec<f64> = ends.iter().map(|(_, y)| *y).collect();
    let [_, top, right, bottom] = plot.frame();
    for ((curve, _), y) in ends.iter().zip(apart(&wanted, LEADING, (top, bottom))) {
        let name = fit(&curve.name, SIZE, WIDEST);
        group = group.add(label(right + 14.0, y + 5.0, SIZE, &name, Tone::Strong).set("fill", curve.ink()));
    }
    group
}

/// Draws all curves without names, for pictures with a legend.
pub(crate) fn unnamed(curves: &[Curve], plot: &Plot<'_>) -> Group {
    let bands = curves.iter().filter(|curve| !curve.band.is_empty()).map(|curve| band(curve, plot));
    let group = bands.fold(Group::new(), Group::add);
    curves.iter().map(|curve| drawn(curve, plot)).fold(group, Group::add)
}

/// Closed path along the upper edge of a curve's band and back along the lower edge.
fn band(curve: &Curve, plot: &Plot<'_>) -> Path {
    let there = curve.band.iter().map(|&(x, _, high)| (x, high));
    let back = curve.band.iter().rev().map(|&(x, low, _)| (x, low));
    let mut path = String::new();
    for point in there.chain(back) {
        let (x, y) = plot.place(point);
        path += &format!("{}{} {}", if path.is_empty() { "M" } else { "L" }, number(x), number(y));
    }
    // A band with a single point has no area; the stroke makes it visible.
    Path::new()
        .set("d", path + "Z")
        .set("fill", curve.colour())
        .set("fill-opacity", 0.18)
        .set("stroke", curve.colour())
        .set("stroke-opacity", 0.3)
}

fn drawn(curve: &Curve, plot: &Plot<'_>) -> Group {
    let mut path = String::new();
    let mut broken = true;
    let mut dots = Group::new();
    let dotted = curve.dots && curve.points.len() <= MOST_DOTS;
    for (at, &(x, value)) in curve.points.iter().enumerate() {
        let Some(value) = value.filter(|value| value.is_finite()) else {
            broken = true;
            continue;
        };
        let (px, py) = plot.place((x, value));
        path += &format!("{}{} {}", if broken { "M" } else { "L" }, number(px), number(py));
        broken = false;
        let title = curve.titles.get(at);
        if dotted || title.is_some() {
            let dot = match dotted {
                true => dot((px, py), 4.0, &curve.colour(), 1.2),
                // An invisible dot shows the tooltip.
                false => dot((px, py), 4.0, &curve.colour(), 0.0).set("fill-opacity", 0),
            };
            dots = dots.add(match title {
                Some(title) => dot.add(Title::new(printable(title))),
                None => dot,
            });
        }
    }
    let mut group = titled(&curve.name);
    if !path.is_empty() {
        group = group.add(
            Path::new()
                .set("d", path)
                .set("fill", "none")
                .set("stroke", curve.colour())
                .set("stroke-width", 2.5)
                .set("stroke-linejoin", "round")
                .set("stroke-dasharray", PATTERNS[curve.dash % PATTERNS.len()]),
        );
    }
    group.add(dots)
}
