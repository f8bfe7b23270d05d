//! Curves with their names beside their ends.

use super::Plot;
use crate::colour::{HUES, hue};
use crate::ink::{Ink, label, legal, number, text_width};
use svg::node::element::{Circle, Group, Path, Title};

/// A curve; where it has no value it is broken.
pub(crate) struct Curve {
    pub name: String,
    pub points: Vec<(f64, Option<f64>)>,
    /// Which colour.
    pub colour: usize,
    /// Which pattern; 0 is an unbroken line.
    pub dash: usize,
    /// Whether every point has a dot.
    pub dots: bool,
}

/// Beyond so many points a dot for each would hide the line.
const MOST_DOTS: usize = 48;
/// Between the names of two curves.
const LEADING: f64 = 20.0;
const SIZE: f64 = 14.0;
const PATTERNS: [&str; 4] = ["none", "8 5", "2 4", "10 4 2 4"];

impl Curve {
    fn colour(&self) -> String {
        // The last hue is too pale for a thin line.
        hue(self.colour % (HUES.len() - 1), 0, 1)
    }

    /// The same, dark enough for letters.
    fn ink(&self) -> String {
        hue(self.colour % (HUES.len() - 1), 1, 8)
    }
}

/// Room that the names need beside the frame. One curve needs no name.
pub(crate) fn room(curves: &[Curve]) -> f64 {
    if curves.len() < 2 {
        return 0.0;
    }
    let widest = curves.iter().map(|curve| text_width(&curve.name, SIZE)).fold(0.0, f64::max);
    widest.min(300.0) + 24.0
}

/// All curves, names last.
pub(crate) fn draw(curves: &[Curve], plot: &Plot<'_>) -> Group {
    let mut group = Group::new();
    for curve in curves {
        group = group.add(drawn(curve, plot));
    }
    let ends: Vec<(usize, (f64, f64))> = curves
        .iter()
        .enumerate()
        .filter_map(|(at, curve)| {
            let last = curve.points.iter().rev().find_map(|(x, y)| Some((*x, (*y)?)))?;
            Some((at, plot.place(last)))
        })
        .collect();
    if curves.len() < 2 {
        return group;
    }
    let [_, top, right, bottom] = plot.frame();
    for ((at, _), y) in ends.iter().zip(apart(&ends, top, bottom)) {
        let curve = &curves[*at];
        group =
            group.add(label(right + 14.0, y + 5.0, SIZE, &curve.name, Ink::Strong).set("fill", curve.ink()));
    }
    group
}

fn drawn(curve: &Curve, plot: &Plot<'_>) -> Group {
    let mut path = String::new();
    let mut broken = true;
    let mut dots = Group::new();
    let dotted = curve.dots && curve.points.len() <= MOST_DOTS;
    for &(x, value) in &curve.points {
        let Some(value) = value.filter(|value| value.is_finite()) else {
            broken = true;
            continue;
        };
        let (px, py) = plot.place((x, value));
        path += &format!("{}{} {}", if broken { "M" } else { "L" }, number(px), number(py));
        broken = false;
        if dotted {
            dots = dots.add(
                Circle::new()
                    .set("cx", number(px))
                    .set("cy", number(py))
                    .set("r", 4)
                    .set("fill", curve.colour())
                    .set("stroke", "#ffffff")
                    .set("stroke-width", 1.2),
            );
        }
    }
    let mut group = Group::new().add(Title::new(legal(&curve.name)));
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

/// Heights for names, as near to the ends of their curves as they can be without touching each other.
fn apart(ends: &[(usize, (f64, f64))], top: f64, bottom: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..ends.len()).collect();
    order.sort_by(|a, b| ends[*a].1.1.total_cmp(&ends[*b].1.1));
    let leading = LEADING.min((bottom - top) / ends.len().max(1) as f64);
    let mut heights: Vec<f64> = order.iter().map(|&at| ends[at].1.1).collect();
    // Neighbours that touch push each other away, half each, until nobody touches.
    for _ in 0..200 {
        for at in 1..heights.len() {
            let lack = leading - (heights[at] - heights[at - 1]);
            if lack > 0.0 {
                heights[at - 1] -= lack / 2.0;
                heights[at] += lack / 2.0;
            }
        }
    }
    let mut placed = vec![0.0; ends.len()];
    for (&at, height) in order.iter().zip(heights) {
        placed[at] = height;
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_apart_and_in_order() {
        let ends = [(0, (0.0, 100.0)), (1, (0.0, 101.0)), (2, (0.0, 300.0)), (3, (0.0, 99.0))];
        let heights = apart(&ends, 0.0, 600.0);
        assert!((heights[2] - 300.0).abs() < 1e-9);
        assert!((heights[0] - heights[3] - LEADING).abs() < 0.1, "{heights:?}");
        assert!((heights[1] - heights[0] - LEADING).abs() < 0.1, "{heights:?}");
    }
}
