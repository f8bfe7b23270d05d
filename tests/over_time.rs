//! `--trace`: runs over time, written to files.

use crate::support::{Desk, failure, message, says};
use std::fs;

const RUN: [&str; 5] = ["sim", "socket:2 core:3", "loadbal", "--set", "workload.footprint=100 MB"];

fn run<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&RUN[..], more].concat()
}

#[test]
fn trace_format_follows_the_extension() {
    let desk = Desk::empty();
    let table = desk.answer(&run(&["-p", "dynamic"]));
    for (file, starts) in [("a.pftrace", &b"\x0a"[..]), ("a.prv", b"#Paraver ("), ("a.parquet", b"PAR1")] {
        assert_eq!(desk.answer(&run(&["-p", "dynamic", "--trace", file])), table, "{file}");
        assert!(fs::read(desk.path().join(file)).unwrap().starts_with(starts), "{file}");
    }
    assert_eq!(desk.files(), ["a.parquet", "a.pcf", "a.pftrace", "a.prv", "a.row"]);
    // The trace has the same bytes with any number of workers.
    let before = fs::read(desk.path().join("a.pftrace")).unwrap();
    desk.answer(&run(&["-p", "dynamic", "--trace", "a.pftrace", "--jobs", "1"]));
    assert_eq!(fs::read(desk.path().join("a.pftrace")).unwrap(), before);
}

#[test]
fn trace_has_one_run_and_lists_omissions() {
    let desk = Desk::empty();
    says(&desk.refusal(&run(&["--trace", "a.pftrace"])), &["a trace shows one run", "--policy", "static"]);
    says(&desk.refusal(&run(&["-p", "static", "--trace", "a.json"])), &[".pftrace", ".prv", ".parquet"]);
    says(&desk.refusal(&run(&["-p", "static", "--trace-window", "1s..2s"])), &["--trace"]);
    let window = |text| run(&["-p", "static", "--trace", "a.prv", "--trace-window", text]);
    says(&desk.refusal(&window("2s..1s")), &["ends before it begins"]);
    let early = ["sim", "bcs16", "stream", "--trace", "a.prv"];
    says(&desk.refusal(&early), &["a series", "--no-series"]);
    assert!(desk.files().is_empty());

    let limited = run(&["-p", "dynamic", "-o", "t.txt", "--trace", "a.pftrace", "--trace-limit", "70kB"]);
    let output = desk.numalab(&limited).assert().success().get_output().clone();
    says(&message(&output.stderr), &["note:", "spans are in the trace", "--trace-limit"]);
    let late = window("100s..200s");
    let told = desk.numalab(&late).assert().code(2).get_output().clone();
    says(&message(&told.stderr), &["--trace-window begins after the run has ended", "the run ends after"]);
}

#[test]
fn unknown_extensions_are_refused() {
    let desk = Desk::empty();
    for file in ["a.html", "a.svg", "a.parquet"] {
        desk.answer(&run(&["-p", "static", "-p", "dynamic", "-o", file]));
    }
    let read = |file: &str| fs::read(desk.path().join(file)).unwrap();
    let page = String::from_utf8(read("a.html")).unwrap();
    says(&page, &["<!DOCTYPE html>", "loadbal on", "</html>"]);
    assert!(page.len() < 200_000, "{}", page.len());
    says(&String::from_utf8(read("a.svg")).unwrap(), &["<svg", "activities over time", "static", "dynamic"]);
    assert!(read("a.parquet").starts_with(b"PAR1"));
    desk.answer(&["rank", "a.parquet"]);
    let files = desk.files();
    says(&desk.refusal(&run(&["-o", "a.png"])), &["\".png\"", ".html", ".parquet", "--format"]);
    says(&failure(desk.numalab(&run(&["--svg", "a.png"])).assert().code(2)), &["written as SVG"]);
    says(&desk.refusal(&["list", "-o", "a.html"]), &["\".html\"", ".json"]);
    assert_eq!(desk.files(), files, "nothing was written");
    let sums = desk.answer(&run(&["-p", "static", "-o", "-", "--picture", "sums", "--svg", "sums.svg"]));
    assert!(!sums.is_empty());
    says(&fs::read_to_string(desk.path().join("sums.svg")).unwrap(), &["the NUMA node that held the data"]);
}
