//! Stages of the fit: the parameters fitted together, their rows, and the order: what a stage needs of others
//! has been fitted before.

use super::observation::Observation;
use super::seeds;
use super::subject::Subject;
use super::target::FittedTable::{Barrier, Cache, Controller, Core, Fork, Link, Memory, Os, Tasks};
use super::target::Target;
use numalab_machine::{LinkId, Machine, ProcessorId};
use std::collections::BTreeSet;

/// One step of the fit.
pub struct Stage {
    /// For people.
    pub name: &'static str,
    /// Parameters that are fitted.
    pub targets: fn(&Subject) -> Vec<Target>,
    /// On what.
    pub admits: fn(&Observation, &Subject) -> bool,
    /// Where it begins, if not where it is.
    pub seed: Option<fn(&mut Subject, &[&Observation])>,
}

/// All steps in order.
pub const ALL: [Stage; 16] = [
    Stage {
        name: "instructions",
        targets: |_| vec![Core.number("instructions_per_cycle")],
        admits: |row, _| is(row, "compute", "instructions_per_ns"),
        seed: None,
    },
    Stage {
        name: "latencies and sizes of caches",
        targets: |subject| {
            let caches = 0..subject.machine.caches.len();
            let mut targets: Vec<_> = caches.clone().map(|at| Cache(at).number("latency")).collect();
            targets.extend(caches.map(|at| Cache(at).number("size")));
            targets.push(Memory.number("latency"));
            targets
        },
        admits: |row, _| is(row, "pointer_chase", "latency") && row.is_local(),
        seed: None,
    },
    Stage {
        name: "what one core takes from its caches and memory",
        targets: |subject| {
            let caches = 0..subject.machine.caches.len();
            let core = [
                Core.number("stream_outstanding"),
                Core.number("outstanding"),
                Core.number("copy_bandwidth"),
            ];
            caches.map(|at| Cache(at).number("bandwidth")).chain(core).collect()
        },
        admits: |row, subject| {
            let alone = is(row, "serial_bandwidth", "bandwidth") && row.is_local() && !computes(row);
            let own = row.row.experiment == "parallel_bandwidth" && threads(row) == Some(1.0);
            (alone || own) && is_settled(row, &subject.machine)
        },
        seed: Some(seeds::one_core),
    },
    Stage {
        name: "computing beside memory",
        targets: |_| vec![Core.number("overlap")],
        admits: |row, _| is(row, "serial_bandwidth", "bandwidth") && computes(row),
        seed: Some(seeds::overlap),
    },
    Stage {
        name: "memory controllers",
        targets: |_| {
            vec![
                Memory.number("bandwidth"),
                Memory.number("read_bandwidth"),
                Memory.number("write_bandwidth"),
            ]
        },
        admits: |row, subject| {
            let many = threads(row).is_none_or(|threads| threads > 1.0);
            match row.row.experiment.as_str() {
                "parallel_bandwidth" => many && is_settled(row, &subject.machine),
                "stream" => many,
                "node_bandwidth" => row.is_local(),
                _ => false,
            }
        },
        seed: Some(seeds::controllers),
    },
    Stage {
        name: "latencies of links",
        targets: |subject| links(&subject.machine).into_iter().map(|at| Link(at).number("latency")).collect(),
        admits: |row, _| is(row, "pointer_chase", "latency") && !row.is_local(),
        seed: None,
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
            let requests =
                (0..machine.levels.len()).filter(controlled).map(|at| Controller(at).number("requests"));
            links(machine).into_iter().map(|at| Link(at).number("bandwidth")).chain(requests).collect()
        },
        admits: |row, _| match row.row.experiment.as_str() {
            "serial_bandwidth" | "node_bandwidth" => !row.is_local() && !computes(row),
            "memory_go_around" => row.number("step").is_some_and(|step| step > 0.0),
            _ => false,
        },
        seed: Some(seeds::links),
    },
    Stage {
        name: "lines between cores",
        targets: |subject| {
            let shared = subject.machine.caches.iter().rposition(|cache| cache.shared_by > 1);
            shared.map(|at| Cache(at).number("core_to_core")).into_iter().collect()
        },
        admits: |row, subject| is(row, "core_to_core", "handover") && share_a_cache(row, &subject.machine),
        seed: None,
    },
    Stage {
        name: "atomic operations",
        targets: |_| vec![Core.number("atomic")],
        admits: |row, _| is_construct(row, "atomic") && threads(row) == Some(1.0),
        seed: None,
    },
    Stage {
        name: "fresh pages",
        targets: |_| vec![Os.number("page_fault"), Os.number("page_lock")],
        admits: |row, _| is(row, "first_touch_init", "bandwidth"),
        seed: None,
    },
    Stage {
        name: "blocks of memory",
        targets: |_| vec![Os.number("map"), Os.number("wake")],
        admits: |row, _| is(row, "malloc", "time_per_call"),
        seed: None,
    },
    Stage {
        name: "moving pages",
        targets: |_| vec![Os.number("page_migration")],
        admits: |row, _| is(row, "page_migration", "page_migration"),
        seed: None,
    },
    Stage {
        name: "regions of one thread",
        targets: |_| vec![Fork.number("fixed")],
        admits: |row, _| is_construct(row, "parallel") && threads(row) == Some(1.0),
        seed: None,
    },
    Stage {
        name: "regions of more threads",
        targets: |_| vec![Fork.number("open")],
        admits: |row, _| is_construct(row, "parallel") && threads(row).is_some_and(|threads| threads > 1.0),
        seed: None,
    },
    Stage {
        name: "barriers",
        targets: |_| vec![Barrier.number("fixed")],
        admits: |row, _| is_construct(row, "barrier") && threads(row) == Some(1.0),
        seed: None,
    },
    Stage {
        name: "tasks",
        targets: |_| vec![Tasks.number("create"), Tasks.number("dispatch")],
        admits: |row, _| is(row, "epcc_task", "overhead"),
        seed: None,
    },
];

