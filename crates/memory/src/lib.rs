//! Where data lives: page maps, policies, and the capacity of nodes.

mod balancing;
mod caches;
mod cycle;
mod full;
mod home;
mod moving;
mod placing;
mod policy;
mod region;
mod room;
mod run;
mod runs;
mod store;
#[cfg(test)]
mod tests;
mod touched;
mod zones;

pub use balancing::Balancing;
pub use caches::{Caches, Kind, Served};
pub use full::MemoryFull;
pub use home::Home;
pub use policy::{PageSize, Policy};
pub use store::Store;
pub use touched::{Fresh, Moved, Touched};
