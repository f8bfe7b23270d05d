//! Comparison of measured with simulated values.
//!
//! | module | measured values |
//! |---|---|
//! | `published` | rows of `reference/`, on machine files of the program |
//! | `papers` | rows of `reference/` that need more than runs of a workload |
//! | `host` | a user's own measurements, on the machine fitted to them |
//! | `recorder` | a recorded program, on the machine that recorded it |

mod host;
mod papers;
mod published;
mod recorder;

pub use host::{Asked, validate as validate_host};
pub use published::{Rows, Validated, validate as validate_published};
pub use recorder::{ONE_THREAD_WITHIN, OnRecorder, TEAM_WITHIN, on_recorder};
