//! Questions that take more than one run: policies against each other, and simulation against
//! published measurements.

mod answer;
mod compare;
mod distances;
mod findings;
mod measured;
mod model;
mod probe;
mod progress;
mod published;
mod question;
mod record;
mod series;
mod team;
mod validate;

pub use answer::{Had, answer, answer_loaded};
pub use compare::{Request, StudyError, compare};
pub use distances::{distances, matrix as distance_matrix};
pub use measured::Measured;
pub use model::model;
pub use progress::Progress;
pub use question::{Question, runtime};
pub use series::{series, series_loaded};
pub use team::{MOST_PER_PROCESSOR, MOST_THREADS, TeamError, most_threads, placement};
pub use validate::{Rows, validate};
