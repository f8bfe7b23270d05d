//! Virtual speed-up: what less computing in one phase would be worth, simulated.

use crate::case::Case;
use numalab_results::{SpeedupPoint, VirtualSpeedup};
use numalab_simulator::SimulationError;
use rayon::prelude::*;
use std::sync::Arc;

/// Parts of the computing that are left out.
const PARTS: [f64; 4] = [0.25, 0.5, 0.75, 1.0];

/// A curve for each measured phase that computes.
pub(crate) fn speedups(case: &Case) -> Result<Vec<VirtualSpeedup>, SimulationError> {
    let phases = case.workload.phases.iter().filter(|phase| phase.measured);
    let computing = phases
        .filter(|phase| phase.instructions_per_byte > 0.0 || phase.instructions.iter().any(|one| *one > 0.0));
    let mut names: Vec<&String> = Vec::new();
    computing.map(|phase| &phase.name).for_each(|name| {
        if !names.contains(&name) {
            names.push(name);
        }
    });
    let points: Vec<(&String, f64)> = names.iter().flat_map(|name| PARTS.map(|part| (*name, part))).collect();
    let simulated: Result<Vec<SpeedupPoint>, SimulationError> = points
        .par_iter()
        .with_max_len(1)
        .map(|(name, part)| {
            let makespan_ps = with_less(case, name, *part).run()?.makespan_ps;
            Ok(SpeedupPoint { faster: *part, makespan_ps })
        })
        .collect();
    let curves = simulated?;
    let curve = |(name, points): (&&String, &[SpeedupPoint])| VirtualSpeedup {
        phase: (*name).clone(),
        points: points.to_vec(),
    };
    Ok(names.iter().zip(curves.chunks(PARTS.len())).map(curve).collect())
}

/// The run with less computing in the phases of a name.
fn with_less(case: &Case, name: &str, part: f64) -> Case {
    let mut case = case.clone();
    let phases = &mut Arc::make_mut(&mut case.workload).phases;
    for phase in phases.iter_mut().filter(|phase| phase.name == name) {
        phase.instructions_per_byte *= 1.0 - part;
        phase.instructions = phase.instructions.iter().map(|one| one * (1.0 - part)).collect();
    }
    case
}
