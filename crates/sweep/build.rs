//! Passes the engine's hash to the compiler. A store keeps results apart by this hash, so that results of other
//! versions are not reused.

#[path = "src/engine/mod.rs"]
mod engine;

use std::env;
use std::path::PathBuf;

fn main() {
    let crates = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("..");
    for name in engine::deciding(&crates) {
        for part in ["src", "Cargo.toml"] {
            println!("cargo:rerun-if-changed={}", crates.join(&name).join(part).display());
        }
    }
    println!("cargo:rustc-env=NUMALAB_ENGINE={}", engine::hash(&crates));
}
