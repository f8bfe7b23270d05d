/// Declares the counts of a run's data traffic.
#[macro_export]
macro_rules! run_counts {
    ($declare:path) => {
        $declare! {
            /// Bytes by distance: by the smallest part of the machine (node, socket, board) that contains both the
            /// reading thread and the data's home node.
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub struct BytesByLevel {
                /// Bytes from the reader's own NUMA node.
                node: u64 => sum bytes;
                /// Bytes from another node of the reader's socket.
                socket: u64 => sum bytes;
                /// Bytes from another socket of the reader's board.
                board: u64 => sum bytes;
                /// Bytes from another board, or from another socket on a machine without boards.
                machine: u64 => sum bytes;
                /// Bytes from memory-only nodes, wherever they are.
                memory_only: u64 => sum bytes unless "is_none";
            }

            impl {
                /// Bytes from all distances.
                pub fn total(&self) -> u64 {
                    self.node + self.remote()
                }

                /// Bytes from other nodes than the reader's.
                pub fn remote(&self) -> u64 {
                    self.socket + self.board + self.machine + self.memory_only
                }
            }
        }
    };
}

run_counts!(crate::declare);

// Not written to output, so `results` uses this struct itself.
crate::declare! {
    /// Work of the engine in the measured phases, in units that do not depend on the host.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct EngineCounts {
        /// Resources, bundles and flows that the fluid solver visited.
        solver_visits: u64 => sum count;
        /// Intervals of cached bytes, and gaps between them, that accesses visited.
        cache_visits: u64 => sum count;
        /// Operations of synchronisation programs.
        operations: u64 => sum count;
    }
}
