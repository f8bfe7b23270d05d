//! Values for a machine that was not measured, by the generation of its processors, each with its source.

use super::core_designs::Latency;
use super::generations::{Generation, generation};
use super::{MachineSketch, Topology};
use numalab_base::{Bandwidth, Bytes, Frequency, Span};
use numalab_files::machine_text;
use numalab_machine::{LevelKind, totals};
use numalab_syntax::toml_tree;
use numalab_syntax::tree::{Node, Value};
use std::collections::BTreeSet;

/// Fraction of the peak of memory and links that programs get: an assumption of the order of STREAM's results.
const SUSTAINED: f64 = 0.8;
/// Memory of a node of unknown capacity.
const CAPACITY: Bytes = Bytes(64 << 30);
/// Additional latency of a miss to another socket, there and back, as a fraction of local latency: an assumption.
const FARTHER: f64 = 0.7;

/// Kind of memory-only node.
struct Kind {
    name: &'static str,
    /// Latency as a multiple of the latency of memory beside processors. `why` is the reason for this factor.
    farther: f64,
    why: &'static str,
    rate: Rate,
    /// True if all memory of this kind in a socket shares `rate`.
    of_socket: bool,
    whence: &'static str,
}

enum Rate {
    /// Multiple of the bandwidth of a node with processors.
    OfOwn(f64),
    /// Peak in GB/s.
    Peak(f64),
}

const KINDS: [Kind; 4] = [
    Kind {
        name: "hbm",
        farther: 1.1,
        why: "of the order of stacked memory",
        rate: Rate::OfOwn(3.0),
        of_socket: false,
        whence: "three times that of memory beside processors, of the order of HBM2e beside DDR5",
    },
    Kind {
        name: "mcdram",
        farther: 1.2,
        why: "of the order of Knights Landing's",
        rate: Rate::OfOwn(4.5),
        of_socket: false,
        whence: "four and a half times that of memory beside processors, of the order of Knights Landing's",
    },
    Kind {
        name: "cxl",
        farther: 2.1,
        why: "as expansion cards are 2 to 5 times as far",
        rate: Rate::Peak(31.5),
        of_socket: false,
        whence: "eight lanes of PCIe 5.0, 31.5 GB/s each way; 0.8 of it",
    },
    Kind {
        name: "nvm",
        farther: 3.5,
        why: "of the order of Optane modules",
        rate: Rate::Peak(40.0),
        of_socket: true,
        whence: "reads of six Optane modules, some 40 GB/s; 0.8 of it",
    },
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// Path in a machine file.
    pub path: String,
    /// Assumed value; empty if the path has no single value.
    pub value: String,
    pub source: String,
}

impl MachineSketch {
    /// Replaces defaults by values of the processors' generation, and lists all values that are not measured.
    /// `topology` is the topology that the machine was made from.
    pub fn assume(&mut self, topology: &Topology) -> Vec<Assumption> {
        let found = topology.model.as_deref().and_then(generation);
        let mut said = Vec::new();
        if let Some(found) = found {
            self.take(found, topology, &mut said);
            self.take_cores(found, &mut said);
        }
        if self.assumed.iter().any(|path| path == "memory.capacity") {
            self.machine.memory.capacity = CAPACITY;
            let (path, value) = ("memory.capacity".to_owned(), self.machine.memory.capacity.to_string());
            said.push(Assumption { path, value, source: "assumed: the size is not stated".to_owned() });
        }
        self.memory_only_of_its_kind(&mut said);
        let rest = match (found, &topology.model) {
            (Some(found), _) => format!("a synthetic machine's: no data sheet of {} says it", found.name),
            (None, Some(model)) => format!("a synthetic machine's: nothing is known of \"{}\"", model.trim()),
            (None, None) => "a synthetic machine's: the processor is not named".to_owned(),
        };
        let others =
            self.assumed.iter().filter(|path| said.iter().all(|one: &Assumption| one.path != **path));
        let text = machine_text(&self.machine, &|_| None);
        let tree = toml_tree::parse(&text, 0).root;
        let others: Vec<Assumption> = others
            .map(|path| Assumption {
                path: path.clone(),
                value: written(&tree, &text, path),
                source: rest.clone(),
            })
            .collect();
        said.extend(others);
        said
    }

    /// Sets latency and bandwidth of memory-only nodes by their kinds, and adds them to `said`.
    fn memory_only_of_its_kind(&mut self, said: &mut Vec<Assumption>) {
        let (own, of_node) = (self.machine.memory.latency, self.machine.memory.bandwidth);
        let all = totals(&self.machine);
        let sockets = all.sockets.unwrap_or(1).max(1);
        for kind in &mut self.machine.memory_only {
            let word = kind.name.split('-').next().unwrap_or_default();
            let Some(known) = KINDS.iter().find(|known| known.name == word) else { continue };
            kind.latency = Span((own.0 as f64 * known.farther) as u64);
            let each = match (known.of_socket, kind.near) {
                (true, LevelKind::Node) => f64::from(sockets) / f64::from(all.nodes.max(1)),
                (true, _) | (false, _) => 1.0,
            };
            kind.bandwidth = match known.rate {
                Rate::OfOwn(times) => Bandwidth(of_node.0 * times),
                Rate::Peak(gigabytes) => Bandwidth(gigabytes * 1e9 * SUSTAINED * each),
            };
            let path = |field: &str| format!("memory_only.{}.{field}", kind.name);
            let latency = Assumption {
                path: path("latency"),
                value: kind.latency.to_string(),
                source: format!("assumed: {} of memory beside processors, {}", known.farther, known.why),
            };
            let bandwidth = Assumption {
                path: path("bandwidth"),
                value: kind.bandwidth.to_string(),
                source: format!("assumed: {}", known.whence),
            };
            said.extend([latency, bandwidth]);
        }
    }

