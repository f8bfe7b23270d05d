//! Tables and documents of published rows, by example.

use crate::*;
use numalab_results::{SCHEMA_VERSION, Score, Validation, ValidationRow};
use proptest::prelude::*;

fn row(id: &str, role: &str, published: f64, simulated: Option<f64>, tolerance: f64) -> ValidationRow {
    ValidationRow {
        id: id.into(),
        source: "fig 4.4".into(),
        machine: "bcs16".into(),
        experiment: "loadbal".into(),
        quantity: "makespan".into(),
        params: format!("schedule={id};threads=128"),
        role: role.into(),
        published: Some(published),
        expected: None,
        simulated,
        found: None,
        unit: "s".into(),
        error: simulated.map(|value| value / published - 1.0),
        tolerance,
        within: simulated.map(|value| (value / published - 1.0).abs() <= tolerance),
        interval: None,
        seeds: 1,
        over_seeds: None,
        commands: Vec::new(),
        stated: false,
        reason: None,
        note: "a note, with a comma".into(),
    }
}

fn validation(rows: &[ValidationRow]) -> Validation {
    let rows = rows.to_vec();
    Validation { schema_version: SCHEMA_VERSION, rows, scores: Vec::new(), experiments: Vec::new() }
}

fn validation_table(rows: &[ValidationRow], style: Style) -> String {
    table(&validation(rows), style)
}

fn score(machine: Option<&str>, experiment: &str, simulated: u64) -> Score {
    Score {
        machine: machine.map(String::from),
        experiment: experiment.into(),
        values: simulated,
        simulated,
        within: simulated - 1,
        median_error: Some(0.068),
        worst_error: Some(0.132),
        worst: Some("dynamic".into()),
        tau: Some(-1.0 / 3.0),
        gaps: 3,
        gaps_ordered: 1,
    }
}

fn rows() -> Vec<ValidationRow> {
    let mut malloc = row("malloc.128", "predict", 40.0, None, 0.1);
    malloc.experiment = "malloc".into();
    vec![
        row("static", "characterise", 1.16, Some(1.164), 0.03),
        row("dynamic", "predict", 1.67, Some(1.45), 0.1),
        row("steal", "predict", 0.64, Some(0.656), 0.1),
        malloc,
    ]
}

