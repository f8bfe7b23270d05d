//! Reading files, from outside the crate.

mod experiments;
mod facts;
mod file_errors;
mod fuzz;
mod language;
mod machine_errors;
mod many_errors;
mod mutated;
mod npb;
mod origins;
mod override_errors;
mod policies;
mod runtimes;
mod scratch;
mod series;
mod shipped;
mod support;
mod text;
mod workload_errors;
