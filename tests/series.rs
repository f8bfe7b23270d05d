//! Series of workloads and of `--series`, flags that reduce a series to one run, and page placement over a whole run.

use crate::support::{Desk, failure, says, text};

/// Machine of two sockets of four cores; each socket is a node.
const MACHINE: &str = "socket:2 core:4";

/// Output of `numalab sim` for a shipped workload on `MACHINE`, with values that make it short.
fn sim(workload: &str, arguments: &[&str]) -> String {
    Desk::empty().answer(&[&["sim", MACHINE, workload], arguments].concat())
}

#[track_caller]
fn refusal(workload: &str, arguments: &[&str]) -> String {
    Desk::empty().refusal(&[&["sim", MACHINE, workload], arguments].concat())
}

fn json(workload: &str, arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&sim(workload, &[&["--format", "json"], arguments].concat())).unwrap()
}

/// Positions of the points of a series; empty for a single run.
fn points(results: &serde_json::Value) -> Vec<f64> {
    let points = results["points"].as_array().into_iter().flatten();
    points.map(|point| point["at"].as_f64().unwrap()).collect()
}

macro_rules! golden {
    ($name:literal, $text:expr) => {
        insta::with_settings!({ snapshot_path => "goldens", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!($name, $text);
        });
    };
}

#[test]
fn a_series_as_users_see_it() {
    golden!("series-serial-bandwidth", sim("serial_bandwidth", &["--set", "workload.passes=10"]));
    golden!("series-go-around-one-step", sim("memory_go_around", &["--set", "workload.step=4"]));
    let csv = ["--series", "threads=1,2,8", "--format", "csv"];
    golden!("series-parallel-bandwidth-csv", sim("parallel_bandwidth", &csv));
}

#[test]
fn series_runs_unless_its_parameter_is_set() {
    // Team sizes: powers of two, and the largest team.
    assert_eq!(points(&json("parallel_bandwidth", &[])), [1.0, 2.0, 4.0, 8.0]);
    let step = "workload.step=3";
    assert_eq!(points(&json("memory_go_around", &[])).len(), 9);
    for (workload, fixed) in [
        ("parallel_bandwidth", &["-t", "4"][..]),
        ("parallel_bandwidth", &["--no-series"]),
        ("memory_go_around", &["--set", step]),
        ("memory_go_around", &["--set", "workload.parameters.step=3"]),
        ("loadbal", &["--set", "workload.footprint=1 MB"]),
    ] {
        let results = json(workload, fixed);
        assert!(results["runs"].is_array() && results["points"].is_null(), "{workload} {fixed:?}");
    }
    // Fixing a parameter other than the varied one keeps the series; a smaller team has fewer steps.
    assert_eq!(
        points(&json("memory_go_around", &["-t", "2", "--set", "workload.passes=1"])),
        [0.0, 1.0, 2.0]
    );
    assert_eq!(points(&json("parallel_bandwidth", &["--procs", "0-3"])), [1.0, 2.0, 4.0]);
}

#[test]
fn environment_sets_threads_with_omp_env() {
    let run = |arguments: &[&str]| {
        let all = [&["sim", MACHINE, "parallel_bandwidth", "--format", "json"], arguments].concat();
        let mut command = Desk::empty().numalab(&all);
        command.current_dir(std::env::temp_dir());
        command.env_remove("OMP_PLACES").env_remove("OMP_PROC_BIND").env("OMP_NUM_THREADS", "2");
        let output = command.assert().success().get_output().clone();
        serde_json::from_str::<serde_json::Value>(&text(&output.stdout)).unwrap()
    };
    assert_eq!(run(&["--omp-env"])["runs"][0]["threads"], 2);
    assert_eq!(points(&run(&[])).len(), 4);
}

