//! Checked trees of files to machines, runtimes and workloads.
//!
//! `machine_resolve`, `workload_resolve` and `runtime_resolve` turn names into indices and expressions into numbers,
//! and check the whole file. A workload is resolved for a machine and a team, whose facts its expressions may use.
//! With it come its `questions`: a series of runs, and measures computed from runs. `load` finds a file by its name
//! and resolves it.

mod entry;
mod load;
mod machine_resolve;
mod matrix_market;
mod origins;
mod questions;
mod runtime_resolve;
mod slices;
mod workload_resolve;

pub use entry::{entry_machine, entry_with};
pub use load::{
    Experiment, ReadWorkload, counts_of, machine, machine_of, read_machine, read_runtime, read_workload,
    recorded_workload, runtime, runtime_of, workload, workload_of, workload_values,
};
pub use origins::WorkloadValue;
pub use questions::{Change, DisplayUnit, DisplayUnitError, Measure, Point, Questions, Series};
pub use workload_resolve::CountedWorkload;
