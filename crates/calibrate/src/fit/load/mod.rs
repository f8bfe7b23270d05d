//! Turns a loaded-latency curve into `memory.loaded_latency`, and a curve beside as many writes as reads into
//! `memory.mixed_latency`. `measured` has the curve from the kernels' own rows, `otherwise` the curves that are as
//! likely as the fitted one.
//!
//! A tool throttles load generators step by step and prints at each step their total bandwidth and the latency of a
//! load. The factor is the latency divided by the smallest one; bandwidth over the largest is the part of the
//! capacity in use.

mod measured;
mod otherwise;

pub use measured::as_asked;
pub(crate) use measured::{UNBOUNDED, UnderLoad};
use numalab_imports::foreign::LoadedLatency as Point;
use numalab_machine::LoadedLatency;
pub use otherwise::{Otherwise, PATH};

/// Relative difference of latency factors below which two points of a curve are equivalent.
const SAME: f64 = 0.03;

/// Curve of latency under load, the memory's greatest bandwidth (in GB/s) and its idle latency (in nanoseconds);
/// `None` for too few points, or if the points do not show the effect of load.
pub(super) fn curve(points: &[Point]) -> Option<(LoadedLatency, f64, f64)> {
    let most = points.iter().map(|point| point.bandwidth).fold(0.0, f64::max);
    let idle = points.iter().map(|point| point.latency).fold(f64::INFINITY, f64::min);
    factors(points, most, idle).map(|curve| (curve, most, idle))
}

/// Curve of reads beside as many writes, over the used fraction of `most`, the bandwidth of reads alone. Beyond the
/// greatest bandwidth of the mix the curve is flat.
pub(super) fn mixed(points: &[Point], most: f64) -> Option<LoadedLatency> {
    let idle = points.iter().map(|point| point.latency).fold(f64::INFINITY, f64::min);
    factors(points, most, idle)
}

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
    if points.len() < 3 || most <= 0.0 || idle <= 0.0 {
        return None;
    }
    let part = |point: &Point| (point.bandwidth / most).min(1.0);
    let mut sorted: Vec<(f64, f64)> =
        points.iter().map(|point| (part(point), point.latency / idle)).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut curve: Vec<(f64, f64)> = Vec::new();
    for (at, (part, factor)) in sorted.iter().copied().enumerate() {
        // More load never shortens a wait: lower values are noise.
        let factor = curve.last().map_or(1.0, |last| last.1).max(factor);
        let last = at + 1 == sorted.len();
        match curve.last_mut() {
            None => curve.push((part, 1.0)),
            Some(before) if part - before.0 < 1e-6 => before.1 = factor,
            Some(before) if factor < before.1 * (1.0 + SAME) && !last => {}
            Some(_) => curve.push((part, factor)),
        }
    }
    let rounded = |number: f64| (number * 1e3).round() / 1e3;
    let curve: Vec<(f64, f64)> =
        curve.into_iter().map(|(part, factor)| (rounded(part), rounded(factor))).collect();
    (curve.len() > 1).then_some(LoadedLatency(curve))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(latency: f64, bandwidth: f64) -> Point {
        Point { delay: 0, bandwidth, latency }
    }

    // Maximum bandwidth 200 GB/s, minimum latency 80 ns: 100 GB/s is one half, 120 ns a factor of 1.5.
    #[test]
    fn parts_of_the_most_and_factors_on_the_least() {
        let points = [point(240.0, 200.0), point(120.0, 100.0), point(81.0, 40.0), point(80.0, 20.0)];
        let (LoadedLatency(curve), most, idle) = curve(&points).unwrap();
        assert_eq!(curve, [(0.1, 1.0), (0.5, 1.5), (1.0, 3.0)]);
        assert_eq!((most, idle), (200.0, 80.0));
    }

    // Maximum bandwidth 160 of the 200 GB/s of reads alone, minimum latency 60 ns.
    #[test]
    fn writes_are_counted_over_what_reads_get() {
        let points = [point(240.0, 160.0), point(90.0, 100.0), point(60.0, 20.0)];
        assert_eq!(mixed(&points, 200.0), Some(LoadedLatency(vec![(0.1, 1.0), (0.5, 1.5), (0.8, 4.0)])));
        assert_eq!(mixed(&points[..2], 200.0), None);
    }

    #[test]
    fn noise_never_makes_a_loaded_memory_faster() {
        let points = [point(80.0, 20.0), point(120.0, 100.0), point(110.0, 120.0), point(300.0, 200.0)];
        let (LoadedLatency(curve), ..) = curve(&points).unwrap();
        assert!(curve.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1), "{curve:?}");
    }

    #[test]
    fn two_points_are_no_curve() {
        assert_eq!(curve(&[point(80.0, 20.0), point(120.0, 100.0)]), None);
    }
}
