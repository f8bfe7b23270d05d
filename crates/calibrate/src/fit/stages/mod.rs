//! Stages of the fit: the parameters fitted together, their rows, and the order: what a stage needs of others
//! has been fitted before. Which rows are of what is said in `rows`, what stands for rows that nobody measured in `distances`.

mod distances;
mod rows;

use super::Finding;
use super::inputs::Inputs;
use super::observation::Observation;
use super::paces;
use super::seeds;
use super::streams;
use super::subject::Subject;
use super::target::FittedTable::{
    Barrier, Cache, Controller, Core, Fork, Link, Memory, Os, Tasks, Worksharing,
};
use super::target::Target;
use crate::experiments::is_loop_of_chunks;
use distances::from_distances;
use numalab_machine::{LinkId, Machine};
use numalab_runtime::profile::BarrierKind;
use rows::{
    computes, is, is_beside_stream, is_construct, is_of_controllers, is_of_last_cache, is_of_one_core,
    leaves_caches, share_a_cache, threads,
};
use std::collections::BTreeSet;

/// Sets where a stage begins, from the rows that it is fitted on.
pub type Seed = fn(&mut Subject, &[&Observation]);

/// Errors that the model has with each row.
pub type Doubt = fn(&[&Observation], &Subject) -> Vec<f64>;

/// Compares a fitted subject and its findings with all rows; what they disagree about, for people.
pub type Beside = fn(&mut Subject, &mut [Finding], &[Observation]) -> Option<String>;

/// One step of the fit.
pub struct Stage {
    /// For people.
    pub name: &'static str,
    /// Parameters that are fitted.
    pub targets: fn(&Subject) -> Vec<Target>,
    /// On what.
    pub admits: fn(&Observation, &Subject) -> bool,
    /// One of these, and what may be the reason in its place for the same rows.
    pub or: Option<(Target, Target)>,
    /// Start of it, if not where it is.
    pub seed: Option<Seed>,
    /// Relative error that the model leaves open about a row, besides what it always does.
    pub doubt: Option<Doubt>,
    /// What the rows are to be simulated with, found from others before any is looked at.
    pub prepares: Option<fn(&mut [Observation], &Subject)>,
    /// Rows in the place of those that nobody measured.
    pub derives: Option<fn(&Inputs, &Subject) -> Vec<Observation>>,
    /// Whether its values depend on how much longer lines wait under load.
    pub waits_under_load: bool,
    /// Evidence of another kind about what was fitted.
    pub beside: Option<Beside>,
    /// Experiment that measures it.
    pub experiment: &'static str,
}

impl Stage {
    /// Everything that may be fitted.
    pub fn candidates(&self, subject: &Subject) -> Vec<Target> {
        (self.targets)(subject).into_iter().chain(self.or.map(|(_, other)| other)).collect()
    }
}

/// A stage of which nothing is said: where it is, on rows as they are.
const STAGE: Stage = Stage {
    name: "",
    targets: |_| Vec::new(),
    admits: |_, _| false,
    or: None,
    seed: None,
    doubt: None,
    prepares: None,
    derives: None,
    waits_under_load: false,
    beside: None,
    experiment: "",
};

