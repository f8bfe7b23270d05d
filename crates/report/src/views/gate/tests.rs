use crate::*;
use numalab_results::{Broken, GateReport, Verdict, Violation};

/// A report with a gate that holds, a broken gate, a gate without points, and a failed point.
fn report() -> GateReport {
    let verdict = |name: &str, rule: &str, line, checked| Verdict {
        name: name.to_owned(),
        rule: rule.to_owned(),
        line,
        measure: "makespan".to_owned(),
        unit: "s".to_owned(),
        checked,
        undecided: 0,
        violations: Vec::new(),
        problem: None,
    };
    let slower = Violation {
        point: "bcs16 · loadbal · 128 threads".to_owned(),
        policy: "dynamic".to_owned(),
        broken: Broken::Beside {
            value: 1.72,
            reference: "baseline".to_owned(),
            reference_value: 1.564,
            change: 1.72 / 1.564 - 1.0,
            limit: 0.01,
        },
    };
    let far = Violation {
        point: "hp8 · loadbal".to_owned(),
        policy: "static".to_owned(),
        broken: Broken::Condition { values: vec![("stolen".to_owned(), 12.0), ("cores".to_owned(), 8.0)] },
    };
    let mut broken = verdict("as before: 100 %, always", "within 1 % of b.csv", 12, 40);
    broken.violations = vec![slower, far];
    broken.undecided = 3;
    let mut unmet = verdict("a | b <c>", "stolen == 0, on none", 15, 0);
    unmet.measure = String::new();
    unmet.problem = Some("no point passes the filter none".to_owned());
    GateReport {
        sweep: "policies".to_owned(),
        file: "sweeps/policies.yaml".to_owned(),
        points: 41,
        failed: vec![("hp8 · loadbal · 999 threads".to_owned(), "no such\nteam & \u{1b}[1m".to_owned())],
        verdicts: vec![verdict("order", "a, b, the best first", 9, 20), broken, unmet],
    }
}

fn fine() -> GateReport {
    let mut report = report();
    report.verdicts.truncate(1);
    report.failed.clear();
    report
}

