//! Resolves the gates of a sweep file.

use super::Resolver;
use crate::file::{Axis, Filter, Gate, Rule};
use numalab_files::quantity;
use numalab_files::sweep_file::{BetterWord, GateFile, SweepFile, Word};
use numalab_syntax::diagnostics::Source;
use numalab_syntax::nearest::hint;
use numalab_syntax::tree::shorten;
use std::collections::BTreeMap;
use std::path::Path;

/// Word that stands for all values of the compared axis except the gate's own.
const BEST: &str = "best";

/// Default axis along which points are compared.
const POLICY: &str = "policy";

impl Resolver<'_, '_> {
    pub(super) fn gates(&mut self, file: &SweepFile, filters: &[Filter], source: &Source) -> Vec<Gate> {
        let folder = self.folder.clone();
        let mut lines = Lines::new(&source.text);
        let mut names = BTreeMap::new();
        let mut gates = Vec::new();
        if !self.few("gates", file.gates.len()) {
            return gates;
        }
        for (number, gate) in file.gates.iter().enumerate() {
            let path = format!("gates[{number}]");
            if gate.name.trim().is_empty() {
                self.report.at(&format!("{path}.name"), "a gate has no name", "expected a few words");
            } else if let Some(first) = names.insert(&gate.name, number) {
                let message = format!("two gates are called \"{}\"", shorten(&gate.name));
                self.report.at(&format!("{path}.name"), message, format!("the other is gates[{first}]"));
            }
            let filter = gate.on.as_ref().and_then(|on| self.filter(&format!("{path}.on"), on, filters));
            let measure = self.measure(&path, gate);
            let line = lines.of(self.report.root.locate(&path).start);
            let Some(rule) = self.rule(&path, gate, &folder) else { continue };
            let more_is_better = gate.better == Some(BetterWord::More);
            gates.push(Gate { name: gate.name.clone(), filter, measure, more_is_better, rule, line });
        }
        gates
    }

    /// Reads the rule of a gate. A gate has exactly one rule.
    fn rule(&mut self, path: &str, gate: &GateFile, folder: &Path) -> Option<Rule> {
        let at = |key: &str| format!("{path}.{key}");
        let kinds = [
            (POLICY, gate.policy.is_some() || gate.value.is_some() || gate.no_worse_than.is_some()),
            ("baseline", gate.baseline.is_some()),
            ("order", gate.order.is_some()),
            ("holds", gate.holds.is_some()),
        ];
        let mut said = kinds.into_iter().filter_map(|(kind, said)| said.then_some(kind));
        let (Some(kind), None) = (said.next(), said.next()) else {
            let label =
                "expected one of `policy` or `value` and `no_worse_than`, `baseline`, `order`, and `holds`";
            self.report.at(path, "this is no gate, or more than one", label);
            return None;
        };
        self.strangers(path, gate, kind);
        let over = self.compared(path, gate)?;
        Some(match kind {
            POLICY => {
                let (key, value) = match (&gate.policy, &gate.value) {
                    (Some(_), Some(_)) => {
                        let label = "expected `policy`, or `over` and `value`";
                        self.report.at(&at("value"), "this gate is about two things", label);
                        return None;
                    }
                    (None, value) => ("value", value.as_ref().map(|Word(value)| value)),
                    (policy, None) => (POLICY, policy.as_ref()),
                };
                let (Some(value), Some(than)) = (value, &gate.no_worse_than) else {
                    let label =
                        "expected `policy`, or `over` and `value`; and `no_worse_than` with the others";
                    self.report.at(path, "this compares something with nothing", label);
                    return None;
                };
                if (key == POLICY) != (over == POLICY) {
                    let label = "expected `policy` alone, or `over` and `value`";
                    self.report.at(&at(key), format!("`{key}` does not go with `{over}`"), label);
                    return None;
                }
                let value = self.of_sweep(&over, &at(key), value);
                let others = match &than.at(&at("no_worse_than"))[..] {
                    [(path, word)] if word.trim() == BEST => {
                        if self.values_of(&over).is_some_and(|known| known.len() == 1) {
                            let message = format!("the sweep has no other {over}");
                            self.report.at(path, message, "expected more of them");
                        }
                        Vec::new()
                    }
                    words => self.values(&over, &at("no_worse_than"), words),
                };
                if value.as_ref().is_some_and(|value| others.contains(value)) {
                    self.report.at(&at("no_worse_than"), "it is never worse than itself", "expected others");
                }
                let by = self.fraction(&at("by"), gate.by.as_ref());
                Rule::NoWorse { over, value: value?, than: others, by }
            }
            "baseline" => {
                let file = gate.baseline.as_deref().unwrap_or_default();
                if file.trim().is_empty() {
                    self.report.at(&at("baseline"), "this names no file", "expected a file of results");
                }
                let by = self.fraction(&at("within"), gate.within.as_ref());
                Rule::Baseline { file: folder.join(file), by }
            }
            "order" => {
                let words = gate.order.iter().flatten().enumerate();
                let words: Vec<(String, &str)> =
                    words.map(|(at, Word(word))| (format!("{path}.order[{at}]"), word.as_str())).collect();
                if words.len() == 1 {
                    self.report.at(&at("order"), "one alone has no order", "expected at least two");
                }
                let values = self.values(&over, &at("order"), &words);
                Rule::Order { over, values, tie: self.fraction(&at("tie"), gate.tie.as_ref()) }
            }
            _ => Rule::Holds(self.condition(&at("holds"), gate.holds.as_ref()?)?),
        })
    }

