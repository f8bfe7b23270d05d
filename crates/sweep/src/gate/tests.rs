use super::*;
use numalab_results::{Broken, Cell, CellKind, Column, Replicas};

const POINTS: &str = "\
name: t
points:
  machine: \"socket:2 core:4\"
  workload: loadbal
  policy: [static, dynamic, guided]
  threads: [1, 2, 8]
filters:
  stealing: { policy: guided }
gates:
";

/// Verdict on one gate, written in the syntax of a sweep file, for some rows.
fn judged(gate: &str, frame: &Frame, baseline: &Frame, partial: bool) -> Verdict {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.yaml");
    std::fs::write(&path, format!("{POINTS}  - {gate}\n")).unwrap();
    let sweep = crate::file::sweep(path.to_str().unwrap()).unwrap();
    let known = Known {
        // Filter that no row passes.
        passes: &|_, _| false,
        facts: &|_, name| (name == "cores").then_some(8.0),
        read: &|_| Ok(baseline.clone()),
        partial,
    };
    let mut report = evaluate(&sweep, frame, &known);
    assert_eq!((report.verdicts.len(), report.verdicts[0].line), (1, 10));
    report.verdicts.remove(0)
}

fn here(gate: &str, frame: &Frame) -> Verdict {
    judged(gate, frame, &Frame::default(), false)
}

/// Rows of policy, team size, seed and makespan in ms.
fn frame(rows: &[(&str, u64, u64, u64)]) -> Frame {
    let columns = [
        ("machine", CellKind::Text),
        ("policy", CellKind::Text),
        ("threads", CellKind::Count),
        ("seed", CellKind::Count),
        ("makespan_ps", CellKind::Count),
        ("stolen", CellKind::Count),
        ("error", CellKind::Text),
    ];
    let row = |&(policy, threads, seed, ms): &(&str, u64, u64, u64)| {
        let failed = ms == 0;
        vec![
            Cell::Text("hp8".to_owned()),
            Cell::Text(policy.to_owned()),
            Cell::Count(threads),
            Cell::Count(seed),
            if failed { Cell::Empty } else { Cell::Count(ms * 1_000_000_000) },
            if failed { Cell::Empty } else { Cell::Count(threads) },
            if failed { Cell::Text("no room".to_owned()) } else { Cell::Empty },
        ]
    };
    let columns = columns.map(|(name, kind)| Column::new(name, kind)).to_vec();
    Frame { columns, rows: rows.iter().map(row).collect() }
}

/// Violations as (point, value, reference, change in tenths of a per cent).
fn summarised(verdict: &Verdict) -> Vec<(&str, &str, &str, i64)> {
    let each = |violation: &'_ Violation| match &violation.broken {
        Broken::Beside { change, .. } => (change * 1000.0).round() as i64,
        Broken::Condition { .. } => 0,
    };
    let reference = |violation: &'_ Violation| match &violation.broken {
        Broken::Beside { reference, .. } => reference.clone().leak() as &str,
        Broken::Condition { .. } => "",
    };
    verdict
        .violations
        .iter()
        .map(|found| (&*found.point, &*found.policy, reference(found), each(found)))
        .collect()
}

#[test]
fn no_worse_than_the_best_at_every_point() {
    let rows = frame(&[
        ("static", 1, 0, 100),
        ("dynamic", 1, 0, 105),
        ("guided", 1, 0, 120),
        ("static", 8, 0, 100),
        ("dynamic", 8, 0, 106),
    ]);
    // 105 is 5 % more than 100, which is allowed; 106 is not.
    let verdict = here("{ name: g, policy: dynamic, no_worse_than: best, by: 5 % }", &rows);
    assert_eq!((verdict.checked, verdict.problem.as_deref(), &*verdict.unit), (2, None, "s"));
    assert_eq!(summarised(&verdict), [("hp8 · 8 threads", "dynamic", "static", 60)]);
    assert_eq!(verdict.rule, "dynamic at most 5 % worse than the best of the others");
    // Only one point also has `guided`, and `dynamic` is better there.
    let verdict = here("{ name: g, policy: dynamic, no_worse_than: guided, by: 0 % }", &rows);
    assert_eq!((verdict.checked, verdict.passed()), (1, true));
    // With `better: more`, 106 against 100 passes, and 105 against the 120 of guided is 12.5 % less.
    let gate = "{ name: g, policy: dynamic, no_worse_than: best, by: 5 %, better: more }";
    assert_eq!(summarised(&here(gate, &rows)), [("hp8 · 1 thread", "dynamic", "guided", -125)]);
}

#[test]
fn replicas_are_compared_by_their_median() {
    let rows = frame(&[
        ("static", 1, 0, 100),
        ("static", 1, 1, 100),
        ("static", 1, 2, 500),
        // Median 103, mean 401.
        ("dynamic", 1, 0, 101),
        ("dynamic", 1, 1, 999),
        ("dynamic", 1, 2, 103),
    ]);
    let verdict = here("{ name: g, policy: dynamic, no_worse_than: static, by: 3 % }", &rows);
    assert_eq!((verdict.checked, verdict.passed()), (1, true));
    assert!(!here("{ name: g, policy: dynamic, no_worse_than: static, by: 2 % }", &rows).passed());
}

