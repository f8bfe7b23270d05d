//! Gates.

use super::Resolver;
use crate::quantity;
use crate::sweep::{Axis, Filter, Gate, Rule};
use crate::sweep_file::{BetterWord, GateFile, SweepFile};
use numalab_syntax::diagnostics::Source;
use numalab_syntax::nearest::hint;
use numalab_syntax::tree::shorten;
use numalab_workload::Schedule;
use std::collections::BTreeMap;
use std::path::Path;

/// All other policies.
const BEST: &str = "best";

impl Resolver<'_, '_> {
    pub(super) fn gates(&mut self, file: &SweepFile, filters: &[Filter], source: &Source) -> Vec<Gate> {
        let folder = Path::new(&source.name).parent().map(Path::to_owned).unwrap_or_default();
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

    /// The one thing that a gate says.
    fn rule(&mut self, path: &str, gate: &GateFile, folder: &Path) -> Option<Rule> {
        let at = |key: &str| format!("{path}.{key}");
        let kinds = [
            ("policy", gate.policy.is_some() || gate.no_worse_than.is_some()),
            ("baseline", gate.baseline.is_some()),
            ("order", gate.order.is_some()),
            ("holds", gate.holds.is_some()),
        ];
        let mut said = kinds.into_iter().filter_map(|(kind, said)| said.then_some(kind));
        let (Some(kind), None) = (said.next(), said.next()) else {
            let label = "expected one of `policy` and `no_worse_than`, `baseline`, `order`, and `holds`";
            self.report.at(path, "this is no gate, or more than one", label);
            return None;
        };
        self.strangers(path, gate, kind);
        Some(match kind {
            "policy" => {
                let (Some(policy), Some(than)) = (&gate.policy, &gate.no_worse_than) else {
                    let label = "expected `policy`, and `no_worse_than` with the others";
                    self.report.at(path, "this compares a policy with nothing", label);
                    return None;
                };
                let policy = self.of_sweep(&at("policy"), policy);
                let others = match &than.at(&at("no_worse_than"))[..] {
                    [(path, word)] if word.trim() == BEST => {
                        if self.policies_of_sweep().is_some_and(|known| known.len() == 1) {
                            self.report.at(path, "the sweep has no other policy", "expected more of them");
                        }
                        Vec::new()
                    }
                    words => self.policies(&at("no_worse_than"), words),
                };
                if policy.is_some_and(|policy| others.contains(&policy)) {
                    let message = "a policy is never worse than itself";
                    self.report.at(&at("no_worse_than"), message, "expected other policies");
                }
                Rule::NoWorse {
                    policy: policy?,
                    than: others,
                    by: self.fraction(&at("by"), gate.by.as_ref()),
                }
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
                    words.map(|(at, word)| (format!("{path}.order[{at}]"), word.as_str())).collect();
                if words.len() == 1 {
                    self.report.at(&at("order"), "one policy has no order", "expected at least two");
                }
                let policies = self.policies(&at("order"), &words);
                Rule::Order { policies, tie: self.fraction(&at("tie"), gate.tie.as_ref()) }
            }
            _ => Rule::Holds(self.condition(&at("holds"), gate.holds.as_ref()?)?),
        })
    }

    /// Keys that belong to another kind of gate.
    fn strangers(&mut self, path: &str, gate: &GateFile, kind: &str) {
        let keys = [
            ("by", gate.by.is_some(), &["policy"][..]),
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

    fn policies(&mut self, path: &str, words: &[(String, &str)]) -> Vec<Schedule> {
        if words.is_empty() {
            self.report.at(path, format!("{path} names no policies"), "expected a list of policies");
        }
        let read: Vec<_> =
            words.iter().filter_map(|(path, word)| Some((self.of_sweep(path, word)?, path))).collect();
        self.once(read.iter().map(|(policy, path)| (*policy, (*path).clone(), policy.to_string())));
        read.into_iter().map(|(policy, _)| policy).collect()
    }

    /// A policy that points have.
    fn of_sweep(&mut self, path: &str, word: &str) -> Option<Schedule> {
        let policy = quantity::policy(word).map_err(|error| self.report.within(path, word, error)).ok()?;
        if let Some(known) = self.policies_of_sweep().filter(|known| !known.contains(&policy)) {
            let known: Vec<String> = known.iter().map(Schedule::to_string).collect();
            let message = format!("{policy} is no policy of this sweep");
            self.report.at(path, message, hint(word, known.iter().map(String::as_str)));
        }
        Some(policy)
    }

    /// Policies of its axis, if it has one and all of that is right.
    fn policies_of_sweep(&self) -> Option<Vec<Schedule>> {
        let known =
            !self.broken.iter().any(|name| name == "policy") && !self.report.is_repaired("points.policy");
        self.axes.iter().filter(|_| known).find_map(|axis| match axis {
            Axis::Schedule(policies) => Some(policies.clone()),
            _ => None,
        })
    }
}

/// Lines of a text, counted once from its beginning to its end.
struct Lines<'t> {
    text: &'t [u8],
    at: usize,
    line: u32,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Lines<'t> {
        Lines { text: text.as_bytes(), at: 0, line: 1 }
    }

    /// The line of a byte, the first of which is 1.
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
