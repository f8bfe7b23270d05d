//! Measurements of the calibration kernels: `host.jsonl`, one JSON record a line.
//!
//! Records of the same measurement are pooled (`file`). [`Row::undisturbed`] selects the samples that count
//! (`undisturbed`, `states`).

mod file;
mod host;
mod measured;
mod record;
mod states;
mod undisturbed;

pub use host::HostRecord;
pub use states::{EndsApart, States, Usual};
pub use undisturbed::{Limits, Undisturbed};

use crate::topology::Topology;
use numalab_syntax::diagnostics::{Diagnostics, Source};
use numalab_syntax::text_file;
use std::path::Path;

/// Largest file: a thousand rounds of a large machine fit.
const MOST_BYTES: u64 = 64 << 20;

#[derive(Clone, Debug, PartialEq)]
pub struct Measurements {
    /// BLAKE3 hash of the file, in hexadecimal.
    pub hash: String,
    /// Machine and tools of the measurements.
    pub host: HostRecord,
    /// Rows in the order of the file; records of the same experiment, quantity and parameters are one row.
    pub rows: Vec<Row>,
    /// Topology of the machine, if the file states any.
    pub topology: Option<Topology>,
    /// Skipped experiments, each with the reason.
    pub skipped: Vec<(String, String)>,
    /// Problems that do not stop reading, each with its line.
    pub warnings: Vec<String>,
}

/// Reads a file of measurements.
pub fn measurements(path: &Path) -> Result<Measurements, Diagnostics> {
    file::read(text_file::read(path, MOST_BYTES, "measurements, a JSON record on each line")?)
}

/// Reads measurements from a text; `name` appears in errors and rows.
pub fn measurements_from_text(name: &str, text: &str) -> Result<Measurements, Diagnostics> {
    file::read(Source { name: name.to_owned(), text: text.to_owned() })
}

impl Measurements {
    /// Limits of undisturbed samples for the machine of these measurements.
    pub fn limits(&self) -> Limits {
        let known = self.topology.as_ref().map_or(0, |topology| topology.processors.len());
        Limits::of(&self.rows, known.max(self.host.processors.len()))
    }
}

/// All samples of one measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Workload that simulates the measurement.
    pub experiment: String,
    /// Measured quantity: a measure of the workload.
    pub quantity: String,
    /// Parameters of the workload, sorted by name.
    pub params: Vec<(String, String)>,
    /// Unit of the values, as written.
    pub unit: String,
    /// Samples in the order of measurement; at least one.
    pub samples: Vec<Sample>,
    /// Source of the row, such as `host.jsonl:17`; of several lines the first.
    pub source: String,
}

/// A sample, and the disturbances during its measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Measured value, finite. Negative or zero if the reference that is subtracted took longer than the measurement.
    pub value: f64,
    /// Number of processors kept busy by other processes; 0 if unknown.
    pub others: f64,
    /// Number of processors that the hypervisor gave to other guests; 0 if unknown.
    pub steal: f64,
    /// Preemptions per second; 0 if unknown.
    pub waited: f64,
    /// Nanoseconds per step of a chain of dependent additions; 0 if unknown.
    pub pace: f64,
    /// Hand-over time of a line between the team's first and last thread; `None` if not measured.
    pub apart: Option<EndsApart>,
    /// Index of the kernel's run, from 0 in each row. Runs are minutes apart.
    pub run: u32,
}

impl Sample {
    /// Makes a sample without known disturbances, such as those of other tools.
    pub fn of(value: f64) -> Sample {
        Sample { value, others: 0.0, steal: 0.0, waited: 0.0, pace: 0.0, apart: None, run: 0 }
    }
}

impl Row {
    pub fn param(&self, name: &str) -> Option<&str> {
        self.params.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}
