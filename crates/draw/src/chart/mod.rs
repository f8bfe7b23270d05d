//! Parts of pictures: pages, axes, scales, marks, legends, colours, shapes.

mod bars;
pub(crate) mod colour;
mod legend;
mod lines;
mod names;
mod page;
mod scale;
pub(crate) mod shapes;

pub(crate) use bars::{Bar, bars, field, room_below, words_below};
pub(crate) use legend::{Entry, Swatch, legend};
pub(crate) use lines::{Curve, draw as curves, room, unnamed};
pub(crate) use page::{Plot, fit, page, paper};
pub(crate) use scale::Scale;

/// Width and height of a page in pixels, with the ratio of a slide.
pub(crate) const WIDTH: f64 = 1200.0;
pub(crate) const HEIGHT: f64 = 800.0;
pub(crate) const MARGIN: f64 = 28.0;
