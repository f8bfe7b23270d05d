//! What a machine file may say about the operating system.

use super::{Rate, Size, Time};
use crate::quantity::Quantity;
use numalab_machine::{Balancing, Os};
use numalab_units::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the operating system charges. What is absent is a recent Linux's on a small machine.
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

/// How the operating system finds pages that are used from elsewhere.
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

impl Default for OsFile {
    fn default() -> Self {
        (&Os::default()).into()
    }
}

impl Default for BalancingFile {
    fn default() -> Self {
        (&Os::default().balancing).into()
    }
}

impl From<&Os> for OsFile {
    fn from(os: &Os) -> OsFile {
        OsFile {
            page_fault: Quantity(os.page_fault),
            zeroing: Quantity(os.zeroing),
            page_lock: Quantity(os.page_lock),
            map: Quantity(os.map),
            wake: Quantity(os.wake),
            page_migration: Quantity(os.page_migration),
            next_touch: Quantity(os.next_touch),
            balancing: (&os.balancing).into(),
        }
    }
}

impl From<&Balancing> for BalancingFile {
    fn from(balancing: &Balancing) -> BalancingFile {
        BalancingFile {
            hint_fault: Quantity(balancing.hint_fault),
            scan_size: Quantity(balancing.scan_size),
            scan_period: Quantity(balancing.scan_period),
            scan_delay: Quantity(balancing.scan_delay),
            scan_page: Quantity(balancing.scan_page),
        }
    }
}

impl From<&OsFile> for Os {
    fn from(file: &OsFile) -> Os {
        Os {
            page_fault: file.page_fault.0,
            zeroing: file.zeroing.0,
            page_lock: file.page_lock.0,
            map: file.map.0,
            wake: file.wake.0,
            page_migration: file.page_migration.0,
            next_touch: file.next_touch.0,
            balancing: Balancing {
                hint_fault: file.balancing.hint_fault.0,
                scan_size: file.balancing.scan_size.0,
                scan_period: file.balancing.scan_period.0,
                scan_delay: file.balancing.scan_delay.0,
                scan_page: file.balancing.scan_page.0,
            },
        }
    }
}
