//! Where data lives: page maps, policies, and the capacity of nodes.

mod balancing;
mod caches;
mod cycle;
mod home;
mod moving;
mod nodes;
mod pages;
mod placing;
mod policy;
mod region;
mod room;
mod run;
mod runs;
mod store;
mod touched;
mod zones;

pub use balancing::Balancing;
pub use caches::{Caches, Kind, Served};
pub use home::Home;
pub use nodes::{MemoryFull, Nodes};
pub use pages::PageMap;
pub use policy::{PageSize, Policy};
pub use store::Store;
pub use touched::{Fresh, Moved, Touched};
