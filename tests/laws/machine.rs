//! Texts of random machine files: every shape of interconnect, one to three levels of caches, limits and curves.

use crate::chance::Chance;
use std::fmt::Write;

/// Most cores of a machine, so that a case takes milliseconds.
const MOST_CORES: usize = 48;

/// A machine file, with the numbers that a team and a workload depend on.
pub struct MachineText {
    pub text: String,
    pub cores: usize,
    /// Hardware threads of the machine.
    pub processors: usize,
}

/// Text of a random machine file.
pub fn machine(chance: &mut Chance) -> MachineText {
    let numbering = chance.pick(&["cores-first", "threads-first", "round-robin-sockets"]);
    let protocol = chance.pick(&["mesi", "mesif", "moesi"]);
    let mut text = format!("name = \"m\"\nnumbering = \"{numbering}\"\nprotocol = \"{protocol}\"\n");
    let (mut cores, mut links) = (1, Vec::new());
    let outer = chance.pick(&[
        &["socket"][..],
        &["socket", "node"],
        &["board", "socket"],
        &["board", "socket", "node"],
    ]);
    for kind in outer {
        let most = MOST_CORES / cores / 4;
        let fitting = [1, 2, 2, 3, 4, 8].map(|count: usize| count.min(most.max(1)));
        let count = chance.pick(&fitting);
        cores *= count;
        let _ = write!(text, "\n[[level]]\nkind = \"{kind}\"\ncount = {count}\n");
        let _ = writeln!(text, "interconnect = {{ {} }}", interconnect(chance, kind, count));
        let latency = chance.pick(&[5, 20, 60, 150, 1000]);
        links.push((*kind, latency));
        if chance.odds(1, 6) {
            // At least the round trip over a switch.
            let time = 4 * latency + chance.pick(&[50, 200, 460]);
            let _ = writeln!(text, "core_to_core = \"{time} ns\"");
        }
    }
    let inner = chance.pick(&[1, 2, 3, 4, 6, 8]).min(MOST_CORES / cores).max(1);
    cores *= inner;
    let _ = write!(text, "\n[[level]]\nkind = \"core\"\ncount = {inner}\n");
    caches(chance, inner, &mut text);
    let threads = chance.pick(&[1, 1, 1, 2]);
    core(chance, threads, &mut text);
    memory(chance, &mut text);
    for (kind, latency) in links {
        link(chance, kind, latency, &mut text);
    }
    MachineText { text, cores, processors: cores * threads }
}

/// Interconnect of the children of one container.
fn interconnect(chance: &mut Chance, kind: &str, count: usize) -> String {
    let shape = chance.pick(&["mesh", "mesh", "star", "ring", "torus", "hypercube", "fat-tree", "edges"]);
    let shape = if shape == "hypercube" && !count.is_power_of_two() { "ring" } else { shape };
    let more = match shape {
        "torus" if count == 8 => ", dims = [2, 4]".to_owned(),
        "torus" => format!(", dims = [{count}]"),
        "fat-tree" => ", arity = 2".to_owned(),
        "edges" => {
            let edge = |to: usize| format!("{{ from = {to}, to = {} }}", chance.below(to));
            let edges: Vec<String> = (1..count).map(edge).collect();
            format!(", edges = [{}]", edges.join(", "))
        }
        _ => String::new(),
    };
    format!("shape = \"{shape}\", link = \"l{kind}\"{more}")
}

fn caches(chance: &mut Chance, inner: usize, text: &mut String) {
    let shared = chance.pick(&[1, inner]);
    let all = [
        (1, 32 << 10, 1, [1000, 2000], [32, 100]),
        (2, chance.pick(&[256 << 10, 1 << 20]), 1, [5000, 5000], [20, 64]),
        (3, chance.pick(&[2 << 20, 8 << 20, 32 << 20]), shared, [15_000, 22_000], [8, 32]),
    ];
    let kept = chance.pick(&[&[0][..], &[0, 1], &[0, 2], &[0, 1, 2], &[0, 1, 2]]);
    for (at, (level, size, shared_by, latency, bandwidth)) in kept.iter().map(|at| (*at, all[*at])) {
        let _ = write!(text, "\n[[cache]]\nlevel = {level}\nsize = \"{size} B\"\nshared_by = {shared_by}\n");
        let _ = writeln!(text, "latency = \"{} ps\"", chance.pick(&latency));
        let _ = writeln!(text, "bandwidth = \"{} GB/s\"", chance.pick(&bandwidth));
        let victim = at == 2 && chance.odds(1, 3);
        if victim {
            text.push_str("inclusive = false\n");
        } else if chance.odds(1, 3) {
            text.push_str("replacement = \"random\"\n");
        }
    }
}

