//! Grids of runs: planning of points, storage of results, and their evaluation.
//!
//! | module | content |
//! |---|---|
//! | `file` | a sweep file to its axes, filters and gates |
//! | `plan` | the points of a sweep file, each with the key of all its inputs |
//! | `store` | results by key, appended by any number of processes and readable after crashes |
//! | `run` | runs the missing points |
//! | `rows` | the results of all points, in order |
//! | `shard` | assignment of points to shards |
//! | `group` | rows that differ in one coordinate only |
//! | `summary` | the fastest policy of each point |
//! | `gate` | gates on the rows |
//! | `compare` | comparison of two sets of results |
//! | `rank` | ranks of policies over all points |
//! | `pareto` | points that no other point beats in both of two columns |
//! | `chart` | rows arranged for a picture |
//! | `view` | several files as one frame, columns by name, filters on rows |
//! | `slurm` | shards as elements of a job array |
//!
//! A key is the hash of all inputs of a result: machine, workload, runtime, placements, the processor of
//! every thread, schedule, seed, and the sources of every crate that `sweep` is built with. A point that cannot be
//! resolved (a team that is too large) is a failed point; a mistake that concerns all points ends the command.
//!
//! The store is a folder in which every process appends to its own file, one line per result with a checksum at its
//! end. Nothing is locked or rewritten; a process that dies leaves at most one torn line. Resuming runs the missing
//! keys, a shard is every n-th point, and job-array elements may be killed, requeued or run twice. Rows are made
//! from the plan and the store, in the order of the plan. Points that differ only in the policy go to one worker, so
//! that their common start runs once.

pub mod chart;
pub mod compare;
#[cfg(test)]
mod engine;
pub mod file;
pub mod gate;
pub mod group;
mod key;
mod matching;
pub mod pareto;
mod plan;
mod point_result;
pub mod rank;
mod rows;
mod run;
mod shard;
pub mod slurm;
mod store;
mod summary;
mod values;
pub mod view;

pub use key::{ENGINE, Key};
pub use plan::{Plan, Point};
pub use point_result::PointResult;
pub use rows::{Rows, frame, rows};
pub use run::{RunError, missing, run};
pub use shard::Shard;
pub use store::{Damage, Reader, Store, StoreError};
pub use summary::summary;
