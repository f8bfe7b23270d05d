//! Published values compared with simulated ones. All tests use one simulation, and make each format from it.

use crate::support::Desk;
use numalab_report::{Bars, Style, markdown, table};
use numalab_results::Validation;
use std::fmt::Write;
use std::sync::LazyLock;

/// Results of `numalab validate`, simulated once.
static VALIDATION: LazyLock<Validation> = LazyLock::new(|| validation(&[]));

/// [`VALIDATION`] as the table that `numalab validate` prints.
pub static VALIDATED: LazyLock<String> = LazyLock::new(|| as_table(&VALIDATION));

/// [`VALIDATION`] as Markdown, the content of docs/accuracy.md.
pub static SCORECARD: LazyLock<String> = LazyLock::new(|| markdown(&*VALIDATION));

/// One line per experiment, with errors in whole per cent, so that a change of the model shows as a few lines in a
/// diff.
pub fn scores() -> String {
    let whole = |part: Option<f64>| part.map_or("-".to_owned(), |part| format!("{:.0}%", part * 100.0));
    let mut text = format!(
        "{:22}{:>5}{:>11}{:>8}{:>8}{:>7}{:>15}\n",
        "experiment", "rows", "simulated", "within", "median", "worst", "gaps in order"
    );
    for score in &VALIDATION.experiments {
        let gaps = format!("{}/{}", score.gaps_ordered, score.gaps);
        let (median, worst) = (whole(score.median_error), whole(score.worst_error));
        writeln!(
            text,
            "{:22}{:>5}{:>11}{:>8}{median:>8}{worst:>7}{gaps:>15}",
            score.experiment, score.values, score.simulated, score.within
        )
        .unwrap();
    }
    text
}

fn validation(rows: &[&str]) -> Validation {
    let text = Desk::empty().answer(&[&["validate", "--format", "json"], rows].concat());
    serde_json::from_str(&text).expect("a validation")
}

fn as_table(validation: &Validation) -> String {
    let plain = Style { width: 100, colour: false, unicode: true, bars: Bars::None, elsewhere: "" };
    table(validation, plain)
}

/// The table of the command equals the table made from its JSON, which the other tests use.
#[test]
fn table_and_json_agree() {
    let rows = ["--experiment", "loadbal"];
    let [shown, page] = [&[][..], &["--format", "markdown"]]
        .map(|form| Desk::empty().answer(&[&["validate"], &rows[..], form].concat()));
    let validation = validation(&rows);
    assert_eq!((as_table(&validation), markdown(&validation)), (shown, page));
}

/// Law: A row beyond its limit, or that is not simulated, has a reason, and no other row has one.
#[test]
fn rows_beyond_limits_have_reasons() {
    let judged: Vec<_> = VALIDATION.rows.iter().filter(|row| row.within.is_some()).collect();
    assert!(judged.len() >= 560, "{}", judged.len());
    for row in &VALIDATION.rows {
        assert_eq!(
            row.within == Some(true),
            row.reason.is_none(),
            "{}: {:?} {:?}; reference/reasons.csv should say why a row is beyond its limit, \
             reference/not_simulated.csv why it is not simulated",
            row.id,
            row.error,
            row.found
        );
    }
    // Each reason is of a row that needs one.
    let of = |text: &'static str| text.lines().skip(1).filter_map(|line| Some(line.split_once(',')?.0));
    let beyond = of(include_str!("../reference/reasons.csv")).map(|pattern| (pattern, Some(false)));
    let missing = of(include_str!("../reference/not_simulated.csv")).map(|pattern| (pattern, None));
    for (pattern, within) in beyond.chain(missing) {
        let is_of = |id: &str| match pattern.strip_suffix('*') {
            Some(beginning) => id.starts_with(beginning),
            None => id == pattern,
        };
        assert!(
            VALIDATION.rows.iter().any(|row| row.within == within && is_of(&row.id)),
            "no row needs the reason of {pattern}"
        );
    }
    let predicted = judged.iter().filter(|row| row.role == "predict");
    let mut errors: Vec<f64> = predicted.filter_map(|row| row.error).map(f64::abs).collect();
    errors.sort_by(f64::total_cmp);
    assert!(errors[errors.len() / 2] <= 0.12, "median of the predictions: {}", errors[errors.len() / 2]);
}

/// The command of a row is printed below its table, and prints the time of the row.
#[test]
fn the_command_of_a_row_repeats_it() {
    let rows = ["--machine", "xeon-phi", "--experiment", "loadbal"];
    let table = Desk::empty().answer(&[&["validate", "--commands"], &rows[..]].concat());
    let command = "numalab sim xeon-phi loadbal --policy dynamic --threads 59 --set";
    assert!(table.contains(&format!("lb.phi.dynamic  {command}")), "{table}");
    let row = validation(&rows).rows.into_iter().find(|row| row.id == "lb.phi.dynamic").unwrap();
    assert!(row.commands[0].starts_with(command), "{:?}", row.commands);
    let words: Vec<&str> = row.commands[0].split(' ').skip(1).map(|word| word.trim_matches('\'')).collect();
    let text = Desk::empty().answer(&[&words[..], &["--format", "json"]].concat());
    let run: numalab_results::Comparison = serde_json::from_str(&text).unwrap();
    assert_eq!(row.simulated, Some(run.runs[0].makespan_ps as f64 / 1e12));
}

/// A row with random steals has as many seeds as are asked for, one without has two.
#[test]
fn rows_have_several_seeds() {
    let rows = validation(&["--experiment", "loadbal", "--machine", "bcs16", "--seeds", "3"]).rows;
    let of = |id: &str| rows.iter().find(|row| row.id == id).unwrap();
    assert_eq!((of("lb.bcs.order.remote").seeds, of("lb.bcs.static").seeds), (3, 2));
    assert_eq!(of("lb.bcs.static").over_seeds, None);
}
