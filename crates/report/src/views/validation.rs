//! Published measurements beside simulated values.

use super::off::{Off, percent, quantity};
use crate::numbers::{count, signed_percent};
use crate::page::{Lines, Page, Rows, Sheet, View, exact};
use crate::style::{Ink, Style};
use numalab_results::{Score, Validation, ValidationRow};
use std::collections::BTreeMap;

/// Legend of the column of verdicts.
const MARKS: &str = "✓: the error is within the limit; ✗: it is not";

impl View for Validation {
    /// Arranges a table of simulated values for each experiment, one row per experiment, reasons for values beyond their limits, the number
    /// of values that were not simulated, and a summary.
    fn page(&self, style: &Style) -> Page {
        let groups = self.rows.chunk_by(|row, next| row.experiment == next.experiment);
        let page = groups.fold(Page::default(), |page, group| page.then(ExperimentRows(group).page(style)));
        page.then(ValidationSums(self).page(style))
    }

    /// Arranges the scorecard: statistics, values beyond their limits with reasons, then all values.
    fn document(&self) -> Page {
        let heading = |page: Page, text: &str| page.title(Ink::Bold, 2, text.to_owned());
        let page = Page::default().title(Ink::Bold, 1, "Accuracy".to_owned()).text([
            "Published measurements of real machines beside what is simulated of their machine files. Rows marked \
             characterise are those that these files were fitted on; rows marked predict were not used, and their error \
             is the one to expect of an answer."
                .to_owned(),
            "Tau is Kendall's rank correlation (tau-b) of published and simulated values of the same machine and \
             quantity. Gaps are pairs of these whose published values differ by more than 5 %, and how many the \
             simulation has in the same order."
                .to_owned(),
        ]);
        let page = page.text(summaries(self));
        let scores = self.experiments.iter().filter(|score| score.simulated > 0).collect();
        let page = heading(page, "By experiment").table(by(scores));
        let scores: Vec<&Score> = self.scores.iter().filter(|score| score.simulated > 0).collect();
        let page = heading(page, "By machine and experiment").table(by(scores));
        let beyond: Vec<&ValidationRow> = self.rows.iter().filter(|row| row.within == Some(false)).collect();
        let page = match beyond.is_empty() {
            true => page,
            false => heading(page, "Beyond their limits").table(
                figures(Sheet::of(beyond).text("value", |row| row.id.clone()))
                    .text("reason", |row| row.reason.clone().unwrap_or_default()),
            ),
        };
        let page = heading(page, "Every value").table(sheet(self, self.judged()));
        match uncovered(&self.rows) {
            Some(list) => heading(page, "Not simulated yet").text([list]),
            None => page,
        }
    }
}

/// Consecutive rows of one experiment: the part of a validation that can be shown before the others are simulated.
/// Empty if none is simulated.
pub struct ExperimentRows<'a>(pub &'a [ValidationRow]);

impl View for ExperimentRows<'_> {
    fn page(&self, _: &Style) -> Page {
        let judged: Vec<&ValidationRow> = self.0.iter().filter(|row| is_judged(row)).collect();
        let without =
            Validation { schema_version: 0, rows: Vec::new(), scores: Vec::new(), experiments: Vec::new() };
        match judged.is_empty() {
            true => Page::default(),
            false => Page::default().table(sheet(&without, judged)),
        }
    }
}

/// Part of a validation after its rows: sums by experiment, reasons for values beyond their limits, and a summary.
pub struct ValidationSums<'a>(pub &'a Validation);

impl View for ValidationSums<'_> {
    fn page(&self, _: &Style) -> Page {
        let all = self.0;
        let several = all.experiments.len() > 1 && all.experiments.iter().any(|score| score.simulated > 1);
        let scores: Vec<&Score> = all.experiments.iter().filter(|score| score.simulated > 0).collect();
        let page = Page::default().with(several.then(|| by(scores)), Page::table);
        let reasons = all.rows.iter().filter_map(|row| Some(format!("{}: {}", row.id, row.reason.as_ref()?)));
        let marks = all.rows.iter().any(|row| row.within.is_some()).then(|| MARKS.to_owned());
        page.text(marks).text(reasons).text(uncovered(&all.rows)).text(summaries(all))
    }
}

