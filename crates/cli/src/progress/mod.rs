//! Progress of a long command, on standard error only: a bar on a terminal, a line now and then elsewhere.
//!
//! Programs such as cargo draw bars on terminals alone and ninja prints lines elsewhere. A log gets few lines here: the
//! first after 10 s, each later one when the time has doubled, at the latest after 10 min.

mod bar;
mod points;
mod task;
mod working;

pub use bar::Bar;
pub use points::Points;
pub use task::Task;
pub use working::{Shown, Working, pause, pause_for_the_answer, reached};
