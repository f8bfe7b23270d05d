//! The checker of the whole machine: every problem at once, each with its place in a machine file.

mod hardware;
mod interconnect;
mod levels;
mod size;

use crate::problem::Problems;
use crate::{Crowding, Machine, Problem};
use numalab_units::{Bytes, Span};

/// Most hardware threads of a machine.
pub const MAX_PROCESSORS: u32 = 4_194_304;
/// Most memory ports and link directions of a machine.
pub const MAX_RESOURCES: u32 = 16_777_216;
/// Most siblings that a listed graph joins, since its routes are stored for every pair.
pub const MAX_LISTED: u32 = 1024;
/// Most memory of a whole machine, so that sums of bytes cannot overflow: 1 EiB.
pub const MAX_MEMORY: Bytes = Bytes(1 << 60);
/// Longest latency of a single link, memory or cache, so that sums along a route cannot overflow: 1 s.
pub const MAX_LATENCY: Span = Span(1_000_000_000_000);

impl Machine {
    /// Everything that is wrong with this machine; nothing if a [`Fabric`](crate::Fabric) can be made.
    pub fn check(&self) -> Vec<Problem> {
        let mut problems = Problems::default();
        levels::check(self, &mut problems);
        for (at, level) in self.levels.iter().enumerate() {
            interconnect::check(self, at, level, &mut problems);
        }
        // Sizes mean something only once the levels do.
        let sound = problems.is_empty();
        hardware::check(self, &mut problems);
        if sound {
            size::check(self, &mut problems);
        }
        problems.into_vec()
    }
}

/// Refuses zero, negative and infinite values, and what is not a number.
fn positive(value: f64, path: &str, problems: &mut Problems) {
    if !(value.is_finite() && value > 0.0) {
        problems.add(path, format!("must be a finite number above 0, not {value}"));
    }
}

fn latency(value: Span, path: &str, problems: &mut Problems) {
    if value > MAX_LATENCY {
        problems.add(path, format!("must be at most {MAX_LATENCY}, not {value}"));
    }
}

fn crowding(Crowding(points): &Crowding, path: &str, problems: &mut Problems) {
    for (at, &(x, y)) in points.iter().enumerate() {
        let path = format!("{path}[{at}]");
        if !(x.is_finite() && x >= 0.0) {
            problems.add(&path, format!("outstanding lines must be a finite number of at least 0, not {x}"));
        } else if at > 0 && x <= points[at - 1].0 {
            let before = points[at - 1].0;
            problems.add(&path, format!("outstanding lines must increase: {x} comes after {before}"));
        }
        if !(y > 0.0 && y <= 1.0) {
            problems.add(&path, format!("the capacity left must be above 0 and at most 1, not {y}"));
        }
    }
}
