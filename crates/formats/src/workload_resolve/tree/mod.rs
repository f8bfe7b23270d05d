//! Tasks that create tasks.

use super::Resolver;
use crate::workload_file::TreeFile;
use numalab_program::{Phase, Region, Slice, Tree};

impl Resolver<'_, '_> {
    /// A phase of tasks that create tasks.
    pub(super) fn tree(&mut self, path: &str, name: &str, _: &TreeFile, _: &[Region], _: u64) -> Phase {
        self.report.at(path, "tasks that create tasks are not read yet", "");
        Phase::new(name, 1)
    }

    /// Looks the names of a grammar up that is not used.
    pub(super) fn tree_names(&mut self, _: &str, _: &TreeFile, _: &[Region]) {}
}

/// Bytes that all tasks touch, each as often as it is executed.
pub(super) fn tree_bytes(_: &Tree, slice: &Slice) -> u128 {
    slice.total(1)
}
