//! Progress of a long command, on standard error only: a bar on a terminal, a line now and then elsewhere.
//!
//! A log gets few lines: the first after 10 s, each later one when the time has doubled, at the latest after 10 min.

mod bar;
mod kind;
mod points;
mod working;

pub use bar::Bar;
pub use kind::ProgressKind;
pub use points::Points;
pub use working::{ShownProgress, Working, pause, pause_for_a_bug, pause_for_the_answer, reached};
