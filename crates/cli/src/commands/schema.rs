//! `numalab schema`.

use crate::failure::Failure;
use crate::flags::{Kind, Schema, SchemaFormat};
use crate::output::Destination;

/// Prints the schema, or the reference generated from it.
pub fn run(flags: &Schema) -> Result<(), Failure> {
    let text = match flags.format {
        SchemaFormat::Json => schema(flags.kind),
        SchemaFormat::Markdown => numalab_formats::reference(kind(flags.kind)),
    };
    Destination::Stdout.write(text.as_bytes())
}

fn schema(kind: Kind) -> String {
    match kind {
        Kind::Machine => numalab_formats::machine_schema(),
        Kind::Workload => numalab_formats::workload_schema(),
        Kind::Runtime => numalab_formats::runtime_schema(),
        Kind::Sweep => numalab_formats::sweep_schema(),
    }
}

fn kind(kind: Kind) -> numalab_formats::Kind {
    match kind {
        Kind::Machine => numalab_formats::Kind::Machine,
        Kind::Workload => numalab_formats::Kind::Workload,
        Kind::Runtime => numalab_formats::Kind::Runtime,
        Kind::Sweep => numalab_formats::Kind::Sweep,
    }
}
