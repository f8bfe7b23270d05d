//! Links the program to a fixed address: its tables of texts then need no relocation, which is a fifth of the time of
//! `numalab --version`.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |key: &str| env::var(format!("CARGO_CFG_TARGET_{key}")).unwrap_or_default();
    let linked_statically = target("FEATURE").split(',').any(|feature| feature == "crt-static");
    if target("OS") == "linux" && target("ENV") == "gnu" && !linked_statically {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}
