//! Generations of processors, for machines without measurements: `reference/processors.csv`, from the makers' data sheets.
//!
//! | column | |
//! |---|---|
//! | `models` | alternatives, separated by a bar; a model name has to contain all words of one |
//! | `memory` | peak of a socket in GB/s |
//! | `link` | peak between two sockets, each direction, in GB/s; empty for single sockets |
//! | `flops` | double-precision operations of a core in a cycle |
//! | `latency` | idle latency of local memory in nanoseconds, an assumption: no data sheet states it |
//! | `core` | [`CoreDesign`]; empty to keep the core of a synthetic machine |
//!
//! The first row that matches counts.

use super::core_designs::{self as cores, CoreDesign};
use super::reference::{self, list};
use std::sync::LazyLock;

/// Row of the table. Each bandwidth is a peak, and the text beside it states the factors of the peak.
pub(super) struct Generation {
    pub name: &'static str,
    models: Vec<Vec<&'static str>>,
    pub memory: (f64, &'static str),
    pub link: Option<(f64, &'static str)>,
    pub flops: (f64, &'static str),
    pub latency: f64,
    pub core: Option<&'static CoreDesign>,
}

const TABLE: &str = include_str!("../../../../reference/processors.csv");

static GENERATIONS: LazyLock<Vec<Generation>> =
    LazyLock::new(|| reference::rows(TABLE, row).flatten().collect());

/// Generation of a processor by its model name.
pub(super) fn generation(model: &str) -> Option<&'static Generation> {
    // `Intel(R) Xeon(R) Gold 6230` and `Xeon Gold 6230` are the same model.
    let plain = model.replace("(R)", "").replace("(TM)", "");
    let words: Vec<&str> = plain.split_whitespace().collect();
    let has = |part: &&str| words.iter().any(|word| like(part, word));
    GENERATIONS.iter().find(|one| one.models.iter().any(|parts| parts.iter().all(has)))
}

/// True if a word matches a pattern: `?` is any character, a final `*` any number of them.
fn like(pattern: &str, word: &str) -> bool {
    let (begin, open) = pattern.strip_suffix('*').map_or((pattern, false), |begin| (begin, true));
    let fits = begin.chars().zip(word.chars()).all(|(p, c)| p == '?' || p.eq_ignore_ascii_case(&c));
    let (least, length) = (begin.chars().count(), word.chars().count());
    fits && if open { length >= least } else { length == least }
}

/// Generation of a row; `None` if malformed.
fn row(
    [name, models, memory, modules, link, lanes, flops, units, latency, core]: [&'static str; 10],
) -> Option<Generation> {
    Some(Generation {
        name,
        models: list(models).map(|words| words.split(' ').collect()).collect(),
        memory: (memory.parse().ok()?, modules),
        link: if link.is_empty() { None } else { Some((link.parse().ok()?, lanes)) },
        flops: (flops.parse().ok()?, units),
        latency: latency.parse().ok()?,
        core: if core.is_empty() { None } else { Some(cores::find(core)?) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First number before a word: 8 of `8 channels`.
    fn before(text: &str, word: &str) -> Option<f64> {
        text.split(word).next()?.trim().rsplit(' ').next()?.parse().ok()
    }

    #[test]
    fn every_row_parses() {
        for (line, parsed) in TABLE.lines().skip(1).zip(reference::rows(TABLE, row)) {
            assert!(parsed.is_some(), "{line}");
        }
        assert_eq!(GENERATIONS.len(), 27);
    }

    /// Peak = channels of eight bytes × transfers; for links, links × transfers of two bytes each way.
    #[test]
    fn bandwidths_are_what_they_are_made_of() {
        let mut checked = (0, 0);
        for Generation { name, memory: (memory, channels), link, .. } in GENERATIONS.iter() {
            if let Some(count) = before(channels, "channels") {
                // The text after the comma names the data sheet.
                let modules = channels.split(',').next().unwrap_or_default();
                let transfers: f64 = modules.rsplit('-').next().unwrap().parse().unwrap();
                assert!((count * 8.0 * transfers / 1e3 - memory).abs() < 0.1, "{name}: {channels}");
                checked.0 += 1;
            }
            let Some((rate, links)) = link else { continue };
            let many = ["one", "two", "three", "four"].iter().position(|word| links.starts_with(word));
            if let Some(transfers) = before(links, "GT/s") {
                let count = many.unwrap() as f64 + 1.0;
                assert!((count * 2.0 * transfers - rate).abs() < 0.1, "{name}: {links}");
                checked.1 += 1;
            }
        }
        assert_eq!(checked, (26, 22));
    }

    #[test]
    fn model_names_as_processors_say_them() {
        for (model, name) in [
            ("Intel(R) Xeon(R) CPU           X7550  @ 2.00GHz", "Nehalem-EX and Westmere-EX"),
            ("Intel(R) Xeon(R) CPU X5650 @ 2.67GHz", "Nehalem-EP and Westmere-EP"),
            ("Intel(R) Xeon(R) CPU E5-2690 0 @ 2.90GHz", "Sandy Bridge-EP"),
            ("Intel(R) Xeon(R) CPU E5-2680 v2 @ 2.80GHz", "Ivy Bridge-EP"),
            ("Intel(R) Xeon(R) CPU E5-2650L v3 @ 1.80GHz", "Haswell-EP"),
            ("Intel(R) Xeon(R) CPU E5-2699 v4 @ 2.20GHz", "Broadwell-EP"),
            ("Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz", "Skylake-SP"),
            ("Intel(R) Xeon(R) Silver 4114 CPU @ 2.20GHz", "Skylake-SP, Silver and Gold 5100"),
            ("Intel(R) Xeon(R) Gold 5218 CPU @ 2.30GHz", "Cascade Lake-SP, Gold 5200"),
            ("Intel(R) Xeon(R) Silver 4214 CPU @ 2.20GHz", "Cascade Lake-SP, Silver"),
            ("Intel(R) Xeon(R) CPU Max 9480", "Sapphire Rapids with HBM (its DDR5)"),
            ("INTEL(R) XEON(R) PLATINUM 8592+", "Emerald Rapids"),
            ("AMD EPYC 9755 128-Core Processor", "EPYC 9005 (Turin)"),
            ("Intel(R) Xeon(R) Platinum 8280L CPU @ 2.70GHz", "Cascade Lake-SP"),
            ("Intel(R) Xeon(R) Platinum 8358 CPU @ 2.60GHz", "Ice Lake-SP"),
            ("Intel(R) Xeon(R) Platinum 8480+", "Sapphire Rapids"),
            ("Intel(R) Xeon(R) Silver 4310 CPU @ 2.10GHz", "Ice Lake-SP, Silver"),
            ("Intel(R) Xeon(R) Gold 5318Y CPU @ 2.10GHz", "Ice Lake-SP, Gold 5300"),
            ("Intel(R) Xeon(R) Gold 6430", "Sapphire Rapids"),
            ("Intel(R) Xeon(R) Silver 4410Y", "Sapphire Rapids, Silver"),
            ("AMD EPYC 7551 32-Core Processor", "EPYC 7001 (Naples)"),
            ("AMD EPYC 7742 64-Core Processor", "EPYC 7002 (Rome)"),
            ("AMD EPYC 7763 64-Core Processor", "EPYC 7003 (Milan)"),
            ("AMD EPYC 9654 96-Core Processor", "EPYC 9004 (Genoa)"),
        ] {
            assert_eq!(generation(model).map(|one| one.name), Some(name), "{model}");
        }
        for unknown in ["", "Pentium III", "Intel(R) Core(TM) i7-8700 CPU", "POWER8", "Xeon", "EPYC"] {
            assert!(generation(unknown).is_none(), "{unknown}");
        }
    }
}
