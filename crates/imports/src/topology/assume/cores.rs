//! Cores and caches by the core design of the processors' generation.

use super::{Assumption, Source};
use crate::topology::MachineSketch;
use crate::topology::core_designs::Latency;
use crate::topology::generations::Generation;
use numalab_base::{Bandwidth, Frequency, Span};

impl MachineSketch {
    /// Sets the values of cores and caches from the generation's core design, and adds them to `said`.
    pub(super) fn take_cores(&mut self, found: &Generation, said: &mut Vec<Assumption>) {
        let Some(design) = found.core else { return };
        let open = |path: &str| self.assumed.iter().any(|assumed| assumed == path);
        let mut say = |path: String, value: String, source: Source| {
            said.push(Assumption::new(path, value, source));
        };
        let machine = &mut self.machine;
        machine.protocol = design.protocol;
        say(
            "protocol".to_owned(),
            design.protocol.name().to_owned(),
            format!("assumed: as of {}", found.name).into(),
        );
        let core = &mut machine.core;
        if open("core.clock") {
            core.clock = Frequency(design.clock * 1e9);
            let source = format!("assumed, of the order of {} with all cores busy", found.name);
            say("core.clock".to_owned(), core.clock.to_string(), source.into());
        }
        (core.instructions_per_cycle, core.outstanding) = (design.instructions, design.in_flight);
        for (field, value) in
            [("instructions_per_cycle", design.instructions), ("outstanding", design.in_flight)]
        {
            let source = format!("assumed, of the order of one thread of {}", found.name);
            say(format!("core.{field}"), value.to_string(), source.into());
        }
        let last = design.caches.len();
        let cycle = 1e12 / core.clock.0;
        for (at, cache) in machine.caches.iter_mut().enumerate() {
            let level = usize::from(cache.level);
            let Some(known) = design.caches.get(level.wrapping_sub(1)) else { continue };
            let (latency, source) = match known.latency {
                Latency::Cycles(cycles) => {
                    (cycles * cycle, Source::sheet(format!("{}: {cycles} cycles", design.manual)))
                }
                Latency::Assumed(ns) => (ns * 1e3, format!("assumed, of the order of {}", found.name).into()),
            };
            cache.latency = Span(latency.round() as u64);
            say(format!("cache[{at}].latency"), cache.latency.to_string(), source);
            cache.bandwidth = Bandwidth(known.width * core.clock.0);
            let source = format!("assumed: {} bytes a cycle", known.width);
            say(format!("cache[{at}].bandwidth"), cache.bandwidth.to_string(), source.into());
            if design.victim && level == last {
                cache.inclusive = false;
                let source = Source::sheet(format!("{}: a victim cache", design.manual));
                say(format!("cache[{at}].inclusive"), "false".to_owned(), source);
            }
        }
    }
}
