//! Reads sizes and latencies of caches from a chase: latencies by footprint.
//!
//! A chase through `f` bytes finds the part `min(1, size / f)` of its lines in a cache, so its latency is a mean of
//! the latencies of all levels. For given sizes, the latencies follow by linear least squares. The sizes are searched
//! on a grid over the range of the footprints, to which the stated sizes are added. (A gradient search would not move
//! from a stated size beyond all footprints, where no row has a slope.) Stated sizes are weak rows. Where a cache
//! holds a part of the footprint, this part depends on replacement and on a guest's share, so these rows count less
//! than rows on the flat parts of the curve.

use nalgebra::{DMatrix, DVector};

/// Candidates for the relative error of a row whose footprint is half cached. The smallest suits random replacement,
/// which the mean describes; the largest suits LRU, which keeps nothing of a chase in fixed order. The points decide.
const KNEES: [f64; 5] = [0.01, 0.05, 0.1, 0.25, 0.5];
/// Standard deviation of the logarithm of a stated size, for a cache that several cores share: other, invisible
/// guests may use it, too.
const SHARED: f64 = 1.0;
/// Standard deviation of the logarithm of a stated size, for a cache of one core, which no other guest uses.
const PRIVATE: f64 = 0.2;
/// Grid points per doubling of the size.
const POINTS: i32 = 4;
/// Number of standard errors beyond which residuals count less.
const FAR: f64 = 3.0;
/// Maximum number of rounds over all caches but the outermost, one size at a time; few sizes change after the second.
const ROUNDS: usize = 6;

/// Latency at one footprint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    /// Bytes that the chase visits.
    pub footprint: f64,
    /// Time of a load, in any unit.
    pub latency: f64,
    /// Relative standard error of the latency.
    pub error: f64,
}

/// Cache size that the system states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Claim {
    /// Size of the cache in bytes.
    pub size: f64,
    /// True if several cores share the cache.
    pub shared: bool,
}

/// Sizes and latencies of cache levels, found from the curve of a chase.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reading {
    /// Sizes of the caches, innermost first.
    pub sizes: Vec<f64>,
    /// Latencies of the caches, innermost first, then of memory; in the unit of the points.
    pub latencies: Vec<f64>,
}

impl Reading {
    /// Fraction of a chase's loads that a level serves; levels count from 0 at the core, and the last is memory.
    pub fn part(&self, level: usize, footprint: f64) -> f64 {
        parts(&self.sizes, footprint)[level]
    }
}

/// Fraction of a chase's loads that each level serves: the caches, then memory.
fn parts(sizes: &[f64], footprint: f64) -> Vec<f64> {
    let held = |size: &f64| (size / footprint).min(1.0);
    let mut inside = 0.0;
    let mut parts: Vec<f64> = sizes.iter().map(|size| (held(size) - inside, inside = held(size)).0).collect();
    parts.push(1.0 - inside);
    parts
}

/// Relative error of a row if caches hold only a part of its footprint; zero if one level serves all loads. `knee` is
/// the error of a half-cached row.
pub(super) fn doubt(sizes: &[f64], footprint: f64, knee: f64) -> f64 {
    let mixed: f64 = parts(sizes, footprint).iter().map(|part| part * (1.0 - part)).sum();
    2.0 * knee * mixed
}

/// Error of half-cached rows, one of `KNEES`, with which `sizes` explain the points best.
pub(super) fn knee(points: &[Point], sizes: &[f64]) -> f64 {
    let costs = KNEES.iter().filter_map(|knee| Some((cost_with(points, &[], sizes, *knee)?.0, *knee)));
    costs.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(KNEES[KNEES.len() - 1], |(_, knee)| knee)
}