    /// Reports keys of a gate that belong to gates of another kind than `kind`.
    fn strangers(&mut self, path: &str, gate: &GateFile, kind: &str) {
        let keys = [
            ("over", gate.over.is_some(), &[POLICY, "order"][..]),
            ("by", gate.by.is_some(), &[POLICY]),
            ("within", gate.within.is_some(), &["baseline"]),
            ("tie", gate.tie.is_some(), &["order"]),
            ("measure", gate.measure.is_some(), &["policy", "baseline", "order"]),
            ("better", gate.better.is_some(), &["policy", "baseline", "order"]),
        ];
        for (key, said, kinds) in keys {
            if said && !kinds.contains(&kind) {
                let message = format!("`{key}` has no effect beside `{kind}`");
                let label = format!("it goes with {}", kinds.join(", "));
                self.report.at(&format!("{path}.{key}"), message, label);
            }
        }
    }

    /// Axis along which a gate compares points: `policy` by default; an error if the sweep lacks the named axis.
    fn compared(&mut self, path: &str, gate: &GateFile) -> Option<String> {
        let Some(over) = &gate.over else { return Some(POLICY.to_owned()) };
        let over = over.trim();
        let axes = self.axes.iter().map(Axis::name).chain(self.broken.iter().map(String::as_str));
        let names: Vec<String> = axes.map(str::to_owned).collect();
        if names.iter().any(|name| name == over) {
            return Some(over.to_owned());
        }
        let message = format!("points do not differ in `{}`", shorten(over));
        self.report.at(&format!("{path}.over"), message, hint(over, names.iter().map(String::as_str)));
        None
    }

    fn values(&mut self, over: &str, path: &str, words: &[(String, &str)]) -> Vec<String> {
        if words.is_empty() {
            self.report.at(path, format!("{path} names nothing to compare"), "expected a list");
        }
        let read: Vec<_> =
            words.iter().filter_map(|(path, word)| Some((self.of_sweep(over, path, word)?, path))).collect();
        self.once(read.iter().map(|(value, path)| (value.clone(), (*path).clone(), value.clone())));
        read.into_iter().map(|(value, _)| value).collect()
    }

    /// Converts a value of a gate to its spelling in rows of results; reports a value that the axis lacks, unless the
    /// axis has team sizes or seeds.
    fn of_sweep(&mut self, over: &str, path: &str, word: &str) -> Option<String> {
        let spelled = match over {
            POLICY => quantity::policy(word).map(|policy| policy.to_string()),
            _ => Ok(word.trim().to_owned()),
        };
        let value = spelled.map_err(|error| self.report.within(path, word, error)).ok()?;
        if let Some(known) = self.values_of(over).filter(|known| !known.contains(&value)) {
            let message = format!("{} is no {over} of this sweep", shorten(&value));
            self.report.at(path, message, hint(word, known.iter().map(String::as_str)));
        }
        Some(value)
    }

    /// Values of an axis, as in rows of results; `None` if the sweep lacks the axis, the axis has errors, or it is
    /// one of team sizes or seeds.
    fn values_of(&self, over: &str) -> Option<Vec<String>> {
        let known = !self.broken.iter().any(|name| name == over)
            && !self.report.is_repaired(&format!("points.{over}"));
        self.axes.iter().find(|axis| known && axis.name() == over)?.words()
    }
}

/// Line numbers of bytes of a text, found in one pass.
struct Lines<'t> {
    text: &'t [u8],
    at: usize,
    line: u32,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Lines<'t> {
        Lines { text: text.as_bytes(), at: 0, line: 1 }
    }

    /// Number of the line (from 1) that contains a byte; cheap if the bytes of successive calls ascend.
    fn of(&mut self, byte: usize) -> u32 {
        let byte = byte.min(self.text.len());
        if byte < self.at {
            (self.at, self.line) = (0, 1);
        }
        self.line += self.text[self.at..byte].iter().filter(|&&c| c == b'\n').count() as u32;
        self.at = byte;
        self.line
    }
}
