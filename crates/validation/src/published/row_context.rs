//! Caches and the listener that the rows of one validation share, and the runs of one row.

use crate::papers::placement::Ratios;
use numalab_study::{Files, Progress, RunSpec};
use std::sync::{Arc, Mutex, PoisonError};

/// Number of files of each kind that are kept: rows about one experiment follow each other.
const KEPT: usize = 32;

/// Caches of files and of results, the listener of all simulations, and the runs of one row.
pub struct RowContext<'a> {
    pub files: Arc<Files>,
    pub ratios: Arc<Ratios>,
    /// Can end runs that are under way.
    pub progress: &'a dyn Progress,
    /// Seed of the row's runs.
    pub seed: u64,
    /// Runs from which the value of the row was taken, in the order in which they were simulated.
    runs: Mutex<Vec<RunSpec>>,
}

impl<'a> RowContext<'a> {
    /// Empty caches. Each run is simulated once, however many rows are about it.
    pub fn new(progress: &'a dyn Progress) -> RowContext<'a> {
        let (files, ratios) = (Arc::new(Files::keeping_runs(KEPT)), Arc::default());
        RowContext { files, ratios, progress, seed: 0, runs: Mutex::default() }
    }

    /// The same caches, without runs, with another seed.
    pub fn of_row(&self, seed: u64) -> RowContext<'a> {
        let (files, ratios) = (self.files.clone(), self.ratios.clone());
        RowContext { files, ratios, progress: self.progress, seed, runs: Mutex::default() }
    }

    /// Adds a run of the row.
    pub fn add_run(&self, spec: RunSpec) {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner).push(spec);
    }

    /// Runs of the row.
    pub fn runs(self) -> Vec<RunSpec> {
        self.runs.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
impl Default for RowContext<'static> {
    fn default() -> RowContext<'static> {
        RowContext::new(&())
    }
}
