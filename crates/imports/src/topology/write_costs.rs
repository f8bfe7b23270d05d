//! Costs of turning channels between reads and writes: `reference/write_costs.csv`. The first row that fits counts.
//!
//! | column | |
//! |---|---|
//! | `core` | name in `reference/core_designs.csv`; empty for any |
//! | `memory` | word in the `memory made of` of `reference/processors.csv` |
//! | `sustained` | fraction of the peak that reads get; empty if STREAM's triad with streaming stores gets the usual one |
//! | `cost` | channel time of a byte written over that of a byte read |

use super::generations::Generation;
use super::reference;
use std::sync::LazyLock;

pub(super) struct WriteCost {
    core: &'static str,
    memory: &'static str,
    sustained: Option<f64>,
    pub cost: f64,
    pub made_of: &'static str,
}

const TABLE: &str = include_str!("../../../../reference/write_costs.csv");

static COSTS: LazyLock<Vec<WriteCost>> = LazyLock::new(|| reference::rows(TABLE, row).flatten().collect());

/// Cost of a generation's memory; `None` if none is known, as of DDR3 and stacked memory.
pub(super) fn of(generation: &Generation) -> Option<&'static WriteCost> {
    let core = generation.core_name().unwrap_or_default();
    COSTS
        .iter()
        .find(|one| (one.core.is_empty() || one.core == core) && generation.memory.1.contains(one.memory))
}

impl WriteCost {
    /// Fraction of the peak that reads get, if STREAM's triad with streaming stores, of which a third is written, gets
    /// `triad`.
    pub fn sustained(&self, triad: f64) -> f64 {
        let reads = self.sustained.unwrap_or(triad * (2.0 + self.cost) / 3.0);
        (reads * 1e3).round() / 1e3
    }
}

fn row([core, memory, sustained, cost, made_of]: [&'static str; 5]) -> Option<WriteCost> {
    let sustained = if sustained.is_empty() { None } else { Some(sustained.parse().ok()?) };
    Some(WriteCost { core, memory, sustained, cost: cost.parse().ok()?, made_of })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{core_designs, generations};

    #[test]
    fn rows_are_of_core_designs() {
        assert_eq!(COSTS.len(), TABLE.lines().count() - 1);
        for row in COSTS.iter() {
            assert!(row.core.is_empty() || core_designs::find(row.core).is_some(), "{}", row.core);
            assert!(row.cost >= 1.0 && row.sustained(0.8) < 1.0);
        }
    }

    /// Every generation with DDR4 or later has a cost, and no older one has.
    #[test]
    fn each_memory_of_today_has_a_cost() {
        for generation in generations::all() {
            let memory = generation.memory.1;
            let is_today = ["DDR4", "DDR5"].iter().any(|kind| memory.contains(kind));
            assert_eq!(of(generation).is_some(), is_today, "{}: {memory}", generation.name);
        }
    }

    /// 0.8 of the peak is for triads: 0.8 x (2 + 1.6) / 3 = 0.96 for reads. Of Skylake reads are measured.
    #[test]
    fn triads_keep_their_part_of_the_peak() {
        let reads = |generation: &str| {
            let cost = of(generations::named(generation).unwrap()).unwrap();
            (cost.cost, cost.sustained(0.8))
        };
        assert_eq!(reads("EPYC 9004 (Genoa)"), (1.6, 0.96));
        assert_eq!(reads("EPYC 7003 (Milan)"), (1.0, 0.8));
        assert_eq!(reads("Skylake-SP"), (1.45, 0.85));
    }
}