    /// Sets the values of cores and caches from the generation's core design, and adds them to `said`.
    fn take_cores(&mut self, found: &Generation, said: &mut Vec<Assumption>) {
        let Some(design) = found.core else { return };
        let open = |path: &str| self.assumed.iter().any(|assumed| assumed == path);
        let mut say = |path: String, value: String, source: String| {
            said.push(Assumption { path, value, source });
        };
        let machine = &mut self.machine;
        machine.protocol = design.protocol;
        say(
            "protocol".to_owned(),
            design.protocol.name().to_owned(),
            format!("assumed: as of {}", found.name),
        );
        let core = &mut machine.core;
        if open("core.clock") {
            core.clock = Frequency(design.clock * 1e9);
            let source = format!("assumed, of the order of {} with all cores busy", found.name);
            say("core.clock".to_owned(), core.clock.to_string(), source);
        }
        (core.instructions_per_cycle, core.outstanding) = (design.instructions, design.in_flight);
        for (field, value) in
            [("instructions_per_cycle", design.instructions), ("outstanding", design.in_flight)]
        {
            let source = format!("assumed, of the order of one thread of {}", found.name);
            say(format!("core.{field}"), value.to_string(), source);
        }
        let last = design.caches.len();
        let cycle = 1e12 / core.clock.0;
        for (at, cache) in machine.caches.iter_mut().enumerate() {
            let level = usize::from(cache.level);
            let Some(known) = design.caches.get(level.wrapping_sub(1)) else { continue };
            let (latency, source) = match known.latency {
                Latency::Cycles(cycles) => (cycles * cycle, format!("{}: {cycles} cycles", design.manual)),
                Latency::Assumed(ns) => (ns * 1e3, format!("assumed, of the order of {}", found.name)),
            };
            cache.latency = Span(latency.round() as u64);
            say(format!("cache[{at}].latency"), cache.latency.to_string(), source);
            cache.bandwidth = Bandwidth(known.width * core.clock.0);
            let source = format!("assumed: {} bytes a cycle", known.width);
            say(format!("cache[{at}].bandwidth"), cache.bandwidth.to_string(), source);
            if design.victim && level == last {
                cache.inclusive = false;
                let source = format!("{}: a victim cache", design.manual);
                say(format!("cache[{at}].inclusive"), "false".to_owned(), source);
            }
        }
    }

    fn take(&mut self, found: &Generation, topology: &Topology, said: &mut Vec<Assumption>) {
        let all = totals(&self.machine);
        // A node may hold several sockets, which the machine then does not model.
        let packages: BTreeSet<Option<u32>> =
            topology.processors.iter().map(|processor| processor.package).collect();
        let sockets = f64::from(all.sockets.unwrap_or(packages.len() as u32).max(1));
        let sheet = |what: &str| format!("data sheet of {}: {what}", found.name);
        let mut say = |path: &str, value: String, source: String| {
            said.push(Assumption { path: path.to_owned(), value, source });
        };
        let memory = &mut self.machine.memory;
        let (peak, channels) = found.memory;
        let share = f64::from(all.nodes.max(1)) / sockets;
        let of_nodes = match share {
            share if share > 1.0 => format!(", a {share}th of it for each node"),
            share if share < 1.0 => format!(", {} sockets of it for each node", 1.0 / share),
            _ => String::new(),
        };
        memory.bandwidth = Bandwidth(peak * 1e9 * SUSTAINED / share);
        (memory.read_bandwidth, memory.write_bandwidth) = (None, None);
        let source =
            sheet(&format!("{channels}, {peak} GB/s{of_nodes}; {SUSTAINED} of it assumed to be sustained"));
        say("memory.bandwidth", memory.bandwidth.to_string(), source);
        for path in ["memory.read_bandwidth", "memory.write_bandwidth"] {
            say(path, "as all together".to_owned(), "assumed".to_owned());
        }
        memory.latency = Span((found.latency * 1e3) as u64);
        let source = format!("assumed, of the order of idle latencies of {}", found.name);
        say("memory.latency", memory.latency.to_string(), source);
        self.machine.core.flops_per_cycle = found.flops.0;
        say("core.flops_per_cycle", found.flops.0.to_string(), sheet(found.flops.1));
        // Links between sockets: those of the level that joins sockets.
        let of_sockets = self.machine.levels.iter().find(|level| level.kind == LevelKind::Socket);
        let of_sockets = of_sockets.and_then(|level| level.interconnect.as_ref()).map(|joined| joined.link);
        if let (Some(link), Some((peak, lanes))) = (of_sockets, found.link)
            && let Some(link) = self.machine.links.get_mut(link.0)
        {
            link.bandwidth = Bandwidth(peak * 1e9 * SUSTAINED);
            let source =
                sheet(&format!("{lanes}, {peak} GB/s each way; {SUSTAINED} of it assumed to be sustained"));
            say(&format!("link.{}.bandwidth", link.name), link.bandwidth.to_string(), source);
            // The link is crossed twice.
            link.latency = Span((found.latency * 1e3 * FARTHER / 2.0) as u64);
            let source = format!("assumed: a miss of another socket takes {FARTHER} of a local one longer");
            say(&format!("link.{}.latency", link.name), link.latency.to_string(), source);
        }
    }
}

/// Value at a path of a machine file; empty if the value takes more than a line.
fn written(tree: &Node, text: &str, path: &str) -> String {
    let found = tree.at(path).filter(|node| !matches!(node.value, Value::Table(_)));
    let found = found.and_then(|node| text.get(node.span.start..node.span.end));
    let found = found.filter(|value| !value.contains('\n'));
    found.unwrap_or_default().trim_matches('"').to_owned()
}
