//! Latency of a resource under load.

use super::Curve;
use std::sync::Arc;

/// Latency of a line as a function of the part of a resource's capacity in use.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Load {
    /// Latency without load, in seconds; `reads` and `mixed` give factors of this latency.
    pub seconds: f64,
    /// Factor of the latency by the part of the capacity in use, without writes.
    pub reads: Arc<Curve>,
    /// Factor of the latency with writes, and the part of the time in use that these writes take. For a smaller part
    /// of writes the factor is interpolated linearly between `reads` and this curve. `None` if writes make no
    /// difference.
    pub mixed: Option<(Arc<Curve>, f64)>,
}

impl Load {
    /// Position between the curves of `reads` (0) and `mixed` (1) when writes take the part `written` of the time.
    pub(super) fn way(&self, written: f64) -> f64 {
        self.mixed.as_ref().map_or(0.0, |(_, part)| (written / part).min(1.0))
    }

    /// Factor of the latency and its slope at a part of the capacity in use. `way`: position between the two curves.
    pub(super) fn factor(&self, part: f64, way: f64) -> (f64, f64) {
        let (mut factor, mut slope) = self.reads.with_slope(part);
        if let Some((mixed, _)) = &self.mixed
            && way > 0.0
        {
            let (mixed, steeper) = mixed.with_slope(part);
            factor += way * (mixed - factor);
            slope += way * (steeper - slope);
        }
        (factor, slope)
    }

    /// Additional latency of a line at the full resource, in seconds, for the slowest mix of reads and writes.
    pub(super) fn longest(&self) -> f64 {
        let mixed = self.mixed.as_ref().map_or(1.0, |(mixed, _)| mixed.at(1.0));
        (self.reads.at(1.0).max(mixed) - 1.0) * self.seconds
    }

    /// Part of the capacity up to which no line waits longer, for any mix; 1 if no line ever waits longer.
    pub(super) fn calm(&self) -> f64 {
        let of = |curve: &Curve| if curve.0.is_empty() { 1.0 } else { curve.roomy().min(1.0) };
        of(&self.reads).min(self.mixed.as_ref().map_or(1.0, |(mixed, _)| of(mixed)))
    }

    /// Part of the capacity in use if all demand only reads and waits for this resource alone: part × factor =
    /// `asked`, the demand as a part of the capacity.
    pub(super) fn guess(&self, asked: f64) -> f64 {
        let Curve(points) = &*self.reads;
        let beyond = points.partition_point(|(part, factor)| part * factor <= asked);
        match (beyond.checked_sub(1).map(|before| points[before]), points.get(beyond)) {
            (Some((x0, y0)), Some(&(x1, y1))) if y1 > y0 => {
                let slope = (y1 - y0) / (x1 - x0);
                let base = y0 - slope * x0;
                ((base * base + 4.0 * slope * asked).sqrt() - base) / (2.0 * slope)
            }
            (Some((_, factor)), _) => asked / factor,
            (None, _) => asked,
        }
    }
}
