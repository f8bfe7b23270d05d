//! Measurements of the calibration kernels: `host.jsonl`, a JSON record on each line.
//!
//! Every line is a `record` of its own. Those of the same measurement are pooled (`file`); [`Row::quiet`] says which of
//! their samples count (`quiet`, `states`).

mod file;
mod host;
mod measured;
mod quiet;
mod record;
mod states;

pub use host::HostRecord;
pub use quiet::{Limits, Quiet};
pub use states::{EndsApart, States, Usual};

use crate::topology::Topology;
use numalab_syntax::diagnostics::{Diagnostics, Source};
use numalab_syntax::text_file;
use std::path::Path;

/// Largest file that is read: a thousand rounds of a large machine fit.
const MOST_BYTES: u64 = 64 << 20;

/// A file of measurements.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurements {
    /// BLAKE3 of the file, in hexadecimal.
    pub hash: String,
    /// Machine and tools of the measurements.
    pub host: HostRecord,
    /// In the order in which they first appear; lines of the same experiment, quantity and parameters are one row.
    pub rows: Vec<Row>,
    /// The machine, if the file says anything about it.
    pub topology: Option<Topology>,
    /// Experiments that were not possible, and why.
    pub skipped: Vec<(String, String)>,
    /// Oddities that could be got over, each with its line.
    pub warnings: Vec<String>,
}

/// Reads a file of measurements.
pub fn measurements(path: &Path) -> Result<Measurements, Diagnostics> {
    file::read(text_file::read(path, MOST_BYTES, "measurements, a JSON record on each line")?)
}

/// Reads measurements from a text; `name` is what errors and rows call it.
pub fn measurements_from_text(name: &str, text: &str) -> Result<Measurements, Diagnostics> {
    file::read(Source { name: name.to_owned(), text: text.to_owned() })
}

impl Measurements {
    /// Limits of quiet samples on this machine.
    pub fn limits(&self) -> Limits {
        let known = self.topology.as_ref().map_or(0, |topology| topology.processors.len());
        Limits::of(&self.rows, known.max(self.host.processors.len()))
    }
}

/// All samples of one measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The workload that simulates it.
    pub experiment: String,
    /// Quantity that was measured: a measure of the workload.
    pub quantity: String,
    /// Parameters of the workload, sorted by name.
    pub params: Vec<(String, String)>,
    /// Unit of the values, as written.
    pub unit: String,
    /// In the order in which they were taken. At least one.
    pub samples: Vec<Sample>,
    /// Place of the row, such as `host.jsonl:17`; the first line of several.
    pub source: String,
}

/// One sample, and how quiet the machine was meanwhile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Measured value. Finite; not above 0 where a reference took longer than what it is a reference for.
    pub value: f64,
    /// Processors that other processes kept busy. Here and below, what the system does not say is 0.
    pub others: f64,
    /// Processors that the hypervisor gave to somebody else.
    pub steal: f64,
    /// Number of preemptions a second.
    pub waited: f64,
    /// Nanoseconds of a step of a chain of dependent additions.
    pub pace: f64,
    /// Distance of the ends of its team, where it has one and it was measured.
    pub apart: Option<EndsApart>,
    /// The run of the kernel that it comes from, counted from 0 in each row. Runs are minutes apart.
    pub run: u32,
}

impl Sample {
    /// A sample of which nothing is known but its value: somebody else's measurement.
    pub fn of(value: f64) -> Sample {
        Sample { value, others: 0.0, steal: 0.0, waited: 0.0, pace: 0.0, apart: None, run: 0 }
    }
}

impl Row {
    /// The value of a parameter.
    pub fn param(&self, name: &str) -> Option<&str> {
        self.params.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}
