//! Counts of pages that nodes share in software.

/// Declares the counts of shared pages.
#[macro_export]
macro_rules! page_counts {
    ($declare:path) => {
        $declare! {
            /// Faults over pages by kind.
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub struct PageFaults {
                /// Read faults.
                read: u64 => sum count;
                /// Write faults without a copy.
                write: u64 => sum count;
                /// Write faults on a copy to read.
                upgrade: u64 => sum count;
            }

            impl {
                /// All kinds together.
                pub fn total(&self) -> u64 {
                    self.read + self.write + self.upgrade
                }
            }

            /// The time of a node's threads.
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub struct NodeTime {
                /// Computing.
                compute_ps: u64 => sum ps;
                /// Stopped by faults.
                stop_ps: u64 => sum ps;
                /// Waiting for others.
                idle_ps: u64 => sum ps;
            }

            /// A phase over pages that nodes share in software.
            #[derive(Clone, Debug, Default, PartialEq, Eq)]
            pub struct PhaseSharing {
                /// The time of each node's threads in it.
                nodes: Vec<NodeTime> => sum parts;
                /// Different pages that several nodes wrote in it, each after a fault. Repeats write the same ones.
                written_by_several: u64 => max count;
            }
        }
    };
}

page_counts!(crate::declare);
