//! Sweep files, from outside the crate.

mod fuzz;
#[path = "../../../lower/tests/main/mutated.rs"]
mod mutated;
#[path = "../../../lower/tests/main/scratch.rs"]
mod scratch;
mod sweep_errors;
mod sweeps;
