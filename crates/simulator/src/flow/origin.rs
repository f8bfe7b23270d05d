//! Origins of bytes: one node, several nodes at a time, or another socket's cache.

use super::carried::{Carried, due};
use numalab_machine::NodeId;
use numalab_workload::RegionId;
use rustc_hash::FxHashMap;
use std::sync::Arc;

// Glossary: origin: Source of bytes: one node, several nodes in turn, or another socket's cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Origin {
    /// Memory of a node.
    Node(NodeId),
    /// Memory of several nodes that deliver at the same time.
    Blend(BlendId),
    /// Cache of a socket on this node, which delivers to a reader on another socket.
    Peer(NodeId),
}

/// Index into [`Blends`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BlendId(u32);

/// Nodes of a blend in ascending order, with the part of the bytes from each in units of 1 / [`Blends::SCALE`].
pub(crate) type Parts = Arc<[(NodeId, u32)]>;

/// Blends without duplicates, numbered in the order of their first use.
#[derive(Clone, Debug)]
pub(crate) struct Blends {
    all: Vec<Parts>,
    /// Numbers of the known blends; never iterated.
    known: FxHashMap<Parts, BlendId>,
    /// Number of blends from which on further blends are rounded.
    most: usize,
}

/// Result of [`Blends::origin`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blended {
    pub origin: Origin,
    pub is_rounded: bool,
}

impl Blends {
    /// Number of units in a whole blend. The unit is coarse, so that slices that differ by a few pages form the same
    /// blend.
    pub const SCALE: u32 = 1 << 12;

    /// Number of blends that are kept as found. The solver rates a resource in proportion to the kinds of flows on
    /// it, so that with hundreds of blends under way the work of a run grows with the square of its threads.
    const FEW: usize = 64;

    /// No blends. `exact`: none is ever rounded.
    pub fn new(exact: bool) -> Blends {
        let most = if exact { usize::MAX } else { Blends::FEW };
        Blends { all: Vec::new(), known: FxHashMap::default(), most }
    }

    /// Origin of an access's bytes on several nodes of a region: a blend, or the node if there is only one; `None`
    /// without bytes. Sorts `found` and merges its entries by node. A blend near that of the turns is rounded, and any
    /// new one if many exist ([`Carried::round`]). `dealt`: nodes to which the pages were dealt in turn; `None` if some
    /// were not.
    pub fn origin(
        &mut self,
        region: RegionId,
        found: &mut Vec<(NodeId, u64)>,
        dealt: Option<&[NodeId]>,
        carried: &mut Carried,
    ) -> Option<Blended> {
        found.sort_unstable();
        found.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0 };
            same
        });
        found.retain(|entry| entry.1 > 0);
        let total = found.iter().map(|entry| entry.1).sum();
        let exact = |origin| Some(Blended { origin, is_rounded: false });
        match found[..] {
            [] => return None,
            [(node, _)] => return exact(Origin::Node(node)),
            _ => {}
        }
        let parts = in_units(found, total);
        let near = self.most < usize::MAX && dealt.is_some_and(|turns| is_near(found, total, turns));
        if !near && (self.all.len() < self.most || self.known.contains_key(&parts)) {
            return exact(Origin::Blend(self.intern(parts)));
        }
        let origin = match carried.round(region, found, dealt)[..] {
            [(node, _)] => Origin::Node(node),
            ref parts => Origin::Blend(self.intern(in_units(parts, parts.iter().map(|part| part.1).sum()))),
        };
        self.divide(origin, total, |node, given| carried.settle(region, node, given));
        let is_rounded = match origin {
            Origin::Blend(id) => *self.parts(id) != parts,
            Origin::Node(_) | Origin::Peer(_) => true,
        };
        Some(Blended { origin, is_rounded })
    }

    fn intern(&mut self, parts: Parts) -> BlendId {
        if let Some(&id) = self.known.get(&parts) {
            return id;
        }
        let id = BlendId(self.all.len() as u32);
        self.all.push(Arc::clone(&parts));
        self.known.insert(parts, id);
        id
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn parts(&self, BlendId(id): BlendId) -> &Parts {
        &self.all[id as usize]
    }

    /// Divides an amount among the nodes of an origin; the pieces sum to the amount.
    pub fn divide(&self, origin: Origin, amount: u64, mut give: impl FnMut(NodeId, u64)) {
        match origin {
            Origin::Node(node) | Origin::Peer(node) => give(node, amount),
            Origin::Blend(id) => {
                let parts = self.parts(id);
                let total: u64 = parts.iter().map(|part| u64::from(part.1)).sum();
                let (mut before, mut given) = (0, 0);
                for &(node, part) in parts.iter() {
                    before += u64::from(part);
                    let until = (u128::from(amount) * u128::from(before) / u128::from(total)) as u64;
                    give(node, until - given);
                    given = until;
                }
            }
        }
    }
}

/// True if the bytes `found` on each node are those of the `turns` in which the pages were dealt, but for a 32nd of
/// them.
fn is_near(found: &[(NodeId, u64)], total: u64, turns: &[NodeId]) -> bool {
    /// Part (1/n) of a node's bytes that may be missing, or too much.
    const OFF: u64 = 32;
    found.iter().all(|&(node, bytes)| {
        let due = due(turns, node, total);
        bytes.abs_diff(due) <= due / OFF
    })
}

/// Parts in units of 1 / [`Blends::SCALE`] of `total`. A part above zero is never rounded to zero.
fn in_units(parts: &[(NodeId, u64)], total: u64) -> Parts {
    let unit = |part: u64| {
        let exact = part as f64 / total as f64 * f64::from(Blends::SCALE);
        exact.round().max(1.0) as u32
    };
    parts.iter().map(|&(node, part)| (node, unit(part))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    // Of 1024 pages on two nodes 16 may be missing at each: a 32nd of 512. The next access makes up for them.
    #[test]
    fn blends_near_the_turns_are_those_of_the_turns() {
        let (mut blends, mut carried) = (Blends::new(false), Carried::default());
        let mut given = |blends: &mut Blends, first: u64| {
            let mut found = vec![(NodeId(0), first), (NodeId(1), 1024 - first)];
            let turns = [NodeId(0), NodeId(1)];
            let blended = blends.origin(RegionId(0), &mut found, Some(&turns), &mut carried).unwrap();
            let mut bytes = Vec::new();
            blends.divide(blended.origin, 1024, |_, amount| bytes.push(amount));
            (bytes[0], blended.is_rounded)
        };
        assert_eq!(given(&mut blends, 512), (512, false));
        assert_eq!(given(&mut blends, 528), (512, true));
        assert_eq!(given(&mut blends, 529), (529, false));
        assert_eq!(given(&mut Blends::new(true), 528), (528, false));
    }

    #[test]
    fn equal_blends_are_one_and_divide_exactly() {
        let mut blends = Blends::new(false);
        let mut origin = |mut found| {
            blends
                .origin(RegionId(0), &mut found, None, &mut Carried::default())
                .map(|blended| blended.origin)
        };
        let first = origin(vec![(NodeId(2), 100), (NodeId(0), 200), (NodeId(2), 100)]).unwrap();
        assert_eq!(origin(vec![(NodeId(0), 5000), (NodeId(2), 5001)]), Some(first));
        assert_eq!(origin(vec![(NodeId(1), 7), (NodeId(3), 0)]), Some(Origin::Node(NodeId(1))));
        assert_eq!(origin(Vec::new()), None);
        let mut given = Vec::new();
        blends.divide(first, 7, |node, amount| given.push((node.0, amount)));
        assert_eq!(given, [(0, 3), (2, 4)]);
    }
}
