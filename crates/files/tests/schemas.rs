//! The committed schemas are those of the types.

use numalab_files::{Kind, schema};
use std::path::PathBuf;

#[test]
fn committed_schemas_are_current() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../schemas");
    for kind in [Kind::Machine, Kind::Workload, Kind::Runtime, Kind::Sweep, Kind::Policy] {
        let (name, schema) = (kind.name(), schema::derived(kind));
        let path = folder.join(format!("{name}.schema.json"));
        // The switch that updates goldens updates schemas too.
        if std::env::var_os("INSTA_UPDATE").is_some_and(|value| value == "always") {
            std::fs::write(&path, &schema).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            committed == schema,
            "schemas/{name}.schema.json is not what the types say; update it with\n    \
             INSTA_UPDATE=always cargo test -p numalab-files --test schemas"
        );
    }
}
