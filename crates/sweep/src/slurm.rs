//! Shards as the elements of a Slurm job array.
//!
//! Element `k` of `n` runs shard `k/n` and writes a part file of its own, so Slurm needs to know nothing about the
//! store: an element that is put back into the queue, runs twice or dies costs at most the points in flight.
//!
//! | module | what |
//! |---|---|
//! | `elements` | sets of elements, as `--array` takes them |
//! | `job` | the script of an array and the command that submits it |
//! | `answers` | what `sbatch` and `squeue` print |
//! | `submitted` | what was submitted for a store, remembered beside it |
//! | `missing` | which points a store lacks, and whose they are |
//! | `process` | starts `sbatch` and `squeue`; nothing else here starts a process |
//! | `error` | what goes wrong |

mod answers;
mod elements;
mod error;
mod job;
mod missing;
mod process;
mod submitted;

pub use answers::JobId;
pub use elements::Elements;
pub use error::{SlurmError, Tool};
pub use job::Job;
pub use missing::Missing;
pub use process::{queued, submit};
pub use submitted::Submitted;

use std::path::{Path, PathBuf};

/// Folder in which a store keeps the script, the logs and the record of its job arrays.
pub fn folder(store: &Path) -> PathBuf {
    store.join("slurm")
}

/// Number of elements of an array if nobody says it: one for each point, 64 at most.
///
/// 64 fill several nodes, and a lost element is a small part of the whole. Many more would run into what sites
/// allow: arrays have 1000 elements at most as Slurm comes, and every element counts as a job of its user's.
pub fn default_tasks(points: usize) -> u32 {
    u32::try_from(points).unwrap_or(u32::MAX).clamp(1, 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_element_is_without_a_point_and_no_site_is_flooded() {
        assert_eq!([0, 1, 63, 64, 65, 10_000].map(default_tasks), [1, 1, 63, 64, 64, 64]);
    }
}
