//! Line transactions: what each kind takes, by hand, and laws that hold for any sequence of them.

mod large;
mod latencies;
mod laws;
