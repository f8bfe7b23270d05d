use crate::*;
use numalab_results::{Change, FrameComparison, PolicyChange, SCHEMA_VERSION};

fn comparison() -> FrameComparison {
    let change = |policy: &str, measure: &str, unit: &str, a: Option<f64>, b: Option<f64>| Change {
        point: "bcs16 · loadbal · 128 threads".to_owned(),
        policy: policy.to_owned(),
        measure: measure.to_owned(),
        unit: unit.to_owned(),
        a,
        b,
        change: a.zip(b).map(|(a, b)| b / a - 1.0),
    };
    let became = |policy: &str, less, more, mean_ratio| PolicyChange {
        policy: policy.to_owned(),
        measure: "makespan".to_owned(),
        points: 8,
        less,
        more,
        mean_ratio,
    };
    FrameComparison {
        schema_version: SCHEMA_VERSION,
        a: "before.csv".to_owned(),
        b: "after.csv".to_owned(),
        within: 0.01,
        medians: true,
        points: 16,
        changed_points: 3,
        changes: vec![
            change("static", "makespan", "s", Some(1.564), Some(1.72)),
            change("dynamic", "makespan", "s", Some(0.5), Some(0.25)),
            change("dynamic", "rate", "GB/s", Some(12.5), None),
        ],
        only_a: vec!["hp8 · static".to_owned()],
        only_b: (0..7).map(|at| format!("hp8 · {at}")).collect(),
        policies: vec![became("static", 0, 1, Some(1.012)), became("dynamic", 1, 0, None)],
    }
}

#[test]
fn in_a_terminal() {
    insta::assert_snapshot!(table(&comparison(), Style { width: 100, ..Style::default() }), @r"
    after.csv beside before.csv
    16 points in both, 3 changed by more than 1 %; medians, since the seeds are not the same

    policy             points  lower  higher  on average
    ────────────────────────────────────────────────────
    static   makespan       8      0       1      +1.2 %
    dynamic  makespan       8      1       0           -

    point                          policy                before     after   change
    ──────────────────────────────────────────────────────────────────────────────
    bcs16 · loadbal · 128 threads  dynamic  rate      12.5 GB/s         -        -
    bcs16 · loadbal · 128 threads  dynamic  makespan   500.0 ms  250.0 ms  -50.0 %
    bcs16 · loadbal · 128 threads  static   makespan    1.564 s   1.720 s  +10.0 %

    Only in before.csv:
      hp8 · static

    Only in after.csv:
      hp8 · 0
      hp8 · 1
      hp8 · 2
      hp8 · 3
      hp8 · 4
      and 2 more
    ");
}

#[test]
fn as_csv() {
    insta::assert_snapshot!(csv(&comparison()), @r"
    what,point,policy,measure,unit,a,b,change
    changed,bcs16 · loadbal · 128 threads,static,makespan,s,1.564,1.72,0.09974424552429673
    changed,bcs16 · loadbal · 128 threads,dynamic,makespan,s,0.5,0.25,-0.5
    changed,bcs16 · loadbal · 128 threads,dynamic,rate,GB/s,12.5,,
    only in a,hp8 · static,,,,,,
    only in b,hp8 · 0,,,,,,
    only in b,hp8 · 1,,,,,,
    only in b,hp8 · 2,,,,,,
    only in b,hp8 · 3,,,,,,
    only in b,hp8 · 4,,,,,,
    only in b,hp8 · 5,,,,,,
    only in b,hp8 · 6,,,,,,
    ");
}

#[test]
fn as_json() {
    let json: serde_json::Value = serde_json::from_str(&json(&comparison())).unwrap();
    assert_eq!(json["changes"][1]["change"], -0.5);
    assert_eq!(json["changes"][2]["b"], serde_json::Value::Null);
}

#[test]
fn equal_results_are_short() {
    let mut same = comparison();
    (same.changes, same.changed_points) = (Vec::new(), 0);
    (same.only_a, same.only_b, same.within, same.medians) = (Vec::new(), Vec::new(), 0.0, false);
    let text = table(&same, Style::default());
    assert_eq!(text, "after.csv beside before.csv\n16 points in both, 0 changed\n");
}
