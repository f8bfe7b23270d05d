//! Measurements of all kinds become rows and a shape.

use super::observation::Observation;
use super::subject::Subject;
use crate::experiments;
use numalab_imports::Evidence;
use numalab_imports::foreign::NodeMatrix;
use numalab_imports::measurements::Limits;
use numalab_imports::topology::{MachineSketch, Topology};
use numalab_runtime::Profile;
use numalab_units::Frequency;
use std::fmt;

/// Inputs of a fit: what is fitted, and on which rows.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// Where the fit begins: the shape that was recorded, everything else a default.
    pub subject: Subject,
    /// All rows that some workload simulates.
    pub rows: Vec<Observation>,
    /// Paths of the machine file that nobody said anything about.
    pub assumed: Vec<String>,
    /// Oddities, for people.
    pub warnings: Vec<String>,
}

/// Why nothing can be fitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputsError(pub String);

impl fmt::Display for InputsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InputsError {}

impl Inputs {
    /// Collects everything that is known about one machine, on a runtime whose algorithms are known. Where sources
    /// differ about the shape, the first one counts; measured latencies between nodes count more than what firmware says.
    pub fn new(name: &str, evidence: &[Evidence], runtime: Profile) -> Result<Inputs, InputsError> {
        let mut warnings = Vec::new();
        let mut sketch = shape(evidence)?.machine(name).map_err(|error| InputsError(error.to_string()))?;
        let mut rows: Vec<Observation> = Vec::new();
        for source in evidence {
            match source {
                Evidence::Measurements(measured) => {
                    let limits = measured.limits();
                    warnings.extend(measured.warnings.iter().cloned());
                    rows.extend(measured.rows.iter().map(|row| Observation::of(row, &limits)));
                }
                Evidence::Foreign(foreign) => {
                    warnings.extend(foreign.notes.iter().map(ToString::to_string));
                    let rows_of = foreign.rows.iter();
                    rows.extend(rows_of.map(|row| Observation::of(row, &Limits::default())));
                }
                Evidence::Topology(_) => {}
            }
        }
        warnings.append(&mut sketch.warnings);
        // Nothing to compare with.
        rows.retain(|row| row.value > 0.0 && experiments::find(&row.row.experiment).is_some());
        rows.iter_mut().for_each(|row| in_our_numbers(row, &sketch));
        let mut subject = Subject { machine: sketch.machine, runtime };
        let mut assumed = sketch.assumed;
        // Read off rather than fitted: nothing else can be confused with it.
        if let Some(at) = rows.iter().position(|row| row.row.quantity == "frequency") {
            subject.machine.core.clock = Frequency(rows.remove(at).value * 1e9);
            assumed.retain(|path| path != "core.clock");
        }
        Ok(Inputs { subject, rows, assumed, warnings })
    }
}

/// The runtime whose algorithms the measured program used, by the name of the library.
pub fn runtime_of(evidence: &[Evidence]) -> &'static str {
    let named = evidence.iter().find_map(|source| match source {
        Evidence::Measurements(measured) => measured.host.openmp_runtime.as_deref(),
        _ => None,
    });
    match named {
        Some("libgomp") => "gcc",
        Some("libomp" | "libiomp5") => "llvm",
        _ => "plain",
    }
}

fn shape(evidence: &[Evidence]) -> Result<Topology, InputsError> {
    let known = evidence.iter().filter_map(|source| match source {
        Evidence::Measurements(measured) => measured.topology.as_ref(),
        Evidence::Foreign(foreign) => foreign.topology.as_ref(),
        Evidence::Topology(topology) => Some(topology),
    });
    let mut shape: Option<Topology> = None;
    for topology in known {
        match &mut shape {
            None => shape = Some(topology.clone()),
            Some(shape) => shape.fill_from(topology).map_err(|error| InputsError(error.to_string()))?,
        }
    }
    let mut shape = shape.ok_or_else(|| {
        InputsError(
            "nothing says what the machine looks like: add measurements of the kernels, or the output of lscpu, \
             numactl -H or lstopo"
                .to_owned(),
        )
    })?;
    let latency = evidence.iter().find_map(|source| match source {
        Evidence::Foreign(foreign) => foreign.latency.as_ref(),
        _ => None,
    });
    if let Some(measured) = latency.and_then(|latency| measured_distances(latency, &shape)) {
        shape.distances = Some(measured);
    }
    Ok(shape)
}

/// Distances as firmware states them, 10 to the node itself, from measured latencies. `None` where a pair was not
/// measured.
fn measured_distances(latency: &NodeMatrix, shape: &Topology) -> Option<Vec<Vec<f64>>> {
    let numbers: Vec<u32> = shape.nodes.iter().map(|node| node.number).collect();
    let row = |from: &u32| {
        let own = latency.get(*from, *from)?;
        numbers.iter().map(|to| Some(latency.get(*from, *to)? / own * 10.0)).collect::<Option<Vec<f64>>>()
    };
    numbers.iter().map(row).collect()
}

/// Processors and nodes by the numbers that they have in the machine file.
fn in_our_numbers(row: &mut Observation, sketch: &MachineSketch) {
    let ours = |list: &[u32], theirs: &str| {
        let number: u32 = theirs.trim().parse().ok()?;
        Some(list.iter().position(|other| *other == number)?.to_string())
    };
    for (key, value) in &mut row.row.params {
        let translated = match key.as_str() {
            "procs" => value
                .split(',')
                .map(|proc| ours(&sketch.processors, proc))
                .collect::<Option<Vec<_>>>()
                .map(|list| list.join(",")),
            "node" | "from" => ours(&sketch.nodes, value),
            _ => continue,
        };
        if let Some(translated) = translated {
            *value = translated;
        }
    }
}
