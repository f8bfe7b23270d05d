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
