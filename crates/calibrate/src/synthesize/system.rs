//! Description of a machine as its operating system would state it.

use numalab_machine::{CoreId, Fabric, LevelKind, Machine, NodeId, NumberList, ProcessorId};
use serde_json::json;
use std::fmt::Write;

/// Text of the `host` and `file` records of a machine.
pub fn records(machine: &Machine) -> String {
    let Ok(fabric) = Fabric::new(machine) else { return String::new() };
    let mut text = String::new();
    let processors: Vec<u32> = fabric.online().collect();
    let host = json!({"record": "host", "page_size": machine.memory.page.0, "processors": processors});
    let _ = writeln!(text, "{host}");
    let mut file = |path: String, content: String| {
        let _ = writeln!(text, "{}", json!({"record": "file", "path": path, "text": content}));
    };
    let online: NumberList = processors.iter().copied().collect();
    file("/sys/devices/system/cpu/online".into(), online.to_string());
    if fabric.processors() > processors.len() as u32 {
        file("/sys/devices/system/cpu/present".into(), format!("0-{}", fabric.processors() - 1));
    }
    // A machine without sockets gets one socket for each node.
    let each = cores_of(machine, LevelKind::Socket).unwrap_or(fabric.cores_per_node());
    for number in processors {
        let processor = fabric.processor(ProcessorId::new(number));
        let cpu = format!("/sys/devices/system/cpu/cpu{number}");
        let core = processor.core.0;
        file(format!("{cpu}/topology/physical_package_id"), (core / each).to_string());
        file(format!("{cpu}/topology/core_id"), (core % each).to_string());
        file(format!("{cpu}/topology/core_cpus_list"), list(&fabric, core, 1));
        for (at, cache) in machine.caches.iter().enumerate() {
            let index = format!("{cpu}/cache/index{at}");
            file(format!("{index}/level"), cache.level.to_string());
            file(format!("{index}/type"), "Unified".into());
            file(format!("{index}/size"), format!("{}K", cache.size.0 >> 10));
            file(format!("{index}/coherency_line_size"), machine.memory.line.0.to_string());
            let first = core / cache.shared_by * cache.shared_by;
            file(format!("{index}/shared_cpu_list"), list(&fabric, first, cache.shared_by));
        }
    }
    file("/sys/devices/system/node/online".into(), format!("0-{}", fabric.nodes() - 1));
    for node in 0..fabric.nodes() {
        let folder = format!("/sys/devices/system/node/node{node}");
        let cores = fabric.cores_per_node();
        file(format!("{folder}/cpulist"), list(&fabric, node * cores, cores));
        let kilobytes = fabric.memory_capacity(NodeId(node)).0 >> 10;
        file(format!("{folder}/meminfo"), format!("Node {node} MemTotal: {kilobytes} kB"));
        let own = fabric.line_latency(NodeId(node), NodeId(node)).0 as f64;
        let distance =
            |to| (fabric.line_latency(NodeId(to), NodeId(node)).0 as f64 / own * 10.0).round().to_string();
        let row: Vec<String> = (0..fabric.nodes()).map(distance).collect();
        file(format!("{folder}/distance"), row.join(" "));
    }
    text
}

/// Cores in each container of a kind; `None` if the machine has no such level.
fn cores_of(machine: &Machine, kind: LevelKind) -> Option<u32> {
    let at = machine.levels.iter().position(|level| level.kind == kind)?;
    Some(machine.levels[at + 1..].iter().map(|level| level.count).product())
}

/// Numbers of the hardware threads in use of `count` cores from core `first`, as a list.
fn list(fabric: &Fabric, first: u32, count: u32) -> String {
    let mut numbers: Vec<u32> =
        (first..first + count).flat_map(|core| fabric.online_threads(CoreId(core))).collect();
    numbers.sort_unstable();
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}
