//! Tells the program which engine it is: a store keeps results of each engine apart, so that nobody takes yesterday's for
//! today's.

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
