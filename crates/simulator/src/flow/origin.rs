//! Origins of bytes: one node, several nodes at a time, or another socket's cache.

use numalab_machine::NodeId;
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
#[derive(Clone, Debug, Default)]
pub(crate) struct Blends {
    all: Vec<Parts>,
    /// Numbers of the known blends; never iterated.
    known: FxHashMap<Parts, BlendId>,
}

impl Blends {
    /// Number of units in a whole blend. The unit is coarse, so that slices that differ by a few pages form the same
    /// blend.
    pub const SCALE: u32 = 1 << 12;

    /// Origin of bytes from several nodes: a blend, or the node if there is only one; `None` without bytes. Sorts
    /// `found` and merges its entries by node.
    pub fn origin(&mut self, found: &mut Vec<(NodeId, u64)>) -> Option<Origin> {
        found.sort_unstable();
        found.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0 };
            same
        });
        found.retain(|entry| entry.1 > 0);
        match found[..] {
            [] => None,
            [(node, _)] => Some(Origin::Node(node)),
            _ => Some(Origin::Blend(self.intern(found))),
        }
    }

    fn intern(&mut self, found: &[(NodeId, u64)]) -> BlendId {
        let total: u64 = found.iter().map(|entry| entry.1).sum();
        // A part above zero is never rounded to zero.
        let unit = |bytes: u64| {
            let exact = bytes as f64 / total as f64 * f64::from(Blends::SCALE);
            exact.round().max(1.0) as u32
        };
        let parts: Parts = found.iter().map(|&(node, bytes)| (node, unit(bytes))).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_blends_are_one_and_divide_exactly() {
        let mut blends = Blends::default();
        let mut found = vec![(NodeId(2), 100), (NodeId(0), 200), (NodeId(2), 100)];
        let first = blends.origin(&mut found).unwrap();
        assert_eq!(blends.origin(&mut vec![(NodeId(0), 5000), (NodeId(2), 5001)]), Some(first));
        assert_eq!(blends.origin(&mut vec![(NodeId(1), 7), (NodeId(3), 0)]), Some(Origin::Node(NodeId(1))));
        assert_eq!(blends.origin(&mut Vec::new()), None);
        let mut given = Vec::new();
        blends.divide(first, 7, |node, amount| given.push((node.0, amount)));
        assert_eq!(given, [(0, 3), (2, 4)]);
    }
}
