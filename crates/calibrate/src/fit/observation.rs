//! Measured value and its simulated counterpart.

use super::subject::Subject;
use crate::experiments;
use crate::loops::{COST, OVERLAP, OwnLoop};
use numalab_imports::measurements::{Limits, Row};
use numalab_study::{Files, StudyError};
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// Measured row with all its samples, and its source.
    pub row: Row,
    /// Median of the undisturbed samples, in the row's unit.
    pub value: f64,
    /// Half the range from the 10th to the 90th percentile, as a fraction of the median.
    pub spread: f64,
    /// Logarithm of the factor from the median to the farther of the 10th and 90th percentiles.
    pub scatter: f64,
    /// Standard error of the median, as a fraction of the median.
    pub error: f64,
    /// Number of samples used, and number of samples left out as disturbed or in an unusual state.
    pub samples: (usize, usize),
    /// True if too few samples were undisturbed or in the usual state.
    pub disturbed: bool,
    /// Properties of the kernel's loop, if its measurements show them.
    pub own: Option<OwnLoop>,
    /// Instructions per cycle of the row's loop, if the same loop in a core's own caches shows them.
    pub pace: Option<f64>,
    /// Files of the row's workload, read once for all of its simulations.
    pub(crate) read: FilesRead,
}

/// Files that the simulations of a row share, as a cache that does not affect the row's equality.
#[derive(Clone, Debug, Default)]
pub(crate) struct FilesRead(Arc<Files>);

impl PartialEq for FilesRead {
    fn eq(&self, _: &FilesRead) -> bool {
        true
    }
}

impl Observation {
    /// Observation of a row, from the samples that are undisturbed under `limits`.
    pub fn of(row: &Row, limits: &Limits) -> Observation {
        let undisturbed = row.undisturbed(limits);
        Observation {
            row: row.clone(),
            value: undisturbed.median,
            spread: undisturbed.spread,
            scatter: undisturbed.scatter(),
            error: undisturbed.error / undisturbed.median,
            samples: (undisturbed.values.len(), undisturbed.dropped),
            disturbed: undisturbed.disturbed,
            own: None,
            pace: None,
            read: FilesRead::default(),
        }
    }

    /// Minimum relative error of the row, given by its experiment; `ROUGH` for data in another node's memory, which
    /// no cache holds.
    pub fn rough(&self) -> f64 {
        let experiment = experiments::find(&self.row.experiment);
        let rough = experiment.map_or(experiments::ROUGH, |experiment| experiment.rough);
        if self.is_local() { rough } else { experiments::ROUGH }
    }

    /// True if the row's data is in the memory of the thread's own node.
    pub fn is_local(&self) -> bool {
        self.number("from").unwrap_or(0.0) == self.number("node").unwrap_or(0.0)
    }

    pub fn param(&self, name: &str) -> Option<&str> {
        self.row.param(name)
    }

    /// Value of a numeric parameter of the row; `None` if missing or no number.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.param(name)?.parse().ok()
    }

    /// Whole numbers of a parameter that is a list; other items are skipped.
    pub fn numbers(&self, name: &str) -> Vec<u32> {
        let list = self.param(name).unwrap_or_default();
        list.split(',').filter_map(|number| number.trim().parse().ok()).collect()
    }

    /// Value that the subject yields for the row, in the row's unit; `None` if no workload covers the row.
    pub fn simulate(&self, subject: &Subject) -> Result<Option<f64>, StudyError> {
        let Some(experiment) = experiments::find(&self.row.experiment) else { return Ok(None) };
        // Large matrices of core-to-core latencies are read off instead of simulated.
        if super::lines::is_one_way(self) {
            return Ok(None);
        }
        let params = self.row.params.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        let executed = self.own.map(|own| own.executed(experiment));
        let like_it = self.own.zip(executed).map(|(own, executed)| own.subject(subject, executed));
        let subject = like_it.as_deref().unwrap_or(subject);
        let cost = executed.map(|executed| executed.to_string());
        // Data from caches overlaps with computing, so all time of a loop in caches counts as computing.
        let beside = match experiments::is_loop_alone(&self.row) {
            true => Some("1".to_owned()),
            false => self.own.and_then(|own| own.overlap).map(|part| part.to_string()),
        };
        let cost = cost.iter().map(|cost| (COST, cost.as_str()));
        let params = params.chain(cost).chain(beside.iter().map(|part| (OVERLAP, part.as_str())));
        let FilesRead(files) = &self.read;
        subject.simulate(experiment, (&self.row.quantity, &self.row.unit), params, self.pace, files)
    }
}
