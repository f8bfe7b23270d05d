//! Line transactions: what each kind takes, by hand, and laws that hold for any sequence of them.

mod latencies;
mod laws;
