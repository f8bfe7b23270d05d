//! Tests of the distributed shared memory.

mod connections;
mod crowded;
mod hand;
mod law;
mod lazy;
mod search;
mod support;