#[test]
fn a_typed_series_wins() {
    let over = |series: &str, more: &[&str]| {
        points(&json(
            "memory_go_around",
            &[&["--series", series, "--set", "workload.passes=1"], more].concat(),
        ))
    };
    assert_eq!(over("step=0..8:4", &[]), [0.0, 4.0, 8.0]);
    assert_eq!(over("step=0,threads/2", &["-t", "6"]), [0.0, 3.0]);
    assert_eq!(over("threads=1..threads*2", &["-t", "6"]), [1.0, 2.0, 4.0, 6.0]);
    assert_eq!(over("chunk=64KiB..256 KiB*2", &[]), [65536.0, 131072.0, 262144.0]);
    // A workload without a series of its own, under several policies.
    let results = json(
        "loadbal",
        &["--series", "footprint=1MB,2MB", "-p", "static", "-p", "dynamic", "--set", "workload.packages=16"],
    );
    assert_eq!(points(&results), [1e6, 2e6]);
    assert_eq!(results["points"][1]["runs"][1]["policy"], "dynamic");
    let words = json("stream", &["--series", "stores=streaming,ordinary", "--set", "workload.repeats=1"]);
    assert_eq!(words["points"][0]["text"], "streaming");
    // The typed series is recorded, so that hashes of two series differ.
    assert_eq!(words["workload"]["overrides"][1], "--series stores=streaming,ordinary");
    assert_eq!(words["workload"]["resolved"]["series"]["over"], "stores");
}

#[test]
fn series_point_equals_single_run() {
    let series = json("memory_go_around", &["--series", "step=0..8:4"]);
    let run = json("memory_go_around", &["--set", "workload.step=4"]);
    let point = &series["points"][1]["runs"][0];
    assert_eq!(point["makespan_ps"], run["runs"][0]["makespan_ps"]);
    assert_eq!(point["values"][0], run["runs"][0]["measures"][0]["value"]);
    // Offset of half of a machine with two nodes: all accesses are remote. Offset of the whole machine: none is.
    let at = |point: usize| series["points"][point]["runs"][0]["makespan_ps"].as_u64().unwrap();
    assert!(at(1) > at(0));
    assert_eq!(at(0), at(2));
}

#[test]
fn jobs_never_show() {
    let run = |jobs: &str| sim("memory_go_around", &["--format", "json", "-j", jobs]);
    assert_eq!(run("1"), run("3"));
}

#[test]
fn the_picture_is_a_curve() {
    let desk = Desk::empty();
    desk.answer(&["sim", MACHINE, "parallel_bandwidth", "--svg", "curve.svg", "-o", "points.csv"]);
    assert_eq!(desk.files(), ["curve.svg", "points.csv"]);
    let read = |file: &str| std::fs::read_to_string(desk.path().join(file)).unwrap();
    says(&read("curve.svg"), &["<svg", "parallel_bandwidth on", "read_bandwidth", "write_bandwidth"]);
    says(&read("points.csv"), &["read_bandwidth [GB/s]"]);
}

/// Two series are the runs that a user would type one by one, whatever the number of workers is.
#[test]
fn two_series_are_the_runs_of_each_pair() {
    let short = ["--set", "workload.repeats=2", "--format", "json", "--series", "threads=1,2,8"];
    let both = |second: &str, more: &[&str]| {
        let all = [&short[..], &["--series", second], more].concat();
        serde_json::from_str::<serde_json::Value>(&sim("stream", &all)).unwrap()
    };
    for (second, set) in [
        ("stores=streaming,ordinary", ["--set=workload.stores=streaming", "--set=workload.stores=ordinary"]),
        ("placement=interleave,bind:1", ["--placement=interleave", "--placement=bind:1"]),
    ] {
        let crossed = both(second, &["-j", "1"]);
        assert_eq!(crossed, both(second, &["-j", "3"]));
        assert_eq!((points(&crossed), &crossed["over"]), (vec![1.0, 2.0, 8.0], &"threads".into()));
        let values = second.split_once('=').unwrap();
        assert_eq!(crossed["by"], values.0);
        for (number, (value, set)) in values.1.split(',').zip(set).enumerate() {
            let alone = json("stream", &[&short[..2], &short[4..], &[set]].concat());
            for at in 0..3 {
                let [pair, run] = [&crossed["points"][at]["runs"][number], &alone["points"][at]["runs"][0]];
                assert_eq!(pair["by"], value);
                assert_eq!((&pair["makespan_ps"], &pair["values"]), (&run["makespan_ps"], &run["values"]));
            }
        }
    }
}

