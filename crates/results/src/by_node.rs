//! An amount for every node, stored only where it is not zero: a thread of a 2048-node machine
//! touches a handful of nodes. Serialised as a plain array with one number for each node.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Amounts by node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByNode {
    nodes: u32,
    /// Sorted by node, no zeros.
    entries: Vec<(u32, u64)>,
}

impl ByNode {
    /// Nothing, on a machine of so many nodes.
    pub fn new(nodes: u32) -> ByNode {
        ByNode { nodes, entries: Vec::new() }
    }

    /// Amounts of some nodes of so many, sorted by node and without zeros.
    pub fn of(nodes: u32, entries: Vec<(u32, u64)>) -> ByNode {
        debug_assert!(entries.is_sorted_by(|before, after| before.0 < after.0));
        debug_assert!(entries.iter().all(|(node, amount)| *node < nodes && *amount > 0));
        ByNode { nodes, entries }
    }

    /// Adds to one node.
    pub fn add(&mut self, node: u32, amount: u64) {
        debug_assert!(node < self.nodes);
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

    /// Number of nodes of the machine.
    pub fn nodes(&self) -> u32 {
        self.nodes
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

impl Serialize for ByNode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rest = self.entries.iter().copied().peekable();
        serializer.collect_seq(
            (0..self.nodes).map(|node| rest.next_if(|entry| entry.0 == node).map_or(0, |entry| entry.1)),
        )
    }
}

impl<'de> Deserialize<'de> for ByNode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ByNode, D::Error> {
        let dense = Vec::<u64>::deserialize(deserializer)?;
        let mut by_node = ByNode::new(dense.len() as u32);
        for (node, amount) in dense.into_iter().enumerate() {
            by_node.add(node as u32, amount);
        }
        Ok(by_node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serialises_densely_and_reads_back() {
        let mut by_node = ByNode::new(4);
        by_node.add(2, 7);
        by_node.add(0, 1);
        by_node.add(2, 1);
        let text = serde_json::to_string(&by_node).unwrap();
        assert_eq!(text, "[1,0,8,0]");
        assert_eq!(serde_json::from_str::<ByNode>(&text).unwrap(), by_node);
        assert_eq!(by_node.total(), 9);
    }
}
