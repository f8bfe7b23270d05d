//! Every source file is a module. A file that no `mod` item names is not compiled, and nothing else notices it.

use super::{root, sources};
use std::fs;
use std::path::Path;

/// True if a text declares the module `name`: `mod name;`.
fn declares(text: &str, name: &str) -> bool {
    let ending = format!("mod {name};");
    text.lines().any(|line| {
        let before = line.trim().strip_suffix(&ending);
        before.is_some_and(|before| before.is_empty() || before.ends_with(' '))
    })
}

/// True if a source file is the root of a crate, or if the file beside or above it declares it as a module.
fn is_module(file: &Path) -> bool {
    let stem = file.file_stem().unwrap().to_str().unwrap();
    if ["lib", "main", "build"].contains(&stem) {
        return true;
    }
    let own = if stem == "mod" { file.parent().unwrap() } else { file };
    let (folder, name) = (own.parent().unwrap(), own.file_stem().unwrap().to_str().unwrap());
    let beside = ["mod.rs", "lib.rs", "main.rs"].map(|name| folder.join(name));
    let parents = beside.into_iter().chain([folder.with_extension("rs")]);
    parents.filter_map(|parent| fs::read_to_string(parent).ok()).any(|text| declares(&text, name))
}

/// Law: every source file of a crate is a module.
#[test]
fn every_source_file_is_a_module() {
    let files = sources(&root().join("crates"));
    let left: Vec<_> = files
        .iter()
        .filter(|file| file.components().any(|part| part.as_os_str() == "src") && !is_module(file))
        .collect();
    assert!(left.is_empty(), "no `mod` names these files; delete them: {left:#?}");
}

#[test]
fn declarations_are_found_by_whole_names() {
    assert!(declares("pub(crate) mod tasks;\n", "tasks") && declares("mod tasks;", "tasks"));
    assert!(!declares("mod subtasks;\n// mod tasks;x", "tasks"));
}
