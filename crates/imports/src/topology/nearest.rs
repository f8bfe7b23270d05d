//! Nearest known generation of a processor whose name is not in the table: `reference/nearest_processors.csv`.
//!
//! | column | |
//! |---|---|
//! | `feature` | a flag that the processor has to have, if its flags are known |
//! | `second cache`, `last cache` | KiB of a cache, if flags are not known |
//! | `cores` | least cores of a socket, if neither flags nor caches are known |
//!
//! The first row that matches counts. An empty field of flags or caches matches nothing, except that all rows of a
//! vendor without features have one.

use super::Topology;
use super::generations::{Generation, named};
use super::reference;
use std::collections::BTreeMap;
use std::sync::LazyLock;

struct Kin {
    vendor: &'static str,
    feature: &'static str,
    second: Option<u64>,
    last: Option<u64>,
    cores: Option<usize>,
    generation: &'static Generation,
}

const TABLE: &str = include_str!("../../../../reference/nearest_processors.csv");

static KIN: LazyLock<Vec<Kin>> = LazyLock::new(|| reference::rows(TABLE, row).flatten().collect());

/// Row of the table; `None` if malformed.
fn row([vendor, feature, second, last, cores, generation]: [&'static str; 6]) -> Option<Kin> {
    Some(Kin {
        vendor,
        feature,
        second: second.parse().ok(),
        last: last.parse().ok(),
        cores: cores.parse().ok(),
        generation: named(generation)?,
    })
}

/// Nearest generation, and the facts by which it was found.
pub(super) fn nearest(topology: &Topology) -> Option<(&'static Generation, &'static str)> {
    let vendor = vendor(topology)?;
    let of_vendor = || KIN.iter().filter(move |kin| kin.vendor == vendor);
    let has = |kin: &&Kin| topology.features.iter().any(|feature| feature == kin.feature);
    let (second, last) = (cache(topology, 2), cache(topology, 3));
    let caches = |kin: &&Kin| {
        kin.second.is_some() && kin.second == second && kin.last.is_none_or(|kib| Some(kib) == last)
    };
    let cores = cores_of_a_socket(topology);
    let large = |kin: &&Kin| kin.cores.is_some_and(|least| cores >= least);
    let by = |found: Option<&'static Kin>, facts| found.map(|kin| (kin.generation, facts));
    by(of_vendor().find(has), "its vendor and flags")
        .or_else(|| by(of_vendor().find(caches), "its vendor and caches"))
        .or_else(|| by(of_vendor().find(large), "its vendor and number of cores"))
}

/// Vendor of the table, by the vendor or the architecture that a source states, or by the name.
fn vendor(topology: &Topology) -> Option<&'static str> {
    let stated =
        [&topology.vendor, &topology.model].into_iter().flatten().map(|text| text.to_ascii_lowercase());
    let known = [
        ("intel", "intel"),
        ("authenticamd", "amd"),
        ("hygon", "amd"),
        ("amd ", "amd"),
        ("aarch64", "arm"),
        ("arm", "arm"),
        ("neoverse", "arm"),
        ("cortex", "arm"),
        ("ampere", "arm"),
        ("ppc64", "power"),
        ("power", "power"),
    ];
    let of = |text: String| known.iter().find(|(part, _)| text.contains(part)).map(|(_, vendor)| *vendor);
    let arm = || topology.features.iter().any(|feature| feature == "asimd").then_some("arm");
    stated.filter_map(of).next().or_else(arm)
}

/// KiB of the caches of a level.
fn cache(topology: &Topology, level: u8) -> Option<u64> {
    topology.caches.iter().find(|cache| cache.level == level).map(|cache| cache.size >> 10)
}

fn cores_of_a_socket(topology: &Topology) -> usize {
    let mut sockets: BTreeMap<Option<u32>, Vec<(Option<u32>, u32)>> = BTreeMap::new();
    for processor in &topology.processors {
        let alone = if processor.core.is_none() { processor.number } else { 0 };
        sockets.entry(processor.package).or_default().push((processor.core, alone));
    }
    let count = |cores: &mut Vec<_>| {
        cores.sort_unstable();
        cores.dedup();
        cores.len()
    };
    sockets.values_mut().map(count).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{CacheUnit, Processor};

    #[test]
    fn every_row_parses() {
        assert_eq!(KIN.len(), TABLE.lines().count() - 1);
    }

    #[test]
    fn flags_count_before_caches_and_caches_before_cores() {
        let of = |vendor: &str, features: &str, caches: &[(u8, u64)], cores: u32| Topology {
            model: Some("new".to_owned()),
            vendor: Some(vendor.to_owned()),
            features: features.split_whitespace().map(str::to_owned).collect(),
            caches: caches
                .iter()
                .map(|&(level, kib)| CacheUnit { level, size: kib << 10, ..CacheUnit::default() })
                .collect(),
            processors: (0..cores)
                .map(|number| Processor { number, package: Some(0), core: Some(number) })
                .collect(),
            ..Topology::default()
        };
        let found = |topology: Topology| nearest(&topology).map(|(generation, by)| (generation.name, by));
        let flags = "its vendor and flags";
        let skylake = "fpu sse4_1 avx avx2 avx512f";
        let small = &[(2, 256)];
        assert_eq!(found(of("GenuineIntel", skylake, small, 8)), Some(("Cascade Lake-SP", flags)));
        let milan = "sse4a avx avx2 clwb vaes";
        assert_eq!(found(of("AuthenticAMD", milan, small, 8)), Some(("EPYC 7003 (Milan)", flags)));
        let caches = "its vendor and caches";
        assert_eq!(found(of("GenuineIntel", "", &[(2, 2048)], 8)), Some(("Sapphire Rapids", caches)));
        assert_eq!(
            found(of("AuthenticAMD", "", &[(2, 512), (3, 16384)], 8)),
            Some(("EPYC 7002 (Rome)", caches))
        );
        let cores = "its vendor and number of cores";
        assert_eq!(found(of("GenuineIntel", "", &[], 40)), Some(("Ice Lake-SP", cores)));
        assert_eq!(found(of("aarch64", "fp asimd", &[], 8)), Some(("Ampere Altra (Neoverse N1)", flags)));
        assert_eq!(found(of("ppc64le", "", &[], 8)), Some(("POWER9", cores)));
        assert_eq!(found(of("GenuineIntel", "", &[], 2)), None);
        assert_eq!(found(of("riscv64", "", &[], 64)), None);
    }
}
