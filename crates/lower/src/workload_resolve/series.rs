//! Runs of a series.

use super::Resolver;
use crate::questions::{Change, Point, Series};
use numalab_files::quantity::Text;
use numalab_files::workload_file::{ParameterFile, RangeFile, SeriesFile, SeriesValues, WorkloadFile};
use numalab_files::{Origin, Override};
use numalab_syntax::expression::{self, ExpressionError};
use numalab_syntax::nearest::hint;
use numalab_syntax::steps::{Growth, Steps, WrongSteps};
use numalab_syntax::tree::{shorten, show};
use numalab_syntax::typed_values;
use std::collections::BTreeSet;

/// Largest number of points, each of which is a run, in one series.
const MOST_POINTS: f64 = 10_000.0;

/// Name in `over` by which a series changes the team size.
pub(super) const THREADS: &str = "threads";

impl Resolver<'_, '_> {
    pub(super) fn series(&mut self, file: &WorkloadFile) -> Option<Series> {
        let series = file.series.as_ref()?;
        if !self.can_change("series.over", &series.over, file) {
            return None;
        }
        let items = self.items(series);
        if items.len() as f64 > MOST_POINTS {
            let message = format!("the series has {} values", items.len());
            self.report.at("series.values", message, format!("expected at most {MOST_POINTS}"));
            return None;
        }
        let (mut points, mut typed) = (Vec::new(), BTreeSet::new());
        for (path, whole, start, item) in items {
            points.push(self.point(file, &series.over, &path, whole, start, item)?);
            if !typed.insert(item.trim()) {
                let range = typed_values::trim(whole, start..start + item.len());
                let message = format!("{} is here twice", shorten(item.trim()));
                let label = "type each value once".to_owned();
                self.report.within(&path, whole, ExpressionError { range, message, label });
                return None;
            }
        }
        if let SeriesValues::Range(range) = &series.values {
            let choices = file.parameters.get(&series.over).map_or(&[][..], ParameterFile::choices);
            if !choices.is_empty() {
                let words: Vec<&str> = choices.iter().map(|word| word.0.as_str()).collect();
                let label = format!("expected a list of {}", words.join(", "));
                self.report.at("series.values", format!("{} is a word", series.over), label);
                return None;
            }
            for value in self.range(range)? {
                points.push(self.numbered(&series.over, "series.values", value)?);
            }
        }
        if points.is_empty() {
            self.report.at("series.values", "the series has no values", "expected at least one");
            return None;
        }
        Some(Series { over: series.over.clone(), points })
    }

    /// Checks that a series can change this name: `threads` or a parameter.
    pub(super) fn can_change(&mut self, path: &str, name: &str, file: &WorkloadFile) -> bool {
        if name == THREADS || file.parameters.contains_key(name) {
            return true;
        }
        let known = file.parameters.keys().map(String::as_str).chain([THREADS]);
        let (message, label) = (format!("there is no parameter `{}`", shorten(name)), hint(name, known));
        self.report.at(path, message, label);
        false
    }

    /// Items in a list of values: path in the file, text that contains the item, position of the item in the text in
    /// bytes, and the item.
    fn items<'f>(&self, series: &'f SeriesFile) -> Vec<(String, &'f str, usize, &'f str)> {
        match &series.values {
            SeriesValues::Range(_) => Vec::new(),
            SeriesValues::List(items) => {
                let item = |(index, Text(item)): (usize, &'f Text)| {
                    (format!("series.values[{index}]"), item.as_str(), 0, item.as_str())
                };
                items.iter().enumerate().map(item).collect()
            }
            SeriesValues::Text(Text(text)) => {
                let path = || "series.values".to_owned();
                typed_values::items(text).map(|(start, item)| (path(), text.as_str(), start, item)).collect()
            }
        }
    }

    /// Point of the series for `item`, which is a word or an expression at position `start` of `whole`.
    fn point(
        &mut self,
        file: &WorkloadFile,
        over: &str,
        path: &str,
        whole: &str,
        start: usize,
        item: &str,
    ) -> Option<Point> {
        let within = |error: ExpressionError| ExpressionError {
            range: start + error.range.start..start + error.range.end,
            ..error
        };
        let choices = file.parameters.get(over).map_or(&[][..], ParameterFile::choices);
        if !choices.is_empty() {
            let word = item.trim();
            if let Some(value) = self.word(word).filter(|_| choices.iter().any(|known| known.0 == word)) {
                return Some(Point { value, text: word.to_owned(), change: change(over, word) });
            }
            let label = hint(word, choices.iter().map(|known| known.0.as_str()));
            let message = format!("{over} cannot be \"{}\"", shorten(word));
            let error = ExpressionError { range: 0..item.len(), message, label };
            self.report.within(path, whole, within(error));
            return None;
        }
        let bound = expression::parse(item).and_then(|parsed| parsed.bind(&self.scope, false));
        match bound {
            Ok(program) => self.numbered(over, path, program.at(0)),
            Err(error) => {
                self.report.within(path, whole, within(error));
                None
            }
        }
    }

    fn numbered(&mut self, over: &str, path: &str, value: f64) -> Option<Point> {
        if over == THREADS && !(value.fract() == 0.0 && (1.0..=1e6).contains(&value)) {
            let label = "expected a whole number from 1 to 1000000";
            self.complain(path, format!("a team cannot have {} threads", show(value)), label);
            return None;
        }
        if !value.is_finite() {
            self.complain(path, format!("{path} is {}", show(value)), "expected a finite number");
            return None;
        }
        let text = value.to_string();
        let change = match over {
            THREADS => Change::of_threads(value as u32),
            _ => change(over, &text),
        };
        Some(Point { value, text, change })
    }

    /// Values of a range from its first to its last value. The last value is always included.
    fn range(&mut self, range: &RangeFile) -> Option<Vec<f64>> {
        const PATH: &str = "series.values";
        let from = self.constant("series.values.from", &range.from);
        let to = self.constant("series.values.to", &range.to);
        let growth = match (&range.step, &range.factor) {
            (Some(step), None) => Growth::Step(self.constant("series.values.step", step)?),
            (None, Some(factor)) => Growth::Factor(self.constant("series.values.factor", factor)?),
            _ => {
                self.report.at(
                    PATH,
                    "this is not a range",
                    "expected `from`, `to` and one of `step` and `factor`",
                );
                return None;
            }
        };
        match Steps::new(from?, to?, growth, MOST_POINTS) {
            Ok(steps) => Some(steps.values().collect()),
            Err(WrongSteps { key, message, label }) => {
                let path = key.map_or(PATH.to_owned(), |key| format!("{PATH}.{key}"));
                let what = if key.is_some() { &path } else { "the series" };
                self.complain(&path, format!("{what} {message}"), label);
                None
            }
        }
    }
}

/// Change that sets one parameter to the value of a text.
pub(super) fn change(parameter: &str, text: &str) -> Change {
    let one = Override::of_workload(&format!("parameters.{parameter}"), text, Origin::Run);
    Change { threads: None, overrides: vec![one] }
}