fn is(row: &Observation, experiment: &str, quantity: &str) -> bool {
    row.row.experiment == experiment && row.row.quantity == quantity
}

fn is_construct(row: &Observation, construct: &str) -> bool {
    is(row, "epcc", "overhead") && row.param("construct") == Some(construct)
}

fn threads(row: &Observation) -> Option<f64> {
    row.number("threads")
}

/// Whether something is computed beside each line.
fn computes(row: &Observation) -> bool {
    row.number("adds").is_some_and(|adds| adds > 0.0)
}

/// Whether the data is well inside a cache, or well outside all: what a stream finds in a cache that almost
/// holds it depends on the order of replacement, which is not what is measured here.
fn is_settled(row: &Observation, machine: &Machine) -> bool {
    const NEAR: f64 = 2.0;
    let bytes = row.number("footprint").or_else(|| row.number("share"));
    let Some(bytes) = bytes else { return true };
    let near = |size: f64| bytes * NEAR > size && bytes < size * NEAR;
    !machine.caches.iter().any(|cache| near(cache.size.0 as f64))
}

/// Whether two processors of a row are under one shared cache. Processors are taken by their cores' numbers.
fn share_a_cache(row: &Observation, machine: &Machine) -> bool {
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

/// The kinds of link between nodes.
fn links(machine: &Machine) -> Vec<LinkId> {
    let outside = machine.levels.iter().take_while(|level| level.kind.holds_memory());
    let mut found = BTreeSet::new();
    for level in outside {
        found.extend(level.interconnect.as_ref().map(|interconnect| interconnect.link));
        found.extend(level.controller.as_ref().map(|controller| controller.link));
    }
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_runtime::Profile;

    #[test]
    fn every_stage_names_parameters_that_there_are() {
        let mut machine = numalab_machine::synthetic("board:2 socket:2 core:2").unwrap();
        for controller in machine.levels.iter_mut().filter_map(|level| level.controller.as_mut()) {
            controller.requests = Some(8.0);
        }
        let mut subject = Subject { machine, runtime: Profile::default() };
        for target in ALL.iter().flat_map(|stage| (stage.targets)(&subject)).collect::<Vec<_>>() {
            subject.set(target, 32.0);
            assert_eq!(target.value(&subject).and_then(|value| value.number()), Some(32.0), "{target:?}");
        }
    }
}
