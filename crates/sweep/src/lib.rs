//! Grids of runs: which points there are, what is known of them, and what follows from all of them.
//!
//! | module | what |
//! |---|---|
//! | `plan` | the points of a sweep file, each with the key of everything that decides it |
//! | `store` | results by key, appended by any number of processes, read back whatever became of these |
//! | `run` | runs what is missing |
//! | `rows` | the results of all points, in order |
//! | `shard` | which points are whose |
//! | `group` | rows that differ in one coordinate alone |
//! | `summary` | which policy is fastest where |
//! | `gate` | assertions about the rows |
//! | `compare` | rows of one sweep against those of another |
//! | `rank` | policies against each other over all points |
//! | `pareto` | the points that no other is better than in both of two columns |
//! | `chart` | rows arranged for a picture |
//! | `view` | one frame of several files, columns by name, a choice of rows |
//! | `slurm` | shards as the elements of a job array |
//!
//! A key is the hash of everything that decides a result: machine, workload, runtime, placements, the processor of
//! every thread, schedule, seed, and the sources of every crate that `sweep` is built with. A point that cannot be
//! resolved (a team that is too large) is a failed point; a mistake that concerns all points ends the command.
//!
//! The store is a folder in which every process appends to its own file, one line a result with a hash at its end.
//! Nothing is locked or rewritten; a process that dies leaves at most one torn line. Resuming runs the missing keys,
//! a shard is every n-th point, and job-array elements may be killed, requeued or run twice. Rows are made of the
//! plan and the store, in the order of the plan. Workers take points that differ in the policy alone together, so
//! that their common start runs once.

pub mod chart;
pub mod compare;
#[cfg(test)]
mod engine;
pub mod gate;
pub mod group;
mod key;
mod matching;
mod outcome;
pub mod pareto;
mod plan;
pub mod rank;
mod rows;
mod run;
mod shard;
pub mod slurm;
mod store;
mod summary;
pub mod view;

pub use key::{ENGINE, Key};
pub use outcome::Outcome;
pub use plan::{Plan, Point};
pub use rows::{Rows, frame, rows};
pub use run::{RunError, missing, run};
pub use shard::Shard;
pub use store::{Damage, Reader, Store, StoreError};
pub use summary::summary;
