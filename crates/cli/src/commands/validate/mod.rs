//! `numalab validate`: compares measurements with simulations.

mod host;
mod published;

use crate::failure::Failure;
use crate::flags::Validate;

pub fn run(flags: &Validate) -> Result<(), Failure> {
    match &flags.measurements {
        Some(file) => host::run(file, flags),
        None => published::run(flags),
    }
}
