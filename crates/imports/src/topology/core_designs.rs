//! Designs of cores and the caches around them: `reference/core_designs.csv`.
//!
//! | column | |
//! |---|---|
//! | `manual` | the maker's manual with the latencies in cycles |
//! | `clock` | GHz with all cores busy: assumed if the processor's name does not end with a clock |
//! | `instructions` | instructions per cycle that one thread sustains; an assumption |
//! | `in flight` | lines in flight of one thread, prefetched ones included: assumed from the bandwidth of one thread; beside HBM of all threads, which fill most of the 48 entries of the second-level cache's queue |
//! | `latencies` | of a hit in each cache from the first level on: in cycles, from the manual; or in ns, assumed: caches on a mesh or a ring have a clock of their own |
//! | `widths` | bytes per cycle from each cache to one core |
//! | `last` | `victim` if the last cache holds the lines that the caches before it evict |

use super::reference::{self, list};
use numalab_machine::Protocol;
use std::sync::LazyLock;

pub(super) struct CoreDesign {
    pub name: &'static str,
    pub manual: &'static str,
    pub protocol: Protocol,
    pub clock: f64,
    pub instructions: f64,
    pub in_flight: f64,
    /// Caches from the first level on.
    pub caches: Vec<CacheDesign>,
    pub victim: bool,
}

pub(super) struct CacheDesign {
    pub latency: Latency,
    pub width: f64,
}

/// Latency of a hit: in cycles, from the manual; or in nanoseconds, assumed.
#[derive(Clone, Copy)]
pub(super) enum Latency {
    Cycles(f64),
    Assumed(f64),
}

const TABLE: &str = include_str!("../../../../reference/core_designs.csv");

static DESIGNS: LazyLock<Vec<CoreDesign>> = LazyLock::new(|| reference::rows(TABLE, row).flatten().collect());

/// Finds the design that `reference/processors.csv` names.
pub(super) fn find(name: &str) -> Option<&'static CoreDesign> {
    DESIGNS.iter().find(|design| design.name == name)
}

/// Design of a row; `None` if malformed.
fn row(
    [name, manual, protocol, clock, instructions, in_flight, latencies, widths, last]: [&'static str; 9],
) -> Option<CoreDesign> {
    let latency = |text: &str| match text.strip_suffix(" ns") {
        Some(nanoseconds) => nanoseconds.parse().ok().map(Latency::Assumed),
        None => text.parse().ok().map(Latency::Cycles),
    };
    let caches = list(latencies)
        .zip(list(widths))
        .map(|(time, width)| Some(CacheDesign { latency: latency(time)?, width: width.parse().ok()? }));
    Some(CoreDesign {
        name,
        manual,
        protocol: Protocol::from_name(protocol)?,
        clock: clock.parse().ok()?,
        instructions: instructions.parse().ok()?,
        in_flight: in_flight.parse().ok()?,
        caches: caches.collect::<Option<_>>()?,
        victim: last == "victim",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_parses() {
        for (line, parsed) in TABLE.lines().skip(1).zip(reference::rows(TABLE, row)) {
            assert!(parsed.is_some(), "{line}");
        }
        assert_eq!(DESIGNS.len(), TABLE.lines().count() - 1);
    }

    /// The shipped `epyc-9654-2p` has 14 cycles of 3.55 GHz for a hit in the second level; caches farther away take
    /// longer.
    #[test]
    fn caches_farther_away_take_longer() {
        let nanoseconds = |design: &CoreDesign, latency: Latency| match latency {
            Latency::Cycles(cycles) => cycles / design.clock,
            Latency::Assumed(nanoseconds) => nanoseconds,
        };
        let zen_4 = find("Zen 4").unwrap();
        assert!((nanoseconds(zen_4, zen_4.caches[1].latency) - 4.0).abs() < 0.01);
        for design in DESIGNS.iter() {
            assert!(design.caches.len() >= 2);
            for pair in design.caches.windows(2) {
                assert!(nanoseconds(design, pair[0].latency) < nanoseconds(design, pair[1].latency));
                assert!(pair[0].width >= pair[1].width);
            }
        }
    }
}
