//! Counts of a run.

/// Declares the counts of a run's data.
#[macro_export]
macro_rules! run_counts {
    ($declare:path) => {
        $declare! {
            /// Bytes by the closest level that the reading thread and the data's home node share.
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub struct BytesByLevel {
                /// Same NUMA node.
                node: u64 => sum bytes;
                /// Same socket, another node.
                socket: u64 => sum bytes;
                /// Same board, another socket.
                board: u64 => sum bytes;
                /// Another board, or another socket where there are no boards.
                machine: u64 => sum bytes;
                /// Nodes that are memory alone, wherever they are.
                memory_only: u64 => sum bytes unless "is_none";
            }

            impl {
                /// All of them.
                pub fn total(&self) -> u64 {
                    self.node + self.remote()
                }

                /// Those from another node than the reader's.
                pub fn remote(&self) -> u64 {
                    self.socket + self.board + self.machine + self.memory_only
                }
            }
        }
    };
}

run_counts!(crate::declare);

// No part of the output, so that `results` uses this very struct.
crate::declare! {
    /// Work of the engine in the measured phases, in units that no host changes.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct EngineCounts {
        /// Resources, bundles and flows that the fluid solver looked at.
        solver_visits: u64 => sum count;
        /// Segments of caches, and gaps between them, that accesses met.
        cache_visits: u64 => sum count;
        /// Operations of programs that synchronise.
        operations: u64 => sum count;
    }
}
