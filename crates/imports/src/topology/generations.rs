//! Processors by generation: what their makers' data sheets say, for machines that nobody has measured.

use super::core_designs::{self as cores, CoreDesign};

/// Values of a generation of processors. Bandwidths are peaks.
pub(super) struct Generation {
    /// Name for people.
    pub name: &'static str,
    /// Parts of the model name, all of which must be there; alternatives.
    pub models: &'static [&'static [&'static str]],
    /// Memory of a socket in GB/s, and what that is made of.
    pub memory: (f64, &'static str),
    /// Between two sockets, each direction, in GB/s, and what that is made of; `None` where there is one socket.
    pub link: Option<(f64, &'static str)>,
    /// Double-precision operations of a core in a cycle, and by which units.
    pub flops: (f64, &'static str),
    /// Idle latency of local memory in nanoseconds: no data sheet says it.
    pub latency: f64,
    /// Its cores; `None` where a synthetic machine's are as good.
    pub core: Option<&'static CoreDesign>,
}

/// The generation of a model name.
pub(super) fn generation(model: &str) -> Option<&'static Generation> {
    // `Intel(R) Xeon(R) Gold 6230` and `Xeon Gold 6230` are the same.
    let plain = model.replace("(R)", "").replace("(TM)", "");
    let words: Vec<&str> = plain.split_whitespace().collect();
    let has = |part: &&str| words.iter().any(|word| like(part, word));
    GENERATIONS.iter().find(|one| one.models.iter().any(|parts| parts.iter().all(has)))
}

/// Whether a word is of a pattern in which `?` is any character and a `*` at the end any number of them.
fn like(pattern: &str, word: &str) -> bool {
    let (begin, open) = pattern.strip_suffix('*').map_or((pattern, false), |begin| (begin, true));
    let fits = begin.chars().zip(word.chars()).all(|(p, c)| p == '?' || p.eq_ignore_ascii_case(&c));
    let (least, length) = (begin.chars().count(), word.chars().count());
    fits && if open { length >= least } else { length == least }
}

const QPI: &str = "two QPI links";
const GENERATIONS: [Generation; 27] = [
    Generation {
        name: "Nehalem-EX and Westmere-EX",
        models: &[&["Xeon", "?75??"], &["Xeon", "?65??"], &["Xeon", "E7-?8??"], &["Xeon", "E7-", "?8??"]],
        memory: (34.1, "4 channels of DDR3-1066"),
        link: Some((12.8, "one QPI link of 6.4 GT/s to each neighbour")),
        flops: (4.0, "SSE2: an addition and a multiplication of 2"),
        latency: 135.0,
        core: None,
    },
    Generation {
        name: "Nehalem-EP and Westmere-EP",
        models: &[&["Xeon", "?55??"], &["Xeon", "?56??"]],
        memory: (32.0, "3 channels of DDR3-1333"),
        link: Some((12.8, "one QPI link of 6.4 GT/s")),
        flops: (4.0, "SSE2: an addition and a multiplication of 2"),
        latency: 70.0,
        core: None,
    },
    Generation {
        name: "Ivy Bridge-EP",
        models: &[&["Xeon", "E5-????", "v2"], &["Xeon", "E5-?????", "v2"]],
        memory: (59.7, "4 channels of DDR3-1866"),
        link: Some((32.0, "two QPI links of 8 GT/s")),
        flops: (8.0, "AVX: an addition and a multiplication of 4"),
        latency: 80.0,
        core: Some(&cores::SANDY_BRIDGE),
    },
    Generation {
        name: "Haswell-EP",
        models: &[&["Xeon", "E5-????", "v3"], &["Xeon", "E5-?????", "v3"]],
        memory: (68.3, "4 channels of DDR4-2133"),
        link: Some((38.4, "two QPI links of 9.6 GT/s")),
        flops: (16.0, "AVX2: two fused multiply-adds of 4"),
        latency: 85.0,
        core: Some(&cores::HASWELL),
    },
    Generation {
        name: "Broadwell-EP",
        models: &[&["Xeon", "E5-????", "v4"], &["Xeon", "E5-?????", "v4"]],
        memory: (76.8, "4 channels of DDR4-2400"),
        link: Some((38.4, "two QPI links of 9.6 GT/s")),
        flops: (16.0, "AVX2: two fused multiply-adds of 4"),
        latency: 85.0,
        core: Some(&cores::HASWELL),
    },
    Generation {
        name: "Sandy Bridge-EP",
        models: &[&["Xeon", "E5-????"], &["Xeon", "E5-?????"]],
        memory: (51.2, "4 channels of DDR3-1600"),
        link: Some((32.0, QPI)),
        flops: (8.0, "AVX: an addition and a multiplication of 4"),
        latency: 80.0,
        core: Some(&cores::SANDY_BRIDGE),
    },
    Generation {
        name: "Skylake-SP, Silver and Gold 5100",
        models: &[&["Xeon", "Gold", "51??*"], &["Xeon", "Silver", "41??*"]],
        memory: (115.2, "6 channels of DDR4-2400"),
        link: Some((38.4, "two UPI links of 9.6 GT/s")),
        flops: (16.0, "AVX-512: one fused multiply-add of 8"),
        latency: 85.0,
        core: Some(&cores::SKYLAKE),
    },
    Generation {
        name: "Cascade Lake-SP, Gold 5200",
        models: &[&["Xeon", "Gold", "52??*"]],
        memory: (128.0, "6 channels of DDR4-2666"),
        link: Some((41.6, "two UPI links of 10.4 GT/s")),
        flops: (16.0, "AVX-512: one fused multiply-add of 8"),
        latency: 85.0,
        core: Some(&cores::SKYLAKE),
    },
    Generation {
        name: "Cascade Lake-SP, Silver",
        models: &[&["Xeon", "Silver", "42??*"]],
        memory: (115.2, "6 channels of DDR4-2400"),
        link: Some((38.4, "two UPI links of 9.6 GT/s")),
        flops: (16.0, "AVX-512: one fused multiply-add of 8"),
        latency: 85.0,
        core: Some(&cores::SKYLAKE),
    },
    Generation {
        name: "Skylake-SP",
        models: &[&["Xeon", "Platinum", "81??*"], &["Xeon", "Gold", "?1??*"]],
        memory: (128.0, "6 channels of DDR4-2666"),
        link: Some((41.6, "two UPI links of 10.4 GT/s")),
        flops: (32.0, "AVX-512: two fused multiply-adds of 8"),
        latency: 85.0,
        core: Some(&cores::SKYLAKE),
    },
    Generation {
        name: "Cascade Lake-SP",
        models: &[&["Xeon", "Platinum", "?2??*"], &["Xeon", "Gold", "?2??*"]],
        memory: (140.8, "6 channels of DDR4-2933"),
        link: Some((41.6, "two UPI links of 10.4 GT/s")),
        flops: (32.0, "AVX-512: two fused multiply-adds of 8"),
        latency: 85.0,
        core: Some(&cores::SKYLAKE),
    },
    Generation {
        name: "Ice Lake-SP, Silver",
        models: &[&["Xeon", "Silver", "43??*"]],
        memory: (170.6, "8 channels of DDR4-2666, as of the Silver 4314 on Intel's product pages"),
        link: Some((41.6, "two UPI links of 10.4 GT/s, assumed: its product page was not at hand")),
        flops: (32.0, "AVX-512: two fused multiply-adds of 8"),
        latency: 85.0,
        core: Some(&cores::ICE_LAKE),
    },
    Generation {
        name: "Ice Lake-SP, Gold 5300",
        models: &[&["Xeon", "Gold", "53??*"]],
        memory: (187.7, "8 channels of DDR4-2933, as of the Gold 5320 on Intel's product pages"),
        link: Some((67.2, "three UPI links of 11.2 GT/s, assumed: its product page was not at hand")),
        flops: (32.0, "AVX-512: two fused multiply-adds of 8"),
        latency: 85.0,
        core: Some(&cores::ICE_LAKE),
    },
    Generation {
        name: "Ice Lake-SP",
        models: &[&["Xeon", "Platinum", "83??*"], &["Xeon", "Gold", "?3??*"]],
        memory: (204.8, "8 channels of DDR4-3200"),
        link: Some((67.2, "three UPI links of 11.2 GT/s")),
        flops: (32.0, "AVX-512: two fused multiply-adds of 8"),
        latency: 85.0,
        core: Some(&cores::ICE_LAKE),
    },
    Generation {
        name: "Sapphire Rapids with HBM (its DDR5)",
        models: &[&["Xeon", "Max", "94??*"]],
        memory: (307.2, "8 channels of DDR5-4800"),
        link: Some((96.0, "three UPI links of 16 GT/s")),
        flops: (32.0, "AVX-512: two fused multiply-adds of 8"),
        latency: 115.0,
        core: Some(&cores::SAPPHIRE_RAPIDS),
    },
    Generation {
        name: "Emerald Rapids",
        models: &[&["Xeon", "Platinum", "85??*"], &["Xeon", "Gold", "?5??*"]],
        memory: (358.4, "8 channels of DDR5-5600"),
        link: Some((120.0, "three UPI links of 20 GT/s")),
        flops: (32.0, "AVX-512: two fused multiply-adds of 8"),
        latency: 110.0,
        core: Some(&cores::SAPPHIRE_RAPIDS),
    },
    Generation {
        name: "Sapphire Rapids, Silver",
        models: &[&["Xeon", "Silver", "44??*"]],
        memory: (256.0, "8 channels of DDR5-4000, as of the Silver 4410Y on Intel's product pages"),
        link: Some((64.0, "two UPI links of 16 GT/s, as of article 000093185 of Intel's support pages")),
        flops: (32.0, "AVX-512: two fused multiply-adds of 8"),
        latency: 110.0,
        core: Some(&cores::SAPPHIRE_RAPIDS),
    },
    Generation {
        name: "Sapphire Rapids, Gold 5400",
        models: &[&["Xeon", "Gold", "54??*"]],
        memory: (281.6, "8 channels of DDR5-4400, as of the Gold 5418Y on Intel's product pages"),
        link: Some((96.0, "three UPI links of 16 GT/s, as of article 000093185 of Intel's support pages")),
        flops: (
            32.0,
            "AVX-512: two fused multiply-adds of 8 as in the rest of the generation; article 000093185 of Intel's support pages says one",
        ),
        latency: 110.0,
        core: Some(&cores::SAPPHIRE_RAPIDS),
    },
    Generation {
        name: "Sapphire Rapids",
        models: &[&["Xeon", "Platinum", "84??*"], &["Xeon", "Gold", "?4??*"]],
        memory: (307.2, "8 channels of DDR5-4800"),
        link: Some((96.0, "three UPI links of 16 GT/s, as of article 000093185 of Intel's support pages")),
        flops: (32.0, "AVX-512: two fused multiply-adds of 8"),
        latency: 110.0,
        core: Some(&cores::SAPPHIRE_RAPIDS),
    },
    Generation {
        name: "EPYC 7001 (Naples)",
        models: &[&["EPYC", "7??1*"]],
        memory: (170.6, "8 channels of DDR4-2666"),
        link: Some((75.8, "four xGMI links of 37.9 GB/s both ways together")),
        flops: (8.0, "two fused multiply-adds of 2"),
        latency: 90.0,
        core: Some(&cores::ZEN),
    },
    Generation {
        name: "EPYC 7002 (Rome)",
        models: &[&["EPYC", "7??2*"]],
        memory: (204.8, "8 channels of DDR4-3200"),
        link: Some((128.0, "four xGMI-2 links of 16 GT/s and 16 lanes")),
        flops: (16.0, "AVX2: two fused multiply-adds of 4"),
        latency: 100.0,
        core: Some(&cores::ZEN_2),
    },
    Generation {
        name: "EPYC 7003 (Milan)",
        models: &[&["EPYC", "7??3*"]],
        memory: (204.8, "8 channels of DDR4-3200"),
        link: Some((144.0, "four xGMI-2 links of 18 GT/s and 16 lanes")),
        flops: (16.0, "AVX2: two fused multiply-adds of 4"),
        latency: 100.0,
        core: Some(&cores::ZEN_3),
    },
    Generation {
        name: "EPYC 9004 (Genoa)",
        models: &[&["EPYC", "9??4*"]],
        memory: (460.8, "12 channels of DDR5-4800"),
        link: Some((256.0, "four xGMI-3 links of 32 GT/s and 16 lanes")),
        flops: (16.0, "AVX-512 in halves: two fused multiply-adds of 4"),
        latency: 110.0,
        core: Some(&cores::ZEN_4),
    },
    Generation {
        name: "EPYC 9005 (Turin)",
        models: &[&["EPYC", "9??5*"]],
        memory: (576.0, "12 channels of DDR5-6000"),
        link: Some((256.0, "four xGMI-3 links of 32 GT/s and 16 lanes")),
        flops: (32.0, "AVX-512: two fused multiply-adds of 8"),
        latency: 115.0,
        core: Some(&cores::ZEN_5),
    },
    Generation {
        name: "ThunderX2",
        models: &[&["ThunderX2*"]],
        memory: (170.6, "8 channels of DDR4-2666"),
        link: None,
        flops: (8.0, "NEON: two fused multiply-adds of 2"),
        latency: 110.0,
        core: None,
    },
    Generation {
        name: "Ampere Altra (Neoverse N1)",
        models: &[&["Ampere*", "Altra*"], &["Neoverse-N1"]],
        memory: (204.8, "8 channels of DDR4-3200"),
        link: None,
        flops: (8.0, "NEON: two fused multiply-adds of 2"),
        latency: 100.0,
        core: Some(&cores::NEOVERSE_N1),
    },
    Generation {
        name: "A64FX",
        models: &[&["A64FX"]],
        memory: (1024.0, "4 stacks of HBM2, one for each core memory group"),
        link: None,
        flops: (32.0, "SVE: two fused multiply-adds of 8"),
        latency: 130.0,
        core: Some(&cores::A64FX),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The first number before a word: 8 of `8 channels`.
    fn before(text: &str, word: &str) -> Option<f64> {
        text.split(word).next()?.trim().rsplit(' ').next()?.parse().ok()
    }

    /// Channels of eight bytes times transfers; links times transfers of two bytes each way.
    #[test]
    fn bandwidths_are_what_they_are_made_of() {
        let mut checked = (0, 0);
        for Generation { name, memory: (memory, channels), link, .. } in &GENERATIONS {
            if let Some(count) = before(channels, "channels") {
                // Behind a comma is whose data sheet says so.
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
