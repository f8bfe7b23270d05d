//! JSON Schemas of the file types.

use crate::machine_file::MachineFile;
use crate::runtime_file::RuntimeFile;
use crate::sweep_file::SweepFile;
use crate::workload_file::WorkloadFile;
use serde_json::Value as Json;
use std::sync::LazyLock;

// Computed once: a series reads its workload for each point.
static MACHINE: LazyLock<Json> = LazyLock::new(|| schemars::schema_for!(MachineFile).to_value());
static WORKLOAD: LazyLock<Json> = LazyLock::new(|| schemars::schema_for!(WorkloadFile).to_value());
static RUNTIME: LazyLock<Json> = LazyLock::new(|| schemars::schema_for!(RuntimeFile).to_value());
static SWEEP: LazyLock<Json> = LazyLock::new(|| schemars::schema_for!(SweepFile).to_value());

pub fn machine() -> &'static Json {
    &MACHINE
}

pub fn workload() -> &'static Json {
    &WORKLOAD
}

pub fn runtime() -> &'static Json {
    &RUNTIME
}

pub fn sweep() -> &'static Json {
    &SWEEP
}

fn text(schema: &Json) -> String {
    let mut text = serde_json::to_string_pretty(schema).unwrap_or_default();
    text.push('\n');
    text
}

pub fn machine_schema() -> String {
    text(machine())
}

pub fn workload_schema() -> String {
    text(workload())
}

pub fn runtime_schema() -> String {
    text(runtime())
}

pub fn sweep_schema() -> String {
    text(sweep())
}
