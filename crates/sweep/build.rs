//! What the engine is: a hash of the sources that decide a simulated number. A store keeps results of each
//! engine apart, so that nobody takes yesterday's for today's.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// Crates whose code decides what a point yields. What only reads, draws or asks is not among them.
const DECIDE: [&str; 14] = [
    "coherence",
    "formats",
    "des",
    "machine",
    "memory",
    "openmp",
    "tours",
    "workload",
    "results",
    "runtime",
    "simulator",
    "study",
    "sweep",
    "units",
];

fn main() {
    let crates = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("..");
    let mut hasher = blake3::Hasher::new();
    for name in DECIDE {
        let folder = crates.join(name).join("src");
        println!("cargo:rerun-if-changed={}", folder.display());
        let files = sources(&folder);
        assert!(!files.is_empty(), "{} has no sources", folder.display());
        for path in files {
            let text =
                String::from_utf8_lossy(&fs::read(&path).expect("a file that was just listed")).into_owned();
            // Where the checkout lies, and how it ends lines, decides nothing.
            let name = path.strip_prefix(&crates).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            hasher.update(name.as_bytes());
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
            false if entry.extension().is_some_and(|extension| extension == "rs") => files.push(entry),
            false => {}
        }
    }
    files
}
