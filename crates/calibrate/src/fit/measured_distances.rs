//! Distances between nodes from measured latencies, in place of those that the firmware claims.

use numalab_imports::foreign::NodeMatrix;
use numalab_imports::topology::Topology;

/// Distance of a node to itself.
const OWN: f64 = 10.0;
/// Distance of memory whose latency is neither claimed nor measured: no node is nearer to it than others.
const UNKNOWN: f64 = 20.0;
/// Ratio of two measured latencies up to which the nodes are equally near.
const SAME: f64 = 1.03;

/// Distances of the nodes of `shape`: measured ones between nodes with processors if all pairs were measured, otherwise
/// the claimed ones. Memory without processors keeps its claimed distances if the claimed nearest node is the measured
/// one; if not, the measurement counts and `warnings` get a message. `None` if distances are neither claimed nor
/// measured.
pub(super) fn of(
    latency: &NodeMatrix,
    shape: &Topology,
    warnings: &mut Vec<String>,
) -> Option<Vec<Vec<f64>>> {
    let numbers: Vec<u32> = shape.nodes.iter().map(|node| node.number).collect();
    let has_processors: Vec<bool> = shape.nodes.iter().map(|node| !node.processors.is_empty()).collect();
    let owners: Vec<usize> = (0..numbers.len()).filter(|at| has_processors[*at]).collect();
    let get = |from: usize, to: usize| latency.get(numbers[from], numbers[to]);
    let scaled = |from: usize, to: usize| Some(get(from, to)? / get(from, from)? * OWN);
    let all = owners.iter().all(|from| owners.iter().all(|to| scaled(*from, *to).is_some()));
    let claimed = shape.distances.as_ref();
    let claim = |from: usize, to: usize| claimed?.get(from)?.get(to).copied();
    if !all && claimed.is_none() {
        return None;
    }
    let mut found = vec![vec![OWN; numbers.len()]; numbers.len()];
    for &from in &owners {
        for &to in &owners {
            found[from][to] = if all { scaled(from, to) } else { claim(from, to) }.unwrap_or(UNKNOWN);
        }
    }
    for to in (0..numbers.len()).filter(|at| !has_processors[*at]) {
        let nearest = |value: &dyn Fn(usize) -> Option<f64>| {
            let values = owners.iter().filter_map(|from| Some((*from, value(*from)?)));
            values.min_by(|a, b| a.1.total_cmp(&b.1))
        };
        let (measured, stated) = (nearest(&|from| get(from, to)), nearest(&|from| claim(from, to)));
        let agrees = match (measured, stated) {
            (Some((node, least)), Some((_, nearest))) => {
                let is_nearest = |from: &usize| claim(*from, to) == Some(nearest);
                // Nodes without a measurement may be as near.
                let agrees = owners.iter().filter(|from| is_nearest(from)).any(|from| {
                    *from == node || get(*from, to).is_none_or(|latency| latency <= least * SAME)
                });
                if !agrees {
                    let host = owners.iter().find(|from| is_nearest(from)).copied().unwrap_or_default();
                    warnings.push(format!(
                        "node {} is nearest to node {} by the firmware's distances ({nearest:.0}), and to node {} by measured \
                         latencies ({least:.0} ns, {:.0} ns from node {}): the measurement counts",
                        numbers[to],
                        numbers[host],
                        numbers[node],
                        get(host, to).unwrap_or_default(),
                        numbers[host],
                    ));
                }
                agrees
            }
            (Some(_), None) => false,
            (None, _) => true,
        };
        for &from in &owners {
            let distance = if agrees { claim(from, to) } else { scaled(from, to) };
            found[from][to] = distance.unwrap_or(UNKNOWN);
            found[to][from] = found[from][to];
        }
    }
    Some(found)
}
