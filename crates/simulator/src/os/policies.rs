//! Page policies of the placements of a workload.

use numalab_machine::{Fabric, NodeId};
use numalab_memory::PagePolicy;
use numalab_workload::{NodeSet, Placement, Weighted};
use std::sync::Arc;

/// Policy by which a placement's pages are placed at first touch. Placements that move pages do so later.
pub(crate) fn page_policy(placement: &Placement, fabric: &Fabric) -> PagePolicy {
    let list = |set: &NodeSet| -> Arc<[NodeId]> { numbers(set, fabric).into_iter().map(NodeId).collect() };
    match placement {
        Placement::Bind(set) => PagePolicy::Bind(list(set)),
        Placement::Preferred(node) => PagePolicy::Preferred(NodeId(*node)),
        Placement::PreferredMany(set) => PagePolicy::PreferredMany(list(set)),
        Placement::Interleave(set) => PagePolicy::Interleave(list(set)),
        Placement::WeightedInterleave(parts) => PagePolicy::Interleave(weighted(parts, fabric)),
        Placement::HighBandwidth => PagePolicy::Nearby(high_bandwidth(fabric)),
        Placement::FirstTouch
        | Placement::Fetch
        | Placement::Migrate(_)
        | Placement::NextTouch
        | Placement::Replicate
        | Placement::Balancing
        | Placement::Tiering => PagePolicy::FirstTouch,
    }
}

/// Numbers of a set's nodes in ascending order. Names have been replaced by numbers before.
fn numbers(set: &NodeSet, fabric: &Fabric) -> Vec<u32> {
    match set {
        NodeSet::All | NodeSet::Named(_) => fabric.nodes_with_memory().map(|node| node.0).collect(),
        NodeSet::List(list) => list.clone(),
    }
}

/// One round of a weighted interleave: each node as often as its weight, in the order of Linux
/// (`weighted_interleave_nid`).
fn weighted(parts: &[Weighted], fabric: &Fabric) -> Arc<[NodeId]> {
    let everywhere = [Weighted { nodes: NodeSet::All, weight: None }];
    let parts = if parts.is_empty() { &everywhere } else { parts };
    let known = parts.iter().any(|part| part.weight.is_none()).then(|| weights(&bandwidths(fabric)));
    let each = parts.iter().flat_map(|part| {
        let numbers = numbers(&part.nodes, fabric);
        numbers.into_iter().map(|node| (node, part.weight))
    });
    let mut all: Vec<(u32, u64)> = each
        .map(|(node, said)| {
            let of_bandwidth = || known.as_ref().and_then(|all| all.get(node as usize).copied());
            (node, said.map(u64::from).or_else(of_bandwidth).unwrap_or(1))
        })
        .collect();
    // Linux has one weight for each node; of several the last one counts.
    all.reverse();
    all.sort_by_key(|entry| entry.0);
    all.dedup_by_key(|entry| entry.0);
    all.into_iter().flat_map(|(node, weight)| (0..weight).map(move |_| NodeId(node))).collect()
}

/// Maximal number of pages in a round of a weighted interleave.
pub(crate) const MOST_IN_A_ROUND: u64 = 1 << 20;

/// Upper bound of the pages in a round of a weighted interleave; 0 for other placements.
pub(crate) fn pages_in_a_round(placement: &Placement, fabric: &Fabric) -> u64 {
    let Placement::WeightedInterleave(parts) = placement else { return 0 };
    let nodes = |set: &NodeSet| match set {
        NodeSet::All | NodeSet::Named(_) => u64::from(fabric.memory_nodes()),
        NodeSet::List(list) => list.len() as u64,
    };
    // Weights by bandwidth sum to at most 32, and 1 more for each node whose part is rounded up to 1.
    let part = |part: &Weighted| {
        part.weight.map_or(nodes(&part.nodes).saturating_add(WEIGHTINESS as u64), |weight| {
            nodes(&part.nodes).saturating_mul(weight.into())
        })
    };
    parts.iter().map(part).fold(0, u64::saturating_add)
}

/// Bandwidth of each node's memory; 0 without memory.
fn bandwidths(fabric: &Fabric) -> Vec<f64> {
    let of = |node: NodeId| match fabric.has_memory(node) {
        true => fabric.capacity(fabric.memory(node).total).0,
        false => 0.0,
    };
    (0..fabric.memory_nodes()).map(|node| of(NodeId(node))).collect()
}

/// Sum of the weights that Linux shares out among nodes, in `reduce_interleave_weights` of `mm/mempolicy.c`.
const WEIGHTINESS: f64 = 32.0;

