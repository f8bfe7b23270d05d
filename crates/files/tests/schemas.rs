//! The committed schemas are those of the types.

use numalab_files::{machine_schema, runtime_schema, sweep_schema, workload_schema};
use std::path::PathBuf;

#[test]
fn committed_schemas_are_current() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../schemas");
    let schemas = [
        ("machine", machine_schema()),
        ("workload", workload_schema()),
        ("runtime", runtime_schema()),
        ("sweep", sweep_schema()),
    ];
    for (name, schema) in schemas {
        let path = folder.join(format!("{name}.schema.json"));
        // The switch that updates goldens updates schemas too.
        if std::env::var_os("INSTA_UPDATE").is_some_and(|value| value == "always") {
            std::fs::write(&path, &schema).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            committed == schema,
            "schemas/{name}.schema.json is not what the types say; update it with\n    \
             INSTA_UPDATE=always cargo test"
        );
    }
}