#[test]
fn two_series_as_users_see_them() {
    let desk = Desk::empty();
    let words =
        ["sim", MACHINE, "stream", "--set", "workload.repeats=2", "--series", "threads=1,8", "--series"];
    let all = [&words[..], &["stores=streaming,ordinary", "--svg", "curves.svg"]].concat();
    golden!("series-two", desk.answer(&all));
    let picture = std::fs::read_to_string(desk.path().join("curves.svg")).unwrap();
    says(&picture, &["by stores", ">streaming<", ">ordinary<"]);
    golden!(
        "series-two-csv",
        desk.answer(&[&words[..], &["stores=streaming,ordinary", "--format", "csv"]].concat())
    );
    // The first series may lie outside of the workload, and team sizes may be the curves.
    let swapped = [&words[..6], &["placement=first-touch,bind:1", "--series", "threads=1,8"]].concat();
    says(&desk.answer(&swapped), &["over placement · by threads", "first-touch", "bind:1"]);
    // Values of the first series may depend on the machine of a curve: 1, 2 and 1, 2, 4 threads.
    let machines = ["sim", "socket:1 core:2", "stream", "--set", "workload.repeats=2", "--format", "json"];
    let series = ["--series", "threads=1..threads*2", "--series", "machine=socket:1 core:2;socket:1 core:4"];
    let two: serde_json::Value =
        serde_json::from_str(&desk.answer(&[&machines[..], &series].concat())).unwrap();
    let runs: Vec<usize> = two["points"]
        .as_array()
        .unwrap()
        .iter()
        .map(|point| point["runs"].as_array().unwrap().len())
        .collect();
    assert_eq!((points(&two), runs), (vec![1.0, 2.0, 4.0], vec![2, 2, 1]));
}

/// Law: No two runs of a series have the same name.
#[test]
fn a_value_typed_twice_is_refused() {
    for (series, parts) in [
        (
            "runtime=intel-14,intel-14",
            &["intel-14 is here twice", "type each value once: --series runtime=intel-14"][..],
        ),
        ("threads=1,1,2", &["--series:1:11", "1 is here twice", "type each value once"]),
        ("placement=bind:0,1;bind:0,1", &["bind:0,1 is here twice", "--series placement='bind:0,1;'"]),
        ("policy=static,1,guided,static,1", &["static,1 is here twice", "--series policy=static,1,guided"]),
    ] {
        says(&refusal("stream", &["--series", series]), parts);
        for [over, by] in [["stores=ordinary", series], [series, "stores=ordinary"]] {
            let refused = refusal("stream", &["--series", over, "--series", by]);
            says(&refused, parts);
            assert!(!refused.contains("makes no run"), "{refused}");
        }
    }
    // On two threads, threads/2 is 1. Points of a single series may coincide, as its table has a row for each.
    let equal = ["--series", "repeats=1,threads/2", "--series", "stores=ordinary", "-t", "2"];
    says(&refusal("stream", &equal), &["two values of --series repeats are 1", "leave out one of them"]);
    assert_eq!(points(&json("stream", &[&equal[..2], &equal[4..]].concat())), [1.0, 1.0]);
    says(&refusal("stream", &["--dsm", "none,none"]), &["none is here twice", "once: --dsm none"]);
}

