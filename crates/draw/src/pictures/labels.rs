//! Labels beside points, placed so that they cover nothing.

use crate::chart::shapes::text_width;
use crate::chart::{MARGIN, WIDTH, fit};

/// A text and the start of its baseline.
pub(super) struct Label {
    pub at: (f64, f64),
    pub text: String,
}

pub(super) const SIZE: f64 = 12.0;
/// Width of the widest label in pixels; longer texts are cut.
const WIDEST: f64 = 320.0;

/// Labels of the points `places`. A label is placed on one of four sides of its point, clear of all points and other
/// labels; without such a place, the label is omitted.
pub(super) fn labels(
    places: &[(f64, f64)],
    names: &[String],
    points: &[(f64, f64)],
    [left, top, _, bottom]: [f64; 4],
) -> Vec<Label> {
    let mut taken: Vec<[f64; 4]> = Vec::new();
    let mut placed = Vec::new();
    for (&(x, y), name) in places.iter().zip(names).filter(|(_, name)| !name.is_empty()) {
        let text = fit(name, SIZE, WIDEST);
        let wide = text_width(&text, SIZE);
        let corners =
            [(x + 9.0, y - 6.0), (x + 9.0, y + 15.0), (x - 9.0 - wide, y + 15.0), (x - 9.0 - wide, y - 6.0)];
        let free = |(x, y): &(f64, f64)| {
            let [from, above, to, below] = area((*x, *y), wide);
            let inside = from >= left && to <= WIDTH - MARGIN && above >= top - 20.0 && below <= bottom;
            let apart =
                |other: &[f64; 4]| other[0] > to || other[2] < from || other[1] > below || other[3] < above;
            let clear = |(px, py): &(f64, f64)| {
                !((from - 5.0..to + 5.0).contains(px) && (above - 5.0..below + 5.0).contains(py))
            };
            inside && taken.iter().all(apart) && points.iter().all(clear)
        };
        if let Some(at) = corners.into_iter().find(free) {
            taken.push(area(at, wide));
            placed.push(Label { at, text });
        }
    }
    placed
}

/// Left, top, right and bottom of a text that starts at (x, y) and is `wide` pixels wide.
fn area((x, y): (f64, f64), wide: f64) -> [f64; 4] {
    [x, y - SIZE, x + wide, y + 3.0]
}
