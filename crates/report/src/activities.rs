//! Activities of threads, in the few classes that a picture can show, with a colour for each that people with the usual
//! colour blindnesses tell apart (Okabe and Ito's set).

use numalab_results::{Account, Sharing, SpanKind};

/// A class of what a thread does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    /// Its name.
    pub name: &'static str,
    /// Its colour.
    pub colour: &'static str,
}

/// All of them, in the order of legends.
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

/// The class of a span, by its place in [`CLASSES`].
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