#[test]
fn errors_of_two_series_name_what_is_wrong() {
    let two = |one: &str, other: &str| refusal("stream", &["--series", one, "--series", other]);
    let errors = |text: &str| text.lines().filter(|line| line.starts_with("error")).count();
    // The first series is wrong in all curves, so no curve is named.
    let long = two("repeats=1..100000000", "threads=1,2");
    says(&long, &["--series:1:", "at most 10000 steps"]);
    assert_eq!((errors(&long), long.contains("makes no run")), (1, false), "{long}");
    let second = two("threads=1,2", "repeats=1..100000000");
    assert_eq!((errors(&second), second.contains("makes no run")), (1, false), "{second}");
    // A team of 100 is too large for two processors, but not for eight.
    let one = two("threads=1,100", "machine=socket:1 core:2;socket:2 core:4");
    says(&one, &["error: machine socket:1 core:2, threads 100: a team of 100 threads is too large for 2"]);
    // One heading for both values.
    let inner = two("machine.core.outstanding=4,many", "threads=1,2");
    says(&inner, &["machine.core.outstanding many makes no run", "expected a number"]);
    assert_eq!((errors(&inner), inner.contains("threads 1")), (2, false), "{inner}");
    for series in ["machine.core.outstanding=1..100", "procs=0..3"] {
        let over = series.split_once('=').unwrap().0;
        let problem = format!("--series {over} takes no range");
        let parts = [&*problem, "type all values"];
        says(&refusal("stream", &["--series", series]), &parts);
        says(&two("threads=1,2", series), &parts);
        says(&two(series, "threads=1,2"), &parts);
    }
}

/// Law: A parameter that is called like a flag is another value than the flag's.
#[test]
fn parameter_called_like_a_flag_stands_beside_the_flag() {
    let [flag, own] = ["placement=interleave,bind:1", "workload.placement=distributed,compact"];
    for (over, by) in [(flag, own), (own, flag)] {
        let names = [over, by].map(|series| series.split('=').next().unwrap());
        let series = json("epcc_nested", &["--series", over, "--series", by]);
        assert_eq!([&series["over"], &series["by"]], names);
        let runs =
            series["points"].as_array().unwrap().iter().flat_map(|point| point["runs"].as_array().unwrap());
        assert_eq!(runs.count(), 4);
    }
}

#[test]
fn two_series_that_make_no_sense_are_refused() {
    let two = |one: &str, other: &str, more: &[&str]| {
        refusal("stream", &[&["--series", one, "--series", other], more].concat())
    };
    says(
        &two("threads=1,2", "threads=4", &[]),
        &["two --series vary threads", "type all values in one: --series threads=1,2,4"],
    );
    // The same value by another name, in both orders.
    for (one, other, advice) in [
        ("threads=1,2", "workload.threads=2,4", "--series threads=1,2,4"),
        ("workload.threads=2,4", "threads=1,2", "--series threads=2,4,1"),
        ("stores=streaming", "workload.stores=ordinary", "--series stores=streaming,ordinary"),
        ("policy=static,1", "policies=guided", "--series policy=static,1,guided"),
        ("proc_bind=close", "binding=spread", "--series proc_bind=close,spread"),
    ] {
        let over = advice.split([' ', '=']).nth(1).unwrap();
        says(&two(one, other, &[]), &[&format!("two --series vary {over}"), &format!("in one: {advice}")]);
    }
    // No comma joins a range, or values with commas.
    for (one, other) in [("threads=1..4", "threads=2,8"), ("places={0},{1};{2}", "places=cores")] {
        let refused = two(one, other, &[]);
        says(&refused, &["two --series vary", "leave out one of them"]);
        assert!(!refused.contains("in one"), "{refused}");
    }
    says(
        &two("threads=1,2", "stores=ordinary", &["--series", "procs=0-1"]),
        &["--series procs is the third series of at most two", "--set", "numalab sweep combines more"],
    );
    says(
        &two("threads=1,2", "stores=ordinary", &["--machine", "hp8"]),
        &["several machines", "--series machine="],
    );
    says(
        &two("threads=1,2", "stores=ordinary", &["--set", "workload.stores=streaming"]),
        &["--set workload.stores=streaming and --series stores set the same value"],
    );
    says(&two("threads=1,2", "stores=ordinary", &["--trace", "t.pftrace"]), &["a trace shows single runs"]);
    says(&two("threads=1,2", "stores=steaming", &[]), &["did you mean `streaming`?"]);
    // Refused before any run: 6000 values of one times two of the other.
    says(
        &two("footprint=1MB..6000MB:1MB", "stores=ordinary,streaming", &[]),
        &["have more than 10000 runs", "fewer values"],
    );
}

