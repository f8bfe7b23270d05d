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

#[test]
fn current_machines_say_what_their_origins_are() {
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
        assert!(text.contains("Origins:"), "{name} does not say what its data sheets are");
    }
}
