//! Placement of pages on NUMA nodes, and data caches.
//!
//! Placement is a page map, page policies, node capacity, balancing and tiers.
//!
//! Pages of a region are runs with one home or one cycle of homes, so a terabyte interleaved over all nodes is one
//! run; a scan of automatic balancing walks over runs. Pages that a full node cannot take go to the next node of its
//! zone list, built as Linux builds it (`zones`). Caches keep intervals of regions, so an access costs in proportion
//! to the intervals it meets. Both models have a plain oracle in the tests: an array of pages, lists of lines.

#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod balancing;
mod caches;
mod cycle;
mod demotion;
mod full;
mod home;
mod moving;
mod page_map;
mod page_policy;
mod placing;
mod region;
mod room;
mod run;
mod runs;
#[cfg(test)]
mod tests;
mod tiers;
mod touched;
mod zones;

pub use balancing::{ScanClock, ScanSettings};
pub use caches::{AccessKind, Caches, Served, SweptArray, drawn, held, kept, swept};
pub use full::MemoryFull;
pub use home::Home;
pub use page_map::PageMap;
pub use page_policy::{PagePolicy, PageSize};
pub use room::{NodeMemory, Nodes};
pub use tiers::{Demoted, TierSettings};
pub use touched::{Ahead, Fresh, Moved, Touched};