/// Sizes and latencies that explain a curve best, given the stated sizes. `None` without stated sizes, or if there
/// are fewer points than levels, of which memory is one.
pub(super) fn read(points: &[Point], claims: &[Claim]) -> Option<Reading> {
    let levels = claims.len() + 1;
    if points.len() < levels || claims.is_empty() {
        return None;
    }
    let ends = points.iter().map(|point| point.footprint);
    let (least, most) = (ends.clone().fold(f64::INFINITY, f64::min), ends.fold(0.0, f64::max));
    // Beyond the largest footprint all sizes are equivalent: one grid point represents them, the stated size if it is
    // there.
    let step = |at: i32| least / 2.0 * f64::from(at).exp2().powf(1.0 / f64::from(POINTS));
    let grid: Vec<f64> = (0..).map(step).take_while(|size| *size < most).collect();
    let mut best: Option<(f64, Reading)> = None;
    for outermost in grid.iter().copied().chain(claims.last().map(|claim| claim.size)) {
        let mut sizes: Vec<f64> = claims.iter().map(|claim| claim.size).collect();
        if let Some(last) = sizes.last_mut() {
            *last = outermost;
        }
        for at in (0..sizes.len().saturating_sub(1)).rev() {
            sizes[at] = sizes[at].min(sizes[at + 1] / 2.0);
        }
        let found = descend(points, claims, sizes, &grid);
        if let Some((cost, reading)) = found
            && best.as_ref().is_none_or(|(least, _)| cost < *least)
        {
            best = Some((cost, reading));
        }
    }
    best.map(|(_, reading)| reading)
}

/// Searches sizes of least cost, starting from `sizes`, one cache at a time. Each size stays between the sizes of its
/// neighbours, and the outermost does not change. Returns the cost and the reading; `None` if `sizes` have no finite
/// cost.
fn descend(points: &[Point], claims: &[Claim], mut sizes: Vec<f64>, grid: &[f64]) -> Option<(f64, Reading)> {
    let mut best = cost(points, claims, &sizes)?;
    for _ in 0..ROUNDS {
        let before = best.0;
        // The outermost size stays, since the caller tries all values of it.
        for at in 0..sizes.len() - 1 {
            let inner = at.checked_sub(1).map_or(0.0, |inner| sizes[inner]);
            for size in grid.iter().copied().chain([claims[at].size]) {
                if size <= inner || size >= sizes[at + 1] {
                    continue;
                }
                let mut other = sizes.clone();
                other[at] = size;
                if let Some(found) = cost(points, claims, &other).filter(|found| found.0 < best.0) {
                    best = found;
                    sizes = other;
                }
            }
        }
        if best.0 >= before {
            break;
        }
    }
    Some(best)
}

/// Cost of cache sizes, minimal over `KNEES`, with the sizes and their best latencies.
fn cost(points: &[Point], claims: &[Claim], sizes: &[f64]) -> Option<(f64, Reading)> {
    let costs = KNEES.iter().filter_map(|knee| cost_with(points, claims, sizes, *knee));
    costs.min_by(|a, b| a.0.total_cmp(&b.0))
}

/// Cost of cache sizes: distance of their best curve from the points, and of the sizes from the stated ones. Also
/// returns the latencies of the best curve.
fn cost_with(points: &[Point], claims: &[Claim], sizes: &[f64], knee: f64) -> Option<(f64, Reading)> {
    let levels = sizes.len() + 1;
    let error = |point: &Point| point.error.hypot(doubt(sizes, point.footprint, knee));
    let parts: Vec<Vec<f64>> = points.iter().map(|point| parts(sizes, point.footprint)).collect();
    let row = |row: usize, level: usize| parts[row][level] / (points[row].latency * error(&points[row]));
    let matrix = DMatrix::from_fn(points.len(), levels, row);
    let aim = DVector::from_iterator(points.len(), points.iter().map(|point| 1.0 / error(point)));
    // The small diagonal keeps the matrix invertible if a level serves no row, such as memory if everything fits.
    let normal = matrix.transpose() * &matrix + DMatrix::identity(levels, levels) * 1e-12;
    let mut latencies: Vec<f64> =
        normal.cholesky()?.solve(&(matrix.transpose() * aim)).iter().copied().collect();
    for level in 0..levels {
        let inner = level.checked_sub(1).map_or(0.0, |inner| latencies[inner]);
        latencies[level] = latencies[level].max(inner);
    }
    let off = |row: usize| -> f64 {
        let modelled: f64 = parts[row].iter().zip(&latencies).map(|(part, latency)| part * latency).sum();
        let error = error(&points[row]);
        // A wide error has a cost; otherwise all rows would count as half-cached.
        soft((modelled / points[row].latency).ln() / error) + 2.0 * error.ln()
    };
    let away = |(size, claim): (&f64, &Claim)| {
        ((size / claim.size).ln() / if claim.shared { SHARED } else { PRIVATE }).powi(2)
    };
    let cost = (0..points.len()).map(off).sum::<f64>() + sizes.iter().zip(claims).map(away).sum::<f64>();
    cost.is_finite().then(|| (cost, Reading { sizes: sizes.to_vec(), latencies }))
}

