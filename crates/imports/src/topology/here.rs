//! Topology of this computer, from its `/sys` and `/proc`.

use super::{Topology, topology_from_text};
use numalab_syntax::diagnostics::Diagnostics;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Name of this computer in errors.
const NAME: &str = "this computer";
/// Largest file of `/sys` or `/proc` that is read: `/proc/cpuinfo` of a thousand processors has about two million
/// bytes.
const MOST_BYTES: u64 = 16 << 20;

pub fn topology_here() -> Result<Topology, Diagnostics> {
    let cpu = Path::new("/sys/devices/system/cpu");
    if !cpu.is_dir() {
        let help =
            "take the files to another computer: grep -r . /sys/devices/system/cpu /sys/devices/system/node";
        return Err(Diagnostics::plain(format!("{NAME} has no {}", cpu.display()), help));
    }
    let mut text = String::new();
    for file in ["/proc/cpuinfo", "/proc/meminfo"] {
        add(Path::new(file), &mut text);
    }
    for file in ["online", "present", "cpu0/cpufreq/cpuinfo_max_freq"] {
        add(&cpu.join(file), &mut text);
    }
    for processor in numbered(cpu, "cpu") {
        for file in ["physical_package_id", "die_id", "core_id", "core_cpus_list", "thread_siblings_list"] {
            add(&processor.join("topology").join(file), &mut text);
        }
        for index in numbered(&processor.join("cache"), "index") {
            for file in ["type", "level", "size", "shared_cpu_list", "coherency_line_size"] {
                add(&index.join(file), &mut text);
            }
        }
    }
    for node in numbered(Path::new("/sys/devices/system/node"), "node") {
        for file in ["cpulist", "meminfo", "distance"] {
            add(&node.join(file), &mut text);
        }
    }
    topology_from_text(NAME, &text)
}

/// Entries of a folder whose names are `word` followed by a number.
fn numbered(folder: &Path, word: &str) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_one = |path: &std::path::PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.strip_prefix(word)
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
    };
    let mut found: Vec<_> = entries.filter(is_one).collect();
    found.sort();
    found
}

/// Appends the lines of a file as `grep -r .` prints them; nothing if the file is missing.
fn add(path: &Path, text: &mut String) {
    use std::io::Read;
    let mut content = String::new();
    let read = fs::File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_string(&mut content));
    if read.is_err() {
        return;
    }
    for line in content.lines().filter(|line| !line.trim().is_empty()) {
        let _ = writeln!(text, "{}:{line}", path.display());
    }
}
