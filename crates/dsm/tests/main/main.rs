//! Tests of the distributed shared memory.

mod hand;
mod law;
mod search;
mod support;
