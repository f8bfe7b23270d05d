use std::fmt;

/// Thread-node table: the number of accesses of each thread to each node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessCounts {
    nodes: usize,
    /// Counts row by row: one row per thread, one column per node.
    counts: Vec<u64>,
    /// Sum of each row, by thread.
    totals: Vec<u64>,
}

impl AccessCounts {
    /// Creates a table from one row per thread, with a count of accesses to each node.
    pub fn new(rows: &[Vec<u64>]) -> Result<AccessCounts, AccessCountsError> {
        let nodes = rows.first().map_or(0, Vec::len);
        if nodes == 0 {
            return Err(AccessCountsError::Empty);
        }
        if let Some(thread) = rows.iter().position(|row| row.len() != nodes) {
            return Err(AccessCountsError::Ragged { thread, columns: rows[thread].len(), nodes });
        }
        let all = rows.iter().flatten().try_fold(0u64, |sum, &count| sum.checked_add(count));
        if all.is_none() {
            return Err(AccessCountsError::TooMany);
        }
        let totals = rows.iter().map(|row| row.iter().sum()).collect();
        Ok(AccessCounts { nodes, counts: rows.concat(), totals })
    }

    /// Number of threads, at least 1.
    pub fn threads(&self) -> usize {
        self.totals.len()
    }

    /// Number of nodes, at least 1.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    pub fn of(&self, thread: usize, node: usize) -> u64 {
        self.counts[thread * self.nodes + node]
    }

    /// Accesses of one thread to all nodes.
    pub fn total(&self, thread: usize) -> u64 {
        self.totals[thread]
    }

    pub fn all(&self) -> u64 {
        self.totals.iter().sum()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessCountsError {
    /// There is no thread or no node.
    Empty,
    /// A row has a different number of counts than the first row.
    Ragged {
        /// Number of the row, from 0.
        thread: usize,
        columns: usize,
        /// Number of counts in the first row.
        nodes: usize,
    },
    /// The sum of all counts exceeds 64 bits.
    TooMany,
}

impl fmt::Display for AccessCountsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AccessCountsError::Empty => {
                write!(f, "a thread-node table needs at least one thread and one node")
            }
            AccessCountsError::Ragged { thread, columns, nodes } => {
                write!(
                    f,
                    "row {thread} of the thread-node table has {columns} counts; the first row has {nodes}"
                )
            }
            AccessCountsError::TooMany => {
                write!(f, "the sum of the counts of the thread-node table must be below 2^64")
            }
        }
    }
}

impl std::error::Error for AccessCountsError {}
