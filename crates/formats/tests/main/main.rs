//! Reading files, from outside the crate.

mod experiments;
mod facts;
mod file_errors;
mod fuzz;
mod language;
mod machine_errors;
mod many_errors;
mod override_errors;
mod runtimes;
mod schemas;
mod shipped;
mod support;
mod sweep_errors;
mod sweeps;
mod workload_errors;
