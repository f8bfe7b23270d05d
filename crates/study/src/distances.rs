//! Distance benchmark: for every pair of nodes, the bandwidth of one core and of all cores of one node from the memory of
//! the other, and the latency.

use crate::probe::{evenly, on_node, phase, rate, time};
use crate::simulate::{input, layout};
use crate::{SpecError, StudyError, in_order};
use numalab_files::{DistanceMatrix, Loaded};
use numalab_machine::{CoreId, Fabric, Machine, NodeId, ReaderId, Route};
use numalab_results::{Deviation, DistanceTable, Matrix, Reference, SCHEMA_VERSION};
use numalab_runtime::Profile;
use numalab_simulator::Team;
use numalab_workload::Mode;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Bandwidths of all cores in bytes per second, by reading node (row) and home node (column). The result does not depend
/// on the amount of data, since no cache holds it.
pub fn matrix(machine: &Machine) -> Result<Matrix, StudyError> {
    let fabric = Fabric::new(machine).map_err(SpecError::Machine)?;
    bandwidths(machine, &fabric, &Row::all(&fabric), fabric.cores_per_node())
}

/// As [`matrix`], of the first `number` cores of the reading node that are in use.
fn bandwidths(machine: &Machine, fabric: &Fabric, rows: &[Row], number: u32) -> Result<Matrix, StudyError> {
    // Pairs of nodes with equal routes are the same experiment.
    let mut first: BTreeMap<&Way, (NodeId, NodeId)> = BTreeMap::new();
    for (reader, row) in (0..).map(NodeId).zip(rows) {
        for (way, home) in &row.ways {
            first.entry(way).or_insert((reader, *home));
        }
    }
    let experiments: Vec<(&Way, (NodeId, NodeId))> = first.into_iter().collect();
    let measured = in_order(experiments, |(way, (reader, home))| {
        bandwidth(machine, fabric, (reader, number), home).map(|bandwidth| (way, bandwidth))
    });
    let measured: BTreeMap<&Way, f64> = measured.into_iter().collect::<Result<_, _>>()?;
    let filled = |row: &Row| {
        let kinds: Vec<f64> = row.ways.iter().map(|(way, _)| measured[way]).collect();
        row.kinds.iter().map(|kind| kind.map(|kind| kinds[kind])).collect()
    };
    Ok(rows.iter().map(filled).collect())
}

/// Table of a machine's distances, compared with a reference matrix if one is given.
pub fn distances(
    machine: &Loaded<Machine>,
    reference: Option<(&str, &DistanceMatrix)>,
) -> Result<DistanceTable, StudyError> {
    let fabric = Fabric::new(&machine.value).map_err(SpecError::Machine)?;
    let rows = Row::all(&fabric);
    let bandwidth_bytes_per_s = bandwidths(&machine.value, &fabric, &rows, fabric.cores_per_node())?;
    let core_bandwidth_bytes_per_s = bandwidths(&machine.value, &fabric, &rows, 1)?;
    let own = |(node, row): (usize, &Vec<Option<f64>>)| row[node];
    let own = bandwidth_bytes_per_s.iter().enumerate().find_map(own).unwrap_or(1.0);
    let distance = |bandwidth: &Option<f64>| bandwidth.map(|bandwidth| 10.0 * own / bandwidth);
    let nodes = fabric.nodes() as usize;
    let square = |row: &Vec<Option<f64>>| row.iter().take(nodes).map(distance).collect();
    let simulated: Matrix = bandwidth_bytes_per_s.iter().map(square).collect();
    let firmware = firmware(&machine.value)?;
    let reference = match reference {
        Some((source, matrix)) => Some(beside(source, matrix, &machine.value.name, &simulated, &firmware)?),
        None => None,
    };
    Ok(DistanceTable {
        schema_version: SCHEMA_VERSION,
        machine: input(&machine.value.name, machine),
        layout: layout(&machine.value),
        latency_ns: latencies(&fabric),
        core_bandwidth_bytes_per_s,
        bandwidth_bytes_per_s,
        simulated,
        firmware,
        reference,
    })
}

/// Idle latencies of a miss in nanoseconds, by reading node and home node: means over the cores of the reading node.
fn latencies(fabric: &Fabric) -> Matrix {
    let readers = (0..fabric.nodes()).map(NodeId);
    let homes = || (0..fabric.memory_nodes()).map(NodeId);
    let entry = |cores: &[CoreId], home: NodeId| {
        let sum: f64 = cores.iter().map(|core| fabric.latency(home, fabric.reader_of(*core)).0 as f64).sum();
        (!cores.is_empty() && fabric.has_memory(home)).then(|| sum / cores.len() as f64 / 1e3)
    };
    let row = |reader| {
        let cores: Vec<CoreId> = fabric.online_cores(reader).collect();
        homes().map(|home| entry(&cores, home)).collect()
    };
    readers.map(row).collect()
}

