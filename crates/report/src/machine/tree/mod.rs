//! The levels of a machine as indented text, with the properties of each unit, and totals.

use super::{link_facts, node_depth, with_phrases};
use crate::numbers::{grouped, significant};
use crate::style::{Ink, Style};
use numalab_base::parameter::Parameters;
use numalab_base::printable;
use numalab_base::{Bandwidth, Bytes};
use numalab_machine::{Cache, Interconnect, Level, LinkId, Machine, NodePort, Shape, Totals, totals};

/// Text of the machine from the outside in, followed by its totals.
pub fn tree(machine: &Machine, style: Style) -> String {
    let name = style.paint(Ink::Bold, &printable(&machine.name));
    let heading = match machine.description.is_empty() {
        true => format!("{name}\n"),
        false => format!("{name}: {}\n", printable(&machine.description)),
    };
    let mut tree = Tree { machine, style, text: heading };
    let mut each_above = 1;
    for (depth, level) in machine.levels.iter().enumerate() {
        tree.level(depth, level, each_above);
        each_above *= u64::from(level.count);
    }
    tree.text + "\n" + &sums(machine)
}

struct Tree<'a> {
    machine: &'a Machine,
    style: Style,
    text: String,
}

impl Tree<'_> {
    fn line(&mut self, indent: usize, words: &str) {
        self.text += &" ".repeat(2 * indent);
        self.text += &printable(words);
        self.text.push('\n');
    }

    /// Appends one level of the machine, of which there are `containers`: first its own properties, then its
    /// children.
    fn level(&mut self, depth: usize, level: &Level, containers: u64) {
        if depth == node_depth(self.machine) {
            self.memory(depth);
        }
        self.memory_only(depth);
        self.caches(depth);
        if let Some(controller) = &level.controller {
            let requests = controller
                .requests
                .map_or(String::new(), |requests| format!(", {requests} lines in flight each"));
            let most = controller.bandwidth.map_or(String::new(), |most| format!(", {most} each way"));
            let link = self.link(controller.link);
            let joined = format!("controller, joined to each {} by {link}{requests}{most}", level.kind);
            self.line(depth + 1, &joined);
        }
        let total = containers * u64::from(level.count);
        let all = if containers > 1 { format!(" ({} in all)", grouped(total)) } else { String::new() };
        let joined =
            level.interconnect.as_ref().map_or(String::new(), |joined| self.joined(joined, level.count));
        let handed = level
            .core_to_core
            .map_or(String::new(), |span| format!(", {span} to pass a line between their cores"));
        let port = level.port.as_ref().map_or(String::new(), port);
        self.line(depth + 1, &format!("{} {}{all}{joined}{port}{handed}", level.count, plural(level)));
        if depth + 1 == self.machine.levels.len() {
            self.core(depth + 1);
        }
    }

    fn memory(&mut self, depth: usize) {
        let memory = &self.machine.memory;
        let part = |rate: Option<Bandwidth>, name| rate.map(|rate| format!("{rate} {name}"));
        let named = [
            part(memory.read_bandwidth, "reads"),
            part(memory.write_bandwidth, "writes"),
            part(memory.random_bandwidth, "in random order"),
        ];
        let parts: Vec<String> = named.into_iter().flatten().collect();
        let parts = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
        let stops = if memory.stops > 1 { format!(", over {} stops", memory.stops) } else { String::new() };
        let words = format!(
            "memory {}, {}{parts}, {}{stops}, lines of {}, pages of {}",
            size(memory.capacity),
            memory.bandwidth,
            memory.latency,
            size(memory.line),
            size(memory.page)
        );
        self.line(depth + 1, &with_phrases(words, memory, ", "));
        self.memory_at(depth);
    }

    /// Appends nodes whose memory differs.
    fn memory_at(&mut self, depth: usize) {
        for some in &self.machine.memory_at {
            let several = some.nodes.contains([',', '-']);
            let nodes = format!("{} {}", if several { "nodes" } else { "node" }, some.nodes);
            let words = match some.capacity {
                Some(Bytes(0)) => format!("{nodes}: no memory"),
                capacity => {
                    let capacity = capacity.map(size);
                    let rate = some.bandwidth.map(|rate| rate.to_string());
                    let parts: Vec<String> = capacity.into_iter().chain(rate).collect();
                    format!("{nodes}: memory {}", parts.join(", "))
                }
            };
            self.line(depth + 1, &words);
        }
    }

    /// Appends the kinds of memory-only nodes that are attached to units at this depth.
    fn memory_only(&mut self, depth: usize) {
        let machine = self.machine;
        for kind in machine.memory_only.iter().filter(|kind| machine.depth_near(kind) == Some(depth)) {
            let part = |rate: Option<Bandwidth>, name| rate.map(|rate| format!("{rate} {name}"));
            let named = [
                part(kind.read_bandwidth, "reads"),
                part(kind.write_bandwidth, "writes"),
                part(kind.random_bandwidth, "in random order"),
                part(kind.far_bandwidth, "from farther nodes"),
            ];
            let parts: Vec<String> = named.into_iter().flatten().collect();
            let parts = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
            let far = kind.far_latency.map_or(String::new(), |span| format!(" ({span} from farther nodes)"));
            let nodes = machine.nodes_named(&kind.name).unwrap_or_default();
            let numbers = match nodes.len() {
                1 => format!("node {}", nodes.start),
                _ => format!("nodes {}-{}", nodes.start, nodes.end.saturating_sub(1)),
            };
            let only = kind.only_at.map_or(String::new(), |unit| {
                let unit_kind = depth.checked_sub(1).map(|at| machine.levels[at].kind);
                unit_kind.map_or(String::new(), |of| format!(", only next to {of} {unit}"))
            });
            let words = format!(
                "memory without processors: {} ({numbers}){only}, {}, {}{parts}, {}{far}",
                kind.name,
                size(kind.capacity),
                kind.bandwidth,
                kind.latency
            );
            self.line(depth + 1, &words);
        }
    }

    /// Appends the caches that the cores of one unit at this depth share, outermost first.
    fn caches(&mut self, depth: usize) {
        let cores = |depth: usize| {
            self.machine.levels[depth..].iter().fold(1u64, |cores, level| cores * u64::from(level.count))
        };
        let here = |cache: &&Cache| {
            let sharers = u64::from(cache.shared_by);
            sharers <= cores(depth) && sharers > cores(depth + 1)
        };
        let lines: Vec<String> = self
            .machine
            .caches
            .iter()
            .rev()
            .filter(here)
            .map(|cache| format!("{}, shared by {} cores", cache_facts(cache), cache.shared_by))
            .collect();
        for line in lines {
            self.line(depth + 1, &line);
        }
    }

    fn core(&mut self, depth: usize) {
        let core = &self.machine.core;
        let own = self.machine.caches.iter().rev().filter(|cache| cache.shared_by <= 1);
        let lines: Vec<String> = own.map(cache_facts).collect();
        self.line(
            depth + 1,
            &format!(
                "{}, {} flops and {} instructions per cycle, {} lines in flight",
                core.clock, core.flops_per_cycle, core.instructions_per_cycle, core.outstanding
            ),
        );
        for line in core.phrases().into_iter().chain(lines) {
            self.line(depth + 1, &line);
        }
        if core.threads > 1 {
            self.line(depth + 1, &format!("{} hardware threads", core.threads));
        }
        if !self.machine.offline.is_empty() {
            self.line(1, &format!("off line: processors {}", self.machine.offline));
        }
    }

    fn link(&self, LinkId(link): LinkId) -> String {
        let link = self.machine.links.get(link);
        link.map_or("no link".to_owned(), |link| format!("{} ({})", link.name, link_facts(link)))
    }

    fn joined(&self, interconnect: &Interconnect, count: u32) -> String {
        let by = || self.link(interconnect.link);
        match &interconnect.shape {
            _ if count == 1 => String::new(),
            Shape::Mesh | Shape::Ring if count == 2 => format!(", linked by {}", by()),
            Shape::Mesh => format!(", each linked to every other by {}", by()),
            Shape::Ring => format!(", in a ring of {}", by()),
            Shape::Torus(sizes) => {
                let sizes: Vec<String> = sizes.iter().map(u32::to_string).collect();
                format!(", in a {} torus of {}", sizes.join(self.style.pick(" × ", " x ")), by())
            }
            Shape::Hypercube => format!(", in a hypercube of {}", by()),
            Shape::FatTree { arity } => format!(", in a fat tree of {arity} to a switch, by {}", by()),
            Shape::Star => format!(", each linked to one switch by {}", by()),
            Shape::Edges(edges) => {
                let mut links: Vec<LinkId> = edges.iter().map(|edge| edge.link).collect();
                links.sort_unstable();
                links.dedup();
                let links: Vec<String> = links.into_iter().map(|link| self.link(link)).collect();
                format!(", joined by {} links as listed: {}", edges.len(), links.join(", "))
            }
        }
    }
}