/// Weights by bandwidth, as Linux sets them since 6.16: parts of 32, at least 1, without a common divisor. 0 without
/// memory.
fn weights(bandwidths: &[f64]) -> Vec<u64> {
    let sum: f64 = bandwidths.iter().sum();
    let part = |rate: &f64| match *rate > 0.0 {
        true => ((WEIGHTINESS * rate / sum).floor() as u64).max(1),
        false => 0,
    };
    let parts: Vec<u64> = bandwidths.iter().map(part).collect();
    let common = parts.iter().copied().fold(0, divisor).max(1);
    parts.into_iter().map(|part| part / common).collect()
}

fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

/// For each node with processors the nearest node of the highest bandwidth; the node itself if none is faster.
fn high_bandwidth(fabric: &Fabric) -> Arc<[NodeId]> {
    let rates = bandwidths(fabric);
    let most = rates.iter().copied().fold(0.0, f64::max);
    let nearest = |from: u32| {
        let best = (0..).map(NodeId).zip(&rates).filter(|(_, rate)| **rate >= most);
        let far = |(home, _): &(NodeId, &f64)| fabric.line_latency(*home, NodeId(from));
        let own = rates.get(from as usize).is_some_and(|own| *own >= most);
        if own { NodeId(from) } else { best.min_by_key(far).map_or(NodeId(from), |(home, _)| home) }
    };
    (0..fabric.nodes()).map(nearest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_base::{Bandwidth, Bytes, Span};
    use numalab_machine::{LevelKind, Machine, MemoryOnly, synthetic};

    /// Two sockets of 24 GB/s, each with a node of `fast` GB/s next to it (2 and 3), and one of 8 GB/s at socket 1
    /// (4).
    fn machine(fast: f64) -> Machine {
        let kind = |name: &str, rate: f64, nanoseconds: u64, only_at| MemoryOnly {
            name: name.to_owned(),
            near: LevelKind::Socket,
            only_at,
            ..MemoryOnly::new(Bytes(1 << 30), Span(nanoseconds * 1000), Bandwidth(rate * 1e9))
        };
        let mut machine = synthetic("socket:2 core:4").expect("a machine");
        machine.memory.bandwidth = Bandwidth(24e9);
        machine.memory.read_bandwidth = None;
        machine.memory.write_bandwidth = None;
        machine.memory_only = vec![kind("hbm", fast, 150, None), kind("cxl", 8.0, 300, Some(1))];
        machine
    }

    fn turns(placement: &str, fast: f64) -> Vec<u32> {
        let machine = machine(fast);
        let fabric = Fabric::new(&machine).expect("a sound machine");
        let placement: Placement = placement.parse().expect("a placement");
        let placement = placement.known(&|name| machine.nodes_named(name)).expect("names that there are");
        let found = page_policy(&placement, &fabric);
        let (PagePolicy::Interleave(list) | PagePolicy::Nearby(list) | PagePolicy::Bind(list)) = found else {
            panic!("{found:?}")
        };
        list.iter().map(|node| node.0).collect()
    }

    /// 24 + 24 + 96 + 96 + 8 = 248 GB/s: of 32, 3.09, 3.09, 12.4, 12.4 and 1.03 become 3, 3, 12, 12 and 1, without a
    /// common divisor.
    #[test]
    fn weights_follow_bandwidth() {
        let expected = [(0, 3), (1, 3), (2, 12), (3, 12), (4, 1)];
        let expected: Vec<u32> = expected.iter().flat_map(|&(node, often)| vec![node; often]).collect();
        assert_eq!(turns("weighted-interleave", 96.0), expected);
        // The weights 3 and 12 of all nodes hold for these two as well; they are not reduced to 1 and 4.
        assert_eq!(
            turns("weighted-interleave:0,2", 96.0),
            expected[..3].iter().chain(&expected[6..18]).copied().collect::<Vec<_>>()
        );
        // The parts 24 and 8 of 32 are reduced to 3 and 1.
        assert_eq!(weights(&[24e9, 8e9]), [3, 1]);
        assert_eq!(weights(&[1.0; 5]), [1; 5]);
    }

    #[test]
    fn weights_that_are_said_are_kept() {
        assert_eq!(turns("weighted-interleave:0:2,cxl:1", 96.0), [0, 0, 4]);
        assert_eq!(turns("weighted-interleave:0-1:1,0:3", 96.0), [0, 0, 0, 1]);
    }

    #[test]
    fn high_bandwidth_is_the_nearest_of_the_fastest() {
        assert_eq!(turns("hbw", 96.0), [2, 3]);
        // No node is faster than those with processors.
        assert_eq!(turns("hbw", 12.0), [0, 1]);
    }

    #[test]
    fn names_and_all_reach_every_node() {
        assert_eq!(turns("interleave", 96.0), [0, 1, 2, 3, 4]);
        assert_eq!(turns("bind:hbm,cxl", 96.0), [2, 3, 4]);
    }
}
