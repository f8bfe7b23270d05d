//! Flags and variables of numactl, likwid-pin, hwloc and OpenMP runtimes are translated, or reported as not
//! understood.

use crate::support::{Desk, says, text};

const RUN: [&str; 8] = [
    "sim",
    "socket:2 core:4 thread:2",
    "loadbal",
    "-p",
    "static",
    "--set",
    "workload.footprint=100 MB",
    "--no-sequential",
];

fn answer(more: &[&str]) -> String {
    Desk::empty().answer(&[&RUN[..], more].concat())
}

#[test]
fn numactl_places_pages_and_threads() {
    for (theirs, ours) in [
        (&["--interleave=all"][..], &["--placement", "interleave"][..]),
        (&["--interleave=0,1"], &["--placement", "interleave:0,1"]),
        (&["--membind=1"], &["--placement", "bind:1"]),
        (&["--preferred=1"], &["--placement", "preferred:1"]),
        (&["--preferred-many=0-1"], &["--placement", "preferred-many:0-1"]),
        (&["--weighted-interleave=all"], &["--placement", "weighted-interleave"]),
        (&["--localalloc"], &["--placement", "first-touch"]),
        // Socket 1 has cores 4-7; their second hardware threads are 12-15.
        (&["--cpunodebind=1"], &["--procs", "4-7,12-15"]),
        (&["--physcpubind=0-1,8"], &["--procs", "0-1,8"]),
        (&["--cpunodebind=0", "--membind=1"], &["--procs", "0-3,8-11", "--placement", "bind:1"]),
    ] {
        assert_eq!(answer(theirs), answer(ours), "{theirs:?}");
    }
}