/// Distances as in firmware tables: latency relative to the node's own memory, times 10, as whole numbers from 10 to
/// 254.
pub fn firmware(machine: &Machine) -> Result<Matrix, StudyError> {
    let fabric = Fabric::new(machine).map_err(SpecError::Machine)?;
    let nodes = || (0..fabric.nodes()).map(NodeId);
    let row = |reader: NodeId| {
        let entry = |home| fabric.firmware_distance(reader, home).clamp(10, 254) as f64;
        nodes().map(|home| Some(entry(home))).collect()
    };
    Ok(nodes().map(row).collect())
}

fn beside(
    source: &str,
    matrix: &DistanceMatrix,
    machine: &str,
    simulated: &[Vec<Option<f64>>],
    firmware: &[Vec<Option<f64>>],
) -> Result<Reference, StudyError> {
    let distances = matrix.with_processors().rows;
    if distances.len() != simulated.len() {
        return Err(StudyError::Distances {
            source: source.to_owned(),
            nodes: distances.len(),
            machine: machine.to_owned(),
            expected: simulated.len(),
        });
    }
    Ok(Reference {
        source: source.to_owned(),
        simulated: Deviation::between(simulated, &distances),
        firmware: Deviation::between(firmware, &distances),
        distances,
    })
}

/// Routes from every node's memory to the cores of one node, grouped by kind: each kind with an example of a node,
/// and for each node the index of its kind; `None` for nodes without memory, or if no core is in use.
struct Row {
    ways: Vec<(Way, NodeId)>,
    kinds: Vec<Option<usize>>,
}

/// Properties that determine how fast a node's cores read from another node's memory: number of the cores, bandwidth of
/// the memory; for each attachment of cores, latency and shares; for each resource, capacity and crowding curve. Resources are numbered in order of occurrence,
/// so that routes over different links of one kind are equal.
type Way = Vec<u64>;

impl Row {
    /// Rows of all nodes.
    fn all(fabric: &Fabric) -> Vec<Row> {
        (0..fabric.nodes()).into_par_iter().map(|reader| Row::of(fabric, NodeId(reader))).collect()
    }

    fn of(fabric: &Fabric, reader: NodeId) -> Row {
        let mut readers: Vec<ReaderId> =
            fabric.online_cores(reader).map(|core| fabric.reader_of(core)).collect();
        let cores = readers.len() as u64;
        readers.dedup();
        let mut numbers: BTreeMap<Way, usize> = BTreeMap::new();
        let mut row = Row { ways: Vec::new(), kinds: Vec::new() };
        let mut route = Route::default();
        for home in (0..fabric.memory_nodes()).map(NodeId) {
            if cores == 0 || !fabric.has_memory(home) {
                row.kinds.push(None);
                continue;
            }
            let memory = fabric.capacity(fabric.memory(home).total).0.to_bits();
            let mut way = way(fabric, home, &readers, &mut route);
            way.extend([cores, memory]);
            let next = row.ways.len();
            let kind = *numbers.entry(way.clone()).or_insert(next);
            if kind == next {
                row.ways.push((way, home));
            }
            row.kinds.push(Some(kind));
        }
        row
    }
}

fn way(fabric: &Fabric, home: NodeId, readers: &[ReaderId], route: &mut Route) -> Way {
    let mut way = Vec::new();
    let mut seen = Vec::new();
    for reader in readers {
        fabric.route(home, *reader, route);
        way.push(fabric.latency(home, *reader).0);
        for hops in [&route.toward_reader, &route.requests] {
            way.push(hops.len() as u64);
            for hop in hops {
                let number = seen.iter().position(|other| *other == hop.resource);
                way.extend([number.map_or(u64::MAX, |number| number as u64), hop.share.to_bits()]);
                if number.is_none() {
                    seen.push(hop.resource);
                    way.push(fabric.capacity(hop.resource).0.to_bits());
                    let curve = &fabric.crowding(hop.resource).0;
                    way.push(curve.len() as u64);
                    way.extend(curve.iter().flat_map(|(lines, left)| [lines.to_bits(), left.to_bits()]));
                }
            }
        }
    }
    way
}

/// Bandwidth of the first cores of `reader` that are in use, at most `most`, from `home`: a thread on each reads its part
/// of a region on `home` once.
/// Streaming stores have filled the region, so no cache holds any of it.
fn bandwidth(
    machine: &Machine,
    fabric: &Fabric,
    (reader, most): (NodeId, u32),
    home: NodeId,
) -> Result<f64, StudyError> {
    /// Bytes that each thread reads, unless half of the node's memory is less for all threads together.
    const PART: u64 = 64 << 20;
    let cores = fabric.online_cores(reader).take(most as usize);
    let team = Team::on(fabric, cores.filter_map(|core| fabric.online_threads(core).next()));
    let threads = team.members.len() as u32;
    let size = (PART * u64::from(threads)).min(fabric.memory_capacity(home).0 / 2).max(1);
    let touch = |name: &str, measured: bool, mode: Mode| {
        let mut phase = phase(name, measured, threads);
        phase.accesses.push(evenly(0, size, threads, mode));
        phase
    };
    let phases = vec![touch("fill", false, Mode::StreamingWrite), touch("read", true, Mode::Read)];
    let took = time(machine, fabric, &team, &Profile::free(), vec![on_node("data", size, home)], phases)?;
    Ok(rate(size, took))
}

#[cfg(test)]
mod tests;
