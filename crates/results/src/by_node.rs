//! An amount for every node, kept and written only where it is not zero: a thread of a 2048-node machine touches
//! a handful of nodes.

use serde::{Deserialize, Serialize, Serializer};

/// Amounts by node. Written as pairs of a node and its amount, in the order of the nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<(u32, u64)>")]
pub struct ByNode {
    /// Sorted by node, no zeros.
    entries: Vec<(u32, u64)>,
}

impl ByNode {
    /// Amounts of some nodes, sorted by node and without zeros.
    pub fn of(entries: Vec<(u32, u64)>) -> ByNode {
        debug_assert!(in_order(&entries));
        ByNode { entries }
    }

    /// Adds to one node.
    pub fn add(&mut self, node: u32, amount: u64) {
        if amount == 0 {
            return;
        }
        match self.entries.binary_search_by_key(&node, |entry| entry.0) {
            Ok(at) => self.entries[at].1 += amount,
            Err(at) => self.entries.insert(at, (node, amount)),
        }
    }

    /// The amount of one node.
    pub fn get(&self, node: u32) -> u64 {
        self.entries.binary_search_by_key(&node, |entry| entry.0).map_or(0, |at| self.entries[at].1)
    }

    /// The nodes that have an amount, in order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.entries.iter().copied()
    }

    /// Sum over the nodes.
    pub fn total(&self) -> u64 {
        self.entries.iter().map(|entry| entry.1).sum()
    }
}

fn in_order(entries: &[(u32, u64)]) -> bool {
    entries.is_sorted_by(|before, after| before.0 < after.0) && entries.iter().all(|(_, amount)| *amount > 0)
}

impl Serialize for ByNode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.entries)
    }
}

impl TryFrom<Vec<(u32, u64)>> for ByNode {
    type Error = &'static str;

    fn try_from(entries: Vec<(u32, u64)>) -> Result<ByNode, &'static str> {
        match in_order(&entries) {
            true => Ok(ByNode { entries }),
            false => Err("pairs [node, amount] are not in the order of their nodes, or an amount is 0"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nodes_without_an_amount_are_left_out() {
        let mut by_node = ByNode::default();
        for (node, amount) in [(2, 7), (0, 1), (2, 1), (3, 0)] {
            by_node.add(node, amount);
        }
        let text = serde_json::to_string(&by_node).unwrap();
        assert_eq!(text, "[[0,1],[2,8]]");
        assert_eq!((by_node.get(2), by_node.get(1), by_node.total()), (8, 0, 9));
    }

    #[test]
    fn what_is_not_written_so_is_refused() {
        for text in ["[[2,1],[0,1]]", "[[0,1],[0,1]]", "[[0,0]]", "[1,0,8]", "[[0,1,2]]", "[[-1,2]]"] {
            assert!(serde_json::from_str::<ByNode>(text).is_err(), "{text}");
        }
    }

    proptest! {
        // A plain array with a number for each node is the oracle.
        #[test]
        fn pairs_say_what_an_array_says(added in prop::collection::vec((0..8u32, 0..5u64), 0..20)) {
            let (mut by_node, mut array) = (ByNode::default(), [0; 8]);
            for &(node, amount) in &added {
                by_node.add(node, amount);
                array[node as usize] += amount;
            }
            let text = serde_json::to_string(&by_node).unwrap();
            let read: ByNode = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(&read, &by_node);
            prop_assert_eq!(std::array::from_fn(|node| read.get(node as u32)), array);
            prop_assert_eq!(read.iter().count(), array.iter().filter(|amount| **amount > 0).count());
        }
    }
}
