//! Shards as the elements of a Slurm job array.
//!
//! Element `k` of `n` runs shard `k/n` and writes its own part file, so Slurm needs to know nothing
//! about the store: an element that is requeued, runs twice or dies loses at most the points in
//! flight.

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

/// Folder in a store for the script, the logs and the list of submitted job arrays.
pub fn folder(store: &Path) -> PathBuf {
    store.join("slurm")
}

/// Default number of elements: one per point, at most 64.
///
/// 64 elements fill several nodes, and one lost element is a small part of the sweep. Sites limit job arrays: by
/// default Slurm allows 1000 elements, and each element counts as a job of its user.
pub fn default_tasks(points: usize) -> u32 {
    u32::try_from(points).unwrap_or(u32::MAX).clamp(1, 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_number_of_elements_is_bounded() {
        assert_eq!([0, 1, 63, 64, 65, 10_000].map(default_tasks), [1, 1, 63, 64, 64, 64]);
    }
}