/// Bandwidths of each unit's port.
fn port(NodePort { read_bandwidth, write_bandwidth }: &NodePort) -> String {
    let part = |rate: &Option<Bandwidth>, what| rate.map(|rate| format!(", each {what} at most {rate}"));
    [part(read_bandwidth, "reads"), part(write_bandwidth, "writes")].into_iter().flatten().collect()
}

fn plural(level: &Level) -> String {
    format!("{}{}", level.kind, if level.count == 1 { "" } else { "s" })
}

fn cache_facts(cache: &Cache) -> String {
    let Cache { level, latency, bandwidth, .. } = cache;
    let words = format!("L{level} cache {}, {latency}, {bandwidth} to a core", size(cache.size));
    with_phrases(words, cache, ", ")
}

/// Size in binary or decimal units, whichever needs no decimals.
fn size(Bytes(bytes): Bytes) -> String {
    let binary = [(1u64 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let decimal = [(1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")];
    let fits = |(unit, _): &(u64, &str)| bytes >= *unit;
    match (binary.into_iter().find(fits), decimal.into_iter().find(fits)) {
        (Some((unit, name)), _) | (_, Some((unit, name))) if bytes.is_multiple_of(unit) => {
            format!("{} {name}", bytes / unit)
        }
        (Some((unit, name)), _) => format!("{} {name}", significant(bytes as f64 / unit as f64)),
        _ => format!("{bytes} B"),
    }
}

fn sums(machine: &Machine) -> String {
    let Totals {
        boards,
        sockets,
        nodes,
        cores,
        processors,
        memory,
        peak_flops,
        memory_bandwidth,
        memory_only,
    } = totals(machine);
    let count = |number: u32| grouped(number.into());
    let rows = [
        ("boards", boards.map(count)),
        ("sockets", sockets.map(count)),
        ("NUMA nodes", Some(count(nodes))),
        ("memory only", (memory_only > 0).then(|| count(memory_only))),
        ("cores", Some(count(cores))),
        ("hardware threads", Some(count(processors))),
        ("memory", Some(size(memory))),
        ("memory bandwidth", Some(memory_bandwidth.to_string())),
        ("peak", Some(format!("{} GFLOP/s", significant(peak_flops / 1e9)))),
    ];
    rows.into_iter().filter_map(|(name, value)| Some(format!("{name:<18}{}\n", value?))).collect()
}

#[cfg(test)]
mod tests;
