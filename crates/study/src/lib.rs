//! Questions that take more than one run: policies against each other, and simulation against
//! published measurements.

mod compare;
mod progress;
mod published;
mod team;
mod validate;

pub use compare::{Request, StudyError, compare};
pub use progress::Progress;
pub use team::{MOST_PER_PROCESSOR, MOST_THREADS, TeamError, most_threads, placement};
pub use validate::validate;