#[test]
fn likwid_and_hwloc_place_threads() {
    for (theirs, ours) in [
        (&["--likwid-pin", "S0:0-1@S1:0-1"][..], "0,1,4,5"),
        (&["--likwid-pin", "E:S1:4"], "4,12,5,13"),
        (&["--likwid-pin", "M:scatter", "--threads", "4"], "0,4,1,5"),
        (&["--cpuset", "0x000000f0"], "4-7"),
    ] {
        let ours = answer(&["--procs", ours]);
        assert_eq!(answer(theirs).lines().nth(1), ours.lines().nth(1));
        let rows = |text: &str| {
            text.lines().filter(|line| line.starts_with("static")).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(rows(&answer(theirs))[0], rows(&ours)[0], "{theirs:?}");
    }
}

#[test]
fn ignored_words_are_named() {
    let refusal = |more: &[&str]| Desk::empty().refusal(&[&RUN[..], more].concat());
    for (typed, parts) in [
        (&["--interleave=+0-1"][..], &["--interleave", "\"+0-1\" is not understood"][..]),
        (&["--membind=!1"], &["--membind", "\"!1\" is not understood"]),
        (&["--membind=7"], &["node 7", "0-1"]),
        (&["--cpunodebind=2"], &["--cpunodebind", "\"2\"", "0 to 1"]),
        (&["--physcpubind=+1"], &["--physcpubind", "\"+1\""]),
        (&["--likwid-pin", "C0:0-3"], &["--likwid-pin", "\"C0\"", "S0 to S1"]),
        (&["--likwid-pin", "S0:0-9"], &["places from 0 to 7 in S0"]),
        (&["--cpuset", "0xf...f"], &["--cpuset", "bitmap"]),
        (&["--membind=0", "--placement", "fetch"], &["cannot be used with"]),
        (&["--cpunodebind=0", "--procs", "0"], &["cannot be used with"]),
    ] {
        says(&refusal(typed), parts);
    }
}

#[test]
fn variables_of_runtimes_count_or_are_named() {
    let desk = Desk::empty();
    let with = |variables: &[(&str, &str)]| {
        let mut command = desk.numalab(&[&RUN[..], &["--omp-env"]].concat());
        command.envs(variables.iter().copied());
        let output = command.assert().success().get_output().clone();
        (text(&output.stdout), text(&output.stderr))
    };
    assert_eq!(
        with(&[("GOMP_CPU_AFFINITY", "0 4 1-3:2")]),
        (answer(&["--procs", "0,4,1-3:2"]), String::new())
    );
    let explicit = with(&[("KMP_AFFINITY", "explicit,proclist=[1,5]")]);
    assert_eq!(explicit, (answer(&["--procs", "1,5"]), String::new()));
    // Two sockets of four cores of two hardware threads: core `c` has processors `c` and `c + 8`.
    for (affinity, processors) in [
        ("granularity=fine,compact", "0,8,1,9"),
        ("granularity=fine,compact,1,0", "0,1,2,3"),
        ("scatter", "0,4,1,5"),
        ("balanced", "0,1,2,3"),
        ("compact,1,6", "6,7,8,9"),
    ] {
        let (answered, warned) = with(&[("KMP_AFFINITY", affinity), ("OMP_NUM_THREADS", "4")]);
        assert_eq!((answered, warned), (answer(&["--procs", processors]), String::new()), "{affinity}");
    }
    let subset = with(&[("KMP_HW_SUBSET", "2s,2c@1,1t")]);
    assert_eq!(subset, (answer(&["--procs", "1,2,5,6"]), String::new()));
    let scattered = with(&[("KMP_HW_SUBSET", "2s,2c@1,1t"), ("KMP_AFFINITY", "scatter")]);
    assert_eq!(scattered, (answer(&["--procs", "1,5,2,6"]), String::new()));
    let (_, warned) = with(&[("OMP_DISPLAY_ENV", "maybe"), ("OMP_PLACES", "")]);
    says(&warned, &["OMP_DISPLAY_ENV=maybe is not understood"]);
    let (answered, warned) =
        with(&[("KMP_AFFINITY", "verbose,scatter"), ("OMP_PLACES", "cores"), ("OMP_NUM_THREADS", "2")]);
    assert_eq!(answered, answer(&["--procs", "0,4"]));
    says(&warned, &["OMP_PLACES=cores has no effect: other settings already place the threads"]);
    says(&warned, &["note: KMP_AFFINITY: verbose has no effect here"]);
    // Unknown variables are reported too, for instance of future standards.
    says(&with(&[("OMP_OF_TOMORROW", "1")]).1, &["OMP_OF_TOMORROW=1 is not understood"]);
    let bound = [("OMP_PLACES", "sockets"), ("OMP_SCHEDULE", "guided,4"), ("OMP_DISPLAY_ENV", "true")];
    let (_, shown) = with(&bound);
    says(
        &shown,
        &[
            "OPENMP DISPLAY ENVIRONMENT BEGIN",
            "OMP_NUM_THREADS = '",
            "OMP_SCHEDULE = 'GUIDED,4'",
            "OMP_PROC_BIND = 'CLOSE'",
            // Numbers of second hardware threads follow those of all cores.
            "OMP_PLACES = '{0:4,8:4},{4:4,12:4}'",
        ],
    );
    assert!(!shown.contains("OMP_DISPLAY_AFFINITY"), "{shown}");
    says(
        &with(&[("OMP_DISPLAY_ENV", "verbose"), ("OMP_PROC_BIND", "false")]).1,
        &["OMP_PROC_BIND = 'FALSE'", "OMP_PLACES = ''", "OMP_DISPLAY_AFFINITY = 'FALSE'"],
    );
    // Without `--omp-env` variables have no effect.
    let mut command = desk.numalab(&RUN);
    let output = command.env("KMP_AFFINITY", "scatter").assert().success().get_output().clone();
    assert_eq!(text(&output.stderr), "");
    // `schedule(runtime)` takes the schedule of `OMP_SCHEDULE`.
    let scheduled = |schedule: Option<&str>, policy: &str| {
        let mut command = desk.numalab(&[
            "sim",
            "socket:4 core:1",
            "loadbal",
            "-p",
            policy,
            "--omp-env",
            "--format",
            "csv",
            "--no-sequential",
        ]);
        command.envs(schedule.map(|text| ("OMP_SCHEDULE", text)));
        let csv = text(&command.assert().success().get_output().stdout);
        csv.lines().nth(1).unwrap().replace("\"dynamic,4\"", "runtime").split(',').nth(7).unwrap().to_owned()
    };
    assert_eq!(scheduled(Some("dynamic,4"), "runtime"), scheduled(None, "dynamic,4"));
    assert_ne!(scheduled(Some("dynamic,4"), "runtime"), scheduled(None, "runtime"));
}

#[test]
fn series_vary_policies_and_binding() {
    let desk = Desk::empty();
    let rows = |series: &str, column: usize| -> Vec<String> {
        let run =
            ["sim", "socket:4 core:2", "loadbal", "--no-sequential", "--format", "csv", "--series", series];
        let csv = desk.answer(&[&run[..], &["--set", "workload.footprint=100 MB"]].concat());
        // CSV has quotes around a policy with a chunk, because of its comma.
        let row =
            |line: &str| line.replace("\"static,1\"", "static/1").split(',').nth(column).map(str::to_owned);
        csv.lines().filter_map(row).collect()
    };
    let named = rows("policy=static,1,guided", 0);
    assert_eq!(named.len(), 3, "{named:?}");
    let desk = Desk::empty();
    let both = ["sim", "socket:4 core:2", "loadbal", "-p", "static", "--series", "policy=static,guided"];
    says(&desk.refusal(&both), &["-p and --series both name policies"]);
    says(&desk.refusal(&["sim", "socket:4 core:2", "loadbal", "--series", "policy=fast"]), &["fast"]);
    for nothing in ["policy=", "policy", "policy= , "] {
        let none = ["sim", "socket:4 core:2", "loadbal", "--series", nothing];
        says(&desk.refusal(&none), &["--series policy has no values", "policy=A,B"]);
    }
    let bound = ["sim", "socket:4 core:2", "loadbal", "-p", "static", "-t", "4"];
    let table = |series: &str| desk.answer(&[&bound[..], &["--format", "csv", "--series", series]].concat());
    assert_eq!(
        table("binding=close,spread").replace("binding", "proc_bind"),
        table("proc_bind=close,spread")
    );
}

#[test]
fn messages_quote_the_typed_words() {
    let desk = Desk::empty();
    let many = "500,".repeat(1200) + "500";
    for (flags, name) in [
        (&["--physcpubind", "500"][..], "--physcpubind: the list names processor 500"),
        (&["--likwid-pin", "500"], "--likwid-pin: "),
        (&["--cpuset", "0x1000000000000000000000000"], "--cpuset: "),
        (&["--procs", "500"], "--procs: "),
    ] {
        says(&desk.refusal(&[&RUN[..], flags].concat()), &[name]);
    }
    let set = |name: &str, value: &str, more: &[&str]| {
        let mut command = desk.numalab(&[&RUN[..], &["--omp-env"], more].concat());
        command.env_remove("GOMP_CPU_AFFINITY").env_remove("KMP_AFFINITY").env(name, value).assert()
    };
    let refused = |name: &str, value: &str| crate::support::failure(set(name, value, &[]).code(2));
    says(&refused("GOMP_CPU_AFFINITY", "500"), &["GOMP_CPU_AFFINITY: "]);
    says(&refused("KMP_AFFINITY", "explicit,proclist=[500]"), &["KMP_AFFINITY: "]);
    says(&refused("KMP_AFFINITY", "sactter"), &["KMP_AFFINITY", "unknown name \"sactter\"", "scatter"]);
    says(
        &refused("KMP_HW_SUBSET", "8c"),
        &["KMP_HW_SUBSET: \"8c\" asks for more than a socket has: 4 cores"],
    );
    says(&refused("KMP_HW_SUBSET", "2s,4x"), &["KMP_HW_SUBSET", "unknown name \"x\""]);
    let outdone = set("GOMP_CPU_AFFINITY", "0-3", &["--physcpubind", "0-1"]).success();
    says(&text(&outdone.get_output().stderr), &["GOMP_CPU_AFFINITY has no effect"]);
    // Messages show at most a line of a long value.
    for flags in [
        ["--procs", &*many],
        ["--physcpubind", &many],
        ["--interleave", &many],
        ["--set", &many],
        ["--places", &many],
    ] {
        let message = desk.refusal(&[&RUN[..], &flags].concat());
        assert!(message.lines().all(|line| line.chars().count() < 300), "{flags:?}: {message}");
    }
}

#[test]
fn explaining_understands_the_same_words() {
    let explain = |more: &[&str]| {
        let desk = Desk::empty();
        let run = ["explain", RUN[1], "loadbal", "-p", "static", "--set", RUN[6], "--only-blame"];
        desk.answer(&[&run[..], more].concat())
    };
    assert_eq!(explain(&["--interleave=all"]), explain(&["--placement", "interleave"]));
    assert_eq!(explain(&["--physcpubind=0-3"]), explain(&["--procs", "0-3"]));
}

#[test]
fn settings_without_effect_are_noted() {
    let desk = Desk::empty();
    for placement in ["hbw", "tiering"] {
        let run = desk.numalab(&[&RUN[..], &["--placement", placement]].concat()).assert().success();
        says(&text(&run.get_output().stderr), &[placement, "chooses between kinds of memory"]);
    }
    let twice = ["--placement", "data=interleave", "--placement", "data=first-touch"];
    says(&desk.refusal(&[&RUN[..], &twice].concat()), &["is given twice for region \"data\""]);
}
