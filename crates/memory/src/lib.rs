//! Placement of pages on NUMA nodes (page map, page policies, node capacity, balancing, tiers) and
//! the model of data caches.

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
pub use caches::{AccessKind, Caches, Served, SweptArray, drawn, swept};
pub use full::MemoryFull;
pub use home::Home;
pub use page_map::PageMap;
pub use page_policy::{PagePolicy, PageSize};
pub use room::Nodes;
pub use tiers::{Demoted, TierSettings};
pub use touched::{Ahead, Fresh, Moved, Touched};
