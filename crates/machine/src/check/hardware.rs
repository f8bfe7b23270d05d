//! Checks of links, cores, caches, memory and operating system.

use super::{MAX_SHARING, bounds, crowding, loaded_latency};
use crate::problem::Problems;
use crate::{Consistency, Dsm, Machine, Memory, Replacement, Technique};
use numalab_base::{Bandwidth, Bytes};

pub(super) fn check(machine: &Machine, problems: &mut Problems) {
    links(machine, problems);
    bounds(&machine.core, "core", problems);
    caches(machine, problems);
    memory(&machine.memory, problems);
    memory_only(machine, problems);
    bounds(&machine.os, "os", problems);
    if let Some(dsm) = &machine.dsm {
        shared_in_software(machine, dsm, problems);
    }
}

fn shared_in_software(machine: &Machine, dsm: &Dsm, problems: &mut Problems) {
    bounds(dsm, "dsm", problems);
    if !dsm.page.0.is_power_of_two() {
        problems.add("dsm.page", format!("must be a power of two, not {}", dsm.page));
    }
    if dsm.consistency != Consistency::Sequential && dsm.technique != Technique::None {
        let (technique, consistency) = (dsm.technique, dsm.consistency);
        problems.add(
            "dsm.technique",
            format!(
                "`{technique}` moves write permission and needs consistency `sequential`; with `{consistency}` it must be `none`"
            ),
        );
    }
    if dsm.migrate.is_some()
        && (dsm.technique != Technique::None || dsm.consistency != Consistency::Sequential)
    {
        let (technique, consistency) = (dsm.technique, dsm.consistency);
        problems.add(
            "dsm.migrate",
            format!(
                "masters move under technique `none` and consistency `sequential` alone, not `{technique}` and \
                 `{consistency}`"
            ),
        );
    }
    let outermost = machine.levels.first();
    if let Some(level) = outermost.filter(|level| level.count > MAX_SHARING) {
        let count = level.count;
        problems
            .add("level[0].count", format!("at most {MAX_SHARING} nodes share memory by pages, not {count}"));
    }
    if let Some(level) = outermost.filter(|level| !level.kind.holds_memory()) {
        problems.add(
            "level[0].sharing",
            format!("{} is below the NUMA node and has no memory of its own to share", level.kind),
        );
    } else if outermost.is_some_and(|level| level.count > 1 && level.interconnect.is_none()) {
        problems.add("level[0].sharing", "pages need an interconnect, and this level has none");
    }
}

fn links(machine: &Machine, problems: &mut Problems) {
    for (at, link) in machine.links.iter().enumerate() {
        let path = format!("link.{}", link.name);
        if machine.links[..at].iter().any(|other| other.name == link.name) {
            problems.add(&path, "there are two links of this name");
        }
        bounds(link, &path, problems);
        crowding(&link.crowding, &format!("{path}.crowding"), problems);
        loaded_latency(&link.loaded_latency, &format!("{path}.loaded_latency"), problems);
    }
}

fn caches(machine: &Machine, problems: &mut Problems) {
    let cores = machine.cores_per_node();
    for (at, cache) in machine.caches.iter().enumerate() {
        let path = |field: &str| format!("cache[{at}].{field}");
        bounds(cache, &format!("cache[{at}]"), problems);
        if cache.size < machine.memory.line {
            problems.add(
                path("size"),
                format!("must be at least a line, {}, not {}", machine.memory.line, cache.size),
            );
        }
        if cache.shared_by > 0 && !cores.is_multiple_of(cache.shared_by) {
            problems.add(
                path("shared_by"),
                format!("must divide the {cores} cores of a node, which {} does not", cache.shared_by),
            );
        }
        if cache.ways.is_some() && cache.replacement == Replacement::Random {
            problems.add(
                path("ways"),
                "sets are modelled with lru only: leave ways out, or replacement = \"random\"",
            );
        }
        let Some(inner) = at.checked_sub(1).map(|inner| &machine.caches[inner]) else { continue };
        if cache.level <= inner.level {
            problems.add(
                path("level"),
                format!(
                    "levels increase from the core outwards: {} comes after {}",
                    cache.level, inner.level
                ),
            );
        }
        if !cache.inclusive
            && (inner.replacement, cache.replacement) == (Replacement::Random, Replacement::Random)
        {
            problems.add(
                path("replacement"),
                "a victim cache (inclusive = false) may replace at random only what caches with lru drive out, \
                 and the one inside it has random, too",
            );
        }
        if inner.shared_by > 0 && cache.shared_by > 0 && !cache.shared_by.is_multiple_of(inner.shared_by) {
            problems.add(
                path("shared_by"),
                format!(
                    "must be a multiple of the cores that share the cache inside it, which {} is not of {}",
                    cache.shared_by, inner.shared_by
                ),
            );
        }
    }
}

