//! Sets of nodes: one word if all numbers are below 64, otherwise a bit vector.

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum NodeSet {
    /// Set of nodes if all nodes have numbers below 64, one bit each.
    Few(u64),
    /// Set of nodes with any numbers, one bit each.
    Many(Box<[u64]>),
}

impl NodeSet {
    pub const EMPTY: NodeSet = NodeSet::Few(0);

    pub fn of(node: u32) -> NodeSet {
        let mut set = NodeSet::EMPTY;
        set.insert(node);
        set
    }

    fn words(&self) -> &[u64] {
        match self {
            NodeSet::Few(word) => std::slice::from_ref(word),
            NodeSet::Many(words) => words,
        }
    }

    pub fn contains(&self, node: u32) -> bool {
        self.words().get(node as usize / 64).is_some_and(|word| word >> (node % 64) & 1 == 1)
    }

    pub fn insert(&mut self, node: u32) {
        let (at, bit) = (node as usize / 64, 1 << (node % 64));
        match self {
            NodeSet::Few(word) if at == 0 => *word |= bit,
            NodeSet::Many(words) if at < words.len() => words[at] |= bit,
            NodeSet::Few(_) | NodeSet::Many(_) => {
                let mut words = self.words().to_vec();
                words.resize(at + 1, 0);
                words[at] |= bit;
                *self = NodeSet::Many(words.into());
            }
        }
    }

    pub fn remove(&mut self, node: u32) {
        let (at, bit) = (node as usize / 64, 1 << (node % 64));
        match self {
            NodeSet::Few(word) if at == 0 => *word &= !bit,
            NodeSet::Many(words) if at < words.len() => words[at] &= !bit,
            NodeSet::Few(_) | NodeSet::Many(_) => {}
        }
    }

    pub fn len(&self) -> u32 {
        self.words().iter().map(|word| word.count_ones()).sum()
    }

    /// Nodes in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(self.words()).flat_map(|(at, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(at * 64 + bit)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::NodeSet;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn is_a_set(steps in prop::collection::vec((0u32..200, any::<bool>()), 0..60)) {
            let (mut set, mut plain) = (NodeSet::EMPTY, BTreeSet::new());
            for (node, adds) in steps {
                if adds { set.insert(node); plain.insert(node); } else { set.remove(node); plain.remove(&node); }
                prop_assert_eq!(set.contains(node), adds);
                prop_assert_eq!(set.len() as usize, plain.len());
            }
            prop_assert!(set.iter().eq(plain));
        }
    }
}
