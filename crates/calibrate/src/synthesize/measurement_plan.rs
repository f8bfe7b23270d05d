//! Plan of the measurements that make sense on a machine.

use numalab_machine::{CoreId, Fabric, LevelKind, Machine, NodeId};
use std::collections::BTreeSet;

/// Planned measurement: one quantity of an experiment, with the parameters of the measurement.
#[derive(Clone)]
pub struct Row {
    pub experiment: &'static str,
    pub quantity: &'static str,
    pub unit: &'static str,
    pub params: Vec<(&'static str, String)>,
}

impl Row {
    pub fn new(
        experiment: &'static str,
        quantity: &'static str,
        unit: &'static str,
        params: &[(&'static str, String)],
    ) -> Row {
        Row { experiment, quantity, unit, params: params.to_vec() }
    }
}

/// Data of each thread of a team, in bytes: far beyond every cache, and for all threads of a node at most a quarter
/// of the node's memory.
fn far(machine: &Machine) -> u64 {
    const FAR: u64 = 256 << 20;
    let cores = numalab_machine::totals(machine);
    FAR.min(machine.memory.capacity.0 / 4 / u64::from((cores.cores / cores.nodes.max(1)).max(1)))
}

/// All planned measurements.
pub fn rows(machine: &Machine) -> Vec<Row> {
    let Ok(fabric) = Fabric::new(machine) else { return Vec::new() };
    let mut rows = Vec::new();
    alone(machine, &mut rows);
    in_random_order(machine, &mut rows);
    under_load(machine, &fabric, &mut rows);
    let far = far(machine);
    if fabric.nodes() > 1 {
        between_nodes(machine, &fabric, far, &mut rows);
    }
    hand_over(machine, &fabric, &mut rows);
    let cores = numalab_machine::totals(machine).cores;
    let teams = teams(cores, fabric.cores_per_node().min(cores));
    for threads in &teams {
        by_threads(*threads, far, &mut rows);
    }
    calls(cores, &mut rows);
    predicted(cores, far, &mut rows);
    rows
}

/// Team sizes: powers of two up to the cores of a node, and all cores of the machine.
fn teams(cores: u32, of_node: u32) -> Vec<u32> {
    let mut teams: Vec<u32> = std::iter::successors(Some(1), |threads| Some(threads * 2))
        .take_while(|threads| *threads < of_node)
        .chain([of_node, cores])
        .collect();
    teams.dedup();
    teams
}

fn alone(machine: &Machine, rows: &mut Vec<Row>) {
    let one = || ("threads", "1".to_owned());
    rows.push(Row::new("compute", "instructions_per_ns", "1", &[one()]));
    let last = machine.caches.last().map_or(0, |cache| cache.size.0);
    let sizes = || {
        std::iter::successors(Some(4096_u64), |size| Some(size * 2))
            .take_while(|size| *size <= (8 * last.max(1 << 23)).min(machine.memory.capacity.0 / 4))
    };
    for size in sizes() {
        rows.push(Row::new("pointer_chase", "latency", "ns", &[("footprint", size.to_string()), one()]));
    }
    for size in sizes().step_by(2) {
        rows.push(Row::new(
            "serial_bandwidth",
            "bandwidth",
            "GB/s",
            &[("footprint", size.to_string()), one()],
        ));
    }
}

/// Footprint in bytes far beyond the last cache.
fn beyond_caches(machine: &Machine) -> u64 {
    let last = machine.caches.last().map_or(0, |cache| cache.size.0);
    (8 * last.max(1 << 23)).next_power_of_two()
}

/// Adds a chase while other cores of the node stream at 5, 50, 85 and 100 % of their full rate.
fn under_load(machine: &Machine, fabric: &Fabric, rows: &mut Vec<Row>) {
    let threads = fabric.online_cores(NodeId(0)).count() as u32;
    if threads < 2 {
        return;
    }
    let footprint = beyond_caches(machine).min(machine.memory.capacity.0 / 4);
    for load in [5, 50, 85, 100] {
        let params = [
            ("footprint", footprint),
            ("share", far(machine)),
            ("load", load),
            ("threads", u64::from(threads)),
        ];
        let params = params.map(|(key, value)| (key, value.to_string()));
        rows.push(Row::new("loaded_latency", "latency", "ns", &params));
        rows.push(Row::new("loaded_latency", "moved", "GB/s", &params));
    }
}

/// Adds reads of lines in random order, if the machine states their cost.
fn in_random_order(machine: &Machine, rows: &mut Vec<Row>) {
    if machine.core.window.is_none() && machine.core.random_outstanding.is_none() {
        return;
    }
    let inner = machine.caches.iter().rev().nth(1).map_or(0, |cache| cache.size.0);
    let inside = [inner / 4, 2 * inner].into_iter().filter(|footprint| *footprint > 0);
    for footprint in inside.chain([beyond_caches(machine)]) {
        for adds in [0, 32, 64] {
            let params = [
                ("footprint", footprint.to_string()),
                ("adds", adds.to_string()),
                ("threads", "1".to_owned()),
            ];
            rows.push(Row::new("random_reads", "line_time", "ns", &params));
        }
    }
    if inner > 0 {
        let params =
            [("footprint", (2 * inner).to_string()), ("beside", "1".to_owned()), ("threads", "1".to_owned())];
        rows.push(Row::new("random_reads", "line_time", "ns", &params));
    }
}

/// Adds accesses to one node of each distance from the first node, with `share` bytes of data, and rows of
/// `memory_go_around` for steps of 1, 2, 4, ... nodes.
fn between_nodes(machine: &Machine, fabric: &Fabric, share: u64, rows: &mut Vec<Row>) {
    let mut seen = BTreeSet::from([fabric.line_latency(NodeId(0), NodeId(0))]);
    let of_node = fabric.online_cores(NodeId(0)).count() as u32;
    let all = of_node.to_string();
    let with_memory = (1..fabric.nodes()).filter(|node| fabric.has_memory(NodeId(*node)));
    for node in with_memory.filter(|node| seen.insert(fabric.line_latency(NodeId(0), NodeId(*node)))) {
        let place = |threads: &str| {
            [("from", "0".to_owned()), ("node", node.to_string()), ("threads", threads.to_owned())]
        };
        let far = |threads: &str| {
            let mut params = place(threads).to_vec();
            params.push(("footprint", share.to_string()));
            params
        };
        rows.push(Row::new("pointer_chase", "latency", "ns", &far("1")));
        rows.push(Row::new("serial_bandwidth", "bandwidth", "GB/s", &far("1")));
        rows.push(Row::new("node_bandwidth", "bandwidth", "GB/s", &place(&all)));
        rows.push(Row::new(
            "page_migration",
            "page_migration",
            "us",
            &[("node", node.to_string()), ("size", (16 << 20).to_string()), ("threads", "1".to_owned())],
        ));
    }
    let cores = numalab_machine::totals(machine).cores;
    let mut step = fabric.cores_per_node();
    while step < cores {
        let threads = cores.to_string();
        rows.push(Row::new(
            "memory_go_around",
            "bandwidth",
            "GB/s",
            &[("step", step.to_string()), ("threads", threads)],
        ));
        step *= 2;
    }
}

/// Adds hand-overs of lines: between two cores that share a cache, and between one pair of cores for each kind of
/// route.
fn hand_over(machine: &Machine, fabric: &Fabric, rows: &mut Vec<Row>) {
    let parts = machine.levels.iter().rev().filter(|level| level.kind != LevelKind::Core);
    let mut partner = 1;
    let mut partners = vec![partner];
    let last = machine.levels.last().map_or(1, |level| level.count);
    partner *= last;
    for level in parts {
        partners.push(partner);
        partner *= level.count;
    }
    partners.retain(|partner| *partner < fabric.cores());
    partners.dedup();
    for partner in partners {
        let first = |core| fabric.online_threads(CoreId(core)).next();
        let Some((one, other)) = first(0).zip(first(partner)) else { continue };
        let procs = format!("{one},{other}");
        let pair = [("procs", procs), ("threads", "2".to_owned())];
        rows.push(Row::new("core_to_core", "handover", "ns", &pair));
        if partner == 1 {
            rows.push(Row::new("contended_word", "exchange", "ns", &pair));
        }
    }
}

fn by_threads(threads: u32, far: u64, rows: &mut Vec<Row>) {
    let team = || ("threads", threads.to_string());
    for quantity in ["read_bandwidth", "write_bandwidth", "copy_bandwidth", "triad_bandwidth"] {
        rows.push(Row::new("parallel_bandwidth", quantity, "GB/s", &[team(), ("share", far.to_string())]));
    }
    rows.push(Row::new("first_touch_init", "bandwidth", "GB/s", &[team(), ("size", (64 << 20).to_string())]));
    rows.push(Row::new("malloc", "time_per_call", "us", &[team()]));
    rows.push(Row::new("epcc", "overhead", "us", &[team(), ("construct", "parallel".to_owned())]));
    // With bounded queues most tasks are executed immediately. On one thread, this number of tasks all fit into the
    // queue.
    let queued = (threads == 1).then_some(60);
    for executions in [1000].into_iter().chain(queued) {
        rows.push(Row::new("epcc_task", "overhead", "us", &[team(), ("executions", executions.to_string())]));
    }
}

/// Adds rows of runtime calls on one thread, which shows their cost best, and of chunks on two threads, since a team
/// of one takes all chunks at once.
fn calls(cores: u32, rows: &mut Vec<Row>) {
    for construct in ["for", "barrier", "single", "critical", "atomic"] {
        let params = [("threads", "1".to_owned()), ("construct", construct.to_owned())];
        rows.push(Row::new("epcc", "overhead", "us", &params));
    }
    if cores > 1 {
        let params =
            [("schedule", "dynamic"), ("packages", "3840"), ("footprint", "196608"), ("threads", "2")];
        let params = params.map(|(key, value)| (key, value.to_owned()));
        rows.push(Row::new("loadbal", "makespan", "ms", &params));
    }
}

/// Adds rows that a fit should predict.
fn predicted(cores: u32, far: u64, rows: &mut Vec<Row>) {
    let team = || ("threads", cores.to_string());
    for schedule in ["static", "dynamic", "guided", "tasks"] {
        let params = [team(), ("schedule", schedule.to_owned()), ("footprint", far.to_string())];
        rows.push(Row::new("loadbal", "makespan", "ms", &params));
    }
    rows.push(Row::new(
        "matvec",
        "rate",
        "GFLOP/s",
        &[team(), ("init", "parallel".to_owned()), ("products", "1".to_owned())],
    ));
    rows.push(Row::new("heat", "step", "ms", &[team()]));
    for construct in ["barrier", "for", "single", "critical", "atomic", "reduction"] {
        rows.push(Row::new("epcc", "overhead", "us", &[team(), ("construct", construct.to_owned())]));
    }
    rows.push(Row::new("locks", "hand_over", "ns", &[team(), ("kind", "mcs".to_owned())]));
    rows.push(Row::new("false_sharing", "store", "ns", &[team()]));
}
