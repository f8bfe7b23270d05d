//! Contents of a machine file about the operating system.

use super::{Rate, Size, Time};
use crate::mirror::{InFile, mirror};
use numalab_machine::{Balancing, Os};
use numalab_units::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Charges of the operating system. Those that are absent are a recent Linux's on a small machine.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct OsFile {
    /// Fault and zeroing of one fresh page, with nobody else faulting.
    pub page_fault: Time,
    /// Rate of zeroing fresh memory, a part of `page_fault`: what a larger page costs more.
    pub zeroing: Rate,
    /// The part of `page_fault` that holds the lock of the node's free pages.
    pub page_lock: Time,
    /// Mapping and unmapping a block of memory, alone.
    pub map: Time,
    /// Waking the next thread that sleeps at the lock of the address space.
    pub wake: Time,
    /// Moving one page, less the copy and the interruption of the other processors.
    pub page_migration: Time,
    /// The fault of a page that is marked for next touch, less the move.
    pub next_touch: Time,
    /// Automatic NUMA balancing.
    pub balancing: BalancingFile,
}

/// Search of the operating system for pages that are used from other nodes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct BalancingFile {
    /// A fault that only tells who accesses the page.
    pub hint_fault: Time,
    /// Memory unmapped at a time.
    pub scan_size: Size,
    /// Time between two such steps.
    pub scan_period: Time,
    /// Time before the first.
    pub scan_delay: Time,
    /// Processor time that unmapping one page takes; 0: scans take no time.
    #[serde(skip_serializing_if = "is_nothing")]
    pub scan_page: Time,
}

fn is_nothing(time: &Time) -> bool {
    time.0 == Span::ZERO
}

mirror!(OsFile for Os { page_fault, zeroing, page_lock, map, wake, page_migration, next_touch, balancing });
mirror!(BalancingFile for Balancing { hint_fault, scan_size, scan_period, scan_delay, scan_page });

impl Default for OsFile {
    fn default() -> Self {
        InFile::write(&Os::default())
    }
}

impl Default for BalancingFile {
    fn default() -> Self {
        InFile::write(&Os::default().balancing)
    }
}
