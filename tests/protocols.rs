//! The pages of `docs/protocols` are what `numalab protocol` prints.

use crate::support::{Desk, says};
use std::path::Path;

#[test]
fn protocol_pages_equal_the_engine() {
    for name in ["mesi", "mesif", "moesi"] {
        let page = Desk::empty().answer(&["protocol", name, "--format", "markdown"]);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/protocols/{name}.md"));
        // The switch that updates goldens updates pages too.
        if std::env::var_os("INSTA_UPDATE").is_some_and(|value| value == "always") {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &page).unwrap();
        }
        assert!(
            std::fs::read_to_string(&path).unwrap_or_default() == page,
            "docs/protocols/{name}.md is not what the table says; update it with\n    \
             INSTA_UPDATE=always cargo test"
        );
    }
}

#[test]
fn protocol_tables_have_next_states_of_copies() {
    let csv = Desk::empty().answer(&["protocol", "mesif", "--format", "csv"]);
    // The forwarder hands over the line and the role of forwarder.
    let row = "mesif,Forwarded,Read,Forwarded,FetchFromForwarder DemoteForwarder GrantForward,F,,S,,";
    says(&csv, &[row, "mesif,Uncached,Upgrade,,,,,,,the line is uncached"]);
    let table = Desk::empty().answer(&["protocol", "moesi"]);
    says(&table, &["MOESI", "OwnedShared", "UpgradeOwner", "KeepOwner"]);
    assert!(!table.contains("Forward"), "{table}");
}

#[test]
fn extension_selects_format_and_diagram_is_written() {
    let desk = Desk::empty();
    let dot = desk.answer(&["protocol", "mesi", "-o", "mesi.json", "--dot", "-"]);
    says(&dot, &["digraph \"mesi\"", "\"Uncached\" -> \"Owned\" [label=\"Read\\nOwn\"]"]);
    let json = std::fs::read_to_string(desk.path().join("mesi.json")).unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap()["protocol"], "mesi");
    says(&desk.refusal(&["protocol", "mesi", "--dot", "-"]), &["the table", "the diagram"]);
}

#[test]
fn an_unknown_protocol_gets_the_nearest_name() {
    let message = Desk::empty().refusal(&["protocol", "mosei"]);
    says(&message, &["mosei", "similar value exists", "'moesi'", "possible values: mesi, mesif, moesi"]);
}