/// Adds replicas to rows: each row's smallest, median and largest makespan in ms.
fn with_replicas(mut rows: Frame, ranges: &[[u64; 3]]) -> Frame {
    rows.columns.extend(Replicas::COLUMNS.map(|name| Column::new(name, CellKind::Count)));
    for (row, range) in rows.rows.iter_mut().zip(ranges) {
        row.push(Cell::Count(6));
        row.extend(range.map(|ms| Cell::Count(ms * 1_000_000_000)));
    }
    rows
}

/// Nominal makespans are those of the rows; the medians of the replicas decide, and only where the ranges are apart.
#[test]
fn what_is_undecided_breaks_no_gate() {
    let of = |ranges: [[u64; 3]; 2]| {
        with_replicas(frame(&[("static", 1, 0, 100), ("dynamic", 1, 0, 100)]), &ranges)
    };
    let apart = of([[99, 100, 110], [111, 120, 125]]);
    let touching = of([[99, 100, 111], [111, 120, 125]]);
    let worse = "{ name: g, policy: dynamic, no_worse_than: static, by: 5 % }";
    let order = "{ name: g, order: [dynamic, static] }";
    for gate in [worse, order] {
        let verdict = here(gate, &apart);
        assert_eq!(
            (verdict.undecided, summarised(&verdict)),
            (0, vec![("hp8 · 1 thread", "dynamic", "static", 200)])
        );
        let verdict = here(gate, &touching);
        assert_eq!((verdict.checked, verdict.undecided, verdict.passed()), (1, 1, true));
    }
    // A baseline of an earlier version has no ranges: static moved from 100 to a median of 104.
    let baseline = "{ name: g, baseline: b.csv, within: 1 % }";
    let before = frame(&[("static", 1, 0, 100), ("dynamic", 1, 0, 120)]);
    let now = of([[101, 104, 110], [111, 124, 125]]);
    let verdict = judged(baseline, &now, &before, false);
    assert_eq!(
        (verdict.undecided, summarised(&verdict)),
        (1, vec![("hp8 · 1 thread", "static", "baseline", 40)])
    );
    // Conditions read the median, too, or the end of the range that they name.
    assert!(here("{ name: g, holds: makespan > 0.1 }", &now).passed());
    let slowest = |most: &str| here(&format!("{{ name: g, holds: makespan_high < {most} }}"), &now).passed();
    assert!(slowest("0.126") && !slowest("0.125"));
}

#[test]
fn an_order_with_ties() {
    let rows = frame(&[
        ("static", 1, 0, 102),
        ("dynamic", 1, 0, 100),
        ("guided", 1, 0, 200),
        ("static", 8, 0, 103),
        ("dynamic", 8, 0, 100),
        ("guided", 8, 0, 50),
    ]);
    // On 1 thread, 2 % is a tie. On 8, static (103) and dynamic (100) are worse than guided (50), which is last in
    // the order.
    let verdict = here("{ name: g, order: [static, dynamic, guided], tie: 2 % }", &rows);
    assert_eq!(verdict.checked, 4);
    assert_eq!(
        summarised(&verdict),
        [("hp8 · 8 threads", "static", "guided", 1060), ("hp8 · 8 threads", "dynamic", "guided", 1000)]
    );
    // Without a tie, static and dynamic break the order also at the point with 1 thread.
    assert_eq!(here("{ name: g, order: [static, dynamic] }", &rows).violations.len(), 2);
}

#[test]
fn a_baseline_in_both_directions() {
    let before = frame(&[("static", 1, 0, 1000), ("dynamic", 1, 0, 1000), ("guided", 1, 0, 1000)]);
    let rows = frame(&[("static", 1, 0, 1010), ("dynamic", 1, 0, 1011), ("guided", 1, 0, 980)]);
    let verdict = judged("{ name: g, baseline: b.csv, within: 1 % }", &rows, &before, false);
    assert_eq!((verdict.checked, verdict.problem.as_deref()), (3, None));
    assert_eq!(
        summarised(&verdict),
        [("hp8 · 1 thread", "dynamic", "baseline", 11), ("hp8 · 1 thread", "guided", "baseline", -20)]
    );
}

#[test]
fn points_of_one_side_are_reported() {
    let gate = "{ name: g, baseline: b.csv, within: 1 % }";
    let one = frame(&[("static", 1, 0, 1000)]);
    let two = frame(&[("static", 1, 0, 1000), ("static", 8, 0, 500)]);
    let problem = |rows: &Frame, before: &Frame, partial| judged(gate, rows, before, partial).problem;
    let new = problem(&two, &one, false).unwrap();
    assert!(
        new.contains("1 point missing in the baseline") && new.ends_with("hp8 · static · 8 threads"),
        "{new}"
    );
    let gone = problem(&one, &two, false).unwrap();
    assert!(gone.contains("1 point of the baseline no longer in the sweep"), "{gone}");
    // A partial run may lack points.
    assert_eq!(problem(&one, &two, true), None);
    // A point that failed in the baseline is not compared. A point that fails in the sweep is reported only as
    // failed.
    let failed = frame(&[("static", 1, 0, 1000), ("static", 8, 0, 0)]);
    assert!(problem(&two, &failed, false).is_some());
    assert_eq!(problem(&failed, &two, false), None);
}