/// Reports bandwidths of reads, writes or random accesses that exceed the total bandwidth.
fn parts<const N: usize>(
    path: &str,
    whole: Bandwidth,
    parts: [(&str, Option<Bandwidth>); N],
    problems: &mut Problems,
) {
    for (name, part) in parts {
        let Some(part) = part else { continue };
        if part.0 > whole.0 {
            problems
                .add(format!("{path}.{name}"), format!("{part} is more than the total bandwidth, {whole}"));
        }
    }
}

/// Checks memory-only nodes: values, names, memory sizes, and that the units next to them exist. Machines with
/// software shared memory have none.
fn memory_only(machine: &Machine, problems: &mut Problems) {
    for (at, kind) in machine.memory_only.iter().enumerate() {
        let path = format!("memory_only.{}", kind.name);
        bounds(kind, &path, problems);
        let named = [
            ("read_bandwidth", kind.read_bandwidth),
            ("write_bandwidth", kind.write_bandwidth),
            ("random_bandwidth", kind.random_bandwidth),
            ("far_bandwidth", kind.far_bandwidth),
        ];
        parts(&path, kind.bandwidth, named, problems);
        crowding(&kind.crowding, &format!("{path}.crowding"), problems);
        loaded_latency(&kind.loaded_latency, &format!("{path}.loaded_latency"), problems);
        if machine.memory_only[..at].iter().any(|other| other.name == kind.name) {
            problems.add(&path, "there are two kinds of this name");
        }
        let letters = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if kind.name == "all"
            || !kind.name.starts_with(|c: char| c.is_ascii_alphabetic())
            || !kind.name.chars().all(letters)
        {
            problems.add(
                &path,
                "a name must begin with a letter, consist of letters, digits, - and _, and not be `all`",
            );
        }
        if kind.capacity < machine.memory.page {
            let (capacity, page) = (kind.capacity, machine.memory.page);
            problems
                .add(format!("{path}.capacity"), format!("must be at least a page, {page}, not {capacity}"));
        }
        match machine.depth_near(kind) {
            None => problems
                .add(format!("{path}.near"), format!("this machine has no {} that holds nodes", kind.near)),
            Some(depth) => {
                let units = machine.units(depth);
                if let Some(unit) = kind.only_at.filter(|unit| *unit >= units) {
                    problems.add(
                        format!("{path}.only_at"),
                        format!("must be 0 to {}, not {unit}", units.saturating_sub(1)),
                    );
                }
            }
        }
    }
    if machine.dsm.is_some() && !machine.memory_only.is_empty() {
        problems.add(
            "memory_only",
            "a machine with software shared memory (`dsm`) cannot have memory-only nodes",
        );
    }
}

fn memory(memory: &Memory, problems: &mut Problems) {
    bounds(memory, "memory", problems);
    let named = [
        ("read_bandwidth", memory.read_bandwidth),
        ("write_bandwidth", memory.write_bandwidth),
        ("random_bandwidth", memory.random_bandwidth),
    ];
    parts("memory", memory.bandwidth, named, problems);
    crowding(&memory.crowding, "memory.crowding", problems);
    loaded_latency(&memory.loaded_latency, "memory.loaded_latency", problems);
    loaded_latency(&memory.mixed_latency, "memory.mixed_latency", problems);
    let Bytes(line) = memory.line;
    let Bytes(page) = memory.page;
    if !line.is_power_of_two() {
        problems.add("memory.line", format!("a cache line is a power of two of bytes, not {line}"));
    }
    if !page.is_power_of_two() {
        problems.add("memory.page", format!("a page is a power of two of bytes, not {page}"));
    } else if page < line {
        problems.add("memory.page", format!("a page of {page} bytes is smaller than a line of {line}"));
    }
    if memory.capacity < memory.page {
        let (capacity, page) = (memory.capacity, memory.page);
        problems.add("memory.capacity", format!("must be at least a page, {page}, not {capacity}"));
    }
}
