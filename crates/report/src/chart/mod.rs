//! Charts with two axes: what curves, rooflines, bars and fronts have in common.

mod bars;
mod facts;
mod legend;
mod lines;
mod names;
mod page;
mod quantity;
mod scale;

pub(crate) use bars::{Bar, bars, field, room_below, words_below};
pub(crate) use facts::fact;
pub(crate) use legend::{Entry, Swatch, legend};
pub(crate) use lines::{Curve, draw as curves, room, unnamed};
pub(crate) use page::{Plot, fit, page};
pub(crate) use quantity::Quantity;
pub(crate) use scale::{Scale, nice_step};

/// The picture's size, a slide's.
pub(crate) const WIDTH: f64 = 1200.0;
pub(crate) const HEIGHT: f64 = 800.0;
pub(crate) const MARGIN: f64 = 28.0;
