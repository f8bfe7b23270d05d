//! Charts with two axes: what curves and rooflines have in common.

mod lines;
mod page;
mod scale;

pub(crate) use lines::{Curve, draw as curves, room};
pub(crate) use page::{Plot, page};
pub(crate) use scale::{Scale, nice_step};

/// The picture's size, a slide's.
pub(crate) const WIDTH: f64 = 1200.0;
pub(crate) const HEIGHT: f64 = 800.0;
pub(crate) const MARGIN: f64 = 28.0;
