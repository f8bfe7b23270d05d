//! Distances of a machine in the forms of other tools: hwloc's XML, and what `numactl --hardware` prints.

use super::node_depth;
use numalab_machine::{CoreId, Fabric, LevelKind, Machine, NodeId, NumberList};
use numalab_results::{DistanceTable, Matrix};
use std::fmt::Write;

/// Text as `numactl --hardware` prints it. All memory is free.
pub fn numactl(fabric: &Fabric) -> String {
    let nodes = fabric.memory_nodes();
    let last = nodes - 1;
    let range = if nodes == 1 { "0".to_owned() } else { format!("0-{last}") };
    let mut text = format!("available: {nodes} nodes ({range})\n");
    for node in (0..nodes).map(NodeId) {
        let numbers: String =
            processors(fabric, node).below(u32::MAX).map(|number| format!(" {number}")).collect();
        let size = fabric.memory_capacity(node).0 >> 20;
        let NodeId(node) = node;
        let _ = write!(
            text,
            "node {node} cpus:{numbers}\nnode {node} size: {size} MB\nnode {node} free: {size} MB\n"
        );
    }
    let _ = writeln!(
        text,
        "node distances:\nnode {}",
        (0..nodes).map(|node| format!("{node:>4}")).collect::<String>()
    );
    for (node, row) in slit(fabric).iter().enumerate() {
        let _ = writeln!(
            text,
            "{node:>3}: {}",
            row.iter().map(|distance| format!("{distance:>4}")).collect::<String>()
        );
    }
    text
}

/// Topology as `lstopo --of xml` writes it, with the firmware's distances, idle latencies and bandwidths as matrices
/// (`distances2`), and latencies and bandwidths by initiator (`memattr`).
pub fn hwloc_xml(machine: &Machine, fabric: &Fabric, table: &DistanceTable) -> String {
    let mut xml = Xml { machine, fabric, text: String::new(), objects: 0, nodes: Vec::new() };
    xml.text += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n";
    xml.text += "<topology version=\"2.0\">\n";
    let all: Vec<CoreId> = (0..fabric.cores()).map(CoreId).collect();
    xml.object("Machine", "os_index=\"0\"", &all, 0, |xml| {
        xml.memory(0, &all);
        xml.level(0, &all);
    });
    xml.matrix("NUMALatency", 5, &slit(fabric).into_iter().enumerate().collect::<Vec<_>>());
    let whole = |value: f64| value.round() as u64;
    xml.measured("IdleLatency", 6, &table.latency_ns, whole);
    xml.measured("Bandwidth", 10, &table.bandwidth_bytes_per_s, |rate| whole(rate / 1e6));
    xml.attribute("Bandwidth", 5, &table.bandwidth_bytes_per_s, |rate| whole(rate / 1_048_576.0));
    xml.attribute("Latency", 6, &table.latency_ns, whole);
    xml.text + "</topology>\n"
}

/// Distances between all nodes as in a firmware table, whose entries are at most 254.
fn slit(fabric: &Fabric) -> Vec<Vec<u64>> {
    let nodes = || (0..fabric.memory_nodes()).map(NodeId);
    let entry = |from: NodeId, to: NodeId| fabric.firmware_distance(from, to).clamp(10, 254);
    nodes().map(|from| nodes().map(|to| entry(from, to)).collect()).collect()
}

/// Processors of a node that are in use; none of a memory-only node.
fn processors(fabric: &Fabric, node: NodeId) -> NumberList {
    let own = (node.0 < fabric.nodes()).then(|| fabric.online_cores(node));
    own.into_iter().flatten().flat_map(|core| fabric.online_threads(core)).collect()
}

/// Bitmap in groups of 32 bits, the highest first.
fn bitmap(numbers: &NumberList) -> String {
    let groups = numbers.last().map_or(1, |last| last / 32 + 1);
    let group = |at: u32| {
        let bits = numbers
            .below(at * 32 + 32)
            .filter(|number| number / 32 == at)
            .map(|number| 1u32 << (number % 32));
        format!("0x{:08x}", bits.fold(0, |all, bit| all | bit))
    };
    (0..groups).rev().map(group).collect::<Vec<_>>().join(",")
}

struct Xml<'a> {
    machine: &'a Machine,
    fabric: &'a Fabric,
    text: String,
    /// Number of objects so far, which numbers them.
    objects: u32,
    /// Identifier of each node's object.
    nodes: Vec<(NodeId, u32)>,
}

