//! Origins of each region's data, and times that its lines took.

use numalab_machine::{Closeness, Fabric, NodeId};
use numalab_simulator::{Portion, Served};
use numalab_workload::RegionId;
use std::collections::BTreeMap;

/// Bytes by origin of the data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// Bytes by region and home node.
    pub regions: BTreeMap<(RegionId, NodeId), u64>,
    /// Bytes by distance, and by the time of the lines in steps of [`step`].
    pub times: BTreeMap<(Closeness, u32), u64>,
}

impl Origins {
    /// Adds data that a thread receives, by region and home node.
    pub fn portions(&mut self, portions: &[Portion]) {
        for portion in portions {
            if let Some(home) = portion.home {
                *self.regions.entry((portion.region, home)).or_default() += portion.bytes;
            }
        }
    }

    /// Adds `times` repetitions of the counts in `other`.
    pub fn add(&mut self, other: &Origins, times: u64) {
        for (of, bytes) in &other.regions {
            *self.regions.entry(*of).or_default() += times * bytes;
        }
        for (of, bytes) in &other.times {
            *self.times.entry(*of).or_default() += times * bytes;
        }
    }

    /// Adds a part of a stream that a thread on `node` received, by distance and time.
    pub fn served(&mut self, fabric: &Fabric, node: NodeId, served: &Served) {
        if served.bytes > 0 {
            let level = fabric.closest(node, served.home);
            *self.times.entry((level, step(served.line.0))).or_default() += served.bytes;
        }
    }
}

/// Index of a time: four steps per power of two. Computed without logarithms, whose last digits differ between hosts.
fn step(ps: u64) -> u32 {
    const QUARTERS: [f64; 3] = [1.189_207_115_002_721, std::f64::consts::SQRT_2, 1.681_792_830_507_429];
    let power = ps.max(1).ilog2();
    let rest = ps.max(1) as f64 / (1u64 << power) as f64;
    4 * power + QUARTERS.iter().filter(|quarter| rest >= **quarter).count() as u32
}

#[cfg(test)]
mod tests {
    use super::step;

    // 2^(25/4) = 76.1, 2^(26/4) = 90.5.
    #[test]
    fn steps_by_hand() {
        assert_eq!([1, 2, 3, 4].map(step), [0, 4, 6, 8]);
        assert_eq!([64, 76, 77, 90, 91].map(step), [24, 24, 25, 25, 26]);
        assert_eq!(step(u64::MAX), 4 * 63 + 3);
    }
}