#[test]
fn series_errors_mark_the_typed_text() {
    for (series, parts) in [
        ("threads", &["this is no series", "threads=1,2,4,8"][..]),
        ("stpe=1,2", &["--series:1:1", "no parameter `stpe`", "did you mean `step`?"]),
        ("step=0..thraeds", &["--series:1:9", "did you mean `threads`?"]),
        ("step=0..1e6", &["from 0 to 1000000", "at most 10000 steps"]),
        ("threads=0..4", &["cannot have 0 threads"]),
        ("threads=1,400", &["400 threads is too large for 8 processors"]),
        // Errors of a single point are found when the point is loaded.
        ("chunk=1MB,-1", &["regions.data.size is -8", "expected at least 0"]),
    ] {
        says(&refusal("memory_go_around", &["--series", series]), parts);
    }
    let words = refusal("stream", &["--series", "stores=ordinary,steaming"]);
    says(&words, &["--series:1:17", "stores cannot be \"steaming\"", "did you mean `streaming`?"]);
    let both = refusal("stream", &["--series", "threads=1,2", "--no-series"]);
    says(&both, &["--series", "cannot be used with", "--no-series"]);
    // All errors are reported at once.
    let all = Desk::empty().refusal(&["sim", "bsc16", "stream", "--series", "threds=1"]);
    says(&all, &["bsc16", "did you mean", "threds"]);
    let all = refusal("stream", &["--series", "threads", "--set", "nonsense"]);
    says(&all, &["this is no series", "this sets nothing"]);
}

#[test]
fn placement_applies_to_all_regions_and_is_recorded() {
    let run = |placement: &[&str]| {
        json("serial_bandwidth", &[&["--set", "workload.passes=1", "--no-series"], placement].concat())
    };
    let bytes = |results: &serde_json::Value, level: &str| {
        results["runs"][0]["bytes_by_level"][level].as_u64().unwrap()
    };
    let file = run(&[]);
    assert_eq!((bytes(&file, "machine"), &file["placement"]), (0, &serde_json::Value::Null));
    let far = run(&["--placement", "bind:1"]);
    assert_eq!((bytes(&far, "node"), &far["placement"]), (0, &"bind:1".into()));
    // Pages are interleaved whole.
    let round = run(&["--placement", "interleave"]);
    assert_eq!(bytes(&round, "node") / 4096, bytes(&round, "machine") / 4096);
    let series = json("parallel_bandwidth", &["--series", "threads=1,2", "--placement", "preferred:1"]);
    assert_eq!(series["placement"], "preferred:1");
    for placement in ["first-touch", "interleave:0-1", "fetch", "migrate:0", "next-touch", "balancing"] {
        assert_eq!(run(&["--placement", placement])["placement"], placement);
    }
}

#[test]
fn impossible_placements_are_refused() {
    let placement = |text: &str| refusal("stream", &["--placement", text]);
    says(&placement("interleaf"), &["invalid value 'interleaf'", "did you mean \"interleave\"?"]);
    says(&placement("bind"), &["needs nodes, such as bind:0-3"]);
    says(&placement("bind:3-1"), &["run backwards"]);
    says(&placement("anywhere"), &["unknown placement", "first-touch", "next-touch"]);
    says(&placement("bind:0-2"), &["--placement names node 2, but", "its nodes are 0-1"]);
    says(&placement("preferred:9"), &["--placement names node 9"]);
}

