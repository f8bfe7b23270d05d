use crate::{PageFaults, PhaseSharing};

/// Declares the counts of a phase.
#[macro_export]
macro_rules! phase_counts {
    ($declare:path) => {
        $declare! {
            /// Sums of one measured phase with all its repeats and rounds.
            #[derive(Clone, Debug, Default, PartialEq, Eq)]
            pub struct PhaseCounts {
                /// Name of the phase, as in the workload file.
                name: String => keep text;
                /// Simulated time of all executions of the phase.
                time_ps: u64 => sum ps per_phase "time_";
                /// Bytes that threads accessed.
                bytes: u64 => sum bytes measure "bytes" per_phase "bytes_";
                /// Part of `bytes` that came from another node than the thread's.
                remote_bytes: u64 => sum bytes measure "remote_bytes" per_phase "remote_";
                /// Part of `bytes` that the cores' own caches served.
                cached_bytes: u64 => sum bytes measure "cached_bytes" per_phase "cached_";
                /// Pages placed at their first touch.
                pages_faulted: u64 => sum count;
                /// Pages that moved to another node.
                pages_moved: u64 => sum count measure "pages_moved";
                /// Number of `pages_moved` from slower to faster memory.
                pages_promoted: u64 => sum count unless "is_none" measure "pages_promoted" column "promoted";
                /// Number of `pages_moved` from faster to slower memory.
                pages_demoted: u64 => sum count unless "is_none" measure "pages_demoted" column "demoted";
                /// Migrations of unbound threads to other processors.
                threads_moved: u64 => sum count unless "is_none" measure "threads_moved" column "threads\nmoved";
                /// Repetitions that a sample of nearly equal ones stands for.
                estimated: u64 => sum count unless "is_none" column "repetitions\nestimated";
                /// Accesses for which the parts of their bytes on each node were rounded.
                rounded_accesses: u64 => sum count unless "is_none" column "rounded\naccesses";
                /// Page faults of software shared memory.
                page_faults: PageFaults => sum parts unless "is_none" per_phase "faults_";
                /// Times and shared pages of nodes with software shared memory.
                sharing: PhaseSharing => sum parts unless "is_none";
            }
        }
    };
}

phase_counts!(crate::declare);
