//! Assumed values that belong to one that the user sets: they follow it, or a warning names what binds.

use super::Assumption;
use crate::topology::MachineSketch;
use numalab_base::Bandwidth;
use numalab_files::Override;
use numalab_machine::{LevelKind, totals};

impl MachineSketch {
    /// Lets assumed values follow those that the user sets, which themselves are left to the reader of the machine file, and
    /// corrects `said`. A value that is set as well stays as it is.
    pub fn follow(&mut self, set: &[Override], said: &mut [Assumption]) {
        let free = |path: &str| set.iter().all(|one| one.path != path);
        if let Some(bandwidth) = self.bandwidth_set("memory.bandwidth", set) {
            let times = bandwidth.0 / self.machine.memory.bandwidth.0;
            for field in ["read_bandwidth", "write_bandwidth", "random_bandwidth"] {
                let path = format!("memory.{field}");
                let memory = &mut self.machine.memory;
                let value = match field {
                    "read_bandwidth" => &mut memory.read_bandwidth,
                    "write_bandwidth" => &mut memory.write_bandwidth,
                    _ => &mut memory.random_bandwidth,
                };
                if let Some(value) = value.as_mut().filter(|_| free(&path)) {
                    value.0 *= times;
                    let value = *value;
                    correct(path, value.to_string(), "memory.bandwidth", said);
                }
            }
            self.link_follows(bandwidth, &free, said);
            self.warn_of_cores(bandwidth, &free);
        }
        for path in ["memory.read_bandwidth", "memory.write_bandwidth"] {
            let Some(part) = self.bandwidth_set(path, set) else { continue };
            let memory = &mut self.machine.memory;
            if free("memory.bandwidth") && part.0 > memory.bandwidth.0 {
                memory.bandwidth = part;
                correct("memory.bandwidth".to_owned(), part.to_string(), path, said);
                self.link_follows(part, &free, said);
                self.warn_of_cores(part, &free);
            }
        }
    }

    /// Value of a bandwidth of memory that is set; `None` if it is not, or if the text is refused later.
    fn bandwidth_set(&self, path: &str, set: &[Override]) -> Option<Bandwidth> {
        let one = set.iter().rev().find(|one| one.path == path)?;
        let memory = &self.machine.memory;
        let old = match path {
            "memory.read_bandwidth" => memory.read_bandwidth,
            "memory.write_bandwidth" => memory.write_bandwidth,
            _ => Some(memory.bandwidth),
        };
        let text = one.value.trim();
        match text.strip_prefix('x') {
            Some(times) => Some(Bandwidth(old?.0 * times.trim().parse::<f64>().ok()?)),
            None => text.trim_matches('"').parse().ok(),
        }
        .filter(|bandwidth| bandwidth.0.is_finite() && bandwidth.0 > 0.0)
    }

    /// Lets the link between the nodes of a socket carry what the memory of a node has.
    fn link_follows(&mut self, memory: Bandwidth, free: &impl Fn(&str) -> bool, said: &mut [Assumption]) {
        let Some(link) = self.link_of(LevelKind::Node) else { return };
        let Some(path) = self.path_of(link, "bandwidth").filter(|path| free(path)) else { return };
        let link = &mut self.machine.links[link.0];
        if link.bandwidth.0 < memory.0 {
            link.bandwidth = memory;
            correct(path, memory.to_string(), "memory.bandwidth", said);
        }
    }

    /// Warns if the cores of a node cannot draw as much as is set.
    fn warn_of_cores(&mut self, memory: Bandwidth, free: &impl Fn(&str) -> bool) {
        let machine = &self.machine;
        let all = totals(machine);
        let cores = f64::from(all.cores) / f64::from(all.nodes.max(1));
        let (lines, latency) = (machine.core.outstanding, machine.memory.latency);
        let drawn = cores * lines * machine.memory.line.0 as f64 / (latency.0 as f64 * 1e-12);
        if drawn < memory.0 && free("core.outstanding") && free("memory.latency") {
            self.warnings.push(format!(
                "{memory} are set, and {cores} cores of a node draw at most {}: {lines} lines in flight (core.outstanding) \
                 for {latency} (memory.latency) are assumed; set them as well",
                Bandwidth(drawn)
            ));
        }
        // Links are slower than memory on most machines; only a guessed one is worth a word.
        let slower = |link: &numalab_machine::LinkId| {
            let link = &self.machine.links[link.0];
            self.unknown.is_some() && link.bandwidth.0 * f64::from(link.lanes) < memory.0
        };
        let socket = self.link_of(LevelKind::Socket).filter(slower);
        let path = socket.and_then(|link| self.path_of(link, "bandwidth"));
        if let Some(path) = path.filter(|path| free(path)) {
            self.warnings.push(format!(
                "what another socket reads is bound by {path}, which is assumed: set it as well"
            ));
        }
    }
}

/// Replaces the value and the source of an assumption that follows a value that is set.
fn correct(path: String, value: String, of: &str, said: &mut [Assumption]) {
    if let Some(one) = said.iter_mut().find(|one| one.path == path) {
        *one = Assumption::new(path, value, format!("assumed: follows {of}, which is set"));
    }
}