const BOUND: &str = "\
name: bound
regions: { a: { size: 1 MB } }
phases:
  - name: read
    measured: true
    loop:
      iterations: 8
      schedule: static
      touches: [{ region: a, slice: { partition: 1 }, mode: read }]
binding: { places: sockets, proc_bind: spread }
compare: [static]
";

#[test]
fn binding_defaults_to_that_of_the_workload() {
    let desk = Desk::with("bound.yaml", BOUND);
    let run = |arguments: &[&str], places: Option<&str>| {
        let all = [&["sim", MACHINE, "bound.yaml", "-t", "2", "--format", "json"], arguments].concat();
        let mut command = desk.numalab(&all);
        command.env_remove("OMP_PROC_BIND").env_remove("OMP_NUM_THREADS").env_remove("OMP_DISPLAY_AFFINITY");
        places.map(|places| command.env("OMP_PLACES", places));
        let output = command.assert().success().get_output().clone();
        let results: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
        let team = results["runs"][0]["team"].as_array().unwrap();
        let at: Vec<u64> = team.iter().map(|member| member["processor"].as_u64().unwrap()).collect();
        (at, results["binding"].clone())
    };
    let said =
        |places: &str, proc_bind: &str| serde_json::json!({ "places": places, "proc_bind": proc_bind });
    assert_eq!(run(&[], None), (vec![0, 4], said("sockets", "spread")));
    assert_eq!(run(&["--proc-bind", "primary"], None), (vec![0, 1], said("sockets", "primary")));
    // Four places for two threads. Flags override the environment, which overrides the workload.
    assert_eq!(run(&["--omp-env"], Some("{2}:4")), (vec![2, 4], said("{2}:4", "spread")));
    let flags = ["--omp-env", "--places", "{6},{7}"];
    assert_eq!(run(&flags, Some("{2}:4")), (vec![6, 7], said("{6},{7}", "spread")));
    // A run without binding settings records no binding.
    assert!(json("loadbal", &["-p", "static", "--set", "workload.footprint=1 MB"])["binding"].is_null());
}

#[test]
fn a_wrong_binding_of_a_workload_names_the_workload() {
    let desk = Desk::with("bound.yaml", &BOUND.replace("sockets", "socket"));
    let message = failure(desk.numalab(&["sim", MACHINE, "bound.yaml"]).assert().code(2));
    says(&message, &["bound.yaml", "places", "socket"]);
    desk.put("bound.yaml", &BOUND.replace("places: sockets", "places: \"{99}\""));
    let message = failure(desk.numalab(&["sim", MACHINE, "bound.yaml"]).assert().code(2));
    says(&message, &["bound", "{99}"]);
}

#[test]
fn the_workloads_are_listed() {
    let list = Desk::empty().answer(&["list"]);
    for workload in ["cg", "malloc", "matvec", "memory_go_around", "serial_bandwidth", "stream"] {
        says(&list, &[&format!("\n  {workload} ")]);
    }
}

#[test]
fn failed_values_are_named() {
    let says_of = |arguments: &[&str], parts: &[&str]| says(&refusal("loadbal", arguments), parts);
    says_of(&["--series", "placement=interleave,bind:7"], &["placement bind:7: "]);
    says_of(&["--series", "threads=1,100000"], &["threads 100000: "]);
    let small =
        ["--set", "machine.memory.capacity=1 GiB", "--set", "workload.footprint=1.5 GB", "-p", "static"];
    says_of(
        &[&small[..], &["--series", "placement=interleave,bind:0"]].concat(),
        &["placement bind:0: ", "is full"],
    );
}
