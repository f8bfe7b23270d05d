use super::*;
use numalab_results::{Cell, CellKind, Column};

/// Rows of policy, team size, seed, seconds and GB/s.
fn frame(rows: &[(&str, u64, u64, Option<f64>, f64)]) -> Frame {
    let columns = [
        ("machine", CellKind::Text),
        ("policy", CellKind::Text),
        ("threads", CellKind::Count),
        ("seed", CellKind::Count),
        ("makespan_ps", CellKind::Count),
        ("measure.rate [GB/s]", CellKind::Real),
    ];
    let row = |&(policy, threads, seed, seconds, rate): &(&str, u64, u64, Option<f64>, f64)| {
        vec![
            Cell::Text("hp8".to_owned()),
            Cell::Text(policy.to_owned()),
            Cell::Count(threads),
            Cell::Count(seed),
            seconds.map(|seconds| (seconds * 1e12) as u64).into(),
            Cell::Real(rate),
        ]
    };
    let columns = columns.map(|(name, kind)| Column::new(name, kind)).to_vec();
    Frame { columns, rows: rows.iter().map(row).collect() }
}

fn compared(a: &Frame, b: &Frame, measures: &[&str], within: f64) -> Result<FrameComparison, String> {
    let measures: Vec<String> = measures.iter().map(|name| (*name).to_owned()).collect();
    compare(Side { name: "a.csv", frame: a }, Side { name: "b.csv", frame: b }, &measures, within)
}

#[test]
fn changes_and_points_of_one_side() {
    let a = frame(&[
        ("static", 1, 7, Some(2.0), 5.0),
        ("static", 8, 7, Some(1.0), 5.0),
        ("dynamic", 1, 7, Some(2.0), 5.0),
        ("dynamic", 2, 7, Some(2.0), 5.0),
    ]);
    // The order of the rows does not matter.
    let b = frame(&[
        ("dynamic", 1, 7, Some(2.0), 5.0),
        ("static", 8, 7, Some(2.0), 5.0),
        ("static", 1, 7, Some(1.0), 4.0),
        ("guided", 1, 7, Some(2.0), 5.0),
    ]);
    let found = compared(&a, &b, &[], 0.0).unwrap();
    assert_eq!((found.points, found.changed_points, found.medians), (3, 2, false));
    let changes: Vec<(&str, &str, &str, Option<f64>)> = found
        .changes
        .iter()
        .map(|change| (&*change.point, &*change.policy, &*change.measure, change.change))
        .collect();
    // 1 s becomes 2 s, 4 GB/s become 5 GB/s, 2 s become 1 s.
    assert_eq!(
        changes,
        [
            ("hp8 · 1 thread", "static", "makespan", Some(-0.5)),
            ("hp8 · 1 thread", "static", "rate", Some(-0.2)),
            ("hp8 · 8 threads", "static", "makespan", Some(1.0)),
        ]
    );
    assert_eq!(found.changes[1].unit, "GB/s");
    assert_eq!(found.only_a, ["hp8 · dynamic · 2 threads"]);
    assert_eq!(found.only_b, ["hp8 · guided · 1 thread"]);
    // One halved, one doubled: the geometric mean of 1/2 and 2 is 1.
    let of_static = &found.policies[0];
    assert_eq!((of_static.points, of_static.less, of_static.more), (2, 1, 1));
    assert!((of_static.mean_ratio.unwrap() - 1.0).abs() < 1e-15);
    // 4/5 and 1: the root of 0.8.
    assert!((found.policies[1].mean_ratio.unwrap() - 0.8_f64.sqrt()).abs() < 1e-15);
    assert!(!found.same());
}

#[test]
fn a_tolerance_and_a_measure_by_name() {
    let a = frame(&[("static", 1, 7, Some(2.0), 5.0), ("static", 8, 7, Some(2.0), 5.0)]);
    // 1.5 % more, and 0.5 % more.
    let b = frame(&[("static", 1, 7, Some(2.03), 5.0), ("static", 8, 7, Some(2.01), 1.0)]);
    let found = compared(&a, &b, &["makespan"], 0.01).unwrap();
    assert_eq!((found.changes.len(), found.changed_points), (1, 1));
    assert_eq!((found.policies[0].less, found.policies[0].more), (0, 1));
    assert!(compared(&a, &a, &[], 0.0).unwrap().same());
    let error = compared(&a, &b, &["makspan"], 0.0).unwrap_err();
    assert_eq!(error, "a.csv: there is no column `makspan`: did you mean `makespan`?");
}

#[test]
fn other_seeds_are_compared_by_medians() {
    let a = frame(&[
        ("static", 1, 1, Some(1.0), 5.0),
        ("static", 1, 2, Some(2.0), 5.0),
        ("static", 1, 3, Some(9.0), 5.0),
    ]);
    let b = frame(&[("static", 1, 4, Some(2.0), 5.0)]);
    let found = compared(&a, &b, &[], 0.0).unwrap();
    assert!(found.medians && found.same());
    assert_eq!(found.points, 1);
    // With the same seeds rows are compared one by one, although the medians are equal.
    let c = frame(&[
        ("static", 1, 1, Some(1.5), 5.0),
        ("static", 1, 2, Some(2.0), 5.0),
        ("static", 1, 3, Some(9.0), 5.0),
    ]);
    let found = compared(&a, &c, &[], 0.0).unwrap();
    assert_eq!((found.points, found.changes.len()), (3, 1));
    assert_eq!(found.changes[0].point, "hp8 · 1 thread · seed=1");
}

#[test]
fn missing_value_is_a_change() {
    let a = frame(&[("static", 1, 7, Some(2.0), 5.0)]);
    let b = frame(&[("static", 1, 7, None, 5.0)]);
    let found = compared(&a, &b, &[], 0.5).unwrap();
    assert_eq!(found.changes.len(), 1);
    assert_eq!((found.changes[0].a, found.changes[0].b, found.changes[0].change), (Some(2.0), None, None));
}

#[test]
fn ambiguous_points_are_refused() {
    let a = frame(&[("static", 1, 7, Some(2.0), 5.0), ("static", 8, 7, Some(2.0), 5.0)]);
    let mut b = a.clone();
    // Without the threads both rows of `b` are the same point.
    b.columns[2].name = "team".to_owned();
    let error = compared(&a, &b, &[], 0.0).unwrap_err();
    assert!(error.contains("only one side has `threads`"), "{error}");
    // All rows of `a` have the same number of threads, so the coordinate is left out.
    let mut one = a.clone();
    one.rows.truncate(1);
    b.rows.truncate(1);
    assert_eq!(compared(&one, &b, &[], 0.0).unwrap().points, 1);
}
