//! Virtual speed-up: gain of a simulated run with less computing in one phase.

use crate::budget::{Budget, Meter};
use crate::case::Case;
use numalab_results::{SpeedupPoint, VirtualSpeedup};
use numalab_simulator::SimulationError;
use std::sync::Arc;

/// Fractions of the computing that are removed.
const PARTS: [f64; 4] = [0.25, 0.5, 0.75, 1.0];

/// Largest distance of a curve's middle from the line between its ends at which the curve counts as a line: a
/// fraction of the makespan.
const STRAIGHT: f64 = 1e-3;

/// Estimated number of runs of a curve.
pub(crate) const RUNS: u64 = 4;

/// Names of the measured phases that compute.
pub(crate) fn computing(case: &Case) -> Vec<&str> {
    let phases = case.workload.phases.iter().filter(|phase| phase.measured);
    let computing = phases
        .filter(|phase| phase.instructions_per_byte > 0.0 || phase.instructions.iter().any(|one| *one > 0.0));
    let mut names: Vec<&str> = Vec::new();
    computing.map(|phase| &*phase.name).for_each(|name| {
        if !names.contains(&name) {
            names.push(name);
        }
    });
    names
}

/// Curve of each measured phase that computes, for a run with the makespan `whole` in picoseconds; and the number of
/// phases that did not fit the budget.
pub(crate) fn speedups(
    case: &Case,
    whole: u64,
    mut budget: Budget<'_>,
) -> Result<(Vec<VirtualSpeedup>, u64), SimulationError> {
    let names = computing(case);
    let curves = budget.all(&names, |_| RUNS, |name, meter| curve(case, name, whole, meter))?;
    let curves: Vec<VirtualSpeedup> = curves.into_iter().flatten().collect();
    let left_out = names.len() - curves.len();
    Ok((curves, left_out as u64))
}

/// Curve of one phase. Its end is simulated, and its middle if the end differs from the makespan `whole`. If the
/// middle is on the line to the end, points between are interpolated.
fn curve(case: &Case, name: &str, whole: u64, meter: &Meter<'_>) -> Result<VirtualSpeedup, SimulationError> {
    let makespan = |part: f64| with_less(case, name, part).makespan(meter);
    let end = makespan(1.0)?;
    let line = |part: f64| (whole as f64 + part * (end as f64 - whole as f64)).round() as u64;
    let near = |found: u64, expected: u64| found.abs_diff(expected) as f64 <= STRAIGHT * whole as f64;
    let half = if near(end, whole) { line(0.5) } else { makespan(0.5)? };
    let straight = near(half, line(0.5));
    let point = |faster: f64| {
        let makespan_ps = match faster {
            1.0 => end,
            0.5 => half,
            _ if straight => line(faster),
            _ => makespan(faster)?,
        };
        Ok(SpeedupPoint { faster, makespan_ps })
    };
    let points: Result<Vec<_>, SimulationError> = PARTS.into_iter().map(point).collect();
    Ok(VirtualSpeedup { phase: name.to_owned(), points: points? })
}

/// Run in which all phases called `name` have only the fraction `1 - part` of their computing.
fn with_less(case: &Case, name: &str, part: f64) -> Case {
    let mut case = case.clone();
    let phases = &mut Arc::make_mut(&mut case.workload).phases;
    for phase in phases.iter_mut().filter(|phase| phase.name == name) {
        phase.instructions_per_byte *= 1.0 - part;
        phase.instructions = phase.instructions.iter().map(|one| one * (1.0 - part)).collect();
    }
    case
}
