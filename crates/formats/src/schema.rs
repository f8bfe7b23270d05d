//! The JSON Schemas of the file types.

use crate::machine_file::MachineFile;
use crate::runtime_file::RuntimeFile;
use crate::workload_file::WorkloadFile;
use serde_json::Value as Json;

pub(crate) fn machine() -> Json {
    schemars::schema_for!(MachineFile).to_value()
}

pub(crate) fn workload() -> Json {
    schemars::schema_for!(WorkloadFile).to_value()
}

pub(crate) fn runtime() -> Json {
    schemars::schema_for!(RuntimeFile).to_value()
}

fn text(schema: &Json) -> String {
    let mut text = serde_json::to_string_pretty(schema).unwrap_or_default();
    text.push('\n');
    text
}

/// The JSON Schema of machine files.
pub fn machine_schema() -> String {
    text(&machine())
}

/// The JSON Schema of workload files.
pub fn workload_schema() -> String {
    text(&workload())
}

/// The JSON Schema of runtime files.
pub fn runtime_schema() -> String {
    text(&runtime())
}
