//! Subject of a fit: a machine and the OpenMP runtime on it.

use super::capacity::Capacity;
use super::load::UnderLoad;
use super::target::Target;
use crate::experiments::Experiment;
use numalab_base::{Bandwidth, Bytes, Span};
use numalab_files::Loaded;
use numalab_machine::Machine;
use numalab_runtime::Profile;
use numalab_study::{Files, Measured, SealedMachine, StudyError};

/// Machine and runtime with the values of the present stage of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// Hardware and operating system with the present values.
    pub machine: Machine,
    /// OpenMP runtime with the present values.
    pub runtime: Profile,
    /// Measured latencies under load; with the present memory bandwidth they yield the curve. `None` without such
    /// rows.
    pub(crate) under_load: Option<UnderLoad>,
    /// Capacity of a node's memory, read off rows; `None` if the stages search it.
    pub(crate) capacity: Option<Capacity>,
}

impl Subject {
    /// Subject without measured latency under load.
    pub fn new(machine: Machine, runtime: Profile) -> Subject {
        Subject { machine, runtime, under_load: None, capacity: None }
    }

    /// Value of a parameter, in base units.
    pub fn get(&self, target: Target) -> f64 {
        target.number(self)
    }

    pub fn set(&mut self, target: Target, value: f64) {
        target.set(self, value);
    }

    /// Makes separately fitted values consistent: outer caches are larger and slower than inner ones, no part exceeds
    /// the whole, no stream is slower than a chase, and no line between cores is faster than its links. Updates the
    /// curve of latency under load for the present memory bandwidth.
    pub fn settle(&mut self) {
        let Machine { core, caches, memory, os, .. } = &mut self.machine;
        core.overlap = core.overlap.min(1.0);
        for at in 1..caches.len() {
            let inner = (caches[at - 1].latency, caches[at - 1].size);
            caches[at].latency = caches[at].latency.max(inner.0);
            caches[at].size = caches[at].size.max(inner.1);
        }
        for cache in caches.iter_mut() {
            let lines = (cache.size.0 / memory.line.0).max(1);
            cache.size = Bytes(lines * memory.line.0);
            // A chase moves a line in every latency.
            let chased = memory.line.0 as f64 / cache.latency.as_secs();
            cache.bandwidth = Bandwidth(cache.bandwidth.0.max(chased));
            cache.passed_on = cache.passed_on.min(1.0);
        }
        if let Some(last) = caches.last() {
            memory.latency = memory.latency.max(last.latency);
        }
        if let Some(capacity) = &self.capacity {
            memory.bandwidth = Bandwidth(capacity.all);
            (memory.read_bandwidth, memory.write_bandwidth) = (capacity.reads.map(Bandwidth), None);
        }
        let parts = [memory.read_bandwidth, memory.write_bandwidth];
        let most = parts.iter().flatten().fold(memory.bandwidth.0, |most, part| most.max(part.0));
        memory.bandwidth = Bandwidth(most);
        if let Some(measured) = &self.under_load {
            // The kernel's streams are all reads.
            memory.loaded_latency = measured.curve(memory.read_bandwidth.unwrap_or(memory.bandwidth).0);
        }
        os.page_lock = os.page_lock.min(os.page_fault);
        // A line takes at least the way there and back between two units.
        let Machine { levels, links, .. } = &mut self.machine;
        for level in levels {
            let link = level.interconnect.as_ref().map_or(Span::ZERO, |joined| links[joined.link.0].latency);
            level.core_to_core = level.core_to_core.map(|span| span.max(link + link));
        }
    }

    /// Simulated value of a quantity, in `unit`, with these values of machine and runtime. `pace`: upper bound of the
    /// instructions per cycle, if the loop's own number is known. `None` if no workload covers the quantity.
    pub(crate) fn simulate<'a>(
        &self,
        experiment: &'static Experiment,
        (quantity, unit): (&'a str, &'a str),
        params: impl Iterator<Item = (&'a str, &'a str)>,
        pace: Option<f64>,
        files: &Files,
    ) -> Result<Option<f64>, StudyError> {
        let mut all: Vec<(&str, &str)> = experiment.params().collect();
        // If a key is repeated, its last value counts.
        for (key, value) in params {
            all.retain(|(known, _)| *known != key);
            all.push((key, value));
        }
        let quantity = match experiment.measure {
            Some((of_kernel, measure)) if of_kernel == quantity => measure,
            Some(_) | None => quantity,
        };
        let measured = Measured { experiment: experiment.workload, quantity, unit, params: &all };
        let mut machine = self.machine.clone();
        let core = &mut machine.core;
        core.instructions_per_cycle =
            experiment.per_cycle.into_iter().chain(pace).fold(core.instructions_per_cycle, f64::min);
        let machine = SealedMachine::new(Loaded::in_memory(machine))?;
        measured.simulate(machine, Some(Loaded::in_memory(self.runtime.clone())), files)
    }
}
