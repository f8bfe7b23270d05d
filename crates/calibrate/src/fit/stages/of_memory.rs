//! Stages of one core, its caches, and memory.

use super::rows::{
    computes, is, is_beside_stream, is_of_controllers, is_of_last_cache, is_of_one_core, leaves_caches,
    threads,
};
use super::{STAGE, Stage};
use crate::fit::capacity;
use crate::fit::paces;
use crate::fit::seeds;
use crate::fit::streams;
use crate::fit::subject::Subject;
use crate::fit::target::FittedTable::{Cache, Core, Memory};
use crate::fit::target::Target;
use numalab_machine as machine;

/// Stages of this file, in the order of the fit.
pub(super) const STAGES: &[Stage] = &[
    Stage {
        name: "instructions",
        targets: |_| vec![Core.number(machine::Core::instructions_per_cycle)],
        admits: |row, _| is(row, "compute", "instructions_per_ns") && threads(row) == Some(1.0),
        experiment: "compute",
        ..STAGE
    },
    Stage {
        name: "latencies and sizes of caches",
        targets: |subject| {
            let caches = 0..subject.machine.caches.len();
            let mut targets: Vec<_> =
                caches.clone().map(|at| Cache(at).number(machine::Cache::latency)).collect();
            targets.extend(caches.map(|at| Cache(at).number(machine::Cache::size)));
            targets.push(Memory.number(machine::Memory::latency));
            targets
        },
        admits: |row, _| is(row, "pointer_chase", "latency") && row.is_local(),
        seed: Some(seeds::caches),
        doubt: Some(seeds::at_the_edge_of_a_cache),
        beside: Some(streams::found_more),
        experiment: "pointer_chase",
        ..STAGE
    },
    Stage {
        name: "what one core takes from its caches and memory",
        targets: |subject| {
            let caches = 0..subject.machine.caches.len();
            caches.map(|at| Cache(at).number(machine::Cache::bandwidth)).chain(of_core(subject)).collect()
        },
        admits: is_of_one_core,
        or: Some(SLOW_STORES),
        seed: Some(seeds::one_core),
        experiment: "parallel_bandwidth",
        ..STAGE
    },
    Stage {
        name: "computing beside memory",
        targets: |_| vec![Core.number(machine::Core::overlap)],
        admits: |row, _| is(row, "serial_bandwidth", "bandwidth") && computes(row),
        seed: Some(seeds::overlap),
        experiment: "serial_bandwidth",
        ..STAGE
    },
    Stage {
        name: "memory controllers",
        before: Some(capacity::apply),
        targets: of_controller,
        admits: is_of_controllers,
        seed: Some(seeds::controllers),
        experiment: "parallel_bandwidth",
        ..STAGE
    },
    // Waiting at a loaded controller and lines in flight make up for each other, so both are fitted together.
    Stage {
        name: "cores and memory controllers together",
        targets: |subject| match &subject.capacity {
            Some(capacity) if capacity.is_alone => Vec::new(),
            Some(_) | None => of_core(subject).into_iter().chain(of_controller(subject)).collect(),
        },
        admits: |row, subject| {
            is_of_controllers(row, subject) || leaves_caches(row, subject) && is_of_one_core(row, subject)
        },
        waits_under_load: true,
        experiment: "parallel_bandwidth",
        ..STAGE
    },
    Stage {
        name: "lines in random order",
        targets: |_| vec![Core.number(machine::Core::random_outstanding), Core.number(machine::Core::window)],
        admits: |row, subject| {
            is(row, "random_reads", "line_time") && row.is_local() && leaves_caches(row, subject)
        },
        seed: Some(seeds::random_lines),
        experiment: "random_reads",
        ..STAGE
    },
    Stage {
        name: "lines in random order from caches",
        targets: |subject| {
            let last = subject.machine.caches.len().checked_sub(1);
            let of_last = last.map(|at| Cache(at).number(machine::Cache::random_outstanding));
            of_last.into_iter().chain([Core.number(machine::Core::random_overlap)]).collect()
        },
        admits: |row, subject| {
            is(row, "random_reads", "line_time")
                && row.is_local()
                && !is_beside_stream(row)
                && is_of_last_cache(row, subject)
        },
        prepares: Some(paces::of_random_lines),
        seed: Some(seeds::random_lines_of_caches),
        experiment: "random_reads",
        ..STAGE
    },
    Stage {
        name: "lines in random order beside a stream",
        targets: |_| vec![Core.number(machine::Core::random_beside_streams)],
        admits: |row, subject| {
            is(row, "random_reads", "line_time")
                && row.is_local()
                && is_beside_stream(row)
                && is_of_last_cache(row, subject)
        },
        seed: Some(seeds::random_lines_beside_streams),
        experiment: "random_reads",
        ..STAGE
    },
];

/// Parameters to fit: lines in flight of a core (streams, other loads), and the limit on stores: `store_outstanding`
/// if the machine has one, otherwise `copy_bandwidth`.
fn of_core(subject: &Subject) -> [Target; 3] {
    let (usual, found) = SLOW_STORES;
    let stores = if subject.machine.core.store_outstanding.is_some() { found } else { usual };
    [Core.number(machine::Core::stream_outstanding), Core.number(machine::Core::outstanding), stores]
}

/// Two possible reasons why stores take longer than loads: a limit on all bytes including write-backs, or fewer lines
/// in flight for stores. Loops that only store show another ratio than loops that load and store, which distinguishes
/// the two.
const SLOW_STORES: (Target, Target) =
    (Core.number(machine::Core::copy_bandwidth), Core.number(machine::Core::store_outstanding));

/// Parameters to fit: bandwidths of a memory controller for all traffic, reads and writes. Empty if the capacity is read
/// off.
fn of_controller(subject: &Subject) -> Vec<Target> {
    if subject.capacity.is_some() {
        return Vec::new();
    }
    let of_memory =
        [machine::Memory::bandwidth, machine::Memory::read_bandwidth, machine::Memory::write_bandwidth];
    of_memory.map(|parameter| Memory.number(parameter)).to_vec()
}
