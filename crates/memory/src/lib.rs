//! Where data lives: page maps and the capacity of nodes.

mod nodes;
mod pages;

pub use nodes::{MemoryFull, Nodes};
pub use pages::PageMap;
