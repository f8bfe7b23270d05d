/// Declares the counts of pages in software shared memory.
#[macro_export]
macro_rules! page_counts {
    ($declare:path) => {
        $declare! {
            /// Page faults of software shared memory by kind.
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub struct PageFaults {
                /// Read faults of nodes without a copy of the page.
                read: u64 => sum count;
                /// Write faults of nodes without a copy of the page.
                write: u64 => sum count;
                /// Write faults of nodes with a read-only copy of the page.
                upgrade: u64 => sum count;
            }

            impl {
                /// Sum of all kinds.
                pub fn total(&self) -> u64 {
                    self.read + self.write + self.upgrade
                }
            }

            /// Counters of one node of a machine with software shared memory.
            #[derive(Clone, Debug, Default, PartialEq, Eq)]
            pub struct NodeCounts {
                /// Page faults of the node's threads.
                faults: PageFaults => sum parts;
                /// Page faults of the node by range of pages (a row of the picture), up to the last range with a
                /// fault; not in files.
                faults_by_row: Vec<u64> => sum count unless "always";
                /// Page faults on pages that the node holds: they were protected to learn whether its threads use
                /// them.
                marked_faults: u64 => sum count unless "is_none";
                /// Pages that the node sent without a request (pre-sends).
                presends: u64 => sum count unless "is_none";
                /// Pages that the node received without a request. A page was sent in vain if the node neither used
                /// it nor faulted on it before it arrived.
                ahead: u64 => sum count unless "is_none";
                /// Pages among `ahead` that the node used.
                ahead_used: u64 => sum count unless "is_none";
                /// Pages among `ahead` on which the node faulted while they were on their way.
                ahead_late: u64 => sum count unless "is_none";
                /// Copies of pages that the node dropped because of an invalidation.
                invalidations: u64 => sum count;
                /// Twins that the node made under lazy consistency: copies of pages before the first write.
                twins: u64 => sum count unless "is_none";
                /// Diffs that the node computed: its writes to a page since the twin was made.
                diffs: u64 => sum count unless "is_none";
                /// Write notices that the node received: numbers of pages that other nodes have written.
                notices: u64 => sum count unless "is_none";
                /// Messages that the node sent, by kind.
                messages: Messages => sum count;
                /// Bytes that the node sent.
                bytes: u64 => sum bytes;
                /// Messages that the node received.
                received: u64 => sum count;
                /// Bytes of received messages.
                bytes_received: u64 => sum bytes;
                /// Messages that the node sent again because they were lost.
                resent: u64 => sum count unless "is_none";
                /// Time in which the node's daemon served messages.
                daemon_busy_ps: u64 => sum ps;
            }

            /// Times summed over the threads of one node in one phase.
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub struct NodeTime {
                /// Time that the threads executed instructions.
                compute_ps: u64 => sum ps;
                /// Time for which page faults stopped the threads.
                stop_ps: u64 => sum ps;
                /// Time of waiting for other threads.
                idle_ps: u64 => sum ps;
            }

            /// Software shared memory in one phase.
            #[derive(Clone, Debug, Default, PartialEq, Eq)]
            pub struct PhaseSharing {
                /// Times of each node's threads.
                nodes: Vec<NodeTime> => sum parts;
                /// Number of pages that several nodes wrote in the phase, each after a fault. The largest number over
                /// repetitions, which write the same pages.
                written_by_several: u64 => max count;
            }
        }
    };
}

page_counts!(crate::declare);

/// Messages by kind, in the order of [`MESSAGES`].
pub type Messages = [u64; MESSAGES.len()];

/// Names of the kinds of message. True marks rare kinds, which records leave out if there are none.
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
