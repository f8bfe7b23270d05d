//! Every state that caches can reach under a protocol's table, and the laws that hold in each.

mod laws;
mod search;

pub use laws::check;