// Errors 0.34 %, −13.2 % and 2.5 %: the median of the three is 2.5 %, of the last two 7.8 %.
#[test]
fn published_beside_simulated() {
    insta::assert_snapshot!(validation_table(&rows(), Style::default()), @r"
    value    machine  what     role          published  simulated   error  limit
    ───────────────────────────────────────────────────────────────────────────────
    static   bcs16    loadbal  characterise     1.16 s     1.16 s   +0.3%     3%  ✓
    dynamic  bcs16    loadbal  predict          1.67 s     1.45 s  -13.2%    10%  ✗
    steal    bcs16    loadbal  predict         0.640 s    0.656 s   +2.5%    10%  ✓

    ✓: the error is within the limit; ✗: it is not

    Not simulated yet: malloc 1.

    all: 3 of 4 simulated, 2 within limits, median |error| 2.5%, worst 13.2%
    (dynamic)
    predictions: 2 of 3 simulated, 1 within limits, median |error| 7.8%, worst 13.2%
    (dynamic)
    ");
}

#[test]
fn wide() {
    let style = Style { width: 140, unicode: false, ..Style::default() };
    insta::assert_snapshot!(validation_table(&rows(), style), @r"
    value    machine  what     quantity  case                          role          published  simulated   error  limit
    -------------------------------------------------------------------------------------------------------------------------
    static   bcs16    loadbal  makespan  schedule=static;threads=128   characterise     1.16 s     1.16 s   +0.3%     3%  ok
    dynamic  bcs16    loadbal  makespan  schedule=dynamic;threads=128  predict          1.67 s     1.45 s  -13.2%    10%  OFF
    steal    bcs16    loadbal  makespan  schedule=steal;threads=128    predict         0.640 s    0.656 s   +2.5%    10%  ok

    ok: the error is within the limit; OFF: it is not

    Not simulated yet: malloc 1.

    all: 3 of 4 simulated, 2 within limits, median |error| 2.5%, worst 13.2% (dynamic)
    predictions: 2 of 3 simulated, 1 within limits, median |error| 7.8%, worst 13.2% (dynamic)
    ");
}

/// Two experiments, one with two values: errors of 0.34 and 13.2 %, and of 10 %.
#[test]
fn experiments_one_by_one() {
    let mut rows = rows();
    rows.truncate(2);
    let mut epcc = row("epcc.16", "predict", 14.41, Some(15.85), 0.25);
    (epcc.experiment, epcc.unit) = ("epcc_parallel".into(), "us".into());
    let mut factor = row("factor", "predict", 2.0, Some(2.0), 0.25);
    (factor.experiment, factor.unit) = ("epcc_parallel".into(), "1".into());
    rows.extend([epcc, factor]);
    let mut validation = validation(&rows);
    validation.experiments = vec![score(None, "epcc_parallel", 2), score(None, "loadbal", 2)];
    validation.experiments[0].tau = None;
    validation.experiments[0].gaps = 0;
    insta::assert_snapshot!(table(&validation, Style { width: 100, ..Style::default() }), @r"
    value    machine  what     role          published  simulated   error  limit
    ───────────────────────────────────────────────────────────────────────────────
    static   bcs16    loadbal  characterise     1.16 s     1.16 s   +0.3%     3%  ✓
    dynamic  bcs16    loadbal  predict          1.67 s     1.45 s  -13.2%    10%  ✗

    value    machine  what           role     published  simulated   error  limit
    ────────────────────────────────────────────────────────────────────────────────
    epcc.16  bcs16    epcc_parallel  predict    14.4 us    15.8 us  +10.0%    25%  ✓
    factor   bcs16    epcc_parallel  predict       2.00       2.00    0.0%    25%  ✓

                           within   median                gaps in
    what           values  limits  |error|  worst    tau    order
    ─────────────────────────────────────────────────────────────
    epcc_parallel       2       1     6.8%  13.2%      -        -
    loadbal             2       1     6.8%  13.2%  -0.33   1 of 3

    ✓: the error is within the limit; ✗: it is not

    all: 4 of 4 simulated, 3 within limits, median |error| 5.2%, worst 13.2% (dynamic)
    predictions: 3 of 3 simulated, 2 within limits, median |error| 10.0%, worst 13.2% (dynamic)
    ");
}

/// Ranges and orders have no percentage; the reasons for misses are listed below the table and
/// in the document.
#[test]
fn ranges_orders_and_reasons() {
    let mut range = row("range", "predict", 0.1, Some(0.11), 0.25);
    (range.expected, range.within) = (Some("<0.1".into()), Some(false));
    range.reason = Some("the lock of `malloc` is passed on in order".into());
    let mut order = row("order", "predict", 1.0, None, 0.25);
    (order.published, order.expected) = (None, Some("bound<unbound".into()));
    (order.found, order.within) = (Some("unbound<bound".into()), Some(false));
    order.reason = Some("nothing moves threads".into());
    let mut validation = validation(&[range, order]);
    validation.experiments = vec![score(None, "loadbal", 2)];
    validation.scores = vec![score(Some("bcs16"), "loadbal", 2)];
    insta::assert_snapshot!(table(&validation, Style { width: 100, ..Style::default() }), @r"
    value  machine  what     role         published      simulated   error  limit
    ────────────────────────────────────────────────────────────────────────────────
    range  bcs16    loadbal  predict         <0.1 s        0.110 s  +10.0%      -  ✗
    order  bcs16    loadbal  predict  bound<unbound  unbound<bound       -      -  ✗

    ✓: the error is within the limit; ✗: it is not

    range: the lock of `malloc` is passed on in order
    order: nothing moves threads

    all: 2 of 2 simulated, 0 within limits, median |error| 10.0%, worst 10.0% (range)
    ");
    insta::assert_snapshot!(markdown(&validation), @r"
    # Accuracy

    Published measurements of real machines beside what is simulated of their machine files. Rows marked characterise are those that these files were fitted on; rows marked predict were not used, and their error is the one to expect of an answer.

    Tau is Kendall's rank correlation (tau-b) of published and simulated values of the same machine and quantity. Gaps are pairs of these whose published values differ by more than 5 %, and how many the simulation has in the same order.

    all: 2 of 2 simulated, 0 within limits, median \|error\| 10.0%, worst 10.0% (range)

    ## By experiment

    | what | values | within limits | median \|error\| | worst | tau | gaps in order |
    | --- | ---: | ---: | ---: | ---: | ---: | ---: |
    | loadbal | 2 | 1 | 6.8% | 13.2% | -0.33 | 1 of 3 |

    ## By machine and experiment

    | machine | what | values | within limits | median \|error\| | worst | tau | gaps in order |
    | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
    | bcs16 | loadbal | 2 | 1 | 6.8% | 13.2% | -0.33 | 1 of 3 |

    ## Beyond their limits

    | value | published | simulated | error | limit | reason |
    | --- | ---: | ---: | ---: | ---: | --- |
    | range | \<0.1 s | 0.110 s | +10.0% | - | the lock of \`malloc\` is passed on in order |
    | order | bound\<unbound | unbound\<bound | - | - | nothing moves threads |

    ## Every value

    By machine, the largest errors first.

    | value | machine | what | quantity | case | role | published | simulated | error | limit |  |
    | --- | --- | --- | --- | --- | --- | ---: | ---: | ---: | ---: | --- |
    | range | bcs16 | loadbal | makespan | schedule=range;threads=128 | predict | \<0.1 s | 0.110 s | +10.0% | - | ✗ |
    | order | bcs16 | loadbal | makespan | schedule=order;threads=128 | predict | bound\<unbound | unbound\<bound | - | - | ✗ |
    ");
}

/// The document lists rows by machine, the largest errors first, and rows that are not simulated by their reasons.
#[test]
fn worst_rows_first_and_reasons_of_missing_ones() {
    let mut rows = rows();
    rows[2].machine = "altix-uv".into();
    rows.extend([row("search.1", "predict", 1.0, None, 0.1), row("search.2", "predict", 2.0, None, 0.1)]);
    rows[4].reason = Some("the machine is not named".into());
    rows[5].reason = Some("the machine is not named".into());
    let text = markdown(&validation(&rows));
    let every = &text[text.find("## Every value").unwrap()..];
    let place = |id: &str| every.find(&format!("| {id} |")).unwrap();
    assert!(place("steal") < place("dynamic") && place("dynamic") < place("static"), "{every}");
    assert!(every.contains("| search.1, search.2 | the machine is not named |"), "{every}");
    assert!(every.contains("Not simulated yet: malloc 1."), "{every}");
    assert!(
        !table(&validation(&rows), Style::default()).contains("not named"),
        "the table has no room for them"
    );
}

#[test]
fn nothing_simulated() {
    let rows = [row("static", "characterise", 1.16, None, 0.03)];
    insta::assert_snapshot!(validation_table(&rows, Style::default()), @r"
    Not simulated yet: loadbal 1.

    all: 0 of 1 simulated, 0 within limits
    ");
}

#[test]
fn verdicts_are_coloured() {
    let text = validation_table(&rows(), Style { colour: true, ..Style::default() });
    assert!(text.contains("\x1b[38;5;35m✓\x1b[0m\n"));
    assert!(text.contains("\x1b[38;5;166m✗\x1b[0m\n"));
}

#[test]
fn json_and_csv_keep_everything() {
    let mut rows = rows();
    (rows[1].expected, rows[1].reason) = (Some("1.5-1.7".into()), Some("a lock, perhaps".into()));
    let mut validation = validation(&rows);
    validation.scores = vec![score(Some("bcs16"), "loadbal", 3)];
    let text = json(&validation);
    assert_eq!(serde_json::from_str::<Validation>(&text).unwrap(), validation);
    let text = csv(&validation);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let back: Vec<ValidationRow> = reader.deserialize().map(Result::unwrap).collect();
    assert_eq!(back, validation.rows);
}

proptest! {
    #[test]
    fn no_line_is_wider_than_the_style(width in 60usize..=200, id in "[a-z.]{1,40}", value in 1e-9..1e9) {
        let mut rows = rows();
        rows.push(row(&id, "predict", value, Some(value * 1.5), 0.1));
        for line in validation_table(&rows, Style { width, ..Style::default() }).lines() {
            prop_assert!(line.chars().count() <= width, "{line}");
        }
    }
}
