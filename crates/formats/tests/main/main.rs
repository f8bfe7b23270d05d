//! Reading files, from outside the crate.

mod experiments;
mod file_errors;
mod foreign;
mod fuzz;
mod language;
mod machine_errors;
mod many_errors;
mod measurements;
mod override_errors;
mod runtimes;
mod schemas;
mod shipped;
mod support;
mod sweep_errors;
mod sweeps;
mod topology;
mod workload_errors;
