//! Classes of thread activities that a picture can distinguish, with colours that remain distinct
//! for common colour blindnesses (palette of Okabe and Ito).

use numalab_results::{Account, Sharing, SpanKind};

/// A class of activities: name in the legend, and colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    pub name: &'static str,
    pub colour: &'static str,
}

/// All classes, in the order of legends.
pub(crate) const CLASSES: [Class; 8] = [
    Class { name: "computing", colour: "#0072b2" },
    Class { name: "data in a cache", colour: "#56b4e9" },
    Class { name: "data of the same node", colour: "#009e73" },
    Class { name: "data of the same socket", colour: "#f0e442" },
    Class { name: "data of the same board", colour: "#e69f00" },
    Class { name: "data from far away", colour: "#d55e00" },
    Class { name: "runtime and operating system", colour: "#2b2b2b" },
    Class { name: "idle", colour: "#d9d9d9" },
];

/// Index in [`CLASSES`] of the activity of a span.
pub(crate) fn class(kind: &SpanKind) -> usize {
    match (kind.account, kind.data) {
        (Account::Compute, _) => 0,
        (Account::Stall, None) => 1,
        (Account::Stall, Some(Sharing::Node)) => 2,
        (Account::Stall, Some(Sharing::Socket)) => 3,
        (Account::Stall, Some(Sharing::Board)) => 4,
        (Account::Stall, Some(Sharing::Machine | Sharing::MemoryOnly)) => 5,
        (Account::Overhead, _) => 6,
        (Account::Idle, _) => 7,
    }
}
