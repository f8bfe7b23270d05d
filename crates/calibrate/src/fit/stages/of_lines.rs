//! Stages of links, and of lines between cores.

use super::distances::from_distances;
use super::rows::{computes, is, is_construct, share_a_cache, threads};
use super::{STAGE, Stage};
use crate::fit::memory_only;
use crate::fit::seeds;
use crate::fit::target::FittedTable::{Cache, Controller, Core, Link};
use crate::fit::target::Target;
use numalab_base::parameter::Parameter;
use numalab_machine::{self as machine, LinkId, Machine};
use std::collections::BTreeSet;

/// Stages of this file, in the order of the fit.
pub(super) const STAGES: &[Stage] = &[
    Stage {
        name: "latencies of links",
        targets: |subject| {
            links(&subject.machine).into_iter().map(|at| Link(at).number(machine::Link::latency)).collect()
        },
        admits: |row, subject| {
            is(row, "pointer_chase", "latency") && !row.is_local() && !memory_only::has(row, &subject.machine)
        },
        derives: Some(from_distances),
        experiment: "pointer_chase",
        ..STAGE
    },
    Stage {
        name: "bandwidths of links",
        targets: |subject| {
            let machine = &subject.machine;
            let controlled = |at: &usize| {
                machine.levels[*at]
                    .controller
                    .as_ref()
                    .is_some_and(|controller| controller.requests.is_some())
            };
            let requests = (0..machine.levels.len())
                .filter(controlled)
                .map(|at| Controller(at).number(machine::Controller::requests));
            links(machine)
                .into_iter()
                .map(|at| Link(at).number(machine::Link::bandwidth))
                .chain(requests)
                .collect()
        },
        admits: |row, subject| match row.row.experiment.as_str() {
            "serial_bandwidth" | "node_bandwidth" => {
                !row.is_local() && !computes(row) && !memory_only::has(row, &subject.machine)
            }
            "memory_go_around" => row.number("step").is_some_and(|step| step > 0.0),
            _ => false,
        },
        seed: Some(seeds::links),
        experiment: "node_bandwidth",
        ..STAGE
    },
    Stage {
        name: "lines between cores",
        targets: |subject| of_shared_cache(&subject.machine, machine::Cache::core_to_core),
        admits: |row, subject| is(row, "core_to_core", "handover") && share_a_cache(row, &subject.machine),
        experiment: "core_to_core",
        ..STAGE
    },
    Stage {
        name: "atomic operations",
        targets: |_| vec![Core.number(machine::Core::atomic)],
        admits: |row, _| {
            let is_atomic = is_construct(row, "atomic") || is(row, "false_sharing", "store");
            is_atomic && threads(row) == Some(1.0)
        },
        experiment: "epcc",
        ..STAGE
    },
    // The measured time includes an atomic operation of the line's owner.
    Stage {
        name: "lines that are waited for",
        targets: |subject| of_shared_cache(&subject.machine, machine::Cache::passed_on),
        admits: |row, subject| is(row, "contended_word", "exchange") && share_a_cache(row, &subject.machine),
        experiment: "contended_word",
        ..STAGE
    },
];

/// Target for a parameter of the last cache that cores share; empty if cores share none.
fn of_shared_cache(machine: &Machine, parameter: &'static Parameter) -> Vec<Target> {
    machine.shared_cache().map(|at| Cache(at).number(parameter)).into_iter().collect()
}

/// Links of the levels that contain memory nodes: of interconnects and of controllers, each link once.
fn links(machine: &Machine) -> Vec<LinkId> {
    let outside = machine.levels.iter().take_while(|level| level.kind.holds_memory());
    let mut found = BTreeSet::new();
    for level in outside {
        found.extend(level.interconnect.as_ref().map(|interconnect| interconnect.link));
        found.extend(level.controller.as_ref().map(|controller| controller.link));
    }
    found.into_iter().collect()
}
