//! Amounts by node, stored only if not zero: a thread of a 2048-node machine touches a handful of
//! nodes.

/// Amounts by node, such as bytes or times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByNode {
    /// Sorted by node, without zeros.
    entries: Vec<(u32, u64)>,
}

impl ByNode {
    /// Amounts of some nodes; `None` unless they are sorted by node, each node once, without zeros.
    pub fn of(entries: Vec<(u32, u64)>) -> Option<ByNode> {
        let sorted = entries.is_sorted_by(|before, after| before.0 < after.0);
        (sorted && entries.iter().all(|(_, amount)| *amount > 0)).then_some(ByNode { entries })
    }

    /// Adds to the amount of one node; adding 0 has no effect.
    pub fn add(&mut self, node: u32, amount: u64) {
        if amount == 0 {
            return;
        }
        match self.entries.binary_search_by_key(&node, |entry| entry.0) {
            Ok(at) => self.entries[at].1 += amount,
            Err(at) => self.entries.insert(at, (node, amount)),
        }
    }

    /// The amount of one node; 0 if it has none.
    pub fn get(&self, node: u32) -> u64 {
        self.entries.binary_search_by_key(&node, |entry| entry.0).map_or(0, |at| self.entries[at].1)
    }

    /// The nodes with an amount, sorted by node, with their amounts.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.entries.iter().copied()
    }

    /// Node and amount, sorted by node, without zeros.
    pub fn entries(&self) -> &[(u32, u64)] {
        &self.entries
    }

    /// Sum over all nodes.
    pub fn total(&self) -> u64 {
        self.entries.iter().map(|entry| entry.1).sum()
    }
}
