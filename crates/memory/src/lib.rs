//! Where data lives: page maps, policies, and the capacity of nodes.

mod balancing;
mod caches;
mod cycle;
mod full;
mod home;
mod moving;
mod page_policy;
mod placing;
mod region;
mod room;
mod run;
mod runs;
mod store;
#[cfg(test)]
mod tests;
mod touched;
mod zones;

pub use balancing::{Balancing, ScanClock};
pub use caches::{Caches, Kind, Served};
pub use full::MemoryFull;
pub use home::Home;
pub use page_policy::{PagePolicy, PageSize};
pub use store::Store;
pub use touched::{Fresh, Moved, Touched};
