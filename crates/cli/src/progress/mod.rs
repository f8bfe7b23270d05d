//! How far a long command is, on standard error.

mod bar;
mod points;

pub use bar::Bar;
pub use points::Points;
