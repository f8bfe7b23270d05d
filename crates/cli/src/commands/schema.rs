//! `numalab schema`: prints the JSON Schema of a kind of file, or a reference of its keys.

use crate::failure::Failure;
use crate::flags::{Kind, Schema, SchemaFormat};
use crate::output::Destination;

/// Prints the schema, or the reference generated from it.
pub fn run(flags: &Schema) -> Result<(), Failure> {
    let text = match flags.format {
        SchemaFormat::Json => numalab_files::schema::text(kind(flags.kind)).to_owned(),
        SchemaFormat::Markdown => numalab_files::reference(kind(flags.kind)),
    };
    Destination::Stdout.write(text.as_bytes())
}

fn kind(kind: Kind) -> numalab_files::Kind {
    match kind {
        Kind::Machine => numalab_files::Kind::Machine,
        Kind::Workload => numalab_files::Kind::Workload,
        Kind::Runtime => numalab_files::Kind::Runtime,
        Kind::Sweep => numalab_files::Kind::Sweep,
        Kind::Policy => numalab_files::Kind::Policy,
    }
}
