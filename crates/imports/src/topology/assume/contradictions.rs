//! Assumed values that contradict the order of the distances in the same input.

use crate::topology::{MachineSketch, Topology};
use numalab_base::Span;
use numalab_machine::{Fabric, NodeId, ReaderId};

/// Factor below which two distances count as equal, since measured distances never are.
const SAME: f64 = 1.1;

/// A warning if a node is nearer than another one by the distances of the topology, and farther by the latencies of
/// the machine.
pub(super) fn with_distances(sketch: &MachineSketch, topology: &Topology) -> Option<String> {
    let distances = topology.distances.as_ref()?;
    let fabric = Fabric::new(&sketch.machine).ok()?;
    let place = |number: u32| topology.nodes.iter().position(|node| node.number == number);
    let places: Vec<usize> = sketch.nodes.iter().map(|&number| place(number)).collect::<Option<_>>()?;
    let count = places.len();
    let stated = |from: usize, to: usize| distances.get(places[from])?.get(places[to]).copied();
    let readers_of_node = fabric.readers() / fabric.nodes().max(1);
    let latency =
        |from: usize, to: usize| fabric.latency(NodeId(to as u32), ReaderId(from as u32 * readers_of_node)).0;
    for from in 0..count {
        let mut order: Vec<(f64, u64, usize)> =
            (0..count).filter_map(|to| Some((stated(from, to)?, latency(from, to), to))).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (at, &(distance, time, to)) in order.iter().enumerate() {
            let nearer = order[..at].iter().filter(|(other, ..)| other * SAME < distance);
            let farthest = nearer.max_by_key(|(_, time, _)| *time).filter(|(_, more, _)| *more > time);
            if let Some(&(less, more, other)) = farthest {
                let [from, to, other] = [from, to, other].map(|at| sketch.nodes[at]);
                return Some(format!(
                    "the distances of this input say that node {other} is nearer to node {from} than node {to} ({less} and \
                     {distance}), and the assumed latencies say the opposite ({} and {}): set the latencies of the links",
                    Span(more),
                    Span(time),
                ));
            }
        }
    }
    None
}
