//! Published measurements beside simulated values.

use super::off::{Off, by_experiment, quantity};
use crate::numbers::signed_percent;
use crate::page::{Page, Rows, Sheet, View, exact};
use crate::style::Style;
use numalab_results::{Validation, ValidationRow};
use std::collections::BTreeMap;

impl View for Validation {
    /// A row for every published value that was simulated, a count of those that were not, and a summary.
    fn page(&self, _: &Style) -> Page {
        let judged: Vec<&ValidationRow> = self.rows.iter().filter(|row| row.simulated.is_some()).collect();
        let page = Page::default().with((!judged.is_empty()).then(|| sheet(judged.clone())), Page::table);
        let page = page.with(experiments(&judged), Page::table).text(uncovered(&self.rows));
        let predicted: Vec<&ValidationRow> =
            judged.iter().copied().filter(|row| row.role == "predict").collect();
        let all = self.rows.iter().filter(|row| row.role == "predict").count();
        let predictions = (all > 0 && all < self.rows.len()).then(|| summary("predictions", all, &predicted));
        page.text([summary("all", self.rows.len(), &judged)].into_iter().chain(predictions))
    }
}

impl Rows for Validation {
    fn csv(&self) -> String {
        sheet(self.rows.iter().collect()).csv()
    }
}

/// The columns; where there is little room, first the case goes, then what the identifier abbreviates.
fn sheet(rows: Vec<&ValidationRow>) -> Sheet<&ValidationRow> {
    Sheet::of(rows)
        .words("id", "value", |row| row.id.clone())
        .file("source", |row| row.source.clone())
        .words("machine", "machine", |row| row.machine.clone())
        .until(2)
        .words("experiment", "what", |row| row.experiment.clone())
        .until(2)
        .words("quantity", "quantity", |row| row.quantity.clone())
        .until(1)
        .words("params", "case", |row| row.params.clone())
        .until(1)
        .words("role", "role", |row| row.role.clone())
        .file("published", |row| exact(row.published))
        .number("published", |row| quantity(&row.unit, row.published))
        .file("simulated", |row| row.simulated.map(exact))
        .number("simulated", |row| row.simulated.map(|value| quantity(&row.unit, value)))
        .file("unit", |row| row.unit.clone())
        .file("error", |row| row.error.map(exact))
        .number("error", |row| row.error.map(signed_percent))
        .file("tolerance", |row| exact(row.tolerance))
        .number("limit", |row| format!("{:.0}%", row.tolerance * 100.0))
        .file("note", |row| row.note.clone())
        .verdict(|row| row.within())
}

fn uncovered(rows: &[ValidationRow]) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.simulated.is_none()) {
        *counts.entry(&row.experiment).or_default() += 1;
    }
    let list: Vec<String> =
        counts.iter().map(|(experiment, count)| format!("{experiment} {count}")).collect();
    (!list.is_empty()).then(|| format!("Not simulated yet: {}.", list.join(", ")))
}

/// A row for each experiment, where there are several with several values each.
fn experiments<'a>(judged: &[&'a ValidationRow]) -> Option<Sheet<(&'a str, Option<Off>, usize)>> {
    let mut groups: BTreeMap<&str, Vec<&ValidationRow>> = BTreeMap::new();
    for row in judged {
        groups.entry(&row.experiment).or_default().push(row);
    }
    by_experiment(groups.into_iter().map(|(name, rows)| (name, off(&rows), rows.len())).collect()).map(
        |sheet| {
            sheet.number("worst", |(_, off, _)| Some(format!("{:.1}%", off.as_ref()?.worst.1.abs() * 100.0)))
        },
    )
}

fn off(rows: &[&ValidationRow]) -> Option<Off> {
    Off::of(rows.iter().map(|row| (row.error, row.within(), 0.0)))
}

/// Counts, the median error, and the worst value.
fn summary(what: &str, all: usize, judged: &[&ValidationRow]) -> String {
    let off = off(judged);
    let within = off.as_ref().map_or(0, |off| off.within);
    let text = format!("{what}: {} of {all} simulated, {within} within limits", judged.len());
    match off {
        None => text,
        Some(Off { error, worst: (at, worst), .. }) => {
            let [error, worst] = [error, worst.abs()].map(|part| format!("{:.1}%", part * 100.0));
            format!("{text}, median |error| {error}, worst {worst} ({})", judged[at].id)
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::*;
    use numalab_results::{SCHEMA_VERSION, Validation, ValidationRow};
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

    fn validation_table(rows: &[ValidationRow], style: Style) -> String {
        table(&Validation { schema_version: SCHEMA_VERSION, rows: rows.to_vec() }, style)
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
}
