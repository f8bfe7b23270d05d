//! Output of other tools. The numbers in the samples are made up; the layouts are those of the tools.

mod core_to_core;
mod fuzz;
mod likwid_topology;
mod lscpu;
mod mlc;
mod numactl;
mod rates;
mod recognise;
mod round_trip;
mod slit;

use numalab_imports::foreign::{Foreign, Tool, from_text};

/// Name and text of each sample.
pub const SAMPLES: &[(&str, &str)] = &[
    ("c2clat.txt", include_str!("../../data/foreign/c2clat.txt")),
    ("core-to-core-german.csv", include_str!("../../data/foreign/core-to-core-german.csv")),
    ("core-to-core-named.csv", include_str!("../../data/foreign/core-to-core-named.csv")),
    ("core-to-core-pandas.csv", include_str!("../../data/foreign/core-to-core-pandas.csv")),
    ("core-to-core-people.txt", include_str!("../../data/foreign/core-to-core-people.txt")),
    ("core-to-core-square.csv", include_str!("../../data/foreign/core-to-core-square.csv")),
    ("core-to-core-tabs.tsv", include_str!("../../data/foreign/core-to-core-tabs.tsv")),
    ("core-to-core-triangle.csv", include_str!("../../data/foreign/core-to-core-triangle.csv")),
    ("likwid-bench-load.txt", include_str!("../../data/foreign/likwid-bench-load.txt")),
    ("likwid-bench-series.txt", include_str!("../../data/foreign/likwid-bench-series.txt")),
    ("log.txt", include_str!("../../data/foreign/log.txt")),
    ("lscpu-2.23.txt", include_str!("../../data/foreign/lscpu-2.23.txt")),
    ("lscpu-2.34.json", include_str!("../../data/foreign/lscpu-2.34.json")),
    ("lscpu-2.34.txt", include_str!("../../data/foreign/lscpu-2.34.txt")),
    ("lscpu-2.38-cxl.txt", include_str!("../../data/foreign/lscpu-2.38-cxl.txt")),
    ("lscpu-2.39.json", include_str!("../../data/foreign/lscpu-2.39.json")),
    ("lscpu-arm-clusters.txt", include_str!("../../data/foreign/lscpu-arm-clusters.txt")),
    ("lscpu-e.json", include_str!("../../data/foreign/lscpu-e.json")),
    ("lscpu-e.txt", include_str!("../../data/foreign/lscpu-e.txt")),
    ("lscpu-hybrid.txt", include_str!("../../data/foreign/lscpu-hybrid.txt")),
    ("lscpu-p-columns.txt", include_str!("../../data/foreign/lscpu-p-columns.txt")),
    ("lscpu-p-new.txt", include_str!("../../data/foreign/lscpu-p-new.txt")),
    ("lscpu-p-old.txt", include_str!("../../data/foreign/lscpu-p-old.txt")),
    ("lscpu-power.txt", include_str!("../../data/foreign/lscpu-power.txt")),
    ("lscpu-s390.txt", include_str!("../../data/foreign/lscpu-s390.txt")),
    ("mlc-3.10-latency-no-memory.txt", include_str!("../../data/foreign/mlc-3.10-latency-no-memory.txt")),
    ("mlc-3.11-eight-nodes.txt", include_str!("../../data/foreign/mlc-3.11-eight-nodes.txt")),
    ("mlc-3.11-idle.txt", include_str!("../../data/foreign/mlc-3.11-idle.txt")),
    ("mlc-3.11b-bandwidth-writes.txt", include_str!("../../data/foreign/mlc-3.11b-bandwidth-writes.txt")),
    ("mlc-3.11b-crlf.txt", include_str!("../../data/foreign/mlc-3.11b-crlf.txt")),
    ("mlc-3.11b-max.txt", include_str!("../../data/foreign/mlc-3.11b-max.txt")),
    ("mlc-3.4-sockets.txt", include_str!("../../data/foreign/mlc-3.4-sockets.txt")),
    ("likwid-topology.txt", include_str!("../../data/foreign/likwid-topology.txt")),
    ("mlc-3.5-default.txt", include_str!("../../data/foreign/mlc-3.5-default.txt")),
    ("mlc-3.5-idle.txt", include_str!("../../data/foreign/mlc-3.5-idle.txt")),
    ("mlc-3.6-peak.txt", include_str!("../../data/foreign/mlc-3.6-peak.txt")),
    ("mlc-3.7-loaded.txt", include_str!("../../data/foreign/mlc-3.7-loaded.txt")),
    ("mlc-3.8-bandwidth.txt", include_str!("../../data/foreign/mlc-3.8-bandwidth.txt")),
    ("mlc-3.9-c2c.txt", include_str!("../../data/foreign/mlc-3.9-c2c.txt")),
    ("mlc-3.9-latency-cxl.txt", include_str!("../../data/foreign/mlc-3.9-latency-cxl.txt")),
    ("mlc-3.9a-optane.txt", include_str!("../../data/foreign/mlc-3.9a-optane.txt")),
    ("numactl-eight.txt", include_str!("../../data/foreign/numactl-eight.txt")),
    ("numactl-gap-cxl.txt", include_str!("../../data/foreign/numactl-gap-cxl.txt")),
    ("numactl-memory-less.txt", include_str!("../../data/foreign/numactl-memory-less.txt")),
    ("numactl-no-distances.txt", include_str!("../../data/foreign/numactl-no-distances.txt")),
    ("numactl-two.txt", include_str!("../../data/foreign/numactl-two.txt")),
    ("slit.txt", include_str!("../../data/foreign/slit.txt")),
    ("slit-named.csv", include_str!("../../data/foreign/slit-named.csv")),
    ("stream-5.10-openmp.txt", include_str!("../../data/foreign/stream-5.10-openmp.txt")),
    ("stream-5.10-serial.txt", include_str!("../../data/foreign/stream-5.10-serial.txt")),
    ("stream-5.9.txt", include_str!("../../data/foreign/stream-5.9.txt")),
    ("stream-table.txt", include_str!("../../data/foreign/stream-table.txt")),
];

