//! Lists the machines, workloads, runtimes and sweeps that the binary carries: adding a file to the folder is enough.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../..");
    let mut code = String::new();
    for (folder, extension, name) in [
        ("machines", "toml", "MACHINES"),
        ("workloads", "yaml", "WORKLOADS"),
        ("runtimes", "toml", "RUNTIMES"),
        ("sweeps", "yaml", "SWEEPS"),
    ] {
        let folder = root.join(folder);
        println!("cargo:rerun-if-changed={}", folder.display());
        writeln!(code, "pub(crate) const {name}: &[(&str, &str)] = &[").expect("a string takes it");
        for path in files(&folder, extension) {
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            writeln!(code, "    ({stem:?}, include_str!({path:?})),").expect("a string takes it");
        }
        code.push_str("];\n");
    }
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it")).join("catalogue.rs");
    fs::write(out, code).expect("the build folder can be written");
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|found| found == extension)).collect();
    files.sort();
    files
}
