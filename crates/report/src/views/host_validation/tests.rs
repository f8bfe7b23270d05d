//! Table of invented measurements.

use crate::fixtures::host_validation::{row, validation};
use crate::*;
use numalab_results::{HostRow, HostValidation};
use proptest::prelude::*;

fn with_role(role: &str, mut row: HostRow) -> HostRow {
    row.role = role.into();
    row
}

// Errors are 4, 31 and 18 %, with spreads of 1, 3 and 20 %. The median error, 18 %, is within the spread of its
// measurement.
#[test]
fn measured_beside_simulated() {
    insta::assert_snapshot!(table(&validation(), Style::default()), @r"
    host.jsonl beside host with OpenMP runtime gcc

    what     case                        measured   spread  simulated   error
    ────────────────────────────────────────────────────────────────────────────
    loadbal  schedule=static threads=2     100 ms   ±1.0%      104 ms   +4.0%  ✓
    loadbal  schedule=dynamic threads=2   80.0 ms   ±3.0%      105 ms  +31.0%  ✗
    heat     start=cold                   5.00 ms  ±20.0%*    5.90 ms  +18.0%  ✓

    ✓: the error is within 10% or the measured spread; ✗: it is not

    * disturbed: too few undisturbed samples; the best are used

    Not simulated: loadbal schedule=static threads=8: it ran on 8 threads, host has
    2 processors.

                     within   median  median
    what     values  limits  |error|  spread   worst
    ────────────────────────────────────────────────
    loadbal       2       1    17.5%    2.0%  +31.0%
    heat          1       1    18.0%   20.0%  +18.0%

    Note: host.jsonl:7: cg got a wrong result: left out.

    predictions: 2 of 3 within limits (10% or the measured spread), median |error|
    18.0%, median spread 3.0%, worst +31.0% (loadbal schedule=dynamic threads=2), 1
    disturbed, 1 not simulated
    ");
}

#[test]
fn fitted_rows_have_their_own_summary() {
    let mut validation = validation();
    validation.warnings.clear();
    validation.rows.truncate(2);
    let mut shares = row("loadbal", "schedule=static;threads=2", 2.0, 0.01, Some(2.0));
    (shares.quantity, shares.unit) = ("efficiency".into(), "1".into());
    validation.rows.push(shares);
    validation.rows.push(with_role("characterise", row("stream", "threads=2", 10.0, 0.01, Some(10.1))));
    let style = Style { width: 120, unicode: false, ..Style::default() };
    insta::assert_snapshot!(table(&validation, style), @r"
    host.jsonl beside host with OpenMP runtime gcc

    what     case                        role          measured  spread  simulated   error
    -------------------------------------------------------------------------------------------
    loadbal  makespan schedule=static    predict         100 ms  +-1.0%     104 ms   +4.0%  ok
    loadbal  makespan schedule=dynamic   predict        80.0 ms  +-3.0%     105 ms  +31.0%  OFF
    loadbal  efficiency schedule=static  predict           2.00  +-1.0%       2.00    0.0%  ok
    stream                               characterise   10.0 ms  +-1.0%    10.1 ms   +1.0%  ok

    ok: the error is within 10% or the measured spread; OFF: it is not

                     within   median  median
    what     values  limits  |error|  spread   worst
    ------------------------------------------------
    loadbal       3       2     4.0%    1.0%  +31.0%
    stream        1       1     1.0%    1.0%   +1.0%

    fitted on: 1 of 1 within limits (10% or the measured spread), median |error| 1.0%, median spread 1.0%, worst +1.0%
    (stream)
    predictions: 2 of 3 within limits (10% or the measured spread), median |error| 4.0%, median spread 1.0%, worst +31.0%
    (loadbal makespan schedule=dynamic)
    ");
}

#[test]
fn nothing_simulated() {
    let mut validation = validation();
    validation.warnings.clear();
    validation.rows = vec![validation.rows.remove(2)];
    insta::assert_snapshot!(table(&validation, Style::default()), @r"
    host.jsonl beside host with OpenMP runtime gcc

    Not simulated: loadbal schedule=static: it ran on 8 threads, host has 2
    processors.

    predictions: none of 1 simulated
    ");
}

#[test]
fn json_and_csv_keep_everything() {
    let mut validation = validation();
    // All ratios are exact in binary, since JSON would lose the last digit of other ratios.
    validation.rows.iter_mut().for_each(|row| row.simulate(row.measured * 1.5));
    let text = json(&validation);
    assert_eq!(serde_json::from_str::<HostValidation>(&text).unwrap(), validation);
    let text = csv(&validation);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let back: Vec<HostRow> = reader.deserialize().map(Result::unwrap).collect();
    assert_eq!(back, validation.rows);
}

proptest! {
    #[test]
    fn no_line_is_wider_than_the_style(
        width in 60usize..=200, name in "[a-z_]{1,20}", params in "[a-z]{1,8}=[a-z0-9]{1,30}", value in 1e-9..1e9,
    ) {
        let mut validation = validation();
        validation.rows.push(row(&name, &params, value, 0.1, Some(value * 1.5)));
        let text = table(&validation, Style { width, ..Style::default() });
        for line in text.lines() {
            prop_assert!(line.chars().count() <= width, "{line}");
        }
    }
}
