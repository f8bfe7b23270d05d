//! Published measurements beside simulated values, in a terminal.

use crate::numbers::significant;
use crate::style::{Ink, Style};
use crate::table::{Grid, wrap};
use numalab_results::ValidationRow;
use std::collections::BTreeMap;

/// A row for every published value that was simulated, a count of those that were not, and a summary.
pub fn validation_table(rows: &[ValidationRow], style: Style) -> String {
    let judged: Vec<&ValidationRow> = rows.iter().filter(|row| row.simulated.is_some()).collect();
    let mut text = String::new();
    if !judged.is_empty() {
        text += &paint_verdicts(&grid(&judged, &style).draw(&style), &style);
        text.push('\n');
    }
    text += &by_experiment(&judged, &style);
    text += &uncovered(rows, &style);
    text += &summary("all", rows.len(), &judged, &style);
    let (all, predicted): (usize, Vec<&ValidationRow>) = (
        rows.iter().filter(|row| row.role == "predict").count(),
        judged.iter().copied().filter(|row| row.role == "predict").collect(),
    );
    if all > 0 && all < rows.len() {
        text += &summary("predictions", all, &predicted, &style);
    }
    text
}

/// The columns that fit: first the case goes, then what the identifier abbreviates.
fn grid(rows: &[&ValidationRow], style: &Style) -> Grid {
    let words = |pick: fn(&ValidationRow) -> &str| rows.iter().map(move |row| pick(row).to_owned());
    let values = |start: Grid| {
        start
            .text("role", words(|row| &row.role))
            .number("published", rows.iter().map(|row| quantity(&row.unit, Some(row.published))))
            .number("simulated", rows.iter().map(|row| quantity(&row.unit, row.simulated)))
            .number("error", rows.iter().map(|row| row.error.map_or("-".to_owned(), signed_percent)))
            .number("limit", rows.iter().map(|row| format!("{:.0}%", row.tolerance * 100.0)))
            .text("", rows.iter().map(|row| verdict(row.within(), style).to_owned()))
    };
    let named = || Grid::new().text("value", words(|row| &row.id));
    let placed =
        || named().text("machine", words(|row| &row.machine)).text("what", words(|row| &row.experiment));
    let widest =
        values(placed().text("quantity", words(|row| &row.quantity)).text("case", words(|row| &row.params)));
    [widest, values(placed())]
        .into_iter()
        .find(|grid| grid.natural_width() <= style.columns())
        .unwrap_or_else(|| values(named()))
}

/// A value with its unit, as short as it is precise.
pub(crate) fn quantity(unit: &str, value: Option<f64>) -> String {
    let Some(value) = value else { return "-".to_owned() };
    let number = significant(value);
    // `1` is the unit of ratios.
    if matches!(unit, "" | "1") { number } else { format!("{number} {unit}") }
}

/// An error as a percentage with its sign.
pub(crate) fn signed_percent(error: f64) -> String {
    format!("{:+.1}%", error * 100.0)
}

const PASS: &str = "✓";
const PASS_ASCII: &str = "ok";
const FAIL: &str = "✗";
const FAIL_ASCII: &str = "OFF";

/// The mark of a value that is within its limit, or is not.
pub(crate) fn verdict(within: Option<bool>, style: &Style) -> &'static str {
    match within {
        Some(true) => style.pick(PASS, PASS_ASCII),
        Some(false) => style.pick(FAIL, FAIL_ASCII),
        None => "-",
    }
}

/// Colours the verdict at the end of each line, after the columns are laid out.
pub(crate) fn paint_verdicts(table: &str, style: &Style) -> String {
    let mut text = String::new();
    for line in table.lines() {
        let painted = match line.rsplit_once(' ') {
            Some((before, mark @ (PASS | PASS_ASCII))) => {
                format!("{before} {}", style.paint(Ink::Green, mark))
            }
            Some((before, mark @ (FAIL | FAIL_ASCII))) => format!("{before} {}", style.paint(Ink::Red, mark)),
            _ => line.to_owned(),
        };
        text += &painted;
        text.push('\n');
    }
    text
}

fn uncovered(rows: &[ValidationRow], style: &Style) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.simulated.is_none()) {
        *counts.entry(&row.experiment).or_default() += 1;
    }
    if counts.is_empty() {
        return String::new();
    }
    let list: Vec<String> =
        counts.iter().map(|(experiment, count)| format!("{experiment} {count}")).collect();
    wrap(&format!("Not simulated yet: {}.", list.join(", ")), style.columns()) + "\n"
}

