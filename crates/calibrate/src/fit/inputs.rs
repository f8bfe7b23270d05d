//! Measurements of all kinds become rows and a shape.

use super::observation::Observation;
use super::subject::Subject;
use crate::experiments;
use numalab_formats::measurements::{Measurements, Row};
use numalab_formats::topology::{MachineSketch, Topology};
use numalab_runtime::Profile;
use numalab_units::Frequency;
use std::fmt;

/// What is fitted, and on what.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// Where the fit begins: the shape that was recorded, everything else a default.
    pub subject: Subject,
    /// All rows that some workload simulates.
    pub rows: Vec<Observation>,
    /// Paths of the machine file that nobody said anything about.
    pub assumed: Vec<String>,
    /// What was odd, for people.
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
    /// Of one file of measurements, on a runtime whose algorithms are known, with rows and shapes of others.
    pub fn new(
        name: &str,
        measured: &Measurements,
        others: &[(Vec<Row>, Option<Topology>)],
        runtime: Profile,
    ) -> Result<Inputs, InputsError> {
        let wrong = |what: &dyn fmt::Display| InputsError(what.to_string());
        let mut warnings = measured.warnings.clone();
        let mut shape: Option<Topology> = None;
        for topology in others.iter().filter_map(|other| other.1.as_ref()).chain(&measured.topology) {
            match &mut shape {
                None => shape = Some(topology.clone()),
                Some(shape) => shape.fill_from(topology).map_err(|error| wrong(&error))?,
            }
        }
        let shape = shape.ok_or_else(|| {
            InputsError(
                "nothing says what the machine looks like: add the `host` records of the kernels, or the output \
                 of lscpu, numactl -H or lstopo"
                    .to_owned(),
            )
        })?;
        let mut sketch = shape.machine(name).map_err(|error| wrong(&error))?;
        warnings.append(&mut sketch.warnings);
        let limits = measured.limits();
        let own = measured.rows.iter().map(|row| Observation::of(row, &limits));
        let foreign =
            others.iter().flat_map(|other| &other.0).map(|row| Observation::of(row, &Default::default()));
        let mut rows: Vec<Observation> = own.chain(foreign).collect();
        rows.iter_mut().for_each(|row| in_our_numbers(row, &sketch));
        let mut subject = Subject { machine: sketch.machine, runtime };
        // Two values that are read off rather than fitted: nothing else can be confused with them.
        if let Some(clock) = rows.iter().find(|row| row.row.quantity == "frequency") {
            subject.machine.core.clock = Frequency(clock.value * 1e9);
        }
        rows.retain(|row| experiments::find(&row.row.experiment).is_some());
        Ok(Inputs { subject, rows, assumed: sketch.assumed, warnings })
    }
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
