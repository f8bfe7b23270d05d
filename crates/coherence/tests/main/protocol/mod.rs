//! Every state that caches under a protocol's table can reach, and what must hold in each.

mod laws;
mod search;

pub use laws::check;
