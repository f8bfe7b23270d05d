//! Line transactions: what each kind takes, by hand; laws that hold for any sequence of them; and who holds
//! what after each, as the oracle says.

mod agreement;
mod large;
mod latencies;
mod laws;
mod mutations;
