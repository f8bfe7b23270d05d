//! What the engine is: a hash of the sources that decide a simulated number. A store keeps results of each
//! engine apart, so that nobody takes yesterday's for today's.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// Crates whose code decides what a point yields. What only reads, draws or asks is not among them.
const DECIDE: [&str; 12] = [
    "coherence",
    "formats",
    "kernel",
    "machine",
    "memory",
    "openmp",
    "placement",
    "program",
    "results",
    "runtime",
    "simulator",
    "study",
];

fn main() {
    let crates = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("..");
    let mut hasher = blake3::Hasher::new();
    for name in DECIDE {
        let folder = crates.join(name).join("src");
        println!("cargo:rerun-if-changed={}", folder.display());
        for path in sources(&folder) {
            let text = fs::read_to_string(&path).expect("a source file of this workspace");
            // Where the checkout lies, and how it ends lines, decides nothing.
            hasher.update(path.strip_prefix(&crates).unwrap_or(&path).to_string_lossy().as_bytes());
            hasher.update(text.replace("\r\n", "\n").as_bytes());
        }
    }
    println!("cargo:rustc-env=NUMALAB_ENGINE={}", &hasher.finalize().to_hex()[..16]);
}

/// All files under a folder, in order.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    let mut files = Vec::new();
    for entry in entries {
        match entry.is_dir() {
            true => files.extend(sources(&entry)),
            false => files.push(entry),
        }
    }
    files
}