/// A row for each experiment, where there are several with several values each.
fn by_experiment(judged: &[&ValidationRow], style: &Style) -> String {
    let mut groups: BTreeMap<&str, Vec<&ValidationRow>> = BTreeMap::new();
    for row in judged {
        groups.entry(&row.experiment).or_default().push(row);
    }
    if groups.len() < 2 || groups.values().all(|rows| rows.len() < 2) {
        return String::new();
    }
    let off = |pick: fn(&Off<'_>) -> f64| {
        groups.values().map(move |rows| {
            Off::of(rows).map_or("-".to_owned(), |off| format!("{:.1}%", pick(&off) * 100.0))
        })
    };
    let grid = Grid::new()
        .text("what", groups.keys().map(|name| (*name).to_owned()))
        .number("values", groups.values().map(|rows| rows.len().to_string()))
        .number("within\nlimits", groups.values().map(|rows| within(rows).to_string()))
        .number("median\n|error|", off(|off| off.median))
        .number("worst", off(|off| off.worst));
    grid.draw(style) + "\n"
}

/// How far off some values are, by the size of their errors.
struct Off<'a> {
    median: f64,
    worst: f64,
    /// The value with the worst.
    id: &'a str,
}

impl<'a> Off<'a> {
    /// `None` where nothing has an error.
    fn of(judged: &[&'a ValidationRow]) -> Option<Off<'a>> {
        let mut errors: Vec<(f64, &str)> =
            judged.iter().filter_map(|row| Some((row.error?.abs(), row.id.as_str()))).collect();
        errors.sort_by(|a, b| a.0.total_cmp(&b.0));
        let &(worst, id) = errors.last()?;
        let median = (errors[(errors.len() - 1) / 2].0 + errors[errors.len() / 2].0) / 2.0;
        Some(Off { median, worst, id })
    }
}

fn within(judged: &[&ValidationRow]) -> usize {
    judged.iter().filter(|row| row.within() == Some(true)).count()
}

/// How many, how far off in the middle, and which is the worst.
fn summary(what: &str, all: usize, judged: &[&ValidationRow], style: &Style) -> String {
    let within = within(judged);
    let mut text = format!("{what}: {} of {all} simulated, {within} within limits", judged.len());
    if let Some(Off { median, worst, id }) = Off::of(judged) {
        text += &format!(", median |error| {:.1}%, worst {:.1}% ({id})", median * 100.0, worst * 100.0);
    }
    wrap(&text, style.columns())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::{validation_csv, validation_json};
    use numalab_results::{SCHEMA_VERSION, Validation};
    use proptest::prelude::*;

    fn row(id: &str, role: &str, published: f64, simulated: Option<f64>, tolerance: f64) -> ValidationRow {
        let mut row = ValidationRow {
            id: id.into(),
            source: "fig 4.4".into(),
            machine: "bcs16".into(),
            experiment: "loadbal".into(),
            quantity: "makespan".into(),
            params: format!("schedule={id};threads=128"),
            role: role.into(),
            published,
            simulated: None,
            unit: "s".into(),
            error: None,
            tolerance,
            note: "a note, with a comma".into(),
        };
        if let Some(value) = simulated {
            row.simulate(value);
        }
        row
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

        Not simulated yet: malloc 1.

        all: 3 of 4 simulated, 2 within limits, median |error| 2.5%, worst 13.2% (dynamic)
        predictions: 2 of 3 simulated, 1 within limits, median |error| 7.8%, worst 13.2% (dynamic)
        ");
    }

    /// Of two experiments one has two values: errors of 0.34 and 13.2 %, and of 10 %.
    #[test]
    fn experiments_one_by_one() {
        let mut rows = rows();
        rows.truncate(2);
        let mut epcc = row("epcc.16", "predict", 14.41, Some(15.85), 0.25);
        (epcc.experiment, epcc.unit) = ("epcc_parallel".into(), "us".into());
        let mut factor = row("factor", "predict", 2.0, Some(2.0), 0.25);
        (factor.experiment, factor.unit) = ("epcc_parallel".into(), "1".into());
        rows.extend([epcc, factor]);
        insta::assert_snapshot!(validation_table(&rows, Style { width: 100, ..Style::default() }), @r"
        value    machine  what           role          published  simulated   error  limit
        ─────────────────────────────────────────────────────────────────────────────────────
        static   bcs16    loadbal        characterise     1.16 s     1.16 s   +0.3%     3%  ✓
        dynamic  bcs16    loadbal        predict          1.67 s     1.45 s  -13.2%    10%  ✗
        epcc.16  bcs16    epcc_parallel  predict         14.4 us    15.8 us  +10.0%    25%  ✓
        factor   bcs16    epcc_parallel  predict            2.00       2.00   +0.0%    25%  ✓

                               within   median
        what           values  limits  |error|  worst
        ─────────────────────────────────────────────
        epcc_parallel       2       2     5.0%  10.0%
        loadbal             2       1     6.8%  13.2%

        all: 4 of 4 simulated, 3 within limits, median |error| 5.2%, worst 13.2% (dynamic)
        predictions: 3 of 3 simulated, 2 within limits, median |error| 10.0%, worst 13.2% (dynamic)
        ");
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
        let validation = Validation { schema_version: SCHEMA_VERSION, rows: rows() };
        let text = validation_json(&validation);
        assert_eq!(serde_json::from_str::<Validation>(&text).unwrap(), validation);
        let text = validation_csv(&validation);
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
}
