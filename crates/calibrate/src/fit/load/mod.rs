//! Turns a loaded-latency curve into `memory.loaded_latency`, and a curve beside as many writes as reads into
//! `memory.mixed_latency`. `measured` has the curve from the kernels' own rows, `of_tool` that
//! of a tool, `otherwise` the curves that are as likely as the fitted one. `turning` turns the bandwidths of mixes into
//! `memory.write_cost`.
//!
//! A tool throttles load generators step by step and prints at each step their total bandwidth and the latency of a
//! load. The factor is the latency divided by the smallest one; bandwidth over the largest is the part of the
//! capacity in use.

mod measured;
mod of_tool;
mod otherwise;
mod turning;

pub use measured::as_asked;
pub(crate) use measured::{UNBOUNDED, UnderLoad};
use numalab_imports::foreign::LoadedLatency as Point;
use numalab_machine::LoadedLatency;
pub(in crate::fit) use of_tool::{Ends, is_on_plateau, read};
pub use otherwise::{Otherwise, PATH};
pub(in crate::fit) use turning::Turning;

/// Relative difference of latency factors below which two points of a curve are equivalent.
const SAME: f64 = 0.03;

/// Factor of a curve on the idle latency, with the fraction `part` of the bandwidth in use.
fn at(LoadedLatency(points): &LoadedLatency, part: f64) -> f64 {
    let after = points.partition_point(|point| point.0 <= part);
    match (after.checked_sub(1).map(|before| points[before]), points.get(after)) {
        (None, _) => 1.0,
        (Some(last), None) => last.1,
        (Some((x0, y0)), Some(&(x1, y1))) => y0 + (y1 - y0) * (part - x0) / (x1 - x0),
    }
}

/// Curve of the points: factors on the latency `idle`, by the used fraction of the bandwidth `most`.
fn factors(points: &[Point], most: f64, idle: f64) -> Option<LoadedLatency> {
    if points.len() < 2 || most <= 0.0 || idle <= 0.0 {
        return None;
    }
    let part = |point: &Point| (point.bandwidth / most).min(1.0);
    let mut sorted: Vec<(f64, f64)> =
        points.iter().map(|point| (part(point), point.latency / idle)).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut curve: Vec<(f64, f64)> = Vec::new();
    // Last point that was left out since its factor is that of the point before.
    let mut same: Option<(f64, f64)> = None;
    for (at, (part, factor)) in sorted.iter().copied().enumerate() {
        // More load never shortens a wait: lower values are noise.
        let factor = curve.last().map_or(1.0, |last| last.1).max(factor);
        let last = at + 1 == sorted.len();
        match curve.last_mut() {
            None => curve.push((part, 1.0)),
            Some(before) if part - before.0 < 1e-6 => before.1 = factor,
            Some(before) if factor < before.1 * (1.0 + SAME) && !last => same = Some((part, factor)),
            Some(&mut before) => {
                // The latency does not rise from the point before on, but from the left-out point on.
                let straight = |at: f64| before.1 + (factor - before.1) * (at - before.0) / (part - before.0);
                curve.extend(same.take().filter(|knee| straight(knee.0) > knee.1 * (1.0 + SAME)));
                curve.push((part, factor));
            }
        }
    }
    let rounded = |number: f64| (number * 1e3).round() / 1e3;
    let curve: Vec<(f64, f64)> =
        curve.into_iter().map(|(part, factor)| (rounded(part), rounded(factor))).collect();
    (curve.len() > 1).then_some(LoadedLatency(curve))
}
