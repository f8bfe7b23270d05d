//! Progress of a long command, on standard error.

mod bar;
mod points;

pub use bar::Bar;
pub use points::Points;
