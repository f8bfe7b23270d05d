//! Tests of the machine model through its public interface.

mod builders;
mod checker;
mod closeness;
mod large;
mod laws;
mod loaded_latency;
mod memory_only;
mod numbering;
mod oracle;
mod random;
mod resources;
mod routes;
mod shapes;
mod stops;
mod synthetic;
mod totals;
