//! The laws: changes of a machine or a workload that cannot make a run slower, and a change of the unit of time. Idle
//! units, which change nothing, have a file of their own.

use crate::binding::HardwareThread;
use crate::idle::IDLE;
use numalab_base::parameter::{Parameters, Value};
use numalab_base::{Bandwidth, Bytes, Frequency, Span};
use numalab_machine::{Crowding, Machine};
use numalab_runtime::Profile;

/// Factor of all times under the law `time_scale`.
pub const SCALE: u64 = 2;

/// Inputs that a law changes.
#[derive(Clone)]
pub struct Subject {
    pub machine: Machine,
    pub runtime: Profile,
    /// True if the number of iterations decides how regions are divided.
    pub divided: bool,
    /// Values of the workload's parameters, by name.
    pub parameters: Vec<(String, u64)>,
    /// Hardware threads that the team is bound to, in the order of its threads.
    pub binding: Vec<HardwareThread>,
    /// Nodes over which interleaved regions are placed.
    pub nodes: Vec<u32>,
}

/// Effect that the change must have on a run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Promise {
    NotSlower,
    /// It takes [`SCALE`] times as long.
    Scales,
    /// It does the same, to the picosecond and the byte.
    Same,
}

/// A change, and what it may do to a run.
pub struct Law {
    pub name: &'static str,
    pub promise: Promise,
    /// Makes a subject one that the law speaks of.
    pub given: fn(&mut Subject),
    pub change: fn(&mut Subject),
}

impl Law {
    /// A law of all subjects, without its name and its change.
    const PLAIN: Law = Law { name: "", promise: Promise::NotSlower, given: |_| {}, change: |_| {} };

    /// The changed subject; `None` if the law changes nothing of it.
    pub fn changed(&self, subject: &Subject) -> Option<Subject> {
        let mut changed = subject.clone();
        (self.change)(&mut changed);
        let same = changed.machine == subject.machine
            && changed.runtime == subject.runtime
            && changed.parameters == subject.parameters;
        (!same).then_some(changed)
    }
}

