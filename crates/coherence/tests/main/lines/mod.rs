//! Line transactions: hand-calculated latencies, laws for any sequence of requests, and agreement with the oracle
//! about all copies.

mod agreement;
mod jitter;
mod large;
mod latencies;
mod laws;
mod mutations;
mod shared;
mod turns;
