//! Turns measurements of all kinds into the rows and the subject of a fit.

use super::load;
use super::measured_distances;
use super::observation::Observation;
use super::read_off;
use super::subject::Subject;
use crate::experiments;
use numalab_imports::Evidence;
use numalab_imports::measurements::Limits;
use numalab_imports::topology::{MachineSketch, Topology, Unsuited};
use numalab_runtime::Profile;
use std::collections::BTreeSet;
use std::fmt;

/// Inputs of a fit: the subject and the rows.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// Subject from which the fit starts: the described machine, with defaults for all values that no input states.
    pub subject: Subject,
    /// Measured rows of known experiments, without the rows whose values were read off, and the ends of a
    /// loaded-latency curve.
    pub rows: Vec<Observation>,
    /// Paths of values in the machine file that are assumed: defaults that no input states.
    pub assumed: Vec<String>,
    /// Paths of values that were read off instead of fitted, each with its source as text.
    pub stated: Vec<(String, String)>,
    /// Distances between nodes, from firmware or measurements; 10 from a node to itself. `None` if no input states
    /// distances.
    pub distances: Option<Vec<Vec<f64>>>,
    pub warnings: Vec<String>,
}

/// Reason for which nothing can be fitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputsError {
    /// The inputs do not describe a machine.
    Unsuited(String),
    /// The model cannot express the machine that the input with this index, from 0, describes.
    Inexpressible(usize, Unsuited),
    /// Two inputs describe different machines.
    DifferentMachines {
        /// Indices of the two inputs, from 0.
        sources: [usize; 2],
        /// Difference between the two machines, as a message.
        problem: String,
    },
}

impl fmt::Display for InputsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputsError::Unsuited(problem) | InputsError::DifferentMachines { problem, .. } => {
                f.write_str(problem)
            }
            InputsError::Inexpressible(_, error) => error.fmt(f),
        }
    }
}

impl std::error::Error for InputsError {}

impl Inputs {
    /// Collects all evidence about one machine whose OpenMP runtime is `runtime`. If several inputs state a fact, the
    /// first counts; measured latencies between nodes count more than the firmware's distances. Inputs with other
    /// processors are an error.
    pub fn new(name: &str, evidence: &[Evidence], runtime: Profile) -> Result<Inputs, InputsError> {
        let mut warnings = Vec::new();
        let (shape, of_processors) = shape(evidence, &mut warnings)?;
        check_processors(evidence, &shape, of_processors)?;
        let mut sketch =
            shape.machine(name).map_err(|error| InputsError::Inexpressible(of_processors, error))?;
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
        let distances = shape.distances.clone().map(|distances| in_order(&distances, &shape, &sketch));
        // Rows with a measured value of zero, or of an unknown experiment, cannot be compared with a simulation.
        rows.retain(|row| row.value > 0.0 && experiments::find(&row.row.experiment).is_some());
        rows.iter_mut().for_each(|row| in_our_numbers(row, &sketch));
        load::as_asked(&mut rows);
        let mut subject = Subject::new(sketch.machine, runtime);
        let mut assumed = sketch.assumed;
        let mut stated = read_off::all(&mut subject.machine, &mut rows, &mut assumed);
        load::read(evidence, &mut rows, &mut subject, &mut stated);
        subject.settle();
        Ok(Inputs { subject, rows, assumed, stated, distances, warnings })
    }
}

/// Name of the runtime file for the OpenMP library that the kernels were measured with; `plain` if unknown.
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

/// Distances between nodes, reordered from the operating system's node numbers to those of the machine file.
fn in_order(distances: &[Vec<f64>], shape: &Topology, sketch: &MachineSketch) -> Vec<Vec<f64>> {
    let place = |number: &u32| shape.nodes.iter().position(|node| node.number == *number);
    let order: Vec<usize> = sketch.nodes.iter().filter_map(place).collect();
    let cell = |a: usize, b: usize| distances.get(a).and_then(|row| row.get(b)).copied().unwrap_or(10.0);
    order.iter().map(|a| order.iter().map(|b| cell(*a, *b)).collect()).collect()
}

/// Refuses core-to-core latencies that name more processors than the machine has. `said_by`: index of the input that
/// states the processors.
fn check_processors(evidence: &[Evidence], shape: &Topology, said_by: usize) -> Result<(), InputsError> {
    let there = shape.processors.len();
    for (number, source) in evidence.iter().enumerate() {
        let Evidence::Foreign(foreign) = source else { continue };
        let between = foreign.rows.iter().filter(|row| row.experiment == "core_to_core");
        let pairs = between.flat_map(|row| &row.params).filter(|(key, _)| key == "procs");
        let named: BTreeSet<&str> = pairs.flat_map(|(_, pair)| pair.split(',')).collect();
        if there > 0 && named.len() > there {
            return Err(InputsError::DifferentMachines {
                sources: [said_by, number],
                problem: format!(
                    "{there} processors here and latencies between {} there: not the same machine",
                    named.len()
                ),
            });
        }
    }
    Ok(())
}

