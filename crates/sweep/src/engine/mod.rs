//! The engine's name: a hash of the sources of every crate that this one is built with, whatever it takes from them. A
//! crate that decides no simulated number (readers of other tools' output, of result files) must not be among them, or a
//! change to it makes every store start again.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Crates of the workspace whose code may decide what a point yields: this one, and all that it reaches.
pub fn deciding(crates: &Path) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut open = vec!["sweep".to_owned()];
    while let Some(name) = open.pop() {
        if reached.insert(name.clone()) {
            open.extend(dependencies(&crates.join(name).join("Cargo.toml")));
        }
    }
    reached
}

/// The engine's name in 16 hexadecimal digits.
pub fn hash(crates: &Path) -> String {
    let mut hasher = blake3::Hasher::new();
    for name in deciding(crates) {
        let files = sources(&crates.join(&name).join("src"));
        assert!(!files.is_empty(), "{name} has no sources");
        for path in files {
            let text =
                String::from_utf8_lossy(&fs::read(&path).expect("a file that was just listed")).into_owned();
            // Where the checkout lies, and how it ends lines, decides nothing.
            let name = path.strip_prefix(crates).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            hasher.update(name.as_bytes());
            hasher.update(text.replace("\r\n", "\n").as_bytes());
        }
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

/// Crates of the workspace under `[dependencies]`, each a line `numalab-NAME.workspace = true`.
fn dependencies(manifest: &Path) -> Vec<String> {
    let text = fs::read_to_string(manifest).expect("every crate has a manifest");
    let lines = text.lines().skip_while(|line| *line != "[dependencies]").skip(1);
    let ours = lines
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.strip_prefix("numalab-")?.split(['.', ' ', '=']).next().map(str::to_owned));
    ours.collect()
}

/// All sources under a folder, in order.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    let mut files = Vec::new();
    for entry in entries {
        match entry.is_dir() {
            true => files.extend(sources(&entry)),
            false if entry.extension().is_some_and(|extension| extension == "rs") => files.push(entry),
            false => {}
        }
    }
    files
}

#[cfg(test)]
mod tests;
