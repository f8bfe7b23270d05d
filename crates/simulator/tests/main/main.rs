//! Tests of the simulator through its public interface.
//!
//! | folder or file | contents |
//! |---|---|
//! | `hand` | small cases, each with its calculation by hand |
//! | `laws`, `traffic` | laws of every run: conservation, accounting, determinism |
//! | `laws_caches` | laws with caches, placements and pages that move |
//! | `laws_repeat` | counting repetitions instead of simulating them changes nothing |
//! | `laws_replicas` | times of replicas vary by the noise, and repetitions are still counted |
//! | `laws_runtimes` | laws with constructs, tasks and inner teams under any runtime |
//! | `laws_moves` | threads that the system moves do the same work |
//! | `laws_ideals` | an ideal changes nothing if the run does not use what it makes free |
//! | `laws_sweeps` | blocks planned together equal blocks planned one by one |
//! | `laws_observer` | reports to an observer add up to the outcome, and the observer changes nothing |
//! | `plain` | a slow engine without classes and bundles |
//! | `oracle` | the fast engine against the slow one |
//! | `random` | random machines, workloads and teams |
//! | `builders` | machine and loops with round numbers |

mod builders;
mod hand;
mod laws;
mod laws_caches;
mod laws_ideals;
mod laws_moves;
mod laws_observer;
mod laws_repeat;
mod laws_replicas;
mod laws_rounding;
mod laws_runtimes;
mod laws_samples;
mod laws_sweeps;
mod oracle;
mod plain;
mod random;
mod traffic;