/// Description of the machine, and the index of the input that states its processors. `warnings` get contradictions of
/// claimed and measured distances.
fn shape(evidence: &[Evidence], warnings: &mut Vec<String>) -> Result<(Topology, usize), InputsError> {
    let known = evidence.iter().enumerate().filter_map(|(number, source)| match source {
        Evidence::Measurements(measured) => Some((number, measured.topology.as_ref()?)),
        Evidence::Foreign(foreign) => Some((number, foreign.topology.as_ref()?)),
        Evidence::Topology(topology) => Some((number, &**topology)),
    });
    let mut shape: Option<Topology> = None;
    // Indices of the first input that states processors, and of the first that states nodes; later inputs must agree.
    let (mut of_processors, mut of_nodes) = (0, 0);
    for (number, topology) in known {
        let (processors, nodes) = match &mut shape {
            None => {
                shape = Some(topology.clone());
                (true, true)
            }
            Some(shape) => {
                let open = (shape.processors.is_empty(), shape.nodes.is_empty());
                shape.fill_from(topology).map_err(|misfit| InputsError::DifferentMachines {
                    sources: [of_processors, number],
                    problem: misfit.to_string(),
                })?;
                open
            }
        };
        if processors && !topology.processors.is_empty() {
            of_processors = number;
        }
        if nodes && !topology.nodes.is_empty() {
            of_nodes = number;
        }
    }
    let mut shape = shape.ok_or_else(|| {
        InputsError::Unsuited(
            "nothing says what the machine looks like: add measurements of the kernels, or the output of lscpu, \
             numactl -H or lstopo"
                .to_owned(),
        )
    })?;
    let foreign = || {
        evidence.iter().enumerate().filter_map(|(number, source)| match source {
            Evidence::Foreign(foreign) => Some((number, foreign)),
            Evidence::Measurements(_) | Evidence::Topology(_) => None,
        })
    };
    let latency = foreign().find_map(|(number, foreign)| Some((number, foreign.latency.as_ref()?)));
    if let Some((number, measured)) = latency {
        let known = |node: &u32| shape.nodes.iter().any(|known| known.number == *node);
        if let Some(stray) = measured.from.iter().chain(&measured.to).find(|node| !known(node)) {
            let (ours, theirs) = (shape.nodes.len(), measured.to.len());
            return Err(InputsError::DifferentMachines {
                sources: [of_nodes, number],
                problem: format!(
                    "{ours} nodes here and latencies of {theirs} there, node {stray} among them: not the same machine"
                ),
            });
        }
    }
    // Distances alone describe no machine until a source states the nodes.
    let mut alone = foreign().filter(|(_, foreign)| foreign.topology.is_none());
    let claimed = alone.find_map(|(number, foreign)| Some((number, foreign.distances.as_ref()?)));
    if let Some((number, claimed)) = claimed.filter(|_| shape.distances.is_none()) {
        if claimed.rows.len() != shape.nodes.len() {
            let (ours, theirs) = (shape.nodes.len(), claimed.rows.len());
            return Err(InputsError::DifferentMachines {
                sources: [of_nodes, number],
                problem: format!("{ours} nodes here and distances of {theirs} there: not the same machine"),
            });
        }
        shape.distances = Some(claimed.rows.clone());
    }
    if let Some(measured) = latency.and_then(|(_, latency)| measured_distances::of(latency, &shape, warnings))
    {
        shape.distances = Some(measured);
    }
    Ok((shape, of_processors))
}

/// Replaces numbers of processors and nodes by those of the machine file.
fn in_our_numbers(row: &mut Observation, sketch: &MachineSketch) {
    let ours = |list: &[Option<u32>], theirs: &str| {
        let number: u32 = theirs.trim().parse().ok()?;
        Some(list.iter().position(|other| *other == Some(number))?.to_string())
    };
    let nodes: Vec<Option<u32>> = sketch.nodes.iter().copied().map(Some).collect();
    for (key, value) in &mut row.row.params {
        let translated = match key.as_str() {
            "procs" => value
                .split(',')
                .map(|proc| ours(&sketch.processors, proc))
                .collect::<Option<Vec<_>>>()
                .map(|list| list.join(",")),
            "node" | "from" => ours(&nodes, value),
            _ => continue,
        };
        if let Some(translated) = translated {
            *value = translated;
        }
    }
}
