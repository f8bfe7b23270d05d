//! Links, core, caches, memory and operating system: values that can be.

use super::{MAX_LATENCY, crowding, latency, positive};
use crate::problem::Problems;
use crate::{Machine, Memory, Os};
use numalab_units::{Bytes, Span};

pub(super) fn check(machine: &Machine, problems: &mut Problems) {
    links(machine, problems);
    let core = &machine.core;
    positive(core.clock.0, "core.clock", problems);
    positive(core.flops_per_cycle, "core.flops_per_cycle", problems);
    positive(core.instructions_per_cycle, "core.instructions_per_cycle", problems);
    positive(core.outstanding, "core.outstanding", problems);
    if !(0.0..=1.0).contains(&core.overlap) {
        problems.add("core.overlap", "must lie between 0 and 1");
    }
    latency(core.atomic, "core.atomic", problems);
    if let Some(lines) = core.stream_outstanding {
        positive(lines, "core.stream_outstanding", problems);
    }
    if let Some(copy) = core.copy_bandwidth {
        positive(copy.0, "core.copy_bandwidth", problems);
    }
    caches(machine, problems);
    memory(&machine.memory, problems);
    os(&machine.os, problems);
}

fn os(os: &Os, problems: &mut Problems) {
    latency(os.page_fault, "os.page_fault", problems);
    latency(os.page_lock, "os.page_lock", problems);
    positive(os.zeroing.0, "os.zeroing", problems);
    latency(os.map, "os.map", problems);
    latency(os.wake, "os.wake", problems);
    latency(os.page_migration, "os.page_migration", problems);
    latency(os.next_touch, "os.next_touch", problems);
    latency(os.balancing.hint_fault, "os.balancing.hint_fault", problems);
    for (span, path) in [
        (os.balancing.scan_period, "os.balancing.scan_period"),
        (os.balancing.scan_delay, "os.balancing.scan_delay"),
    ] {
        if span == Span::ZERO {
            problems.add(path, "must be above 0");
        }
    }
    if os.balancing.scan_size.0 == 0 {
        problems.add("os.balancing.scan_size", "must be above 0");
    }
}

fn links(machine: &Machine, problems: &mut Problems) {
    for (at, link) in machine.links.iter().enumerate() {
        let path = format!("link.{}", link.name);
        if machine.links[..at].iter().any(|other| other.name == link.name) {
            problems.add(&path, "there are two links of this name");
        }
        positive(link.bandwidth.0, &format!("{path}.bandwidth"), problems);
        latency(link.latency, &format!("{path}.latency"), problems);
        if link.lanes == 0 {
            problems.add(format!("{path}.lanes"), "must be at least 1");
        }
        crowding(&link.crowding, &format!("{path}.crowding"), problems);
    }
}

fn caches(machine: &Machine, problems: &mut Problems) {
    let cores = machine.cores_per_node();
    for (at, cache) in machine.caches.iter().enumerate() {
        let path = |field: &str| format!("cache[{at}].{field}");
        if cache.level == 0 {
            problems.add(path("level"), "cache levels count from 1, next to the core");
        }
        if cache.size < machine.memory.line {
            problems.add(
                path("size"),
                format!("must be at least a line, {}, not {}", machine.memory.line, cache.size),
            );
        }
        if cache.shared_by == 0 || !cores.is_multiple_of(cache.shared_by) {
            problems.add(
                path("shared_by"),
                format!("must divide the {cores} cores of a node, which {} does not", cache.shared_by),
            );
        }
        latency(cache.latency, &path("latency"), problems);
        positive(cache.bandwidth.0, &path("bandwidth"), problems);
        if let Some(span) = cache.core_to_core {
            latency(span, &path("core_to_core"), problems);
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
    if memory.latency == Span::ZERO || memory.latency > MAX_LATENCY {
        let message = format!("must be above 0 and at most {MAX_LATENCY}, not {}", memory.latency);
        problems.add("memory.latency", message);
    }
    positive(memory.bandwidth.0, "memory.bandwidth", problems);
    for (part, path) in
        [(memory.read_bandwidth, "memory.read_bandwidth"), (memory.write_bandwidth, "memory.write_bandwidth")]
    {
        let Some(part) = part else { continue };
        positive(part.0, path, problems);
        if part.0 > memory.bandwidth.0 {
            let whole = memory.bandwidth;
            problems.add(path, format!("{part} is more than reads and writes have together, {whole}"));
        }
    }
    crowding(&memory.crowding, "memory.crowding", problems);
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
    if memory.capacity == Bytes(0) {
        problems.add("memory.capacity", "must be above 0");
    } else if memory.capacity < memory.page {
        let (capacity, page) = (memory.capacity, memory.page);
        problems.add("memory.capacity", format!("must be at least a page, {page}, not {capacity}"));
    }
    if memory.stops == 0 {
        problems.add("memory.stops", "must be at least 1");
    }
}
