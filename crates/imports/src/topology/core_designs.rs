//! Designs of cores, from their makers' optimization manuals; values that no manual states are assumed.

use numalab_machine::Protocol;

/// Design of a core and the caches around it.
pub(super) struct CoreDesign {
    /// Manual with the latencies in cycles.
    pub manual: &'static str,
    pub protocol: Protocol,
    /// Clock in GHz with all cores busy: assumed if the processor's name does not end with a clock.
    pub clock: f64,
    /// Instructions per cycle that one thread sustains; an assumption.
    pub instructions: f64,
    /// Lines in flight of one thread, prefetched ones included: assumed from the bandwidth of one thread.
    pub in_flight: f64,
    /// Caches from the first level on.
    pub caches: &'static [CacheDesign],
    /// True if the last cache holds the lines that the caches before it evict.
    pub victim: bool,
}

pub(super) struct CacheDesign {
    pub latency: Latency,
    /// Bytes per cycle to one core.
    pub width: f64,
}

/// Latency of a hit.
#[derive(Clone, Copy)]
pub(super) enum Latency {
    /// Latency in cycles, from the manual.
    Cycles(f64),
    /// Latency in nanoseconds, assumed: caches on a mesh or a ring have a clock of their own.
    Assumed(f64),
}

use Latency::{Assumed, Cycles};

const fn cache(latency: Latency, width: f64) -> CacheDesign {
    CacheDesign { latency, width }
}

const INTEL: CoreDesign = CoreDesign {
    manual: "Intel's optimization manual",
    protocol: Protocol::Mesif,
    clock: 2.5,
    instructions: 2.0,
    in_flight: 18.0,
    caches: &[],
    victim: false,
};
const AMD: CoreDesign =
    CoreDesign { manual: "AMD's optimization guide", protocol: Protocol::Moesi, victim: true, ..INTEL };

/// Sandy Bridge and Ivy Bridge.
const SANDY_BRIDGE: CoreDesign = CoreDesign {
    instructions: 1.8,
    in_flight: 13.0,
    caches: &[cache(Cycles(4.0), 32.0), cache(Cycles(12.0), 32.0), cache(Assumed(13.0), 10.0)],
    ..INTEL
};
/// Haswell and Broadwell.
const HASWELL: CoreDesign = CoreDesign {
    caches: &[cache(Cycles(4.0), 64.0), cache(Cycles(12.0), 64.0), cache(Assumed(18.0), 10.0)],
    ..INTEL
};
/// Skylake and Cascade Lake, for servers.
const SKYLAKE: CoreDesign = CoreDesign {
    caches: &[cache(Cycles(4.0), 64.0), cache(Cycles(14.0), 32.0), cache(Assumed(20.0), 11.0)],
    victim: true,
    ..INTEL
};
/// Ice Lake, for servers.
const ICE_LAKE: CoreDesign = CoreDesign {
    instructions: 2.5,
    in_flight: 24.0,
    caches: &[cache(Cycles(5.0), 128.0), cache(Cycles(14.0), 48.0), cache(Assumed(24.0), 10.0)],
    victim: true,
    ..INTEL
};
/// Sapphire Rapids and Emerald Rapids.
const SAPPHIRE_RAPIDS: CoreDesign = CoreDesign {
    clock: 3.0,
    instructions: 2.7,
    in_flight: 28.0,
    caches: &[cache(Cycles(5.0), 128.0), cache(Cycles(14.0), 48.0), cache(Assumed(33.0), 7.0)],
    ..ICE_LAKE
};
const ZEN: CoreDesign = CoreDesign {
    clock: 2.55,
    in_flight: 34.0,
    caches: &[cache(Cycles(4.0), 32.0), cache(Cycles(12.0), 32.0), cache(Assumed(14.0), 16.0)],
    ..AMD
};
const ZEN_2: CoreDesign = CoreDesign {
    clock: 2.8,
    instructions: 2.3,
    in_flight: 35.0,
    caches: &[cache(Cycles(4.0), 64.0), cache(Cycles(12.0), 32.0), cache(Cycles(39.0), 22.0)],
    ..AMD
};
const ZEN_3: CoreDesign = CoreDesign {
    clock: 3.1,
    instructions: 2.5,
    in_flight: 36.0,
    caches: &[cache(Cycles(4.0), 64.0), cache(Cycles(12.0), 32.0), cache(Cycles(46.0), 22.0)],
    ..AMD
};
const ZEN_4: CoreDesign = CoreDesign {
    clock: 3.5,
    instructions: 2.7,
    in_flight: 55.0,
    caches: &[cache(Cycles(4.0), 64.0), cache(Cycles(14.0), 32.0), cache(Cycles(50.0), 24.0)],
    ..AMD
};
const ZEN_5: CoreDesign = CoreDesign {
    instructions: 3.0,
    in_flight: 60.0,
    caches: &[cache(Cycles(4.0), 128.0), cache(Cycles(14.0), 64.0), cache(Assumed(14.0), 24.0)],
    ..ZEN_4
};
const NEOVERSE_N1: CoreDesign = CoreDesign {
    manual: "Arm's manual of the core",
    protocol: Protocol::Moesi,
    clock: 3.0,
    in_flight: 33.0,
    caches: &[cache(Cycles(4.0), 32.0), cache(Cycles(11.0), 32.0), cache(Assumed(35.0), 8.0)],
    victim: true,
    ..INTEL
};
const A64FX: CoreDesign = CoreDesign {
    manual: "Fujitsu's microarchitecture manual",
    protocol: Protocol::Mesi,
    clock: 2.0,
    instructions: 1.2,
    in_flight: 22.0,
    caches: &[cache(Cycles(5.0), 128.0), cache(Cycles(42.0), 42.0)],
    ..INTEL
};

static DESIGNS: [(&str, CoreDesign); 12] = [
    ("Sandy Bridge", SANDY_BRIDGE),
    ("Haswell", HASWELL),
    ("Skylake", SKYLAKE),
    ("Ice Lake", ICE_LAKE),
    ("Sapphire Rapids", SAPPHIRE_RAPIDS),
    ("Zen", ZEN),
    ("Zen 2", ZEN_2),
    ("Zen 3", ZEN_3),
    ("Zen 4", ZEN_4),
    ("Zen 5", ZEN_5),
    ("Neoverse N1", NEOVERSE_N1),
    ("A64FX", A64FX),
];

/// Finds the design that `reference/processors.csv` names.
pub(super) fn find(name: &str) -> Option<&'static CoreDesign> {
    DESIGNS.iter().find(|(known, _)| *known == name).map(|(_, design)| design)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shipped `epyc-9654-2p` has 14 cycles of 3.55 GHz for a hit in the second level; caches farther away take
    /// longer.
    #[test]
    fn caches_farther_away_take_longer() {
        let nanoseconds = |design: &CoreDesign, latency: Latency| match latency {
            Cycles(cycles) => cycles / design.clock,
            Assumed(nanoseconds) => nanoseconds,
        };
        assert!((nanoseconds(&ZEN_4, ZEN_4.caches[1].latency) - 4.0).abs() < 0.01);
        for (_, design) in &DESIGNS {
            assert!(design.caches.len() >= 2);
            for pair in design.caches.windows(2) {
                assert!(nanoseconds(design, pair[0].latency) < nanoseconds(design, pair[1].latency));
                assert!(pair[0].width >= pair[1].width);
            }
        }
    }
}
