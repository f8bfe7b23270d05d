//! `numalab validate`: what was measured beside what is simulated.

mod host;
mod published;

use crate::failure::Failure;
use crate::flags::Validate;

/// Validates against a file of measurements, or against what was published.
pub fn run(flags: &Validate) -> Result<(), Failure> {
    match &flags.measurements {
        Some(file) => host::run(file, flags),
        None => published::run(flags),
    }
}