pub const LAWS: &[Law] = &[
    Law {
        name: "cache_bw_x2",
        change: |subject| subject.machine.caches.iter_mut().for_each(|cache| cache.bandwidth.0 *= 2.0),
        ..Law::PLAIN
    },
    Law {
        name: "cache_lat_2",
        change: |subject| {
            for cache in &mut subject.machine.caches {
                cache.latency = half(cache.latency);
                cache.core_to_core = cache.core_to_core.map(half);
            }
        },
        ..Law::PLAIN
    },
    Law {
        name: "cache_size_x2",
        // What a larger cache holds must not come slower than from the next one.
        given: |subject| {
            let mut most = f64::INFINITY;
            for cache in &mut subject.machine.caches {
                most = most.min(cache.bandwidth.0);
                cache.bandwidth = Bandwidth(most);
            }
        },
        change: |subject| subject.machine.caches.iter_mut().for_each(|cache| cache.size.0 *= 2),
        ..Law::PLAIN
    },
    Law { name: "clock_x2", change: |subject| subject.machine.core.clock.0 *= 2.0, ..Law::PLAIN },
    Law {
        name: "linkbw_x2",
        change: |subject| subject.machine.links.iter_mut().for_each(|link| link.bandwidth.0 *= 2.0),
        ..Law::PLAIN
    },
    Law {
        name: "linklat_2",
        change: |subject| {
            let Subject { machine, .. } = subject;
            machine.links.iter_mut().for_each(|link| link.latency = half(link.latency));
            // Measured times over the links: with these alone as before, near requests would only be served in
            // another order among the far ones.
            machine.levels.iter_mut().for_each(|level| level.core_to_core = level.core_to_core.map(half));
        },
        ..Law::PLAIN
    },
    Law {
        name: "membw_x2",
        change: |subject| {
            let memory = &mut subject.machine.memory;
            memory.bandwidth.0 *= 2.0;
            for part in
                [&mut memory.read_bandwidth, &mut memory.write_bandwidth, &mut memory.random_bandwidth]
            {
                *part = part.map(|part| Bandwidth(part.0 * 2.0));
            }
        },
        ..Law::PLAIN
    },
    Law {
        name: "memlat_2",
        change: |subject| subject.machine.memory.latency = half(subject.machine.memory.latency),
        ..Law::PLAIN
    },
    Law {
        name: "outstanding_x2",
        // Where it is crowded, more lines in flight deliver less.
        given: |subject| {
            let Subject { machine, .. } = subject;
            machine.memory.crowding = Crowding::default();
            machine.links.iter_mut().for_each(|link| link.crowding = Crowding::default());
        },
        change: |subject| {
            let core = &mut subject.machine.core;
            core.outstanding *= 2.0;
            for part in
                [&mut core.stream_outstanding, &mut core.store_outstanding, &mut core.random_outstanding]
            {
                *part = part.map(|lines| lines * 2.0);
            }
        },
        ..Law::PLAIN
    },
    Law {
        name: "price_2",
        change: |subject| {
            let Subject { machine, runtime, .. } = subject;
            machine.core.atomic = half(machine.core.atomic);
            scale(&mut machine.os, &|time| time / 2.0);
            scale_runtime(runtime, &|time| time / 2.0);
        },
        ..Law::PLAIN
    },
    Law {
        name: "work_n_2",
        change: |subject| {
            if !subject.divided {
                halve(subject, "n")
            }
        },
        ..Law::PLAIN
    },
    Law { name: "work_q_2", change: |subject| halve(subject, "q"), ..Law::PLAIN },
    Law { name: "work_s_2", change: |subject| halve(subject, "s"), ..Law::PLAIN },
    Law {
        name: "time_scale",
        promise: Promise::Scales,
        change: |subject| {
            let Subject { machine, runtime, .. } = subject;
            let longer = |time: f64| time * SCALE as f64;
            for level in &mut machine.levels {
                level.core_to_core = level.core_to_core.map(|span| Span(span.0 * SCALE));
                if let Some(controller) = &mut level.controller {
                    controller.bandwidth = controller.bandwidth.map(|rate| Bandwidth(rate.0 / SCALE as f64));
                }
            }
            machine.links.iter_mut().for_each(|link| scale(link, &longer));
            machine.caches.iter_mut().for_each(|cache| scale(cache, &longer));
            machine.memory_only.iter_mut().for_each(|memory| scale(memory, &longer));
            scale(&mut machine.core, &longer);
            scale(&mut machine.memory, &longer);
            scale(&mut machine.os, &longer);
            scale_runtime(runtime, &longer);
        },
        ..Law::PLAIN
    },
];

/// Law of a name.
pub fn named(name: &str) -> Option<&'static Law> {
    LAWS.iter().chain(IDLE).find(|law| law.name == name)
}

fn half(span: Span) -> Span {
    Span(span.0 / 2)
}

/// Halves a parameter of the workload, down to 1. Sizes stay whole pages and lines apart from their last one.
fn halve(subject: &mut Subject, name: &str) {
    for (_, value) in subject.parameters.iter_mut().filter(|(other, value)| other == name && *value > 1) {
        *value /= 2;
    }
}

fn scale_runtime(runtime: &mut Profile, change: &dyn Fn(f64) -> f64) {
    scale(&mut runtime.fork, change);
    scale(&mut runtime.barrier, change);
    scale(&mut runtime.lock, change);
    scale(&mut runtime.worksharing, change);
    scale(&mut runtime.tasks, change);
}

/// Changes every time of a table of parameters, and rates and clocks inversely.
fn scale<T: Parameters>(table: &mut T, change: &dyn Fn(f64) -> f64) {
    let values = table.values().into_iter().map(|value| scaled(value, change)).collect();
    if let Some(changed) = T::from_values(values) {
        *table = changed;
    }
}

fn scaled(value: Value, change: &dyn Fn(f64) -> f64) -> Value {
    match value {
        Value::Time(span) => Value::Time(Span(change(span.0 as f64) as u64)),
        Value::Rate(rate) => Value::Rate(Bandwidth(rate.0 / change(1.0))),
        Value::Clock(clock) => Value::Clock(Frequency(clock.0 / change(1.0))),
        Value::Size(Bytes(bytes)) => Value::Size(Bytes(bytes)),
        Value::Table(values) => Value::Table(values.into_iter().map(|value| scaled(value, change)).collect()),
        other => other,
    }
}
