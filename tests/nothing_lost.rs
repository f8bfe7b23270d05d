//! The program loses no user file and prints no wrong result: outputs that are also inputs, sums that overflow,
//! mistyped sizes that would run for hours, invalid numbers, pipes, names with HTML or Markdown.

use crate::support::{Desk, failure, says, text};
use std::fs;
use std::time::Duration;

const MACHINE: &str = include_str!("fixtures/pair.toml");
const ROWS: &str = "machine,policy,threads,makespan_ps\nm,static,4,1000\nm,dynamic,4,2000\n";
const WORKLOAD: &str = "
name: w
parameters: { work: 1e6, times: 1, n: 8 }
regions: {}
phases:
  - name: p
    measured: true
    times: times
    loop: { iterations: n, schedule: static, instructions: work }
compare: [static]
";
const SWEEP: &str = "
name: x
points: { machine: m.toml, workload: w.yaml, policy: static }
gates: [{ name: same, baseline: base.csv, within: 1 % }]
";

fn desk() -> Desk {
    let desk = Desk::with("m.toml", MACHINE);
    for (file, text) in
        [("w.yaml", WORKLOAD), ("x.yaml", SWEEP), ("q.csv", ROWS), ("d.csv", "10,20\n20,10\n")]
    {
        desk.put(file, text);
    }
    desk
}

/// Checks that a command is refused and that a file keeps its content.
#[track_caller]
fn is_spared(desk: &Desk, file: &str, arguments: &[&str]) {
    let before = fs::read(desk.path().join(file)).unwrap();
    let output = desk.numalab(arguments).assert().code(2).get_output().clone();
    says(&text(&output.stderr), &["is an input of this command", "name another FILE"]);
    assert_eq!(fs::read(desk.path().join(file)).unwrap(), before, "{arguments:?}");
}

