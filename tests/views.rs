//! Results of sweeps as pictures, rank tables and Pareto fronts.

use crate::support::{Desk, says};

/// A temporary folder with a file of results.
fn desk() -> Desk {
    let path = format!("{}/tests/fixtures/views/policies.csv", env!("CARGO_MANIFEST_DIR"));
    Desk::with("policies.csv", &std::fs::read_to_string(path).unwrap())
}

// Medians on bcs16 with 64 threads: static 1.22 s, dynamic 1.5 s, stealing 0.81 s; with 128: 1.1, 1.4, 0.6 s; on
// hp8 all three tie with rank 2. Mean ranks: stealing (1 + 1 + 2) / 3, static (2 + 2 + 2) / 3, dynamic (3 + 3 + 2) / 3.
// Ratios of static: 1.22 / 0.81 = 1.506, 1.1 / 0.6 = 1.833, 1: geometric mean 1.403.
#[test]
fn ranks_and_wins() {
    insta::assert_snapshot!(desk().answer(&["rank", "policies.csv"]), @r"
    policy by makespan_ps · less is better · 3 groups of points equal in all else

                            mean         mean  worst  rank on  rank on
    policy                  rank  wins  ratio  ratio    bcs16      hp8  worst at
    ─────────────────────────────────────────────────────────────────────────────────────────────────
    numa-steal:most-loaded  1.33     3  1.000  1.000     1.00     2.00  -
    static                  2.00     1  1.403  1.833     2.00     2.00  bcs16 · loadbal · 128 threads
    dynamic                 2.67     1  1.629  2.333     3.00     2.00  bcs16 · loadbal · 128 threads

    Percentage of common groups in which the policy of the row beats that of the column; a tie counts
    half:
       policy                   1   2   3
    ─────────────────────────────────────
    1  numa-steal:most-loaded   -  83  83
    2  static                  17   -  83
    3  dynamic                 17  17   -

    Not counted: 1 row without makespan_ps.
    ");
    let bcs16 = desk().answer(&["rank", "policies.csv", "--only", "machine=bcs16", "--format", "csv"]);
    assert!(bcs16.starts_with("policy,mean_rank,wins,"), "{bcs16}");
    assert!(bcs16.lines().nth(1).unwrap().starts_with("numa-steal:most-loaded,1,2,2,1,1,"), "{bcs16}");
    let json = desk().answer(&[
        "rank",
        "policies.csv",
        "--by",
        "threads",
        "--only",
        "machine=bcs*",
        "--format",
        "json",
    ]);
    let ranks: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(ranks["rows"][0]["name"], "128");
}

#[test]
fn the_front_of_time_and_traffic() {
    let desk = desk();
    let arguments = ["pareto", "policies.csv", "--y", "bytes_machine", "--svg", "front.svg"];
    insta::assert_snapshot!(desk.answer(&arguments), @r"
    Pareto front of less makespan and less bytes_machine · loadbal

    makespan  bytes_machine  machine  policy                  threads
    ─────────────────────────────────────────────────────────────────
      600 ms        1.20 GB  bcs16    numa-steal:most-loaded      128
      810 ms        1.00 GB  bcs16    numa-steal:most-loaded       64
      900 ms         500 MB  hp8      numa-steal:most-loaded       64

    3 of 9 points on the front. 1 row has no value in one of the columns.
    ");
    let svg = std::fs::read_to_string(desk.path().join("front.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("bytes_machine in GB"), "{svg}");
    let csv = desk.answer(&[
        "pareto",
        "policies.csv",
        "--y",
        "bytes_node",
        "--better-y",
        "more",
        "--format",
        "csv",
    ]);
    assert!(csv.starts_with("machine,policy,threads,makespan_ps,bytes_node,front\n"), "{csv}");
    let markdown = desk.answer(&["pareto", "policies.csv", "--y", "threads", "-o", "front.md"]);
    assert_eq!(markdown, "");
    assert!(desk.files().contains(&"front.md".to_owned()));
}

#[test]
fn pictures() {
    let desk = desk();
    let lines = [
        "plot",
        "policies.csv",
        "--x",
        "threads",
        "--y",
        "makespan",
        "--color",
        "policy",
        "--facet",
        "machine",
    ];
    let svg = desk.answer(&lines);
    for text in ["bcs16", "hp8", "numa-steal:most-loaded", "makespan in s", "1 row without a value left out"]
    {
        assert!(svg.contains(text), "no {text:?} in {svg}");
    }
    assert!(!svg.contains("00000000"), "{svg}");
    let bars = ["plot", "policies.csv", "--x", "policy", "--only", "machine=hp8", "-o", "bars.html"];
    assert_eq!(desk.answer(&bars), "");
    let html = std::fs::read_to_string(desk.path().join("bars.html")).unwrap();
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("<summary>3 rows</summary>"), "{html}");
}

#[test]
fn several_files() {
    let desk = desk();
    let changed = std::fs::read_to_string(desk.path().join("policies.csv"))
        .unwrap()
        .replace("1500000000000", "1600000000000");
    desk.put("slower.csv", &changed);
    let refused = desk.refusal(&["rank", "policies.csv", "slower.csv"]);
    says(
        &refused,
        &["bcs16 · loadbal · dynamic · 64 threads · seed=0", "\"policies\" and \"slower\"", "--color file"],
    );
    let ranks = desk.answer(&[
        "rank",
        "policies.csv",
        "slower.csv",
        "--by",
        "file",
        "--only",
        "policy=dynamic",
        "--only",
        "machine=bcs16",
        "--format",
        "csv",
    ]);
    assert!(ranks.contains("\npolicies,1.25,2,2,"), "{ranks}");
    // Two files with the same rows: each row counts once.
    let parts = desk.answer(&["rank", "policies.csv", "./policies.csv"]);
    assert_eq!(parts, desk.answer(&["rank", "policies.csv"]));
}

#[test]
fn invalid_views_are_refused() {
    let desk = desk();
    let refused = |arguments: &[&str]| desk.refusal(&[&["plot", "policies.csv"], arguments].concat());
    says(
        &refused(&["--x", "threads", "--color", "policy"]),
        &[
            "a mark would mix points that differ in machine (bcs16, hp8)",
            "--only machine=\"bcs16\"",
            "--facet machine",
        ],
    );
    says(
        &refused(&["--x", "thread"]),
        &["no column \"thread\"", "did you mean threads?", "the columns are machine, "],
    );
    says(&refused(&["--x", "threads", "--y", "policy"]), &["policy has words", "makespan_ps"]);
    says(
        &refused(&["--x", "threads", "--only", "policy=statik"]),
        &["no row has policy=\"statik\"", "static, dynamic"],
    );
    says(&refused(&["--x", "threads", "--only", "policy"]), &["COLUMN=VALUE"]);
    says(
        &refused(&["--x", "policy", "--color", "threads", "--facet", "machine", "--log-y"]),
        &["cannot show bars"],
    );
    says(
        &desk.refusal(&["rank", "policies.csv", "--by", "seed", "--measure", "error"]),
        &["error has words"],
    );
    says(&desk.refusal(&["pareto", "none.csv", "--y", "threads"]), &["none.csv"]);
}