impl Rows for Validation {
    fn csv(&self) -> String {
        sheet(self, self.rows.iter().collect()).csv()
    }
}

fn is_judged(row: &ValidationRow) -> bool {
    row.simulated.is_some() || row.found.is_some()
}

/// Parts of a validation from which tables are made.
trait Judged {
    /// Rows with a simulated value.
    fn judged(&self) -> Vec<&ValidationRow>;
    /// Score of the row's machine and experiment; `None` if it has none.
    fn score(&self, row: &ValidationRow) -> Option<&Score>;
}

impl Judged for Validation {
    fn judged(&self) -> Vec<&ValidationRow> {
        self.rows.iter().filter(|row| is_judged(row)).collect()
    }

    fn score(&self, row: &ValidationRow) -> Option<&Score> {
        let own = |score: &&Score| {
            score.machine.as_ref() == Some(&row.machine) && score.experiment == row.experiment
        };
        self.scores.iter().find(own)
    }
}

/// Table of `rows`; scores are taken from `all`. Narrow terminals first omit quantity and case, then machine and
/// experiment, which the identifier contains.
fn sheet<'a>(all: &'a Validation, rows: Vec<&'a ValidationRow>) -> Sheet<&'a ValidationRow> {
    let sheet = Sheet::of(rows)
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
        .words("role", "role", |row| if row.stated { STATED.to_owned() } else { row.role.clone() })
        .file("published", |row| row.published.map(exact))
        .file("expected", |row| row.expected.clone())
        .file("simulated", |row| row.simulated.map(exact))
        .file("found", |row| row.found.clone())
        .file("unit", |row| row.unit.clone())
        .file("error", |row| row.error.map(exact))
        .file("tolerance", |row| exact(row.tolerance))
        .file("within", |row| row.within)
        .file("interval_low", |row| row.interval.map(|(low, _)| exact(low)))
        .file("interval_high", |row| row.interval.map(|(_, high)| exact(high)))
        .file("stated", |row| row.stated)
        .file("kendall_tau", |row| all.score(row).and_then(|score| score.tau).map(exact))
        .file("gaps", |row| all.score(row).map(|score| score.gaps))
        .file("gaps_ordered", |row| all.score(row).map(|score| score.gaps_ordered))
        .file("reason", |row| row.reason.clone())
        .file("note", |row| row.note.clone());
    figures(sheet).verdict(|row| row.within)
}

/// Adds the columns of published and simulated values and their errors.
fn figures(sheet: Sheet<&ValidationRow>) -> Sheet<&ValidationRow> {
    let intervals = sheet.rows.iter().any(|row| row.interval.is_some());
    sheet
        .number("published", |row| match &row.expected {
            // An order of runs is text and has no unit.
            Some(text) if row.found.is_some() => Some(below_each_other(text)),
            Some(text) if matches!(&*row.unit, "" | "1") => Some(Lines::of([text])),
            Some(text) => Some(Lines::of([format!("{text} {}", row.unit)])),
            None => row.published.map(|value| Lines::of([quantity(&row.unit, value)])),
        })
        .number("simulated", |row| {
            let found = row.found.as_deref().map(below_each_other);
            found.or_else(|| row.simulated.map(|value| Lines::of([quantity(&row.unit, value)])))
        })
        .number("error", |row| row.error.map(signed_percent))
        .when(intervals, |sheet| {
            sheet.number("nine in ten\nwithin", |row| {
                let (_, high) = row.interval?;
                Some(format!("×{:.2}", high / row.simulated?))
            })
        })
        .number("limit", |row| row.expected.is_none().then(|| format!("{:.0}%", row.tolerance * 100.0)))
}

/// Text of an order of runs, with one run per line if the order is longer than most numbers.
fn below_each_other(order: &str) -> Lines {
    const LINE: usize = 14;
    match order.len() > LINE {
        true => Lines::of(order.split_inclusive(['<', '='])),
        false => Lines::of([order]),
    }
}

