/// Declares the counts of pages in software shared memory.
#[macro_export]
macro_rules! page_counts {
    ($declare:path) => {
        $declare! {
            /// Page faults of software shared memory by kind.
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub struct PageFaults {
                /// Read faults.
                read: u64 => sum count;
                /// Write faults without a copy.
                write: u64 => sum count;
                /// Write faults on a read-only copy.
                upgrade: u64 => sum count;
            }

            impl {
                /// Sum of all kinds.
                pub fn total(&self) -> u64 {
                    self.read + self.write + self.upgrade
                }
            }

            /// Times of a node's threads.
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub struct NodeTime {
                /// Time of computing.
                compute_ps: u64 => sum ps;
                /// Time stopped by faults.
                stop_ps: u64 => sum ps;
                /// Time of waiting for other threads.
                idle_ps: u64 => sum ps;
            }

            /// A phase with software shared memory.
            #[derive(Clone, Debug, Default, PartialEq, Eq)]
            pub struct PhaseSharing {
                /// Times of each node's threads in the phase.
                nodes: Vec<NodeTime> => sum parts;
                /// Number of pages that several nodes wrote in the phase, each after a fault. Repetitions
                /// write the same pages.
                written_by_several: u64 => max count;
            }
        }
    };
}

page_counts!(crate::declare);