#[test]
fn in_a_terminal() {
    insta::assert_snapshot!(table(&report(), Style { width: 100, ..Style::default() }), @r"
    policies: 2 of 3 assertions do not hold, 1 of 41 points failed

    assertion                 rule                  checked  broken  undecided
    ───────────────────────────────────────────────────────────────────────────────────────
    order                     a, b, the best first       20       0          0  holds
    as before: 100 %, always  within 1 % of b.csv        40       2          3  broken
    a | b <c>                 stolen == 0, on none        0       0          0  not checked

    as before: 100 %, always (sweeps/policies.yaml:12)
      3 of 40 differ by more than is allowed, but the ranges of their replicas have values in common
      bcs16 · loadbal · 128 threads: dynamic 1.720 s, baseline 1.564 s, +10.0 % (allowed 1 %)
      hp8 · loadbal: static: stolen 12, cores 8

    a | b <c> (sweeps/policies.yaml:15)
      no point passes the filter none

    points that failed
      hp8 · loadbal · 999 threads: no such?team & ?[1m
    ");
    let text = table(&fine(), Style { width: 80, unicode: false, ..Style::default() });
    assert!(
        text.starts_with("policies: the assertion holds, 41 points\n\nassertion") && text.is_ascii(),
        "{text}"
    );
}

#[test]
fn in_a_pull_request() {
    insta::assert_snapshot!(markdown(&report()), @r"
    ## ❌ Sweep policies: gate failed

    2 of 3 assertions do not hold, 1 of 41 points failed.

    |  | assertion | rule | checked | broken | undecided |
    | --- | --- | --- | ---: | ---: | ---: |
    | ✅ | order | a, b, the best first | 20 | 0 | 0 |
    | ❌ broken | as before: 100 %, always | within 1 % of b.csv | 40 | 2 | 3 |
    | ❌ not checked | a \| b \<c> | stolen == 0, on none | 0 | 0 | 0 |

    ### as before: 100 %, always (sweeps/policies.yaml:12)

    - 3 of 40 differ by more than is allowed, but the ranges of their replicas have values in common
    - bcs16 · loadbal · 128 threads: dynamic 1.720 s, baseline 1.564 s, +10.0 % (allowed 1 %)
    - hp8 · loadbal: static: stolen 12, cores 8

    ### a \| b \<c> (sweeps/policies.yaml:15)

    - no point passes the filter none

    ### Points that failed

    - hp8 · loadbal · 999 threads: no such?team & ?[1m
    ");
}

/// A gate that holds although comparisons are undecided says so in every form.
#[test]
fn undecided_comparisons_of_a_gate_that_holds() {
    let mut report = fine();
    report.verdicts[0].undecided = 2;
    let note =
        "2 of 20 differ by more than is allowed, but the ranges of their replicas have values in common";
    assert!(
        table(&report, Style { width: 120, ..Style::default() })
            .contains(&format!("(sweeps/policies.yaml:9)\n  {note}\n"))
    );
    assert!(markdown(&report).contains(&format!("- {note}\n")));
    assert!(
        gate_junit(&report)
            .contains(&format!("line=\"9\">\n      <system-out>{note}</system-out>\n    </testcase>"))
    );
    assert_eq!(gate_annotations(&report), "");
}

#[test]
fn as_annotations() {
    insta::assert_snapshot!(gate_annotations(&report()), @r"
    ::error file=sweeps/policies.yaml,line=12,title=as before%3A 100 %25%2C always::within 1 %25 of b.csv%0A3 of 40 differ by more than is allowed, but the ranges of their replicas have values in common%0Abcs16 · loadbal · 128 threads: dynamic 1.720 s, baseline 1.564 s, +10.0 %25 (allowed 1 %25)%0Ahp8 · loadbal: static: stolen 12, cores 8
    ::error file=sweeps/policies.yaml,line=15,title=a | b <c>::stolen == 0, on none%0Ano point passes the filter none
    ::error file=sweeps/policies.yaml,title=1 of 41 points failed::hp8 · loadbal · 999 threads: no such%0Ateam & ?[1m
    ");
    assert_eq!(gate_annotations(&fine()), "");
}

#[test]
fn as_junit() {
    let text = gate_junit(&report());
    insta::assert_snapshot!(text, @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="numalab" tests="4" failures="3" errors="0">
      <testsuite name="policies" tests="4" failures="3" errors="0">
        <testcase classname="policies" name="points" file="sweeps/policies.yaml">
          <failure type="gate" message="1 of 41 points failed">hp8 · loadbal · 999 threads: no such
    team &amp; ?[1m</failure>
        </testcase>
        <testcase classname="policies" name="order" file="sweeps/policies.yaml" line="9"/>
        <testcase classname="policies" name="as before: 100 %, always" file="sweeps/policies.yaml" line="12">
          <failure type="gate" message="within 1 % of b.csv">3 of 40 differ by more than is allowed, but the ranges of their replicas have values in common
    bcs16 · loadbal · 128 threads: dynamic 1.720 s, baseline 1.564 s, +10.0 % (allowed 1 %)
    hp8 · loadbal: static: stolen 12, cores 8</failure>
        </testcase>
        <testcase classname="policies" name="a | b &lt;c&gt;" file="sweeps/policies.yaml" line="15">
          <failure type="gate" message="stolen == 0, on none">no point passes the filter none</failure>
        </testcase>
      </testsuite>
    </testsuites>
    "#);
    let tree = roxmltree::Document::parse(&text).unwrap();
    let suite = tree.descendants().find(|node| node.has_tag_name("testsuite")).unwrap();
    assert_eq!((suite.attribute("tests"), suite.attribute("failures")), (Some("4"), Some("3")));
    let cases: Vec<(Option<&str>, bool)> = suite
        .children()
        .filter(|node| node.is_element())
        .map(|case| (case.attribute("name"), case.has_children()))
        .collect();
    let name = |name: &'static str| Some(name);
    assert_eq!(
        cases,
        [
            (name("points"), true),
            (name("order"), false),
            (name("as before: 100 %, always"), true),
            (name("a | b <c>"), true)
        ]
    );
    assert!(roxmltree::Document::parse(&gate_junit(&fine())).is_ok());
}

#[test]
fn any_name_is_well_formed_xml() {
    for name in ["]]>", "<!--", "&amp;", "\"'\u{0}\u{fffe}\u{ffff}\u{8}", "\r\n\t", "🦀"] {
        let mut report = report();
        report.verdicts[1].name = name.to_owned();
        report.verdicts[1].problem = Some(name.to_owned());
        report.sweep = name.to_owned();
        let text = gate_junit(&report);
        assert!(roxmltree::Document::parse(&text).is_ok(), "{text}");
        // Two gates and the failed points have one line each, for any names.
        assert_eq!(gate_annotations(&report).lines().count(), 3);
    }
}

#[test]
fn fifty_violations_are_listed() {
    let mut report = report();
    report.verdicts[1].violations = vec![report.verdicts[1].violations[0].clone(); 60];
    let page = markdown(&report);
    assert_eq!(page.matches("- bcs16").count(), 50);
    assert!(
        page.contains("- … and 10 more\n") && page.contains("### Points that failed\n\n- … and 1 more\n"),
        "{page}"
    );
    assert!(gate_annotations(&report).contains("… and 55 more"));
    assert!(table(&report, Style::default()).contains("… and 50 more"));
}
