//! Tests of the distributed shared memory.

mod hand;
mod law;
mod lazy;
mod search;
mod support;
