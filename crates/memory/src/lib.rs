//! Where data lives: page maps, policies, and the capacity of nodes.

mod balancing;
mod caches;
mod home;
mod nodes;
mod pages;
mod policy;
mod store;
mod touched;

pub use balancing::Balancing;
pub use caches::{Caches, Kind, Served};
pub use home::Home;
pub use nodes::{MemoryFull, Nodes};
pub use pages::PageMap;
pub use policy::{PageSize, Policy};
pub use store::Store;
pub use touched::{Fresh, Moved, Touched};