fn uncovered(rows: &[ValidationRow]) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.simulated.is_none() && row.found.is_none()) {
        *counts.entry(&row.experiment).or_default() += 1;
    }
    let list: Vec<String> =
        counts.iter().map(|(experiment, count)| format!("{experiment} {count}")).collect();
    (!list.is_empty()).then(|| format!("Not simulated yet: {}.", list.join(", ")))
}

/// Table with one row per score.
fn by(scores: Vec<&Score>) -> Sheet<&Score> {
    let machines = scores.iter().any(|score| score.machine.is_some());
    let sheet = Sheet::of(scores);
    let sheet = sheet.when(machines, |sheet| sheet.text("machine", |score| score.machine.clone()));
    sheet
        .text("what", |score| score.experiment.clone())
        .number("values", |score| score.simulated)
        .number("within\nlimits", |score| score.within)
        .number("median\n|error|", |score| score.median_error.map(percent))
        .number("worst", |score| score.worst_error.map(percent))
        .number("tau", |score| score.tau.map(|tau| format!("{tau:.2}")))
        .number("gaps in\norder", |score| {
            (score.gaps > 0).then(|| format!("{} of {}", score.gaps_ordered, score.gaps))
        })
}

fn off(rows: &[&ValidationRow]) -> Option<Off> {
    Off::of(rows.iter().map(|row| (row.error, row.within, 0.0)))
}

/// One sentence on all rows that are simulated; if not all rows are predictions, another sentence on these; then on
/// the intervals of predictions, and on rows that a file states.
fn summaries(all: &Validation) -> Vec<String> {
    let counted: Vec<&ValidationRow> = all.judged().into_iter().filter(|row| !row.stated).collect();
    let stated = all.rows.iter().filter(|row| row.stated).count();
    let predicted: Vec<&ValidationRow> =
        counted.iter().copied().filter(|row| row.role == "predict").collect();
    let predictions = all.rows.iter().filter(|row| row.role == "predict" && !row.stated).count();
    let rows = all.rows.len() - stated;
    let of_predictions =
        (predictions > 0 && predictions < rows).then(|| summary("predictions", predictions, &predicted));
    let checks = (stated > 0).then(|| {
        format!(
            "{} that a file states, or a formula of it, are checks and do not count",
            count(stated, "value")
        )
    });
    let first = (rows > 0).then(|| summary("all", rows, &counted));
    first.into_iter().chain(of_predictions).chain(coverage(&predicted)).chain(checks).collect()
}

/// Sentence on how often the published value lies in the interval of a prediction; `None` without intervals.
fn coverage(predicted: &[&ValidationRow]) -> Option<String> {
    let with: Vec<(&ValidationRow, (f64, f64))> =
        predicted.iter().filter_map(|row| Some((*row, row.interval?))).collect();
    let inside = with.iter().filter(|(row, (low, high))| {
        row.published.is_some_and(|published| (*low..=*high).contains(&published))
    });
    let mut widths: Vec<f64> =
        with.iter().filter_map(|(row, (_, high))| Some(high / row.simulated?)).collect();
    widths.sort_by(f64::total_cmp);
    let median = widths.get(widths.len() / 2)?;
    Some(format!(
        "intervals: {} of {} predictions lie within what nine in ten others of their kind are off by ({}); half of \
         the intervals reach to ×{median:.2} or less",
        inside.clone().count(),
        with.len(),
        percent(crate::numbers::share(inside.count() as f64, with.len() as f64)),
    ))
}

/// Role that is shown for rows that a file states.
const STATED: &str = "stated";

/// Sentence with counts, median error and worst value of some rows.
fn summary(what: &str, all: usize, judged: &[&ValidationRow]) -> String {
    let within = judged.iter().filter(|row| row.within == Some(true)).count();
    let text = format!("{what}: {} of {all} simulated, {within} within limits", judged.len());
    match off(judged) {
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

        | value | machine | what | quantity | case | role | published | simulated | error | limit |  |
        | --- | --- | --- | --- | --- | --- | ---: | ---: | ---: | ---: | --- |
        | range | bcs16 | loadbal | makespan | schedule=range;threads=128 | predict | \<0.1 s | 0.110 s | +10.0% | - | ✗ |
        | order | bcs16 | loadbal | makespan | schedule=order;threads=128 | predict | bound\<unbound | unbound\<bound | - | - | ✗ |
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
}
