//! Statements of machine files about themselves are what their simulations give.

use crate::support::Desk;
use std::fs;
use std::path::Path;

/// The bandwidth in GB/s that a file's opening lines promise: `Stream with streaming stores … moves some N GB/s here`.
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
    assert!(checked >= 12, "only {checked} files say it");
}