/// All steps in order.
pub const ALL: [Stage; 25] = [
    Stage {
        name: "instructions",
        targets: |_| vec![Core.number("instructions_per_cycle")],
        admits: |row, _| is(row, "compute", "instructions_per_ns") && threads(row) == Some(1.0),
        experiment: "compute",
        ..STAGE
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
            caches.map(|at| Cache(at).number("bandwidth")).chain(of_core(subject)).collect()
        },
        admits: is_of_one_core,
        or: Some(SLOW_STORES),
        seed: Some(seeds::one_core),
        experiment: "parallel_bandwidth",
        ..STAGE
    },
    Stage {
        name: "computing beside memory",
        targets: |_| vec![Core.number("overlap")],
        admits: |row, _| is(row, "serial_bandwidth", "bandwidth") && computes(row),
        seed: Some(seeds::overlap),
        experiment: "serial_bandwidth",
        ..STAGE
    },
    Stage {
        name: "memory controllers",
        targets: |_| of_controller().to_vec(),
        admits: is_of_controllers,
        seed: Some(seeds::controllers),
        experiment: "parallel_bandwidth",
        ..STAGE
    },
    // What waits at a loaded controller, a core makes up for by lines in flight: neither is right without the other.
    Stage {
        name: "cores and memory controllers together",
        targets: |subject| of_core(subject).into_iter().chain(of_controller()).collect(),
        admits: |row, subject| {
            is_of_controllers(row, subject) || leaves_caches(row, subject) && is_of_one_core(row, subject)
        },
        waits_under_load: true,
        experiment: "parallel_bandwidth",
        ..STAGE
    },
    Stage {
        name: "lines in random order",
        targets: |_| ["random_outstanding", "window"].map(|name| Core.number(name)).to_vec(),
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
            let of_last = last.map(|at| Cache(at).number("random_outstanding"));
            of_last.into_iter().chain([Core.number("random_overlap")]).collect()
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
        targets: |_| vec![Core.number("random_beside_streams")],
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
    Stage {
        name: "latencies of links",
        targets: |subject| links(&subject.machine).into_iter().map(|at| Link(at).number("latency")).collect(),
        admits: |row, _| is(row, "pointer_chase", "latency") && !row.is_local(),
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
        experiment: "node_bandwidth",
        ..STAGE
    },
    Stage {
        name: "lines between cores",
        targets: |subject| {
            let shared = subject.machine.caches.iter().rposition(|cache| cache.shared_by > 1);
            shared.map(|at| Cache(at).number("core_to_core")).into_iter().collect()
        },
        admits: |row, subject| is(row, "core_to_core", "handover") && share_a_cache(row, &subject.machine),
        experiment: "core_to_core",
        ..STAGE
    },
    Stage {
        name: "atomic operations",
        targets: |_| vec![Core.number("atomic")],
        admits: |row, _| {
            let is_atomic = is_construct(row, "atomic") || is(row, "false_sharing", "store");
            is_atomic && threads(row) == Some(1.0)
        },
        experiment: "epcc",
        ..STAGE
    },
    // The operation of the owner is a part of it.
    Stage {
        name: "lines that are waited for",
        targets: |subject| {
            let shared = subject.machine.caches.iter().rposition(|cache| cache.shared_by > 1);
            shared.map(|at| Cache(at).number("passed_on")).into_iter().collect()
        },
        admits: |row, subject| is(row, "contended_word", "exchange") && share_a_cache(row, &subject.machine),
        experiment: "contended_word",
        ..STAGE
    },
    Stage {
        name: "fresh pages",
        targets: |_| vec![Os.number("page_fault"), Os.number("page_lock")],
        admits: |row, _| is(row, "first_touch_init", "bandwidth"),
        seed: Some(seeds::pages),
        experiment: "first_touch_init",
        ..STAGE
    },
    Stage {
        name: "blocks of memory",
        targets: |_| vec![Os.number("map"), Os.number("wake")],
        admits: |row, _| is(row, "malloc", "time_per_call"),
        experiment: "malloc",
        ..STAGE
    },
    Stage {
        name: "moving pages",
        targets: |_| vec![Os.number("page_migration")],
        admits: |row, _| is(row, "page_migration", "page_migration"),
        experiment: "page_migration",
        ..STAGE
    },
    // Before regions, which GNU's runtime opens and closes by the same call.
    Stage {
        name: "barriers",
        targets: |subject| {
            let calls = subject.runtime.barrier.kind == BarrierKind::Futex;
            vec![Barrier.number(if calls { "wake_call" } else { "fixed" })]
        },
        admits: |row, _| is_construct(row, "barrier") && threads(row) == Some(1.0),
        experiment: "epcc",
        ..STAGE
    },
    Stage {
        name: "regions of one thread",
        targets: |_| vec![Fork.number("fixed")],
        admits: |row, _| is_construct(row, "parallel") && threads(row) == Some(1.0),
        experiment: "epcc",
        ..STAGE
    },
    Stage {
        name: "regions of more threads",
        targets: |_| vec![Fork.number("open")],
        admits: |row, _| is_construct(row, "parallel") && threads(row).is_some_and(|threads| threads > 1.0),
        experiment: "epcc",
        ..STAGE
    },
    // A call of a thread alone takes as long as in a team, since nothing of it is shared; the barrier behind it is known.
    Stage {
        name: "static loops",
        targets: |_| vec![Worksharing.number("static_loop")],
        admits: |row, _| is_construct(row, "for") && threads(row) == Some(1.0),
        experiment: "epcc",
        ..STAGE
    },
    Stage {
        name: "single regions",
        targets: |_| vec![Worksharing.number("single")],
        admits: |row, _| is_construct(row, "single") && threads(row) == Some(1.0),
        experiment: "epcc",
        ..STAGE
    },
    Stage {
        name: "chunks of loops",
        targets: |_| vec![Worksharing.number("chunk")],
        admits: |row, _| is(row, "loadbal", "makespan") && is_loop_of_chunks(&row.row),
        experiment: "loadbal",
        ..STAGE
    },
    // Who is alone waits for nobody's lines, and calls nobody: all that it takes is its own. What a team takes follows.
    Stage {
        name: "tasks of one thread",
        targets: |subject| {
            // Where no queue refuses a task, none is executed at once.
            let tasks = &subject.runtime.tasks;
            let names: &[&str] = match (tasks.alone_at_once, tasks.bound.is_some()) {
                (true, _) => &["at_once"],
                (false, true) => &["create", "dispatch", "at_once"],
                (false, false) => &["create", "dispatch"],
            };
            names.iter().map(|name| Tasks.number(name)).collect()
        },
        admits: |row, _| is(row, "epcc_task", "overhead") && threads(row) == Some(1.0),
        seed: Some(seeds::tasks),
        experiment: "epcc_task",
        ..STAGE
    },
    Stage {
        name: "tasks of a team",
        targets: |subject| {
            // Others have said it by themselves.
            let queues_none_alone = subject.runtime.tasks.alone_at_once;
            let names: &[&str] = if queues_none_alone { &["create", "dispatch"] } else { &[] };
            names.iter().map(|name| Tasks.number(name)).collect()
        },
        admits: |row, _| {
            is(row, "epcc_task", "overhead") && threads(row).is_some_and(|threads| threads > 1.0)
        },
        experiment: "epcc_task",
        ..STAGE
    },
];

/// The lines that a core keeps in flight, and what limits its stores: the reason that was found for it, if there is one.
fn of_core(subject: &Subject) -> [Target; 3] {
    let (usual, found) = SLOW_STORES;
    let stores = if subject.machine.core.store_outstanding.is_some() { found } else { usual };
    [Core.number("stream_outstanding"), Core.number("outstanding"), stores]
}

/// Two reasons for which stores take longer than loads: all that moves is limited, lines written back too, or stores have fewer
/// lines in flight. Loops that store only and that do both tell which.
const SLOW_STORES: (Target, Target) = (Core.number("copy_bandwidth"), Core.number("store_outstanding"));

/// Bandwidths that a memory controller delivers.
fn of_controller() -> [Target; 3] {
    ["bandwidth", "read_bandwidth", "write_bandwidth"].map(|name| Memory.number(name))
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
        let mut subject = Subject::new(machine, Profile::default());
        for target in ALL.iter().flat_map(|stage| stage.candidates(&subject)).collect::<Vec<_>>() {
            subject.set(target, 32.0);
            assert_eq!(target.value(&subject).and_then(|value| value.number()), Some(32.0), "{target:?}");
        }
    }
}
