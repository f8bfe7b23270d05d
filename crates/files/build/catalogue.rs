//! Lists the machines, workloads, runtimes, sweeps and policies that the binary carries: adding a file to the folder is enough.

use std::collections::BTreeMap;
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
        ("policies", "yaml", "POLICIES"),
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

/// Code of a list of machines with their numbers of published rows, in order of the names.
pub fn published(root: &Path) -> String {
    let folder = root.join("reference");
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let is_published = |path: &PathBuf| {
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("published"))
    };
    for path in files(&folder, "csv").into_iter().filter(is_published) {
        let mut rows = csv::Reader::from_path(&path).expect("the file can be read");
        let header = rows.headers().expect("it has a header");
        let column = header.iter().position(|name| name == "machine").expect("a column names machines");
        for row in rows.records() {
            let row = row.expect("a row has all columns");
            *counts.entry(row[column].to_owned()).or_default() += 1;
        }
    }
    format!("pub(crate) const PUBLISHED: &[(&str, u32)] = &{:?};\n", counts.into_iter().collect::<Vec<_>>())
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
