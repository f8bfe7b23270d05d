//! Expressions of a policy file to rules: names get numbers, in an order in which each is known before it is used.

use crate::policy_file::PolicyFile;
use crate::quantity::Expression;
use numalab_syntax::expression::{self, ExpressionError, Parsed, PlainStep};
use numalab_syntax::nearest::hint;
use numalab_syntax::report::Report;
use numalab_workload::policy::{DEPTH, Named, NamedKind, Rule, Step, VALUES, variable};
use std::collections::BTreeMap;

/// A lowered value that the file names.
#[derive(Clone, Copy)]
struct Known {
    number: u8,
    kind: NamedKind,
    /// True if only a thread that reads the shared counter knows the value.
    of_counter: bool,
    /// True if the value changes from chunk to chunk.
    of_chunk: bool,
}

/// Names of a file, lowered one after the other.
pub(super) struct Formulas<'f> {
    file: &'f PolicyFile,
    known: BTreeMap<&'f str, Known>,
    /// Names whose expressions are being lowered, to find circles.
    open: Vec<&'f str>,
    pub named: Vec<Named>,
    /// True if any expression reads a measured value.
    pub reads_measured: bool,
}

/// A lowered expression.
pub(super) struct Lowered {
    pub rule: Rule,
    pub of_counter: bool,
    /// True if the value depends on the number of the chunk, or on a name that does.
    of_chunk: bool,
    /// True if the value is the same from the start of a loop to its end.
    pub is_fixed: bool,
}

impl<'f> Formulas<'f> {
    pub fn new(file: &'f PolicyFile) -> Formulas<'f> {
        let known = BTreeMap::new();
        Formulas { file, known, open: Vec::new(), named: Vec::new(), reads_measured: false }
    }

    /// Lowers all names of the file.
    pub fn names(&mut self, report: &mut Report<'_>) {
        let most = VALUES - usize::from(variable::FIRST_NAMED);
        let all = self.file.names.keys().chain(self.file.sums.keys());
        // Names can use each other, so all are counted before the first is lowered.
        if let Some(name) = all.clone().nth(most) {
            report.at_key(&self.path(name), format!("a policy has at most {most} names"), "");
            return;
        }
        for name in all {
            let path = self.path(name);
            let is_taken = variable::NAMES.contains(&name.as_str())
                || expression::reserved().any(|word| word == name)
                || (self.file.names.contains_key(name) && self.file.sums.contains_key(name));
            if is_taken || !expression::is_name(name) {
                let label = "expected a name of letters, digits and _ that nothing else has";
                report.at_key(&path, format!("`{name}` cannot be a name here"), label);
                continue;
            }
            self.name(name, report);
        }
    }

    fn path(&self, name: &str) -> String {
        format!("{}.{name}", if self.file.names.contains_key(name) { "let" } else { "sums" })
    }

    /// Number of a name that the file gives, which is lowered first if that was not done.
    fn name(&mut self, name: &'f str, report: &mut Report<'_>) -> Option<Known> {
        if let Some(known) = self.known.get(name) {
            return Some(*known);
        }
        let is_sum = !self.file.names.contains_key(name);
        let text = if is_sum { self.file.sums.get(name) } else { self.file.names.get(name) }?;
        let path = self.path(name);
        if self.open.contains(&name) {
            report.at(&path, format!("`{name}` uses itself"), "");
            return None;
        }
        self.open.push(name);
        let lowered = self.lower(&path, text, report);
        self.open.pop();
        let Lowered { rule, of_counter, of_chunk, is_fixed } = lowered?;
        if is_sum && (of_counter || of_chunk) {
            let message =
                "a sum over threads cannot read R, i, batch, batch_rest or a name of `let` that changes";
            report.at(&path, message, "expected values of a thread");
            return None;
        }
        let kind = match is_sum {
            true => NamedKind::SumOverThreads,
            false if is_fixed => NamedKind::Fixed,
            false => NamedKind::EachChunk,
        };
        let number = variable::FIRST_NAMED + self.named.len() as u8;
        if usize::from(number) >= VALUES {
            return None;
        }
        self.named.push(Named { rule, kind });
        let of_chunk = of_chunk || kind == NamedKind::EachChunk;
        let known = Known { number, kind, of_counter, of_chunk };
        self.known.insert(name, known);
        Some(known)
    }

    /// Rule of an expression, or `None` after a report of what is wrong with it.
    pub fn lower(&mut self, path: &str, text: &Expression, report: &mut Report<'_>) -> Option<Lowered> {
        let parsed = match expression::parse(&text.0) {
            Ok(parsed) => parsed,
            // The check against the schema has reported it.
            Err(_) => return None,
        };
        let wrong = |report: &mut Report<'_>, error| report.within(path, &text.0, error);
        let parsed = match parsed.without_rows("expected values of the loop") {
            Ok(parsed) => parsed,
            Err(error) => {
                wrong(report, error);
                return None;
            }
        };
        let (mut of_counter, mut of_chunk) = (false, false);
        let mut is_fixed = true;
        let mut numbers = BTreeMap::new();
        for (name, range) in parsed.names() {
            let number = match variable::NAMES.iter().position(|known| *known == name) {
                Some(number) => {
                    let number = number as u8;
                    of_counter |= variable::is_of_counter(number);
                    of_chunk |= variable::is_of_chunk(number);
                    is_fixed &= variable::is_fixed(number);
                    self.reads_measured |= variable::is_measured(number);
                    number
                }
                None => {
                    let own = self.file.names.keys().chain(self.file.sums.keys());
                    let Some(own) = own.clone().find(|own| *own == name) else {
                        let names = variable::NAMES.iter().copied().chain(own.map(String::as_str));
                        let label = hint(name, names);
                        let message = format!("unknown name `{name}`");
                        wrong(report, ExpressionError { range, message, label });
                        return None;
                    };
                    let known = self.name(own, report)?;
                    of_counter |= known.of_counter;
                    of_chunk |= known.of_chunk;
                    is_fixed &= known.kind == NamedKind::Fixed;
                    known.number
                }
            };
            numbers.insert(name.to_owned(), number);
        }
        let Some(rule) = rule(&parsed, &numbers) else {
            report.at(path, "the expression is too deep", format!("expected at most {DEPTH} open values"));
            return None;
        };
        Some(Lowered { rule, of_counter, of_chunk, is_fixed })
    }
}

fn rule(parsed: &Parsed, numbers: &BTreeMap<String, u8>) -> Option<Rule> {
    let step = |step: Option<PlainStep<'_>>| {
        Some(match step? {
            PlainStep::Number(value) => Step::Number(value),
            PlainStep::Name(name) => Step::Value(*numbers.get(name)?),
            PlainStep::Unary(apply) => Step::Unary(apply),
            PlainStep::Binary(apply) => Step::Binary(apply),
            PlainStep::Many(count, apply) => Step::Many(u8::try_from(count).ok()?, apply),
            PlainStep::Select => Step::Select,
        })
    };
    Rule::new(parsed.plain_steps().map(step).collect::<Option<Vec<Step>>>()?)
}
