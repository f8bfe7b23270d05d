//! Resolves the filters of a sweep file.

use super::Resolver;
use crate::file::{Axis, Condition, DEFAULT, Filter, Words, matches};
use numalab_files::quantity::{self, Expression};
use numalab_files::sweep_file::{FilterFile, WordsFile};
use numalab_syntax::expression::{self, Scope};
use numalab_syntax::nearest::hint;
use numalab_syntax::tree::shorten;
use std::collections::BTreeMap;

const SAYS_NOTHING: &str = "this filter has no condition";
const EXPECTED: &str = "expected a coordinate such as `machine`, `where` or `not`";

impl Resolver<'_, '_> {
    /// Filters in the order of the file.
    pub(super) fn filters(&mut self, file: &BTreeMap<String, FilterFile>) -> Vec<Filter> {
        let mut filters = Vec::new();
        if !self.few("filters", file.len()) {
            return filters;
        }
        for name in self.report.root.keys_of("filters") {
            let path = format!("filters.{name}");
            let Some(filter) = file.get(&name) else {
                self.report.at_key(&path, SAYS_NOTHING, EXPECTED);
                continue;
            };
            if name.trim().is_empty() {
                self.report.at_key(&path, "a filter has no name", "expected a word");
            }
            let mut words = self.coordinates(&path, &filter.words, true);
            words.extend(self.coordinates(&format!("{path}.not"), &filter.not, false));
            let condition = filter.condition.as_ref();
            let condition = condition.and_then(|text| self.place(&format!("{path}.where"), text));
            if words.is_empty() && filter.condition.is_none() {
                self.report.at_key(&path, SAYS_NOTHING, EXPECTED);
            }
            filters.push(Filter { name, words, condition });
        }
        filters
    }

    fn coordinates(&mut self, path: &str, file: &BTreeMap<String, WordsFile>, wanted: bool) -> Vec<Words> {
        let mut all = Vec::new();
        if !self.few(path, file.len()) {
            return all;
        }
        for (coordinate, patterns) in file {
            let path = format!("{path}.{coordinate}");
            let set = self.axes.iter().map(Axis::name).chain(self.broken.iter().map(String::as_str));
            let names: Vec<&str> = Axis::NAMES.into_iter().chain(set).collect();
            let known = names.contains(&coordinate.as_str());
            if !known {
                let label = hint(coordinate, names.into_iter().chain(["where", "not"]));
                let message = format!("points have no coordinate `{}`", shorten(coordinate));
                self.report.at_key(&path, message, label);
                continue;
            }
            let patterns = patterns.at(&path);
            if patterns.is_empty() {
                self.report.at(&path, format!("{path} has no values"), "expected at least one");
            }
            let each = |(path, text): (String, &str)| self.pattern(&path, coordinate, text.trim());
            let patterns: Vec<String> = patterns.into_iter().filter_map(each).collect();
            all.push(Words { coordinate: coordinate.clone(), patterns, wanted });
        }
        all
    }

    /// Converts a value of a filter to its spelling in rows of results; patterns stay unchanged. Reports a value or
    /// pattern that fits no value of the axis, unless the axis has team sizes or seeds.
    fn pattern(&mut self, path: &str, coordinate: &str, text: &str) -> Option<String> {
        let exact = !text.contains('*') && text != DEFAULT;
        let spelled = match coordinate {
            "policy" if exact => quantity::policy(text).map(|policy| policy.to_string()),
            "placement" if exact => quantity::placement(text).map(|placement| placement.to_string()),
            _ => Ok(text.to_owned()),
        };
        let spelled = spelled.map_err(|error| self.report.within(path, text, error)).ok()?;
        let known = !self.broken.iter().any(|name| name == coordinate) && !self.report.is_repaired("points");
        let values = self.axes.iter().find(|axis| axis.name() == coordinate).and_then(Axis::words);
        if let Some(values) = values
            && !values.iter().any(|value| matches(&spelled, value))
            && known
        {
            let message = format!("no {coordinate} of this sweep is `{}`", shorten(text));
            self.report.at(path, message, hint(text, values.iter().map(String::as_str)));
        }
        Some(spelled)
    }

    /// Parses the condition `where` of a filter, in which facts and `seed` are names.
    fn place(&mut self, path: &str, text: &Expression) -> Option<Condition> {
        let variables = Filter::variables();
        let read = expression::parse(&text.0)
            .and_then(|parsed| parsed.without_rows(WHOLE_RUN)?.formula(&Scope::default(), &variables));
        let formula = read.map_err(|error| self.report.within(path, &text.0, error)).ok()?;
        let names = variables.iter().map(|name| (*name).to_owned()).collect();
        Some(Condition { text: text.0.clone(), names, formula })
    }
}

/// Label of errors for functions of rows or tables, which conditions cannot use.
pub(super) const WHOLE_RUN: &str = "expected numbers of the whole run";
