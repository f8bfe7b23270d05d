//! Matrix of values measured between nodes.

/// Values measured from NUMA nodes to the memory of NUMA nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeMatrix {
    /// Numbers of the measuring nodes, one a row.
    pub from: Vec<u32>,
    /// Numbers of the nodes with the measured memory, one a column.
    pub to: Vec<u32>,
    /// Cells by row, then column; finite and above 0, `None` if not measured.
    pub cells: Vec<Vec<Option<f64>>>,
}

impl NodeMatrix {
    /// Value from one node to the memory of another.
    pub fn get(&self, from: u32, to: u32) -> Option<f64> {
        let row = self.from.iter().position(|node| *node == from)?;
        let column = self.to.iter().position(|node| *node == to)?;
        self.cells.get(row)?.get(column).copied().flatten()
    }

    /// Cells with a value: measuring node, memory's node, value.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32, f64)> + '_ {
        let rows = self.from.iter().zip(&self.cells);
        rows.flat_map(|(from, cells)| {
            self.to.iter().zip(cells).filter_map(|(to, cell)| Some((*from, *to, (*cell)?)))
        })
    }

    /// Nodes with memory, but no row: without processors, or not measured from.
    pub fn without_row(&self) -> Vec<u32> {
        self.to.iter().copied().filter(|node| !self.from.contains(node)).collect()
    }

    /// True if rows and columns are of the same nodes.
    pub(super) fn same_nodes(&self, other: &NodeMatrix) -> bool {
        self.from == other.from && self.to == other.to
    }
}
