//! `numalab place-threads`: chooses a node for each thread.

use super::load;
use crate::failure::Failure;
use crate::flags::{Assume, Format, PlaceThreads, ThreadAlgorithm};
use crate::hints;
use crate::output::check_apart;
use crate::terminal;
use numalab_imports::ThreadNodeTable;
use numalab_machine::{CoreId, Fabric, NodeId};
use numalab_report as report;
use numalab_results::{PlacementRecord, SCHEMA_VERSION, ThreadPlacement};
use numalab_syntax::streams;
use numalab_tours::omp_places;
use numalab_tours::threads::{AccessCounts, NodeAssignment, Rules, critical_path, exhaustive, largest};

/// Reads the counts, places the threads and writes the placements.
pub fn run(flags: &PlaceThreads) -> Result<(), Failure> {
    let output = flags.output.destination()?;
    check_apart(&[("the placement", &output)])?;
    let (table, source) = read(flags)?;
    let counts = AccessCounts::new(&table.counts).map_err(|error| {
        Failure::request(format!("{source}: {error}"), "expected non-negative whole numbers of accesses")
    })?;
    let fabric =
        flags.machine.as_ref().map(|name| machine(name, &flags.assume, &counts, &source)).transpose()?;
    let rules = rules(flags, &counts, &source, fabric.as_ref())?;

    let all = flags.algorithm == ThreadAlgorithm::All;
    let mut placements = Vec::new();
    for (name, algorithm) in [
        ("exhaustive", ThreadAlgorithm::Exhaustive),
        ("largest", ThreadAlgorithm::Largest),
        ("critical-path", ThreadAlgorithm::CriticalPath),
    ] {
        if !all && flags.algorithm != algorithm {
            continue;
        }
        let placement = match algorithm {
            ThreadAlgorithm::Largest => largest(&counts, &rules),
            ThreadAlgorithm::CriticalPath => critical_path(&counts, &rules),
            _ => exhaustive(&counts, &rules),
        };
        placements.push(record(name, &placement, &table, &counts, &rules, fabric.as_ref()));
    }
    let record = ThreadPlacement {
        schema_version: SCHEMA_VERSION,
        table: source,
        threads: table.threads,
        nodes: table.nodes,
        cores_per_node: rules.cores_per_node() as u32,
        numa_factor: flags.numa_factor,
        accesses: counts.all(),
        placements,
    };
    let text = match flags.output.format() {
        Format::Table => report::table(&record, terminal::style(&output, report::Bars::None)),
        Format::Json => report::json(&record),
        Format::Csv => report::csv(&record),
    };
    output.write(text.as_bytes())
}

fn read(flags: &PlaceThreads) -> Result<(ThreadNodeTable, String), Failure> {
    if let Some(file) = &flags.from_run {
        let table = numalab_imports::run_counts(file, flags.policy.as_deref()).map_err(hints::run_counts)?;
        return Ok((table, streams::name(file)));
    }
    // Without `from_run`, `clap` has required `table`.
    let file = flags.table.clone().unwrap_or_default();
    Ok((numalab_imports::thread_node_table(&file)?, streams::name(&file)))
}

/// A machine with as many nodes as the table.
fn machine(name: &str, assume: &Assume, counts: &AccessCounts, source: &str) -> Result<Fabric, Failure> {
    let machine = load::machine_or_topology(name, assume, &[])?.value;
    let fabric = load::fabric(&machine)?;
    if fabric.nodes() as usize == counts.nodes() {
        return Ok(fabric);
    }
    Err(Failure::request(
        format!("{source} has {} nodes, but {} has {}", counts.nodes(), machine.name, fabric.nodes()),
        "name the machine of the measured run, or leave out --machine",
    ))
}

fn rules(
    flags: &PlaceThreads,
    counts: &AccessCounts,
    source: &str,
    fabric: Option<&Fabric>,
) -> Result<Rules, Failure> {
    let (threads, nodes) = (counts.threads(), counts.nodes());
    let enough = threads.div_ceil(nodes);
    // Of unequal nodes the one with the fewest cores counts.
    let of_node = |fabric: &Fabric, node| fabric.online_cores(NodeId(node)).count() as u32;
    let fewest = |fabric: &Fabric| (0..fabric.nodes()).map(|node| of_node(fabric, node)).min();
    let cores = flags.cores_per_node.or(fabric.and_then(fewest)).map_or(enough, |cores| cores as usize);
    if cores == 0 {
        return Err(Failure::request(
            format!("{source} has threads on {nodes} nodes, and one of the machine has no processor in use"),
            "leave out --machine",
        ));
    }
    let rules = Rules::new(cores, flags.numa_factor).ok_or_else(|| {
        Failure::request(
            format!("--numa-factor {:?} is out of range", flags.numa_factor),
            "--numa-factor takes 1 to 1000000, such as --numa-factor 1.5",
        )
    })?;
    if rules.fit(counts) {
        return Ok(rules);
    }
    Err(Failure::request(
        format!("{source}: {threads} threads do not fit on {nodes} nodes with {cores} each"),
        format!("use at least --cores-per-node {enough}"),
    ))
}

fn record(
    algorithm: &str,
    placement: &NodeAssignment,
    table: &ThreadNodeTable,
    counts: &AccessCounts,
    rules: &Rules,
    fabric: Option<&Fabric>,
) -> PlacementRecord {
    PlacementRecord {
        algorithm: algorithm.to_owned(),
        node_of_thread: placement.node_of.iter().map(|&node| table.nodes[node].clone()).collect(),
        local_accesses: placement.local(counts),
        critical_path: placement.critical_path(counts, rules),
        omp_places: omp_places(&processors(placement, counts, rules, fabric)),
    }
}

/// Processor of each thread: the next core of its node. If a node has more threads than cores, threads share cores.
fn processors(
    placement: &NodeAssignment,
    counts: &AccessCounts,
    rules: &Rules,
    fabric: Option<&Fabric>,
) -> Vec<Vec<u32>> {
    let mut taken = vec![0u32; counts.nodes()];
    let place = |&node: &usize| {
        let number = taken[node];
        taken[node] += 1;
        let Some(fabric) = fabric else {
            let cores = rules.cores_per_node() as u32;
            return vec![node as u32 * cores + number % cores];
        };
        let cores: Vec<CoreId> = fabric.online_cores(NodeId(node as u32)).collect();
        let at = number as usize;
        let threads: Vec<u32> = cores
            .get(at % cores.len().max(1))
            .into_iter()
            .flat_map(|core| fabric.online_threads(*core))
            .collect();
        threads.get(at / cores.len().max(1) % threads.len().max(1)).copied().into_iter().collect()
    };
    placement.node_of.iter().map(place).collect()
}
