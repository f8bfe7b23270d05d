//! `numalab schema`.

use crate::failure::Failure;
use crate::flags::{Kind, Schema};
use crate::output::Destination;

/// Prints the schema.
pub fn run(flags: &Schema) -> Result<(), Failure> {
    let schema = match flags.kind {
        Kind::Machine => numalab_formats::machine_schema(),
        Kind::Workload => numalab_formats::workload_schema(),
        Kind::Runtime => numalab_formats::runtime_schema(),
        Kind::Sweep => numalab_formats::sweep_schema(),
    };
    Destination::Stdout.write(schema.as_bytes())
}