fn core(chance: &mut Chance, threads: usize, text: &mut String) {
    let _ = write!(text, "\n[core]\nclock = \"{} MHz\"\n", chance.pick(&[1000, 2000, 2500, 3300]));
    let _ = writeln!(text, "flops_per_cycle = {}", chance.pick(&[1, 4, 16]));
    let _ = writeln!(text, "instructions_per_cycle = {}", chance.pick(&["0.5", "1", "1.5", "4"]));
    let _ = writeln!(text, "outstanding = {}\nthreads = {threads}", chance.pick(&[1, 4, 10, 20]));
    for (key, values) in [
        ("random_outstanding", &["1", "2", "4"][..]),
        ("store_buffers", &["0", "8", "64"]),
        ("atomic", &["\"1 ns\"", "\"5 ns\""]),
        ("copy_bandwidth", &["\"2 GB/s\"", "\"8 GB/s\"", "\"20 GB/s\""]),
    ] {
        if chance.odds(1, 3) {
            let _ = writeln!(text, "{key} = {}", chance.pick(values));
        }
    }
}

fn memory(chance: &mut Chance, text: &mut String) {
    let bandwidth = chance.pick(&[2, 10, 20, 80]);
    let _ = write!(text, "\n[memory]\ncapacity = \"64 GiB\"\nbandwidth = \"{bandwidth} GB/s\"\n");
    let _ = writeln!(text, "latency = \"{} ns\"", chance.pick(&[60, 100, 135, 300]));
    let _ = writeln!(text, "page = \"{} KiB\"", chance.pick(&[4, 4, 64]));
    if chance.odds(1, 4) {
        let _ = writeln!(text, "read_bandwidth = \"{}00 MB/s\"", bandwidth * 8);
    }
    if chance.odds(1, 4) {
        let _ = writeln!(text, "write_bandwidth = \"{}00 MB/s\"", bandwidth * 5);
    }
    if chance.odds(1, 5) {
        text.push_str("directory_in_memory = true\n");
    }
    curves(chance, "[[0.5, 1.0], [0.8, 1.3], [1.0, 2.0]]", text);
    let _ = write!(text, "\n[os]\npage_fault = \"{} ns\"\n", chance.pick(&[500, 2000]));
    let _ = writeln!(text, "page_lock = \"{} ns\"", chance.pick(&[0, 100]));
    let _ = writeln!(text, "interrupt = \"{} ns\"", chance.pick(&[0, 300]));
}

fn link(chance: &mut Chance, kind: &str, latency: u32, text: &mut String) {
    let _ = write!(text, "\n[link.l{kind}]\nbandwidth = \"{} GB/s\"\n", chance.pick(&[3, 8, 25, 100, 400]));
    let _ = writeln!(text, "latency = \"{latency} ns\"");
    let _ = writeln!(text, "lanes = {}", chance.pick(&[1, 1, 2]));
    let _ = writeln!(text, "duplex = \"{}\"", chance.pick(&["full", "full", "half"]));
    curves(chance, "[[0.5, 1.0], [0.8, 1.5], [1.0, 3.0]]", text);
}

/// Curves of a resource: latency under load, and bandwidth by lines in flight.
fn curves(chance: &mut Chance, loaded: &str, text: &mut String) {
    if chance.odds(1, 3) {
        let _ = writeln!(text, "loaded_latency = {loaded}");
    }
    if chance.odds(1, 5) {
        let (from, to) = (chance.pick(&[10, 20, 40]), chance.pick(&[100, 200, 300]));
        let _ = writeln!(text, "crowding = [[{from}, 1.0], [{to}, {}]]", chance.pick(&["0.6", "0.7", "0.9"]));
    }
}