pub fn sample(name: &str) -> &'static str {
    SAMPLES.iter().find(|(known, _)| *known == name).unwrap().1
}

/// Sample as the readers understand it.
pub fn read(name: &str) -> Foreign {
    from_text(name, sample(name), None).unwrap()
}

/// Message of the error that reading a text gives.
#[track_caller]
pub fn error(text: &str) -> String {
    from_text("FILE", text, None).unwrap_err().to_string()
}

/// Message of the error of a sample in which `to` replaces the first `from`.
#[track_caller]
pub fn changed(name: &str, from: &str, to: &str) -> String {
    let text = sample(name);
    assert!(text.contains(from), "{from:?} is not in {name}");
    error(&text.replacen(from, to, 1))
}

/// Message of the error of a sample that ends before the text `at`.
#[track_caller]
pub fn cut(name: &str, at: &str) -> String {
    let text = sample(name);
    error(&text[..text.find(at).unwrap()])
}

/// A row in short: `experiment quantity a=1;b=2`, its values and its unit.
pub fn short(found: &Foreign) -> Vec<(String, Vec<f64>, &str)> {
    let row = |row: &numalab_imports::measurements::Row| {
        let params: Vec<String> = row.params.iter().map(|(name, value)| format!("{name}={value}")).collect();
        format!("{} {} {}", row.experiment, row.quantity, params.join(";"))
    };
    let values =
        |row: &numalab_imports::measurements::Row| row.samples.iter().map(|sample| sample.value).collect();
    found.rows.iter().map(|r| (row(r), values(r), r.unit.as_str())).collect()
}

/// True if a note contains `part`.
pub fn notes(found: &Foreign, part: &str) -> bool {
    found.notes.iter().any(|note| note.to_string().contains(part))
}

#[test]
fn every_sample_is_recognised() {
    for (name, text) in SAMPLES {
        let tool = match *name {
            "log.txt" => continue,
            "mlc-3.11b-bandwidth-writes.txt" => {
                assert!(error(text).contains("Memory Latency Checker has"), "{name}");
                continue;
            }
            name if name.starts_with("mlc") => Tool::Mlc,
            name if name.starts_with("lscpu") => Tool::Lscpu,
            name if name.starts_with("numactl") => Tool::Numactl,
            name if name.starts_with("slit") => Tool::Slit,
            name if name.starts_with("stream") => Tool::Stream,
            name if name.starts_with("likwid-topology") => Tool::LikwidTopology,
            name if name.starts_with("likwid") => Tool::LikwidBench,
            _ => Tool::CoreToCore,
        };
        let found = from_text(name, text, None).unwrap();
        assert_eq!(found.tools, [tool], "{name}");
        // The result is the same if the user names the tool, and with other line ends.
        assert_eq!(from_text(name, text, Some(tool)).unwrap(), found, "{name}");
        let windows = format!("\u{feff}{}", text.replace("\r\n", "\n").replace('\n', "\r\n"));
        assert_eq!(from_text(name, &windows, None).unwrap(), found, "{name}");
    }
}
