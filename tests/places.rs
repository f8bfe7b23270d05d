//! Place lists and thread placement from the command line.

use crate::support::Desk;

/// A temporary folder with one of the measured tables.
fn desk(name: &str) -> Desk {
    let text = std::fs::read_to_string(format!("{}/reference/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    Desk::with(name, &text)
}

fn refusal(desk: &Desk, arguments: &[&str]) -> String {
    let output = desk.numalab(arguments).assert().code(2).get_output().clone();
    String::from_utf8(output.stderr).unwrap()
}

// Published from unrounded distances: 376, 379 and 512.
#[test]
fn the_measured_distances_of_sixteen_sockets() {
    let answer =
        desk("distance-bcs16.csv").answer(&["places", "bcs16", "--from-matrix", "distance-bcs16.csv"]);
    let (paste, tours) = answer.split_once("\n\n").unwrap();
    // The exact tour is 0 1 2 9 8 …; each node has eight processors.
    assert!(paste.starts_with("export OMP_PLACES=\"{0:8},{8:8},{16:8},{72:8},{64:8},"), "{paste}");
    assert!(paste.ends_with("\nexport OMP_PROC_BIND=close"), "{paste}");
    for (algorithm, length) in [("greedy", "378.5"), ("christofides", "377.5"), ("exact", "377.5  ◀")] {
        let line = tours.lines().find(|line| line.starts_with(algorithm)).unwrap();
        assert!(line.contains(length), "{line}");
    }
}

#[test]
fn a_machine_beyond_exact_tours() {
    let desk = Desk::empty();
    let answer = desk.answer(&["places", "altix-uv", "--format", "csv"]);
    let row = |algorithm: &str| answer.lines().find(|line| line.contains(algorithm)).unwrap().to_owned();
    assert_eq!(row(",exact,"), "altix-uv,exact,false,,,");
    let length = |algorithm: &str| row(algorithm).split(',').nth(3).unwrap().parse::<f64>().unwrap();
    assert!(length(",local-search,true,") <= length(",greedy,"));
    let refused = refusal(&desk, &["places", "altix-uv", "--algorithm", "exact"]);
    assert!(refused.contains("exact is not feasible for 208 nodes, only for up to 20"), "{refused}");
}

// Two sockets of four cores with two threads each; sibling hardware threads differ by 8.
#[test]
fn hardware_threads_are_in_the_place_of_their_core() {
    let answer = Desk::empty().answer(&["places", "socket:2 core:4 thread:2"]);
    assert!(answer.starts_with("export OMP_PLACES=\"{0:4,8:4},{4:4,12:4}\"\n"), "{answer}");
}

#[test]
fn a_matrix_of_another_machine() {
    let desk = desk("distance-hp8.csv");
    let refused = refusal(&desk, &["places", "bcs16", "--from-matrix", "distance-hp8.csv"]);
    assert!(refused.contains("distances of 8 nodes with processors, but bcs16 has 16 nodes"), "{refused}");
    desk.put("cut.csv", "10,20\n20\n");
    let refused = refusal(&desk, &["places", "hp8", "--from-matrix", "cut.csv"]);
    assert!(
        refused.contains("cut.csv:2:1") && refused.contains("1 distance in a line, but 2 nodes"),
        "{refused}"
    );
}

#[test]
fn the_published_thread_node_table() {
    let desk = desk("tnt-mg8.csv");
    let answer = desk.answer(&["place-threads", "tnt-mg8.csv", "--cores-per-node", "2"]);
    for line in [
        "1       node1       node1    node1",
        "3       node2       node2    node2",
        "critical-path       9 138 698  25.0%     13 993 057",
        "exhaustive          9 238 103  25.2%     18 235 846",
    ] {
        assert!(answer.lines().any(|shown| shown == line), "{line:?} is not in\n{answer}");
    }
    let refused = refusal(&desk, &["place-threads", "tnt-mg8.csv", "--cores-per-node", "1"]);
    assert!(refused.contains("8 threads do not fit on 4 nodes with 1 each"), "{refused}");
    let refused = refusal(&desk, &["place-threads", "tnt-mg8.csv", "--numa-factor", "0.5"]);
    assert!(refused.contains("--numa-factor 0.5 is out of range"), "{refused}");
}

#[test]
fn the_counts_of_a_simulated_run() {
    let desk = Desk::empty();
    let run = [
        "sim",
        "socket:2 core:2",
        "loadbal",
        "-p",
        "static",
        "-p",
        "dynamic",
        "-o",
        "run.json",
        "--set",
        "workload.footprint=1 GB",
    ];
    desk.answer(&run);
    let refused = refusal(&desk, &["place-threads", "--from-run", "run.json"]);
    assert!(
        refused.contains("there are runs of 2 policies") && refused.contains("--policy: static, dynamic"),
        "{refused}"
    );
    let refused = refusal(&desk, &["place-threads", "--from-run", "run.json", "--policy", "statc"]);
    assert!(refused.contains("did you mean `static`?"), "{refused}");
    // Static runs are local: threads 0 and 1 stay on node 0, the others on node 1.
    let arguments =
        ["place-threads", "--from-run", "run.json", "--policy", "static", "--machine", "socket:2 core:2"];
    let answer = desk.answer(&[&arguments[..], &["--algorithm", "critical-path"]].concat());
    assert!(answer.contains("export OMP_PLACES=\"{0},{1},{2},{3}\""), "{answer}");
    desk.put("run.json", "{\"schema_version\": 3,\n \"seed\": true}");
    let refused = refusal(&desk, &["place-threads", "--from-run", "run.json"]);
    assert!(refused.contains("run.json:2:") && refused.contains("these are no results"), "{refused}");
}
