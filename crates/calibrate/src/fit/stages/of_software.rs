//! Stages of the operating system and the OpenMP runtime.

use super::rows::{is, is_construct, threads};
use super::{STAGE, Stage};
use crate::experiments::is_loop_of_chunks;
use crate::fit::seeds;
use crate::fit::target::FittedTable::{Barrier, Fork, Os, Tasks, Worksharing};
use crate::loops;
use numalab_base::parameter::Parameter;
use numalab_machine as machine;
use numalab_runtime::profile::{self, BarrierKind, BarrierProfile, TaskProfile};

/// Stages of this file, in the order of the fit.
pub(super) const STAGES: &[Stage] = &[
    Stage {
        name: "fresh pages",
        targets: |_| vec![Os.number(machine::Os::page_fault), Os.number(machine::Os::page_lock)],
        admits: |row, _| is(row, "first_touch_init", "bandwidth"),
        seed: Some(seeds::pages),
        experiment: "first_touch_init",
        ..STAGE
    },
    Stage {
        name: "blocks of memory",
        targets: |_| vec![Os.number(machine::Os::map), Os.number(machine::Os::wake)],
        admits: |row, _| is(row, "malloc", "time_per_call"),
        experiment: "malloc",
        ..STAGE
    },
    Stage {
        name: "moving pages",
        targets: |_| vec![Os.number(machine::Os::page_migration)],
        admits: |row, _| is(row, "page_migration", "page_migration"),
        experiment: "page_migration",
        ..STAGE
    },
    // This stage precedes the stage of regions, which GNU's runtime opens and closes by the call of a barrier.
    Stage {
        name: "barriers",
        targets: |subject| {
            let calls = subject.runtime.barrier.kind == BarrierKind::Futex;
            vec![Barrier.number(if calls { BarrierProfile::wake_call } else { BarrierProfile::fixed })]
        },
        admits: |row, _| is_construct(row, "barrier") && threads(row) == Some(1.0),
        experiment: "epcc",
        ..STAGE
    },
    Stage {
        name: "regions of one thread",
        targets: |_| vec![Fork.number(profile::Fork::fixed)],
        admits: |row, _| is_construct(row, "parallel") && threads(row) == Some(1.0),
        experiment: "epcc",
        ..STAGE
    },
    Stage {
        name: "regions of more threads",
        targets: |_| vec![Fork.number(profile::Fork::open)],
        admits: |row, _| is_construct(row, "parallel") && threads(row).is_some_and(|threads| threads > 1.0),
        experiment: "epcc",
        ..STAGE
    },
    // A call takes the same time alone and in a team, since threads share nothing during the call. The barrier that
    // follows is fitted before.
    Stage {
        name: "static loops",
        targets: |_| vec![Worksharing.number(profile::Worksharing::static_loop)],
        admits: |row, _| is_construct(row, "for") && threads(row) == Some(1.0),
        experiment: "epcc",
        ..STAGE
    },
    Stage {
        name: "single regions",
        targets: |_| vec![Worksharing.number(profile::Worksharing::single)],
        admits: |row, _| is_construct(row, "single") && threads(row) == Some(1.0),
        experiment: "epcc",
        ..STAGE
    },
    Stage {
        name: "chunks of loops",
        targets: |_| vec![Worksharing.number(profile::Worksharing::chunk)],
        admits: |row, _| is(row, "loadbal", "makespan") && is_loop_of_chunks(&row.row),
        // The loop's own computing is known, so the rest of the measured time is that of chunks.
        prepares: Some(|rows, subject| loops::apply_own("loadbal", rows, subject)),
        seed: Some(seeds::chunks),
        experiment: "loadbal",
        ..STAGE
    },
    // One thread waits for no lines, so these rows show the times of its own calls. Times of teams follow.
    Stage {
        name: "tasks of one thread",
        targets: |subject| {
            // If no queue refuses a task, none is executed immediately.
            let tasks = &subject.runtime.tasks;
            let parameters: &[&Parameter] = match (tasks.alone_at_once, tasks.bound.is_some()) {
                (true, _) => &[TaskProfile::at_once],
                (false, true) => &[TaskProfile::create, TaskProfile::dispatch, TaskProfile::at_once],
                (false, false) => &[TaskProfile::create, TaskProfile::dispatch],
            };
            parameters.iter().map(|parameter| Tasks.number(parameter)).collect()
        },
        admits: |row, _| is(row, "epcc_task", "overhead") && threads(row) == Some(1.0),
        seed: Some(seeds::tasks),
        experiment: "epcc_task",
        ..STAGE
    },
    Stage {
        name: "tasks of a team",
        targets: |subject| {
            // In other runtimes the rows of one thread have determined these parameters.
            let queues_none_alone = subject.runtime.tasks.alone_at_once;
            match queues_none_alone {
                true => [TaskProfile::create, TaskProfile::dispatch].map(|one| Tasks.number(one)).to_vec(),
                false => Vec::new(),
            }
        },
        admits: |row, _| {
            is(row, "epcc_task", "overhead") && threads(row).is_some_and(|threads| threads > 1.0)
        },
        experiment: "epcc_task",
        ..STAGE
    },
];
