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

            /// Counters of one node.
            #[derive(Clone, Debug, Default, PartialEq, Eq)]
            pub struct NodeCounts {
                /// Faults of its threads.
                faults: PageFaults => sum parts;
                /// Faults by the row of their page, up to the last row with any; not in files.
                faults_by_row: Vec<u64> => sum count unless "always";
                /// Faults on pages that the node had, but that were marked to learn their use.
                marked_faults: u64 => sum count unless "is_none";
                /// Pages that it sent without a request (pre-sends).
                presends: u64 => sum count unless "is_none";
                /// Pages that were sent to it unasked. Those of them that it neither used nor faulted on while they were on their way
                /// were sent in vain.
                ahead: u64 => sum count unless "is_none";
                /// Pages among `ahead` that it used.
                ahead_used: u64 => sum count unless "is_none";
                /// Pages among `ahead` that it faulted on while they were under way.
                ahead_late: u64 => sum count unless "is_none";
                /// Copies that it was told to drop.
                invalidations: u64 => sum count;
                /// Twins that it made before writing, under lazy consistency.
                twins: u64 => sum count unless "is_none";
                /// Number of diffs that it computed of its writes to pages.
                diffs: u64 => sum count unless "is_none";
                /// Write notices received: pages that other nodes have written.
                notices: u64 => sum count unless "is_none";
                /// Messages that it sent, by kind.
                messages: Messages => sum count;
                /// Bytes that it sent.
                bytes: u64 => sum bytes;
                /// Messages that it received.
                received: u64 => sum count;
                /// Bytes that it received.
                bytes_received: u64 => sum bytes;
                /// Messages that it sent again because they were lost.
                resent: u64 => sum count unless "is_none";
                /// Time in which its daemon served messages.
                daemon_busy_ps: u64 => sum ps;
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

/// Messages by kind, in the order of [`MESSAGES`].
pub type Messages = [u64; MESSAGES.len()];

/// Names of the kinds of message. Records leave out those that are marked where there are none.
pub const MESSAGES: [(&str, bool); 10] = [
    ("request", false),
    ("fetch", false),
    ("invalidate", false),
    ("ack", false),
    ("page", false),
    ("grant", false),
    ("release", false),
    ("meeting", false),
    ("diff", true),
    ("echo", true),
];
