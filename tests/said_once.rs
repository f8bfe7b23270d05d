//! Flags beside a series: those that set the varied parameter are refused, others apply to every point.

use crate::support::{Desk, says, text};

const MACHINE: &str = "socket:4 core:2";
const RUN: [&str; 8] =
    ["sim", MACHINE, "loadbal", "-p", "static", "--set", "workload.footprint=100 MB", "--no-sequential"];

fn table(more: &[&str]) -> String {
    Desk::empty().answer(&[&RUN[..], &["--format", "csv"], more].concat())
}

/// Makespans of the rows of a CSV text, in order.
fn makespans(csv: &str) -> Vec<String> {
    column(csv, "makespan_ps")
}

/// Values of a column. The column is counted from the end of each row, because earlier cells may contain commas.
fn column(csv: &str, name: &str) -> Vec<String> {
    let mut lines = csv.lines();
    let at = lines.next().unwrap().rsplit(',').position(|known| known == name).unwrap();
    lines.map(|line| line.rsplit(',').nth(at).unwrap().to_owned()).collect()
}

#[test]
fn swept_and_fixed_values_are_exclusive() {
    let desk = Desk::empty();
    for (series, flags, named) in [
        ("threads=1,2", &["-t", "4"][..], "--threads and --series threads"),
        (
            "placement=interleave,first-touch",
            &["--placement", "bind:0"],
            "--placement and --series placement",
        ),
        ("placement=interleave,first-touch", &["--interleave", "0-1"], "--interleave and"),
        ("placement=interleave,first-touch", &["--membind", "0"], "--membind and"),
        ("placement=interleave,first-touch", &["--localalloc"], "--localalloc and"),
        ("procs=0-1,0-3", &["--procs", "0"], "--procs and"),
        ("procs=0-1;0-3", &["--cpuset", "0x1"], "--cpuset and"),
        ("places=cores;sockets", &["--places", "threads"], "--places and"),
        ("proc_bind=close,spread", &["--proc-bind", "close"], "--proc-bind and"),
        ("runtime=plain,llvm", &["--runtime", "gcc"], "--runtime and"),
        (
            "packages=8,16",
            &["--set", "workload.packages=4"],
            "--set workload.packages=4 and --series packages",
        ),
        (
            "machine.memory.bandwidth=x1,x2",
            &["--set", "machine.memory.bandwidth=x2"],
            "--set machine.memory.bandwidth=x2 and",
        ),
        (
            "runtime.lock.kind=mcs,ticket",
            &["--set", "runtime.lock.kind=mcs"],
            "and --series runtime.lock.kind",
        ),
        ("machine=hp8,bcs16", &[], "is not among the machines"),
        ("threads=1,2", &["--machine", "hp8"], "several machines and --series over threads"),
        ("placement=interleave,first-touch", &["--picture", "pages"], "--picture pages shows single runs"),
    ] {
        says(&desk.refusal(&[&RUN[..], &["--series", series], flags].concat()), &[named]);
    }
}

/// Each point of a series equals the run in which its value is typed.
#[test]
fn flags_apply_to_all_points_of_a_series() {
    for (flag, value) in [
        ("--interleave", "0-1"),
        ("--placement", "bind:1"),
        ("--cpuset", "0x0f"),
        ("--cpunodebind", "1-2"),
        ("--proc-bind", "spread"),
        ("-t", "3"),
        ("--runtime", "gcc"),
    ] {
        for (series, values, path) in [
            ("packages", ["8", "16"], "workload.packages"),
            ("machine.memory.bandwidth", ["x1.5", "x2"], "machine.memory.bandwidth"),
        ] {
            let row = table(&[flag, value, "--series", &format!("{series}={}", values.join(","))]);
            let alone = values.map(|one| {
                makespans(&table(&[flag, value, "--no-series", "--set", &format!("{path}={one}")])).remove(0)
            });
            assert_eq!(makespans(&row), alone, "{flag} {value} over {series}");
        }
    }
    // Node 1 is resolved on each run's machine: one of four nodes, and one of two.
    let run = ["sim", "loadbal", "--machine", "socket:4 core:2", "--machine", "socket:2 core:4"];
    let more =
        ["-p", "static", "--cpunodebind", "1", "--format", "csv", "--set", "workload.footprint=100 MB"];
    let both = Desk::empty().answer(&[&run[..], &more].concat());
    assert_eq!(column(&both, "threads"), ["2", "4"], "{both}");
}

#[test]
fn affinities_of_all_points_are_shown() {
    let desk = Desk::empty();
    let shown = |more: &[&str]| {
        let words = [&RUN[..], &["--display-affinity", "-t", "2"], more].concat();
        let words: Vec<&str> = match more.iter().any(|word| word.starts_with("threads")) {
            true => words.into_iter().filter(|word| *word != "-t" && *word != "2").collect(),
            false => words,
        };
        text(&desk.numalab(&words).assert().success().get_output().stderr)
    };
    let bound = shown(&["--series", "proc_bind=close,spread"]);
    says(&bound, &["proc_bind close:", "proc_bind spread:"]);
    assert_eq!(bound.lines().count(), 6, "{bound}");
    let teams = shown(&["--series", "threads=1,3"]);
    says(&teams, &["threads 1:", "threads 3:"]);
    assert_eq!(teams.lines().count(), 6, "{teams}");
}