impl Xml<'_> {
    fn online(&self, cores: &[CoreId]) -> NumberList {
        cores.iter().flat_map(|core| self.fabric.online_threads(*core)).collect()
    }

    /// Writes an object of some cores around what `inside` writes; nothing if none of them is in use.
    fn object(
        &mut self,
        kind: &str,
        more: &str,
        cores: &[CoreId],
        depth: usize,
        inside: impl FnOnce(&mut Self),
    ) {
        let set = self.online(cores);
        if set.is_empty() {
            return;
        }
        let indent = " ".repeat(2 * depth + 2);
        self.objects += 1;
        let (id, set) = (self.objects, bitmap(&set));
        let complete = match depth {
            0 => format!(" complete_cpuset=\"{}\"", bitmap(&(0..self.fabric.processors()).collect())),
            _ => String::new(),
        };
        let _ = writeln!(
            self.text,
            "{indent}<object type=\"{kind}\" {more} cpuset=\"{set}\"{complete} gp_index=\"{id}\">"
        );
        inside(self);
        let _ = writeln!(self.text, "{indent}</object>");
    }

    /// Writes the units of a level inside of some cores, down to the caches.
    fn level(&mut self, at: usize, cores: &[CoreId]) {
        let depth = node_depth(self.machine);
        if at >= depth {
            return self.caches(self.machine.caches.len(), cores, at);
        }
        let each: u32 = self.machine.levels[at + 1..].iter().map(|level| level.count).product();
        let kind = match self.machine.levels[at].kind {
            LevelKind::Socket => "Package",
            LevelKind::Board | LevelKind::Node | LevelKind::Chip | LevelKind::Cluster | LevelKind::Core => {
                "Group"
            }
        };
        for unit in cores.chunks(each.max(1) as usize) {
            let number = unit.first().map_or(0, |core| core.0 / each.max(1));
            self.object(kind, &format!("os_index=\"{number}\""), unit, at + 1, |xml| {
                xml.memory(at + 1, unit);
                xml.level(at + 1, unit);
            });
        }
    }

    /// Writes the nodes whose memory is next to a unit.
    fn memory(&mut self, depth: usize, cores: &[CoreId]) {
        let Some(first) = cores.first() else { return };
        let host = self.fabric.node_of(*first);
        let mut nodes = Vec::new();
        if depth == node_depth(self.machine) {
            nodes.push((host, String::new()));
        }
        for kind in
            self.machine.memory_only.iter().filter(|kind| self.machine.depth_near(kind) == Some(depth))
        {
            let named = self.machine.nodes_named(&kind.name).unwrap_or_default();
            let here = named.map(NodeId).filter(|node| self.fabric.host(*node) == host);
            nodes.extend(here.map(|node| (node, format!(" subtype=\"{}\"", kind.name))));
        }
        for (node, subtype) in nodes {
            self.objects += 1;
            let (id, bytes) = (self.objects, self.fabric.memory_capacity(node).0);
            let set = bitmap(&self.online(cores));
            let indent = " ".repeat(2 * depth + 4);
            let _ = writeln!(
                self.text,
                "{indent}<object type=\"NUMANode\"{subtype} os_index=\"{}\" cpuset=\"{set}\" gp_index=\"{id}\" local_memory=\"{bytes}\"/>",
                node.0
            );
            self.nodes.push((node, id));
        }
    }

    /// Writes the caches below `left`, outermost first, with cores and hardware threads inside.
    fn caches(&mut self, left: usize, cores: &[CoreId], depth: usize) {
        let Some(at) = left.checked_sub(1) else { return self.cores(cores, depth) };
        let cache = &self.machine.caches[at];
        let more = format!(
            "cache_size=\"{}\" depth=\"{}\" cache_linesize=\"{}\" cache_type=\"0\"",
            cache.size.0, cache.level, self.machine.memory.line.0
        );
        let kind = format!("L{}Cache", cache.level);
        for shared in cores.chunks(cache.shared_by.max(1) as usize) {
            self.object(&kind, &more, shared, depth + 1, |xml| xml.caches(at, shared, depth + 1));
        }
    }

    fn cores(&mut self, cores: &[CoreId], depth: usize) {
        for core in cores {
            let threads: Vec<u32> = self.fabric.online_threads(*core).collect();
            self.object("Core", &format!("os_index=\"{}\"", core.0), &[*core], depth + 1, |xml| {
                for number in threads {
                    xml.objects += 1;
                    let (id, set) = (xml.objects, bitmap(&[number].into_iter().collect()));
                    let indent = " ".repeat(2 * depth + 6);
                    let _ = writeln!(
                        xml.text,
                        "{indent}<object type=\"PU\" os_index=\"{number}\" cpuset=\"{set}\" gp_index=\"{id}\"/>"
                    );
                }
            });
        }
    }

    /// Writes a square matrix between the nodes that have rows.
    fn matrix(&mut self, name: &str, kind: u32, rows: &[(usize, Vec<u64>)]) {
        let indexes = rows.iter().map(|(node, _)| node.to_string()).collect::<Vec<_>>().join(" ");
        let count = rows.len();
        let _ = writeln!(
            self.text,
            "  <distances2 type=\"NUMANode\" nbobjs=\"{count}\" kind=\"{kind}\" name=\"{name}\" indexing=\"os\">\n    <indexes \
             length=\"{}\">{indexes}</indexes>",
            indexes.len()
        );
        for (_, row) in rows {
            let values: String = row.iter().map(|value| format!("{value} ")).collect();
            let _ = writeln!(self.text, "    <u64values length=\"{}\">{values}</u64values>", values.len());
        }
        self.text += "  </distances2>\n";
    }

    /// Writes the values between nodes with processors and memory.
    fn measured(&mut self, name: &str, kind: u32, values: &Matrix, whole: impl Fn(f64) -> u64) {
        let both: Vec<usize> = (0..values.len()).filter(|&node| values[node][node].is_some()).collect();
        let row = |&from: &usize| (from, both.iter().map(|&to| values[from][to].map_or(0, &whole)).collect());
        let rows: Vec<(usize, Vec<u64>)> = both.iter().map(row).collect();
        self.matrix(name, kind, &rows);
    }

    /// Writes the values of each node by the processors of the reading node.
    fn attribute(&mut self, name: &str, flags: u32, values: &Matrix, whole: impl Fn(f64) -> u64) {
        let _ = writeln!(self.text, "  <memattr name=\"{name}\" flags=\"{flags}\">");
        for (target, id) in self.nodes.clone() {
            for (from, row) in (0..).zip(values) {
                let Some(value) = row.get(target.0 as usize).copied().flatten().map(&whole) else { continue };
                let set = bitmap(&processors(self.fabric, NodeId(from)));
                let _ = writeln!(
                    self.text,
                    "    <memattr_value target_obj_type=\"NUMANode\" target_obj_gp_index=\"{id}\" value=\"{value}\" \
                     initiator_cpuset=\"{set}\"/>"
                );
            }
        }
        self.text += "  </memattr>\n";
    }
}
