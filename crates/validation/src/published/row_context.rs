//! Caches and the listener that the rows of one validation share.

use crate::papers::placement::Ratios;
use numalab_study::{Files, Progress};

/// Number of files of each kind that are kept: rows about one experiment follow each other.
const KEPT: usize = 32;

/// Caches of files and of results, and the listener of all simulations.
pub struct RowContext<'a> {
    pub files: Files,
    pub ratios: Ratios,
    /// Can end runs that are under way.
    pub progress: &'a dyn Progress,
}

impl<'a> RowContext<'a> {
    /// Empty caches. Each run is simulated once, however many rows are about it.
    pub fn new(progress: &'a dyn Progress) -> RowContext<'a> {
        RowContext { files: Files::keeping_runs(KEPT), ratios: Ratios::default(), progress }
    }
}

#[cfg(test)]
impl Default for RowContext<'static> {
    fn default() -> RowContext<'static> {
        RowContext::new(&())
    }
}
