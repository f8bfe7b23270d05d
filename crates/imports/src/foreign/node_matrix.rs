//! Something measured between nodes.

/// Something measured from NUMA nodes to the memory of NUMA nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeMatrix {
    /// Numbers of the nodes whose processors measured: a row each.
    pub from: Vec<u32>,
    /// Numbers of the nodes whose memory was measured: a column each.
    pub to: Vec<u32>,
    /// For each row a cell for each column, finite and above 0; `None` where nothing was measured.
    pub cells: Vec<Vec<Option<f64>>>,
}

impl NodeMatrix {
    /// Value measured from a node to the memory of a node.
    pub fn get(&self, from: u32, to: u32) -> Option<f64> {
        let row = self.from.iter().position(|node| *node == from)?;
        let column = self.to.iter().position(|node| *node == to)?;
        self.cells.get(row)?.get(column).copied().flatten()
    }

    /// All cells with a value: from which node, to which, and the value.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32, f64)> + '_ {
        let rows = self.from.iter().zip(&self.cells);
        rows.flat_map(|(from, cells)| {
            self.to.iter().zip(cells).filter_map(|(to, cell)| Some((*from, *to, (*cell)?)))
        })
    }

    /// Nodes with memory that nothing was measured from: no processors, or not theirs.
    pub fn without_row(&self) -> Vec<u32> {
        self.to.iter().copied().filter(|node| !self.from.contains(node)).collect()
    }

    /// Whether rows and columns are of the same nodes.
    pub(super) fn same_nodes(&self, other: &NodeMatrix) -> bool {
        self.from == other.from && self.to == other.to
    }
}
