//! Lists the kernels that the binary carries: adding a file to the folder is enough.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("kernels");
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut code = String::from("pub(crate) const FILES: &[(&str, &str)] = &[\n");
    for path in files(&folder) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        writeln!(code, "    ({name:?}, include_str!({path:?})),").expect("a string takes it");
    }
    code.push_str("];\n");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it")).join("kernels.rs");
    fs::write(out, code).expect("the build folder can be written");
}

/// Sources, and the files that build and run the kernels; never the products of a build in that folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = entries.filter(|path| is_source(path)).collect();
    files.sort();
    files
}

fn is_source(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    path.is_file()
        && (matches!(ending, Some("c" | "h" | "sh" | "md"))
            || path.file_name().is_some_and(|name| name == "Makefile"))
}
