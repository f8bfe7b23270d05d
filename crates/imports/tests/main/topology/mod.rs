//! Machines as hwloc and Linux describe them. hwloc itself made the XML from the same files of `/sys` as the dumps, so
//! that each reader is the other's oracle.

mod errors;
mod fuzz;
mod laws;
mod shapes;
mod sources;
mod speeds;

use numalab_imports::topology::{MachineSketch, Topology, topology};
use numalab_machine::LevelKind;
use std::path::PathBuf;

fn path(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "data", "topology", name].iter().collect()
}

fn text(name: &str) -> String {
    std::fs::read_to_string(path(name)).unwrap()
}

fn read(name: &str) -> Topology {
    topology(&path(name)).unwrap()
}

fn sketch(name: &str) -> MachineSketch {
    read(name).machine("here").unwrap()
}

/// Levels in the form `socket:2 core:4`, and the number of hardware threads of a core.
fn levels(sketch: &MachineSketch) -> (String, u32) {
    let word = |(kind, count): (LevelKind, u32)| format!("{kind}:{count}");
    let levels: Vec<String> =
        sketch.machine.levels.iter().map(|level| word((level.kind, level.count))).collect();
    (levels.join(" "), sketch.machine.core.threads)
}

/// Level, size in KiB and sharing cores of every cache.
fn caches(sketch: &MachineSketch) -> Vec<(u8, u64, u32)> {
    sketch.machine.caches.iter().map(|cache| (cache.level, cache.size.0 >> 10, cache.shared_by)).collect()
}
