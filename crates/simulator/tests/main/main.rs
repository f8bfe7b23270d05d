//! Tests of the simulator through its public interface.
//!
//! | folder or file | what |
//! |---|---|
//! | `hand` | small cases, each with its calculation by hand |
//! | `laws`, `traffic` | what holds in every run: conservation, accounting, determinism |
//! | `laws_caches` | the same with caches, placements and pages that move |
//! | `laws_repeat` | repetitions that are counted instead of simulated change nothing |
//! | `laws_runtimes` | the same with constructs, tasks and inner teams under any runtime |
//! | `laws_moves` | threads that the system moves do what they would have done |
//! | `laws_observer` | what an observer sees adds up to the outcome, and changes nothing |
//! | `plain` | a slow engine without classes, bundles or whole picoseconds |
//! | `oracle` | the fast engine against the slow one |
//! | `random` | random machines, workloads and teams |

mod builders;
mod hand;
mod laws;
mod laws_caches;
mod laws_ideals;
mod laws_moves;
mod laws_observer;
mod laws_repeat;
mod laws_runtimes;
mod laws_sweeps;
mod oracle;
mod plain;
mod random;
mod traffic;
