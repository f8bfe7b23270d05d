//! An amount for every node, stored only where it is not zero: a thread of a 2048-node machine touches a
//! handful of nodes.

/// Amounts by node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByNode {
    /// Sorted by node, no zeros.
    entries: Vec<(u32, u64)>,
}

impl ByNode {
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

    /// Node and amount, sorted by node, without zeros.
    pub fn into_entries(self) -> Vec<(u32, u64)> {
        self.entries
    }
}

#[cfg(test)]
mod tests {
    use super::ByNode;

    #[test]
    fn amounts_of_a_node_add_up_and_nothing_leaves_no_trace() {
        let mut by_node = ByNode::default();
        [(2, 7), (0, 1), (2, 1), (3, 0)].into_iter().for_each(|(node, amount)| by_node.add(node, amount));
        assert_eq!((by_node.get(2), by_node.get(1), by_node.total()), (8, 0, 9));
        assert_eq!(by_node.into_entries(), [(0, 1), (2, 8)]);
    }
}
