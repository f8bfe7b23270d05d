//! What the calibration kernels measured: `host.jsonl`, a JSON record on each line.
//!
//! Lines of the same measurement are pooled (`pool`); [`Row::quiet`] says which of its samples count (`quiet`).

mod quiet;

pub use quiet::{Limits, Quiet};

/// All samples of one measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The workload that simulates it.
    pub experiment: String,
    /// What was measured: a measure of the workload.
    pub quantity: String,
    /// Parameters of the workload, sorted by name.
    pub params: Vec<(String, String)>,
    /// Unit of the values, as written.
    pub unit: String,
    /// In the order in which they were taken. At least one.
    pub samples: Vec<Sample>,
    /// Where it stands, such as `host.jsonl:17`; the first line of several.
    pub source: String,
}

/// One sample, and how quiet the machine was meanwhile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// What was measured. Finite and above 0.
    pub value: f64,
    /// Processors that other processes kept busy.
    pub others: f64,
    /// Processors that the hypervisor gave to somebody else.
    pub steal: f64,
    /// How often we were preempted, a second.
    pub waited: f64,
    /// Nanoseconds of a step of a chain of dependent additions.
    pub pace: f64,
    /// The run of the kernel that it comes from, counted from 0 in each row. Runs are minutes apart.
    pub run: u32,
}

impl Sample {
    /// A sample of which nothing is known but its value: somebody else's measurement.
    pub fn of(value: f64) -> Sample {
        Sample { value, others: 0.0, steal: 0.0, waited: 0.0, pace: 0.0, run: 0 }
    }
}

impl Row {
    /// The value of a parameter.
    pub fn param(&self, name: &str) -> Option<&str> {
        self.params.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}