/// Square of a residual in standard errors; large residuals count linearly.
fn soft(off: f64) -> f64 {
    2.0 * FAR * FAR * ((1.0 + (off / FAR).powi(2)).sqrt() - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIB: f64 = 1024.0;
    const MIB: f64 = 1024.0 * KIB;

    /// Curve of levels with these sizes and latencies, for footprints from 4 KiB to `most` bytes, with alternating
    /// errors of 3 %.
    fn curve(sizes: &[f64], latencies: &[f64], most: f64) -> Vec<Point> {
        let footprints = std::iter::successors(Some(4.0 * KIB), |size| Some(size * 2.0));
        let point = |(at, footprint): (usize, f64)| {
            let exact: f64 = parts(sizes, footprint).iter().zip(latencies).map(|(a, b)| a * b).sum();
            let noise = if at % 2 == 0 { 1.03 } else { 0.97 };
            Point { footprint, latency: exact * noise, error: 0.05 }
        };
        footprints.take_while(|size| *size <= most).enumerate().map(point).collect()
    }

    /// Stated sizes: one shared cache, and private ones inside it.
    fn claims(sizes: &[f64]) -> Vec<Claim> {
        let last = sizes.len() - 1;
        sizes.iter().enumerate().map(|(at, size)| Claim { size: *size, shared: at == last }).collect()
    }

    fn near(found: f64, truth: f64, part: f64) {
        assert!((found / truth).ln().abs() < part, "{found} instead of {truth}");
    }

    // With caches of 48 and 96 bytes, the first serves three quarters of 64 bytes; of 192 bytes each serves a
    // quarter, and memory serves half.
    #[test]
    fn levels_serve_parts() {
        assert_eq!(parts(&[48.0, 96.0], 64.0), [0.75, 0.25, 0.0]);
        assert_eq!(parts(&[48.0, 96.0], 192.0), [0.25, 0.25, 0.5]);
        assert_eq!(doubt(&[48.0, 96.0], 24.0, 0.3), 0.0);
        // Half of the footprint is cached: 2 x 0.3 x (0.5 x 0.5 + 0.5 x 0.5) = 0.3.
        assert_eq!(doubt(&[32.0], 64.0, 0.3), 0.3);
    }

    /// A guest's share of 16 MiB in a cache with a stated size of 480 MiB.
    #[test]
    fn a_claim_is_overruled_by_the_curve() {
        let points = curve(&[48.0 * KIB, 2.0 * MIB, 16.0 * MIB], &[1.2, 4.5, 36.0, 160.0], 512.0 * MIB);
        let found = read(&points, &claims(&[48.0 * KIB, 2.0 * MIB, 480.0 * MIB])).unwrap();
        near(found.sizes[2], 16.0 * MIB, 0.2);
        near(found.latencies[3], 160.0, 0.05);
        near(found.latencies[2], 36.0, 0.08);
        near(found.sizes[0], 48.0 * KIB, 0.1);
    }

    /// A stated size below the guest's share.
    #[test]
    fn a_claim_may_be_too_small() {
        let points = curve(&[32.0 * KIB, 1.0 * MIB, 64.0 * MIB], &[1.0, 4.0, 20.0, 90.0], 512.0 * MIB);
        let found = read(&points, &claims(&[32.0 * KIB, 1.0 * MIB, 8.0 * MIB])).unwrap();
        near(found.sizes[2], 64.0 * MIB, 0.2);
    }

    /// All footprints fit into the cache: the stated size stays, since no row contradicts it.
    #[test]
    fn a_claim_that_nothing_contradicts_stays() {
        let points = curve(&[32.0 * KIB, 1.0 * MIB, 64.0 * MIB], &[1.0, 4.0, 20.0, 90.0], 32.0 * MIB);
        let found = read(&points, &claims(&[32.0 * KIB, 1.0 * MIB, 64.0 * MIB])).unwrap();
        assert_eq!(found.sizes[2], 64.0 * MIB);
        near(found.latencies[2], 20.0, 0.05);
    }

    #[test]
    fn a_curve_of_fewer_points_than_levels_says_nothing() {
        let points = curve(&[32.0 * KIB], &[1.0, 90.0], 8.0 * KIB);
        assert_eq!(read(&points, &claims(&[32.0 * KIB, 1.0 * MIB])), None);
    }
}
