//! Bytes that a thread's rounded blends owe to nodes.
//!
//! A rounded blend gives some nodes more and others fewer bytes than an access has there. The difference is carried to
//! the thread's next rounded blend of the region, so that it stays below one unit of a blend. Audio converters spread
//! the rounding errors of their samples in the same way.

use numalab_machine::NodeId;
use numalab_workload::RegionId;
use std::cmp::Reverse;

/// Least number of units of a rounded blend.
const UNITS: u64 = 32;

/// Bytes found on each node less bytes given to it, summed over a thread's rounded blends, by region and node in
/// ascending order. The bytes of a region sum to zero between two accesses.
#[derive(Clone, Debug, Default, Hash)]
pub(crate) struct Carried(Vec<(RegionId, NodeId, i64)>);

/// Number of turns of a node.
fn turns_of(turns: &[NodeId], node: NodeId) -> u64 {
    turns.iter().filter(|turn| **turn == node).count() as u64
}

/// Bytes of `total` that a node has if each turn deals as many.
pub(super) fn due(turns: &[NodeId], node: NodeId, total: u64) -> u64 {
    total / turns.len() as u64 * turns_of(turns, node)
}

impl Carried {
    /// Parts of a blend near to the bytes `found` together with the bytes carried, by node; a part of zero is left
    /// out. The bytes `found` are carried until [`Carried::settle`] is told what the blend gives. `dealt`: nodes to
    /// which the pages of the access were dealt in turn, if it has such pages only.
    ///
    /// The parts are those of the turns, unless more bytes are owed to some node than its part, or too many were
    /// given. Otherwise they are units, a multiple of the number of nodes: the largest remainders are rounded up.
    pub fn round(
        &mut self,
        region: RegionId,
        found: &[(NodeId, u64)],
        dealt: Option<&[NodeId]>,
    ) -> Vec<(NodeId, u64)> {
        let owed: Vec<i64> = found
            .iter()
            .map(|&(node, bytes)| {
                let carried = self.of(region, node);
                *carried += bytes as i64;
                *carried
            })
            .collect();
        if let Some(turns) = dealt {
            let total: u64 = found.iter().map(|entry| entry.1).sum();
            let nodes = || found.iter().map(|entry| entry.0);
            if nodes().zip(&owed).all(|(node, owed)| (0..=2 * due(turns, node, total) as i64).contains(owed))
            {
                return nodes().map(|node| (node, turns_of(turns, node))).collect();
            }
        }
        let mut owed: Vec<u64> = owed.iter().map(|bytes| (*bytes).max(0) as u64).collect();
        if owed.iter().all(|bytes| *bytes == 0) {
            owed = found.iter().map(|entry| entry.1).collect();
        }
        let total: u64 = owed.iter().sum();
        let units = UNITS.next_multiple_of(found.len() as u64);
        let quota = |bytes: u64| u128::from(bytes) * u128::from(units);
        let mut parts: Vec<u64> =
            owed.iter().map(|bytes| (quota(*bytes) / u128::from(total)) as u64).collect();
        let left = units - parts.iter().sum::<u64>();
        let mut largest: Vec<usize> = (0..parts.len()).collect();
        largest.sort_by_key(|at| Reverse(quota(owed[*at]) % u128::from(total)));
        largest.iter().take(left as usize).for_each(|at| parts[*at] += 1);
        found.iter().zip(parts).map(|(entry, part)| (entry.0, part)).filter(|part| part.1 > 0).collect()
    }

    /// Takes the bytes that a rounded blend gives to a node.
    pub fn settle(&mut self, region: RegionId, node: NodeId, given: u64) {
        *self.of(region, node) -= given as i64;
    }

    fn of(&mut self, region: RegionId, node: NodeId) -> &mut i64 {
        let at = self.0.binary_search_by_key(&(region, node), |entry| (entry.0, entry.1));
        let at = at.unwrap_or_else(|at| {
            self.0.insert(at, (region, node, 0));
            at
        });
        &mut self.0[at].2
    }
}