#[test]
fn commands_do_not_overwrite_inputs() {
    let desk = desk();
    for (file, arguments) in [
        ("m.toml", &["sim", "m.toml", "w.yaml", "-o", "m.toml", "--format", "json"][..]),
        ("w.yaml", &["sim", "m.toml", "w.yaml", "-o", "w.yaml", "--format", "json"]),
        ("x.yaml", &["sweep", "x.yaml", "-o", "x.yaml", "--format", "csv"]),
        ("m.toml", &["sweep", "x.yaml", "-o", "m.toml", "--format", "csv"]),
        ("x.yaml", &["sweep", "x.yaml", "--markdown", "x.yaml"]),
        ("w.yaml", &["sweep", "x.yaml", "--junit", "w.yaml"]),
        ("q.csv", &["rank", "q.csv", "--by", "policy", "-o", "q.csv"]),
        ("q.csv", &["compare", "q.csv", "q.csv", "-o", "q.csv"]),
        ("q.csv", &["pareto", "q.csv", "--x", "threads", "--y", "makespan_ps", "-o", "q.csv"]),
        ("m.toml", &["distances", "m.toml", "-o", "m.toml", "--format", "json"]),
        ("d.csv", &["places", "m.toml", "--from-matrix", "d.csv", "-o", "d.csv"]),
        ("m.toml", &["show", "m.toml", "--dot", "m.toml"]),
        ("m.toml", &["calibrate", "synthesize", "m.toml", "-o", "m.toml"]),
    ] {
        is_spared(&desk, file, arguments);
    }
    // Recordings are inputs as well, and so is a file redirected to standard input.
    desk.numalab(&["sim", "m.toml", "w.yaml", "-p", "static", "--trace", "t.nlt"]).assert().success();
    fs::hard_link(desk.path().join("t.nlt"), desk.path().join("t.json")).unwrap();
    for arguments in [
        &["sim", "m.toml", "t.nlt", "-p", "static", "--trace", "t.nlt"][..],
        &["explain", "m.toml", "t.nlt", "--only-blame", "-o", "t.json"],
        &["trace", "dump", "t.nlt", "-o", "t.nlt"],
        &["trace", "show", "t.nlt", "-o", "t.json"],
        &["record", "-o", "t.nlt", "--", "./program", "t.nlt"],
    ] {
        is_spared(&desk, "t.nlt", arguments);
    }
    let typed = std::process::Stdio::from(fs::File::open(desk.path().join("m.toml")).unwrap());
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("numalab"));
    let command = command.current_dir(desk.path()).stdin(typed);
    let output = command.args(["sim", "-", "w.yaml", "--format", "json", "-o", "m.toml"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    says(&text(&output.stderr), &["\"m.toml\" is an input of this command"]);
    // Results under the name of a picture, because `plot` accepts only such names for its output.
    desk.put("q.svg", ROWS);
    is_spared(&desk, "q.svg", &["plot", "q.svg", "--x", "policy", "--y", "makespan_ps", "-o", "q.svg"]);
    let host = include_str!("fixtures/pair.jsonl");
    desk.put("host.jsonl", host);
    is_spared(&desk, "host.jsonl", &["calibrate", "fit", "host.jsonl", "-o", "host.jsonl"]);
    assert!(!desk.files().iter().any(|file| file.contains("runtime")), "half of it was written");
}

#[cfg(unix)]
#[test]
fn inputs_are_found_behind_links_and_paths() {
    let desk = desk();
    std::os::unix::fs::symlink(desk.path().join("m.toml"), desk.path().join("soft")).unwrap();
    fs::hard_link(desk.path().join("m.toml"), desk.path().join("hard")).unwrap();
    fs::create_dir(desk.path().join("inner")).unwrap();
    let whole = desk.path().join("m.toml").display().to_string();
    for output in ["./m.toml", "inner/../m.toml", "soft", "hard", &whole] {
        is_spared(&desk, "m.toml", &["sim", "m.toml", "w.yaml", "-o", output, "--format", "json"]);
    }
    is_spared(&desk, "m.toml", &["sim", "soft", "w.yaml", "-o", "hard", "--format", "json"]);
    let message = desk.refusal(&["sim", "m.toml", "w.yaml", "-o", "out.svg", "--svg", "inner/../out.svg"]);
    says(&message, &["the results", "the picture", "would both go to"]);
}

#[test]
fn a_baseline_may_be_renewed() {
    let desk = desk();
    desk.numalab(&["sweep", "x.yaml", "-o", "base.csv"]).assert().code(1);
    let rows = fs::read_to_string(desk.path().join("base.csv")).unwrap();
    desk.numalab(&["sweep", "x.yaml", "-o", "base.csv"]).assert().success();
    assert_eq!(fs::read_to_string(desk.path().join("base.csv")).unwrap(), rows);
}

#[test]
fn times_of_a_team_add_up_or_are_refused() {
    let desk = desk();
    let run = |work: &str, format: &str| {
        let work = format!("workload.work={work}");
        let set = [
            "sim",
            "socket:16 core:8",
            "w.yaml",
            "--set",
            &work,
            "--set",
            "workload.n=128",
            "--no-sequential",
        ];
        desk.numalab(&[&set[..], &["--format", format]].concat()).assert()
    };
    // 2e14 instructions at 3e9 a second (the synthetic machine's 2 GHz × 1.5) are 66 667 s: 128 of them are 8.53e18 ps.
    let output = run("2e14", "csv").success().get_output().clone();
    let csv = text(&output.stdout);
    let column = csv.lines().next().unwrap().split(',').position(|name| name == "compute_ps").unwrap();
    let compute: u64 = csv.lines().nth(1).unwrap().split(',').nth(column).unwrap().parse().unwrap();
    let makespan: u64 = csv.lines().nth(1).unwrap().split(',').nth(7).unwrap().parse().unwrap();
    assert!(compute < u64::MAX / 2 && compute.abs_diff(128 * makespan) < makespan, "{compute} {makespan}");
    // Eleven times as much work takes more than 2^63 ps.
    let message = failure(run("2.2e15", "csv").code(2));
    says(&message, &["128 threads work for more than 106 days together"]);
    // 127 threads wait 38 days for one thread. The sum, 4.2e20 ps, exceeds 64 bits, so it is printed in full or left
    // out.
    let alone = [
        "sim",
        "socket:16 core:8",
        "w.yaml",
        "--set",
        "workload.work=1e16",
        "--set",
        "workload.n=1",
        "--format",
    ];
    says(&desk.answer(&[&alone[..], &["json"]].concat()), &["\"idle_ps\": 4.233"]);
    says(&desk.answer(&[&alone[..], &["csv"]].concat()), &[",,1,0,"]);
    assert!(!desk.answer(&[&alone[..], &["csv"]].concat()).contains(&u64::MAX.to_string()));
}

#[test]
fn long_phases_are_refused_as_too_long() {
    let desk = desk();
    for (what, value) in [("delay_ns", "1e15"), ("delay_ns", "4e15"), ("delay_ns", "1e17")] {
        for construct in ["critical", "barrier", "reduction", "single", "parallel"] {
            let (set, construct) =
                (format!("workload.{what}={value}"), format!("workload.construct={construct}"));
            let arguments = ["sim", "core:2", "epcc", "--no-series", "--set", &set, "--set", &construct];
            let message = desk.refusal(&arguments);
            says(&message, &["takes more than 50 days of simulated time"]);
        }
    }
    // 40 days of one thread are within the limit.
    let days = format!("workload.work={}", 40.0 * 86400.0 * 3e9);
    desk.answer(&["sim", "core:1", "w.yaml", "--set", &days, "--set", "workload.n=1"]);
}

/// Checks that a command is refused within a time limit, far above the usual time.
#[track_caller]
fn refuses_at_once(desk: &Desk, arguments: &[&str], parts: &[&str]) {
    // Limit for an unoptimised program on a busy computer; an optimised one takes a second on an idle computer.
    let long = Duration::from_secs(240);
    says(&failure(desk.numalab(arguments).timeout(long).assert().code(2)), parts);
}

#[test]
fn excessive_values_are_refused_with_the_bound() {
    let desk = desk();
    for (arguments, parts) in [
        (&["sim", "core:2", "fib", "--set", "workload.n=10000"][..], &["more than 1e18 instructions"][..]),
        (
            &["sim", "core:2", "nqueens", "--set", "workload.n=14", "--set", "workload.most_tasks=12e6"],
            &["more than 12000000 tasks are considered", "`most_tasks` allows more"],
        ),
        (
            &["sim", "core:2", "fib", "--set", "workload.n=10000", "--set", "workload.cutoff=10000"],
            &[
                "more than 12000000 tasks would be executed",
                "`cutoff` makes fewer",
                "`most_tasks` allows more",
            ],
        ),
        // 2 F(41) - 1 = 331 160 281 tasks, which may run, and are too many for a recording.
        (
            &[
                "sim",
                "core:2",
                "fib",
                "--set",
                "workload.n=40",
                "--set",
                "workload.cutoff=40",
                "--set",
                "workload.most_tasks=1e9",
                "--trace",
                "fib.nlt",
            ],
            &["too large for a recording", "executes more than 1e8 tasks", "leave --trace out"],
        ),
        (
            &["sim", "core:2", "loadbal", "--set", "workload.packages=100000000"],
            &["100000000 chunks", "dynamic", "at most 10000000", "CHUNK"],
        ),
        (
            &["sim", "socket:1000 core:100", "epcc", "--no-series"],
            &["on 100000 threads", "more than 16384", "at most 10 times", "--threads"],
        ),
        (&["show", "socket:4000 core:1", "--dot", "-"], &["link directions", "100000", "--svg"]),
    ] {
        refuses_at_once(&desk, arguments, parts);
    }
    // Iterations with equal cost are kept as few ranges, however many there are.
    desk.answer(&["sim", "core:2", "w.yaml", "--set", "workload.n=10000001", "--set", "workload.work=1"]);
}

#[test]
fn implausible_numbers_are_refused_where_read() {
    let desk = desk();
    for number in ["1e308", "1e-320", "1e-101"] {
        let set = format!("workload.work={number}");
        says(&desk.refusal(&["sim", "m.toml", "w.yaml", "--set", &set]), &["--set:1:", "is out of range"]);
        desk.put("v.yaml", &WORKLOAD.replace("1e6", number));
        says(&desk.refusal(&["sim", "m.toml", "v.yaml"]), &["v.yaml:3:", "is out of range", "1e-100"]);
        let set = format!("machine.core.flops_per_cycle={number}");
        says(&desk.refusal(&["show", "core:2", "--set", &set]), &["--set:1:", "flops_per_cycle"]);
        let set = format!("machine.memory.latency={number} ns");
        desk.refusal(&["show", "core:2", "--set", &set]);
        desk.put("d.csv", &format!("10,{number}\n{number},10\n"));
        says(&desk.refusal(&["places", "socket:2 core:2", "--from-matrix", "d.csv"]), &["d.csv:1:"]);
    }
}

#[test]
fn implausible_grain_times_are_refused_with_line() {
    let desk = desk();
    for us in ["1e-320", "1e308", "nan", "-1"] {
        desk.put("g.csv", &format!("id,parent,region,us\n0,,r,1\n1,0,r,{us}\n"));
        says(&desk.refusal(&["trace", "import", "g.csv", "-o", "g.nlt"]), &["g.csv:3:", "is no time"]);
    }
}

/// Two million items named by tasks take about a second in a release build.
#[test]
fn excessive_dependence_items_are_refused_early() {
    let desk = desk();
    let depends = "[{ in: t - 1 }, { in: t - 7 }, { in: t - 100 }, { out: t }]";
    desk.put(
        "tree.yaml",
        &format!(
            "name: tree\nparameters: {{ n: 1000000 }}\nregions: {{}}\nphases:\n  - name: p\n    measured: true\n    tasks:\n      \
             root: {{ task: top, arguments: [0] }}\n      kinds:\n        top:\n          arguments: [z]\n          \
             spawn: [{{ task: leaf, arguments: [t], for: t, from: 1, to: n }}]\n          wait: true\n        \
             leaf: {{ arguments: [t], instructions: 30, depends: {depends} }}\n"
        ),
    );
    refuses_at_once(
        &desk,
        &["sim", "core:2", "tree.yaml"],
        &["more than 2000000 items", "fewer tasks or clauses"],
    );
}

#[test]
fn outputs_have_no_nan() {
    let desk = desk();
    let measures =
        "measures:\n  a: { value: 1 / (time - time) }\n  b: { value: (time - time) / (time - time) }\n";
    desk.put("zero.yaml", &format!("{WORKLOAD}{measures}"));
    for format in ["table", "json", "csv"] {
        for work in ["0", "1", "1e15"] {
            let set = format!("workload.work={work}");
            let run =
                desk.numalab(&["sim", "core:2", "zero.yaml", "--set", &set, "--format", format]).assert();
            let output = run.get_output();
            let all = format!("{}{}", text(&output.stdout), text(&output.stderr)).to_lowercase();
            let words = all.split(|c: char| !c.is_alphanumeric());
            let wrong: Vec<&str> = words.filter(|word| ["nan", "inf", "infinity"].contains(word)).collect();
            assert!(wrong.is_empty(), "{wrong:?} in:\n{all}");
        }
    }
}

#[test]
fn messages_show_one_line_of_the_file() {
    let desk = desk();
    let long = format!("name = \"{}\"\nlevel = 3\n", "x".repeat(3_000_000));
    desk.put("long.toml", &long);
    fs::write(desk.path().join("bytes.toml"), b"name = \"a\"\nb = \"\xff\"\n").unwrap();
    fs::write(desk.path().join("bytes.jsonl"), b"{\"record\": \"\xff\"}\n").unwrap();
    desk.put("topology.xml", "<topology>\n<object type=\"PU\" os_index=\"x\"/>\n</topology>\n");
    desk.put("other.xml", "<topology>\n</topology>\n");
    for (arguments, parts) in [
        (&["show", "long.toml"][..], &["long.toml:2"][..]),
        (&["show", "bytes.toml"], &["bytes.toml:2:6", "UTF-8"]),
        (&["calibrate", "fit", "bytes.jsonl", "-o", "o.toml"], &["bytes.jsonl:1:13", "UTF-8"]),
        (
            &["calibrate", "fit", "topology.xml", "other.xml", "-o", "o.toml"],
            &["topology.xml:2", "other.xml:1"],
        ),
    ] {
        let message = desk.refusal(arguments);
        says(&message, parts);
        assert!(message.len() < 2000, "{} bytes of message", message.len());
    }
    assert!(!desk.files().iter().any(|file| file.starts_with("o.")));
}

#[test]
fn a_failed_export_leaves_nothing_behind() {
    let desk = desk();
    desk.put("file", "");
    desk.numalab(&["calibrate", "export", "file/kernels"]).assert().code(1);
    fs::create_dir_all(desk.path().join("half/run.sh")).unwrap();
    desk.numalab(&["calibrate", "export", "half", "--force"]).assert().code(1);
    let left: Vec<_> = fs::read_dir(desk.path().join("half")).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn dash_is_standard_input() {
    let desk = desk();
    let expected = desk.answer(&["sim", "m.toml", "w.yaml"]);
    for (arguments, input) in [(["sim", "-", "w.yaml"], MACHINE), (["sim", "m.toml", "-"], WORKLOAD)] {
        let output = desk.numalab(&arguments).write_stdin(input).assert().success().get_output().clone();
        assert_eq!(text(&output.stdout), expected);
    }
    let output = desk.numalab(&["rank", "-", "--by", "policy"]).write_stdin(ROWS).assert().success();
    let ranked = text(&output.get_output().stdout);
    assert_eq!(ranked, desk.answer(&["rank", "q.csv", "--by", "policy"]));
    let twice = failure(desk.numalab(&["sim", "-", "-"]).write_stdin(MACHINE).assert().code(2));
    says(&twice, &["standard input", "has been read before"]);
    let broken = failure(desk.numalab(&["show", "-"]).write_stdin("name = 3\nlevel = []\n").assert().code(2));
    says(&broken, &["standard input:1:8"]);
}

#[cfg(unix)]
#[test]
fn pipes_are_files() {
    let desk = desk();
    let expected = desk.answer(&["sim", "m.toml", "w.yaml"]);
    let program = assert_cmd::cargo::cargo_bin!("numalab");
    let line = format!("cat m.toml | '{}' sim /dev/stdin w.yaml", program.display());
    let shell =
        std::process::Command::new("sh").args(["-c", &line]).current_dir(desk.path()).output().unwrap();
    assert_eq!(text(&shell.stdout), expected, "{}", text(&shell.stderr));
}

#[test]
fn names_are_escaped_in_html() {
    let desk = desk();
    let hostile = "<script>alert(1)</script>&\\\"'|`](x)";
    let name = MACHINE.lines().find(|line| line.starts_with("name")).unwrap();
    desk.put("h.toml", &MACHINE.replace(name, &format!("name = \"{hostile}\"")));
    desk.put("h.yaml", &WORKLOAD.replace("name: w", &format!("name: \"{hostile}\"")));
    desk.put(
        "h.csv",
        "machine,policy,threads,makespan_ps\n<script>|a`b&,<script>|x,4,1000\n<script>|a`b&,<script>|y,4,2000\n",
    );
    let svg = desk.answer(&["sim", "h.toml", "h.yaml", "--svg", "-", "-o", "t.txt"]);
    let graph = desk.answer(&["show", "h.toml", "--svg", "-"]);
    let plot = ["plot", "h.csv", "--x", "policy", "--y", "makespan_ps", "--color", "machine", "-o"];
    desk.answer(&[&plot[..], &["p.html"]].concat());
    desk.answer(&[&plot[..], &["p.svg"]].concat());
    let read = |file: &str| fs::read_to_string(desk.path().join(file)).unwrap();
    for page in [svg, graph, read("p.html"), read("p.svg")] {
        assert!(!page.contains("<script>alert") && !page.contains("<script>|"), "{page}");
        assert!(page.contains("&lt;script&gt;"), "the name is shown as it is");
    }
    let markdown = desk.answer(&["rank", "h.csv", "--by", "policy", "--format", "markdown"]);
    // Names are escaped with a backslash, so that Markdown shows them as text.
    assert!(
        markdown.contains("\\<script>\\|x") && !markdown.replace("\\<", "").contains("<script"),
        "{markdown}"
    );
    assert!(!markdown.replace("\\`", "").contains('`'), "{markdown}");
}

/// The last point of a series is invalid; it is refused before other points run for minutes.
#[test]
fn series_beyond_a_bound_are_refused_at_start() {
    let message = desk().refusal(&["sim", "socket:4000 core:25", "epcc"]);
    says(&message, &["on 100000 threads", "more than 16384", "at most 10 times"]);
}

/// Recordings and Parquet files can come through pipes, although their readers need to seek.
#[test]
fn recordings_and_parquet_come_through_pipes() {
    let desk = desk();
    let run = ["sim", "m.toml", "w.yaml", "-p", "static", "--format", "json"];
    let recorded = desk.answer(&[&run[..], &["--trace", "t.nlt"]].concat());
    let bytes = fs::read(desk.path().join("t.nlt")).unwrap();
    let through = |arguments: &[&str], input: &[u8]| desk.numalab(arguments).write_stdin(input).assert();
    let replayed = through(&["sim", "m.toml", "-", "-p", "static", "--format", "json"], &bytes).success();
    let makespan = |text: &str| {
        serde_json::from_str::<serde_json::Value>(text).unwrap()["runs"][0]["makespan_ps"].clone()
    };
    assert_eq!(makespan(&text(&replayed.get_output().stdout)), makespan(&recorded));
    for command in ["show", "check"] {
        let piped = through(&["trace", command, "-"], &bytes).success();
        assert_eq!(text(&piped.get_output().stdout), desk.answer(&["trace", command, "t.nlt"]));
    }
    let cut = through(&["sim", "m.toml", "-"], &bytes[..60]).code(2);
    says(&failure(cut), &["standard input cannot be replayed: parts of the file are lost"]);
    desk.put("y.yaml", "name: y\npoints: { machine: m.toml, workload: w.yaml, policy: static }\n");
    desk.answer(&["sweep", "y.yaml", "-o", "q.parquet"]);
    let parquet = fs::read(desk.path().join("q.parquet")).unwrap();
    let piped = through(&["compare", "-", "q.parquet"], &parquet).success();
    says(&text(&piped.get_output().stdout), &["standard input"]);
    says(
        &failure(through(&["compare", "-", "q.parquet"], &parquet[..80]).code(2)),
        &["standard input", "no whole Parquet"],
    );
}

#[test]
fn impossible_results_are_refused_with_line() {
    let desk = desk();
    for value in ["nan", "-5", "1e23", "1e308", "1e-320"] {
        desk.put("z.csv", &ROWS.replace("2000", value));
        for command in [
            &["rank", "q.csv", "z.csv", "--by", "file"][..],
            &["pareto", "z.csv", "--x", "threads", "--y", "makespan_ps"],
            &["plot", "z.csv", "--x", "policy", "--y", "makespan_ps", "-o", "p.svg"],
            &["compare", "q.csv", "z.csv"],
        ] {
            says(&desk.refusal(command), &["z.csv:3:1", "`makespan_ps` is "]);
        }
    }
    desk.put("none.csv", "machine,policy,threads,makespan_ps\n");
    says(&desk.refusal(&["compare", "q.csv", "none.csv"]), &["none.csv has no rows"]);
    desk.put("words.jsonl", "{\"policy\":\"a\"}\n{\"policy\":\"b\"}\n");
    let message = desk.refusal(&["rank", "words.jsonl", "--measure", "policy"]);
    says(&message, &["policy has words", "there is no column of numbers"]);
}

/// The system's paths of standard output mean it, so that `>>` appends and a run without a result leaves what was there.
#[cfg(target_os = "linux")]
#[test]
fn standard_output_by_its_path() {
    let desk = desk();
    desk.put("log", "before\n");
    let program = assert_cmd::cargo::cargo_bin!("numalab");
    for (path, code) in [("/dev/stdout", 0), ("/dev/fd/1", 0), ("/proc/self/fd/1", 0), ("/dev/full", 1)] {
        let line = format!("'{}' sim m.toml w.yaml --format csv -o {path} >> log", program.display());
        let ended =
            std::process::Command::new("sh").args(["-c", &line]).current_dir(desk.path()).status().unwrap();
        assert_eq!(ended.code(), Some(code), "{path}");
    }
    let log = fs::read_to_string(desk.path().join("log")).unwrap();
    assert!(log.starts_with("before\n") && log.matches("makespan_ps").count() == 3, "{log}");
}
