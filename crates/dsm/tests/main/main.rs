//! Tests of the distributed shared memory.

mod connections;
mod crowded;
mod hand;
mod law;
mod lazy;
mod marks;
mod page_by_page;
mod plain;
mod search;
mod support;
