//! The checker of a whole machine: all problems at once, each with its path in a machine file.

mod hardware;
mod in_use;
mod interconnect;
mod levels;
mod size;

use crate::problem::Problems;
use crate::{Crowding, LoadedLatency, Machine, Problem};
use numalab_base::Bytes;
use numalab_base::parameter::{OutOfBounds, Parameters};

/// Upper limit of the hardware threads of a machine.
pub const MAX_PROCESSORS: u32 = 4_194_304;
/// Upper limit of the memory ports and link directions of a machine.
pub const MAX_RESOURCES: u32 = 16_777_216;
/// Upper limit of the siblings in a listed graph, since routes are stored for every pair of siblings.
pub const MAX_LISTED: u32 = 1024;
/// Upper limit of the nodes that share memory by pages, since latencies are stored for every pair of nodes.
pub const MAX_SHARING: u32 = 4096;
/// Upper limit of the memory of a whole machine, so that sums of bytes cannot overflow: 1 EiB.
pub const MAX_MEMORY: Bytes = Bytes(1 << 60);

impl Machine {
    /// All problems of this machine; empty if a [`Fabric`](crate::Fabric) can be built.
    pub fn check(&self) -> Vec<Problem> {
        let mut problems = Problems::default();
        levels::check(self, &mut problems);
        for (at, level) in self.levels.iter().enumerate() {
            interconnect::check(self, at, level, &mut problems);
        }
        // Sizes are checked only if the levels are valid.
        let sound = problems.is_empty();
        hardware::check(self, &mut problems);
        if sound {
            in_use::check(self, &mut problems);
            size::check(self, &mut problems);
        }
        problems.into_vec()
    }
}

/// Reports values outside their declared bounds.
fn bounds<T: Parameters>(table: &T, path: &str, problems: &mut Problems) {
    for OutOfBounds { path: below, value, expected } in table.out_of_bounds() {
        problems.add(format!("{path}.{below}"), format!("must be {expected}, not {value}"));
    }
}

fn loaded_latency(LoadedLatency(points): &LoadedLatency, path: &str, problems: &mut Problems) {
    for (at, &(x, y)) in points.iter().enumerate() {
        let path = format!("{path}[{at}]");
        if !(x.is_finite() && (0.0..=1.0).contains(&x)) {
            problems.add(&path, format!("the fraction of the bandwidth in use must be 0 to 1, not {x}"));
        } else if at > 0 && x <= points[at - 1].0 {
            let before = points[at - 1].0;
            problems.add(
                &path,
                format!("the fraction of the bandwidth in use must increase: {x} comes after {before}"),
            );
        }
        let before = at.checked_sub(1).map(|before| points[before].1);
        if !y.is_finite() || y > MOST_LONGER || before.is_some_and(|before| y < before) {
            problems.add(
                &path,
                format!("the factor must be at most {MOST_LONGER} and must not decrease, not {y}"),
            );
        } else if before.is_none() && y != 1.0 {
            problems.add(&path, format!("first factor is {y}; it must be 1 (latency without load)"));
        }
    }
}

/// Upper limit of a factor on a latency; a larger factor is a mistake.
const MOST_LONGER: f64 = 1000.0;

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
