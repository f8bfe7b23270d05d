//! Figures in the comments of machine files agree with simulations.

use crate::support::Desk;
use std::fs;
use std::path::Path;

/// Bandwidth in GB/s that the opening comment states: `Stream with streaming stores … moves some N GB/s here`.
fn promise(text: &str) -> Option<f64> {
    let head: Vec<_> = text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim).collect();
    let (_, rest) =
        head.join(" ").split_once("Stream with streaming stores").map(|(a, b)| (a.len(), b.to_owned()))?;
    let (_, number) = rest.split_once("moves some ")?;
    number.split(' ').next()?.parse().ok()
}

#[test]
fn stream_moves_what_the_file_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("machines");
    let mut checked = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let Some(promised) = promise(&fs::read_to_string(&path).unwrap()) else { continue };
        let machine = path.file_stem().unwrap().to_str().unwrap();
        let answer = Desk::empty().answer(&[
            "sim",
            machine,
            "stream",
            "--no-series",
            "--set",
            "workload.stores=streaming",
            "--format",
            "json",
        ]);
        let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
        let measure = &answer["runs"][0]["measures"][0];
        let bandwidth = measure["value"].as_f64().unwrap_or_else(|| panic!("{machine}: {measure}"));
        let off = (bandwidth / promised - 1.0).abs();
        assert!(off < 0.02, "{machine}: the file says {promised} GB/s, simulated are {bandwidth}");
        checked += 1;
    }
    assert!(checked >= 20, "only {checked} files say it");
}

/// Lines with a figure whose origin neither the line nor the comment above it gives.
fn unmarked(text: &str) -> Vec<String> {
    const STRUCTURE: [&str; 14] = [
        "name",
        "description",
        "numbering",
        "kind",
        "count",
        "level",
        "shared_by",
        "shape",
        "link",
        "runtime",
        "near",
        "only_at",
        "interconnect",
        "sharing",
    ];
    const MARKS: [&str; 3] = ["[measured]", "[sheet]", "[assumed]"];
    let marked = |line: &str| {
        line.split_once('#').is_some_and(|(_, said)| MARKS.iter().any(|mark| said.contains(mark)))
    };
    // A comment of several lines belongs to the figure below it.
    let (mut missing, mut above) = (Vec::new(), false);
    for line in text.lines() {
        if line.starts_with('#') {
            above |= marked(line);
            continue;
        }
        let key = line.split_once(" = ").map(|(key, _)| key.trim());
        if key.is_some_and(|key| !STRUCTURE.contains(&key)) && !above && !marked(line) {
            missing.push(line.to_owned());
        }
        above = false;
    }
    missing
}

#[test]
fn figures_of_current_machines_have_sources() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("machines");
    let today = [
        "a64fx",
        "altra-2p",
        "epyc-7763-2p",
        "epyc-7763-2p-nps4",
        "epyc-9654-2p",
        "epyc-9654-2p-nps4",
        "epyc-9755-2p",
        "epyc-zen2-1p",
        "grace",
        "grace-hopper",
        "grace-superchip",
        "graviton4",
        "graviton4-2p",
        "power9-2p",
        "threadripper-7995wx",
        "thunderx2-2p",
        "xeon-6148-2p",
        "xeon-6980p-2p",
        "xeon-8480-2p",
        "xeon-8480-2p-cxl",
        "xeon-8480-2p-snc4",
        "xeon-8490h-4p",
        "xeon-max-9480-2p",
    ];
    for name in today {
        let text = fs::read_to_string(folder.join(name).with_extension("toml")).unwrap();
        assert!(text.contains("Marks: "), "{name} does not say what its marks mean");
        let values = text.split("[origins]").next().unwrap_or_default();
        assert_eq!(unmarked(values), [""; 0], "{name}");
    }
    assert_eq!(
        unmarked("clock = \"3 GHz\"  # as it is\n# [sheet] twice\nsize = \"1 KiB\"\n"),
        ["clock = \"3 GHz\"  # as it is"]
    );
}
