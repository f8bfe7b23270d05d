//! Tests of which changes invalidate stores.

use super::*;
use std::fs::OpenOptions;
use std::io::Write;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn crates() -> Vec<String> {
    let entries = fs::read_dir(workspace()).unwrap().map(|entry| entry.unwrap());
    let names = entries.filter(|entry| entry.path().join("Cargo.toml").is_file());
    names.map(|entry| entry.file_name().into_string().unwrap()).collect()
}

/// Copies manifests and sources of all crates to a temporary folder.
fn copy() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in crates() {
        let from = workspace().join(&name);
        let to = folder.path().join(&name);
        fs::create_dir_all(&to).unwrap();
        fs::copy(from.join("Cargo.toml"), to.join("Cargo.toml")).unwrap();
        for file in sources(&from.join("src")) {
            let place = to.join(file.strip_prefix(&from).unwrap());
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            fs::copy(file, place).unwrap();
        }
    }
    folder
}

/// Hash of the engine after a line has been added to a file.
fn hash_after_a_change_to(folder: &Path, file: &str) -> String {
    let path = folder.join(file);
    let before = fs::read(&path).unwrap();
    writeln!(OpenOptions::new().append(true).open(&path).unwrap(), "// changed").unwrap();
    let hash = hash(folder);
    fs::write(path, before).unwrap();
    hash
}

/// Law: A change in a reader of other tools' output leaves stores valid.
#[test]
fn importers_are_not_part_of_the_engine() {
    let folder = copy();
    let engine = hash(folder.path());
    assert_eq!(engine, crate::ENGINE, "the copy is this program's engine");
    for file in [
        "imports/src/foreign/lscpu/mod.rs",
        "imports/src/lib.rs",
        "traces/src/lib.rs",
        "validation/src/lib.rs",
        "result_files/src/lib.rs",
        "calibrate/src/lib.rs",
        "report/src/lib.rs",
        "cli/src/lib.rs",
    ] {
        assert_eq!(hash_after_a_change_to(folder.path(), file), engine, "{file} decides no number");
    }
    for name in deciding(folder.path()) {
        let file = format!("{name}/src/lib.rs");
        assert_ne!(hash_after_a_change_to(folder.path(), &file), engine, "{file} may decide a number");
    }
    for file in ["lower/src/load.rs", "simulator/src/engine/segment.rs"] {
        assert_ne!(hash_after_a_change_to(folder.path(), file), engine, "{file} may decide a number");
    }
}

/// The line-based parser of manifests finds the same crates as a TOML library.
#[test]
fn engine_has_all_dependencies_of_sweep() {
    let manifest = |name: &str| -> toml::Table {
        fs::read_to_string(workspace().join(name).join("Cargo.toml")).unwrap().parse().unwrap()
    };
    let mut expected = BTreeSet::from(["sweep".to_owned()]);
    loop {
        let all = expected.iter().flat_map(|name| {
            let manifest = manifest(name);
            let table = manifest.get("dependencies").and_then(toml::Value::as_table);
            let names = table.into_iter().flat_map(|table| table.keys().cloned()).collect::<Vec<_>>();
            names.into_iter().filter_map(|name| name.strip_prefix("numalab-").map(str::to_owned))
        });
        let grown: BTreeSet<String> = all.chain(expected.iter().cloned()).collect();
        if grown == expected {
            break;
        }
        expected = grown;
    }
    assert_eq!(deciding(&workspace()), expected);
    assert!(crates().len() > expected.len());
}
