//! Questions that take more than one run: policies against each other, and simulation against
//! published measurements.

mod compare;
mod progress;
mod published;
mod validate;

pub use compare::{Request, StudyError, compare};
pub use progress::Progress;
pub use validate::validate;
