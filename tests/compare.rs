//! `numalab compare`: results compared with earlier ones, in any format.

use crate::support::{Desk, message, says, text};

fn desk() -> Desk {
    let desk = Desk::with("before.csv", include_str!("fixtures/compare/before.csv"));
    desk.put("after.jsonl", include_str!("fixtures/compare/after.jsonl"));
    desk
}

#[test]
fn changes_are_listed() {
    let desk = desk();
    // One makespan changes from 1 s to 1.1 s; one point has 64 threads before and 128 after.
    let told = desk.answer(&["compare", "before.csv", "after.jsonl"]);
    says(&told, &["after.jsonl beside before.csv", "2 points in both, 1 changed"]);
    says(&told, &["hp8 · loadbal · 8 threads", "dynamic", "1.000 s", "1.100 s", "+10.0 %"]);
    says(&told, &["Only in before.csv:\n  hp8 · loadbal · static · 64 threads", "Only in after.jsonl:\n"]);
    let csv = desk.answer(&["compare", "before.csv", "after.jsonl", "--format", "csv"]);
    assert_eq!(
        csv,
        "what,point,policy,measure,unit,a,b,change\n\
         changed,hp8 · loadbal · 8 threads,dynamic,makespan,s,1,1.1,0.10000000000000009\n\
         only in a,hp8 · loadbal · static · 64 threads,,,,,,\n\
         only in b,hp8 · loadbal · static · 128 threads,,,,,,\n"
    );
    let json =
        desk.answer(&["compare", "before.csv", "after.jsonl", "--measure", "rate", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["changed_points"], &json["policies"][0]["mean_ratio"]), (&0.into(), &1.0.into()));
}

#[test]
fn exit_status_needs_its_flag() {
    let desk = desk();
    let status = |arguments: &[&str]| {
        let output = desk.numalab(&[&["compare", "before.csv"], arguments].concat()).output().unwrap();
        assert_eq!(message(&output.stderr), "");
        output.status.code()
    };
    assert_eq!(status(&["after.jsonl"]), Some(0));
    assert_eq!(status(&["after.jsonl", "--exit-code"]), Some(1));
    assert_eq!(status(&["before.csv", "--exit-code"]), Some(0));
    // Points of only one side count as differences at any tolerance.
    assert_eq!(status(&["after.jsonl", "--exit-code", "--within", "20%"]), Some(1));
}

#[test]
fn incomparable_files_have_reasons() {
    let desk = desk();
    desk.put("torn.csv", "machine,policy\nhp8\n");
    let refusal = |arguments: &[&str]| desk.refusal(&[&["compare", "before.csv"], arguments].concat());
    says(&refusal(&["torn.csv"]), &["1 cell under 2 columns", "torn.csv:2"]);
    says(&refusal(&["none.csv"]), &["cannot read none.csv", "no such file"]);
    says(&refusal(&["."]), &["it is a folder", "numalab sweep FILE --collect -o results.csv"]);
    says(&refusal(&["after.jsonl", "--measure", "makspan"]), &["did you mean `makespan`?"]);
    says(&refusal(&["after.jsonl", "--within", "much"]), &["--within", "a percentage such as 1%"]);
}

#[test]
fn all_formats_have_the_same_content() {
    let sweep = "name: s\npoints:\n  machine: \"socket:2 core:2\"\n  workload: loadbal\n  policy: [static, dynamic]\n  \
                 set: { workload.footprint: 100 MB, workload.packages: [32, 64] }\n  seed: [0, 1]\n";
    let desk = Desk::with("s.yaml", sweep);
    for file in ["a.csv", "a.jsonl", "a.parquet"] {
        desk.numalab(&["sweep", "s.yaml", "-o", file]).assert().success();
    }
    for (one, other) in [("a.csv", "a.jsonl"), ("a.jsonl", "a.parquet"), ("a.parquet", "a.csv")] {
        let figures = ["makespan", "events", "compute_ps", "busiest_mean_utilisation", "memory_penalty_ps"];
        let measures = figures.iter().flat_map(|name| ["--measure", name]);
        let arguments: Vec<&str> =
            ["compare", one, other, "--exit-code"].into_iter().chain(measures).collect();
        says(&desk.answer(&arguments), &["8 points in both, 0 changed"]);
    }
    // A gate whose baseline is its own rows passes, in any format.
    for file in ["a.csv", "a.jsonl", "a.parquet"] {
        let gate = format!("gates:\n  - {{ name: same, baseline: {file}, within: 0 % }}\n");
        desk.put("s.yaml", &(sweep.to_owned() + &gate));
        let told = desk.numalab(&["sweep", "s.yaml"]).assert().success();
        says(&text(&told.get_output().stdout), &["the assertion holds, 8 points"]);
    }
}
