//! Tests of rows, by which stages select them.

use crate::fit::observation::Observation;
use crate::fit::subject::Subject;
use numalab_machine::{Machine, ProcessorId};
use std::collections::BTreeSet;

/// Ratio of cache size to footprint from which the data is well inside a cache, and of footprint to cache size from
/// which it is well outside.
const INSIDE: f64 = 1.5;
/// Ratio of footprint to cache size from which a stream is well outside a cache; larger, since a stream may find
/// parts of its data, depending on the order of replacement.
const OUTSIDE: f64 = 2.0;

pub(super) fn is(row: &Observation, experiment: &str, quantity: &str) -> bool {
    row.row.experiment == experiment && row.row.quantity == quantity
}

pub(super) fn is_construct(row: &Observation, construct: &str) -> bool {
    is(row, "epcc", "overhead") && row.param("construct") == Some(construct)
}

pub(super) fn threads(row: &Observation) -> Option<f64> {
    row.number("threads")
}

/// True if the row's data exceeds every cache, or if the row states no size.
pub(super) fn leaves_caches(row: &Observation, subject: &Subject) -> bool {
    let bytes = row.number("footprint").or_else(|| row.number("share"));
    bytes.is_none_or(|bytes| subject.machine.caches.iter().all(|cache| bytes > cache.size.0 as f64))
}

/// True for a row about streams of a single thread.
pub(super) fn is_of_one_core(row: &Observation, subject: &Subject) -> bool {
    let alone = is(row, "serial_bandwidth", "bandwidth") && row.is_local() && !computes(row);
    let team = ["parallel_bandwidth", "stream"].contains(&row.row.experiment.as_str());
    (alone || team && threads(row) == Some(1.0)) && is_settled(row, &subject.machine)
}

/// True for a row about streams of several threads from the memory of their nodes.
pub(super) fn is_of_controllers(row: &Observation, subject: &Subject) -> bool {
    let many = threads(row).is_none_or(|threads| threads > 1.0);
    match row.row.experiment.as_str() {
        "parallel_bandwidth" => many && is_settled(row, &subject.machine),
        "stream" => many,
        "node_bandwidth" => row.is_local(),
        _ => false,
    }
}

/// True for a row whose loop computes between memory accesses.
pub(super) fn computes(row: &Observation) -> bool {
    row.number("adds").is_some_and(|adds| adds > 0.0)
}

/// True if the row's data is well inside a cache, or well outside all caches. At other footprints, the hits of a
/// stream depend on the order of replacement, which is not measured here.
pub(super) fn is_settled(row: &Observation, machine: &Machine) -> bool {
    let bytes = row.number("footprint").or_else(|| row.number("share"));
    let Some(bytes) = bytes else { return true };
    let near = |size: f64| bytes * INSIDE > size && bytes < size * OUTSIDE;
    !machine.caches.iter().any(|cache| near(cache.size.0 as f64))
}

/// True for a row that reads a stream beside lines in random order.
pub(in crate::fit) fn is_beside_stream(row: &Observation) -> bool {
    row.number("beside").is_some_and(|lines| lines > 0.0)
}

/// True if the row's data fits well into the last cache, but not into the cache before the last.
pub(super) fn is_of_last_cache(row: &Observation, subject: &Subject) -> bool {
    let caches = &subject.machine.caches;
    let (Some(bytes), [.., inner, last]) = (row.number("footprint"), &caches[..]) else { return false };
    bytes * INSIDE <= last.size.0 as f64 && bytes >= inner.size.0 as f64 * INSIDE
}

/// True if the two processors of a row share the outermost cache that several cores share.
pub(super) fn share_a_cache(row: &Observation, machine: &Machine) -> bool {
    let procs = row.numbers("procs");
    let shared = machine.caches.iter().rev().find(|cache| cache.shared_by > 1);
    let (Some(shared), Ok(fabric)) = (shared, numalab_machine::Fabric::new(machine)) else { return false };
    let known = procs.iter().all(|proc| *proc < fabric.processors());
    let caches: BTreeSet<u32> = match known {
        true => procs
            .iter()
            .map(|proc| fabric.processor(ProcessorId::new(*proc)).core.0 / shared.shared_by)
            .collect(),
        false => return false,
    };
    let cores: BTreeSet<u32> =
        procs.iter().map(|proc| fabric.processor(ProcessorId::new(*proc)).core.0).collect();
    caches.len() == 1 && cores.len() > 1
}
