//! Lists the machines, workloads, runtimes and sweeps that the binary carries: adding a file to the folder is enough.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Code of a list of built-in files for each kind.
pub fn code(root: &Path) -> String {
    let mut code = String::new();
    for (folder, extension, name) in [
        ("machines", "toml", "MACHINES"),
        ("workloads", "yaml", "WORKLOADS"),
        ("runtimes", "toml", "RUNTIMES"),
        ("sweeps", "yaml", "SWEEPS"),
    ] {
        let folder = root.join(folder);
        println!("cargo:rerun-if-changed={}", folder.display());
        writeln!(code, "pub(crate) const {name}: &[BuiltIn] = &[").expect("a string takes it");
        for path in files(&folder, extension) {
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let text = fs::read_to_string(&path).expect("the file can be read");
            let description = description(&text);
            writeln!(
                code,
                "    BuiltIn {{ name: {stem:?}, description: {description:?}, text: include_str!({path:?}) }},"
            )
            .expect("a string takes it");
        }
        code.push_str("];\n");
    }
    code
}

/// Value of the key `description`, which is on one line in every built-in file.
fn description(text: &str) -> &str {
    let value = text.lines().find_map(|line| line.strip_prefix("description")).unwrap_or_default();
    value.trim_start_matches([' ', '=', ':']).trim_matches('"')
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|found| found == extension)).collect();
    files.sort();
    files
}
