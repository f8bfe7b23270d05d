//! Hash of the engine: of the sources of all crates that this crate depends on. Crates that cannot change a simulated
//! number, such as readers of other tools' output, must not be among them: each change of them would invalidate all
//! stores.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Crates of the workspace whose code may change a result: this crate and its dependencies.
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

/// Hash of the engine as 16 hexadecimal digits.
pub fn hash(crates: &Path) -> String {
    let mut hasher = blake3::Hasher::new();
    for name in deciding(crates) {
        let files = sources(&crates.join(&name).join("src"));
        assert!(!files.is_empty(), "{name} has no sources");
        for path in files {
            let text =
                String::from_utf8_lossy(&fs::read(&path).expect("a file that was just listed")).into_owned();
            // Independent of the checkout's folder and line endings.
            let name = path.strip_prefix(crates).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            hasher.update(name.as_bytes());
            hasher.update(text.replace("\r\n", "\n").as_bytes());
        }
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

/// Crates of the workspace under `[dependencies]`, one per line as `numalab-NAME.workspace = true`.
fn dependencies(manifest: &Path) -> Vec<String> {
    let text = fs::read_to_string(manifest).expect("every crate has a manifest");
    let lines = text.lines().skip_while(|line| *line != "[dependencies]").skip(1);
    let ours = lines
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.strip_prefix("numalab-")?.split(['.', ' ', '=']).next().map(str::to_owned));
    ours.collect()
}

/// All source files below a folder, sorted.
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
