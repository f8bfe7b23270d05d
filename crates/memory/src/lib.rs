//! Where data lives: page maps and the capacity of nodes.

mod caches;
mod nodes;
mod pages;

pub use caches::{Caches, Kind, Served};
pub use nodes::{MemoryFull, Nodes};
pub use pages::PageMap;
