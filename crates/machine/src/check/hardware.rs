//! Links, core, caches, memory and operating system: values that can be.

use super::{MAX_LISTED, bounds, crowding, loaded_latency};
use crate::problem::Problems;
use crate::{Dsm, Machine, Memory};
use numalab_units::Bytes;

pub(super) fn check(machine: &Machine, problems: &mut Problems) {
    links(machine, problems);
    bounds(&machine.core, "core", problems);
    caches(machine, problems);
    memory(&machine.memory, problems);
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
    let outermost = machine.levels.first();
    if let Some(level) = outermost.filter(|level| level.count > MAX_LISTED) {
        let count = level.count;
        problems
            .add("level[0].count", format!("at most {MAX_LISTED} nodes share memory by pages, not {count}"));
    }
    if let Some(level) = outermost.filter(|level| !level.kind.holds_memory()) {
        problems.add(
            "level[0].sharing",
            format!("{} lies inside a memory: it cannot have pages of its own", level.kind),
        );
    } else if outermost.is_some_and(|level| level.count > 1 && level.interconnect.is_none()) {
        problems.add("level[0].sharing", "pages travel over an interconnect, and this level has none");
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

fn memory(memory: &Memory, problems: &mut Problems) {
    bounds(memory, "memory", problems);
    for (part, path) in [
        (memory.read_bandwidth, "memory.read_bandwidth"),
        (memory.write_bandwidth, "memory.write_bandwidth"),
        (memory.random_bandwidth, "memory.random_bandwidth"),
    ] {
        let Some(part) = part else { continue };
        if part.0 > memory.bandwidth.0 {
            let whole = memory.bandwidth;
            problems.add(path, format!("{part} is more than reads and writes have together, {whole}"));
        }
    }
    crowding(&memory.crowding, "memory.crowding", problems);
    loaded_latency(&memory.loaded_latency, "memory.loaded_latency", problems);
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
