//! Automatic balancing: a scanner unmaps pages so that faults hint at who uses them.

use numalab_units::{Bytes, Span};

/// How the scanner walks; Linux has the same in `/sys/kernel/debug/sched/numa_balancing`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balancing {
    /// Bytes unmapped by one scan.
    pub scan_size: Bytes,
    /// From one scan to the next.
    pub scan_period: Span,
    /// From the start of the run to the first scan.
    pub scan_delay: Span,
}