#[test]
fn coordinates_of_one_side() {
    let gate = "{ name: g, baseline: b.csv, within: 1 % }";
    let rows = frame(&[("static", 8, 0, 1000)]);
    let mut before = rows.clone();
    before.columns[2].name = "team".to_owned();
    // A coordinate with one value in all rows can be missing in the baseline.
    assert!(judged(gate, &rows, &before, false).passed());
    let rows = frame(&[("static", 8, 0, 1000), ("static", 1, 0, 1000)]);
    let problem = judged(gate, &rows, &before, false).problem.unwrap();
    assert!(problem.contains("only one side has `threads`"), "{problem}");
    let mut unmeasured = before.clone();
    unmeasured.columns[4].name = "makespans_ps".to_owned();
    let problem = judged(gate, &rows, &unmeasured, false).problem.unwrap();
    assert!(problem.contains("did you mean `makespans`?"), "{problem}");
}

#[test]
fn conditions_of_figures_and_facts() {
    let rows = frame(&[("static", 1, 0, 1000), ("static", 8, 0, 1000), ("dynamic", 8, 0, 0)]);
    // As many iterations are stolen as there are threads; the machine has 8 cores. Failed points
    // have no figures.
    let verdict = here("{ name: g, holds: stolen < cores }", &rows);
    assert_eq!(verdict.checked, 2);
    assert_eq!(verdict.violations.len(), 1);
    assert_eq!(verdict.violations[0].point, "hp8 · 8 threads");
    let values = vec![("stolen".to_owned(), 8.0), ("cores".to_owned(), 8.0)];
    assert_eq!(verdict.violations[0].broken, Broken::Condition { values });
    // Times are in seconds under their short names, and in the column's unit under their full
    // names.
    assert!(here("{ name: g, holds: makespan == 1 }", &rows).passed());
    assert!(here("{ name: g, holds: makespan_ps == 1e12 }", &rows).passed());
}

/// A gate that compares team sizes instead of policies: on 1 and on 8 threads, 100 and 60 ms under `static`, 90 and
/// 50 ms under `dynamic`. More threads are faster under both.
#[test]
fn any_coordinate_can_be_compared() {
    let rows =
        frame(&[("static", 1, 0, 100), ("static", 8, 0, 60), ("dynamic", 1, 0, 90), ("dynamic", 8, 0, 50)]);
    let verdict = here("{ name: g, over: threads, value: 8, no_worse_than: 1 }", &rows);
    assert_eq!((verdict.checked, verdict.violations.len(), verdict.passed()), (2, 0, true));
    let verdict = here("{ name: g, over: threads, order: [1, 8], tie: 70 % }", &rows);
    assert_eq!(summarised(&verdict), [("hp8 · dynamic", "1", "8", 800)]);
    let verdict = here("{ name: g, over: threads, value: 2, no_worse_than: best }", &rows);
    assert_eq!(verdict.problem.as_deref(), Some("no point has results of both 2 and another threads"));
}

#[test]
fn gate_without_points_is_not_checked() {
    let rows = frame(&[("static", 1, 0, 100), ("guided", 8, 0, 100)]);
    for (gate, problem) in [
        (
            "{ name: g, policy: dynamic, no_worse_than: static, by: 1 % }",
            "no point has results of both dynamic and static",
        ),
        ("{ name: g, order: [static, guided] }", "no point has results of two of static, guided"),
        ("{ name: g, holds: stolen > 0, on: stealing }", "no point passes the filter stealing"),
    ] {
        let verdict = here(gate, &rows);
        assert_eq!((verdict.problem.as_deref(), verdict.passed()), (Some(problem), false));
    }
    let none = here("{ name: g, holds: stolen > 0 }", &frame(&[]));
    assert_eq!(none.problem.as_deref(), Some("there are no points"));
    let verdict = judged("{ name: g, baseline: b.csv, within: 1 % }", &rows, &frame(&[]), true);
    assert!(verdict.problem.unwrap().contains("nothing was compared"));
}

#[test]
fn points_that_failed_are_named() {
    let rows = frame(&[("static", 1, 0, 100), ("dynamic", 1, 0, 0)]);
    assert_eq!(failed(&rows), [("hp8 · dynamic · 1 thread".to_owned(), "no room".to_owned())]);
}

#[test]
fn unreadable_baseline_is_reported_with_position() {
    let summarised = "error: 1 cell under 2 columns\n --> b.csv:3:1\n  |\n3 | 1\n";
    assert_eq!(super::baseline::first(summarised), "1 cell under 2 columns (b.csv:3:1)");
    assert_eq!(super::baseline::first("error: cannot read b.csv: no"), "cannot read b.csv: no");
}
