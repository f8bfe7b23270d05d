//! Prepares what the binary carries, so that no start of the program reads or parses it: the files of the catalogue
//! with their descriptions, and the schemas of the file types.

mod catalogue;
mod schemas;

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../..");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    for (file, code) in [
        ("catalogue.rs", catalogue::code(&root) + &catalogue::published(&root)),
        ("schemas.rs", schemas::code(&root)),
    ] {
        fs::write(out.join(file), code).expect("the build folder can be written");
    }
}
