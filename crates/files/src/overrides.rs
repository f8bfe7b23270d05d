//! Overrides (`--set machine.memory.bandwidth="18 GB/s"`): values that replace values of a file. They enter the tree
//! of the file before any check, so they are checked like values of the file, and errors point at the override's
//! text.

use crate::lookup::Kind;
use crate::quantity;
use crate::schema::{self, Part};
use crate::series_text;
use numalab_syntax::diagnostics::{Diagnostic, Diagnostics, Source};
use numalab_syntax::nearest::hint;
use numalab_syntax::toml_tree;
use numalab_syntax::tree::{Entry, Node, TextRange, Value, shorten};
use std::borrow::Cow;

// Glossary: override: A value that `--set`, a sweep or a series puts in place of one in a file.
/// Value that replaces a value of a file, such as by `--set`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Override {
    /// Path of the replaced value in the file, such as `memory.bandwidth`: the part after `machine.`, `workload.` or
    /// `runtime.`.
    pub path: String,
    /// Text of the new value.
    pub value: String,
    /// Whole text of the override, as typed: path and value.
    pub original: String,
    pub origin: Origin,
}

/// Source of an override.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// The flag `--set`.
    Set,
    /// The flag `--series`.
    Series,
    Sweep,
    /// A series or measure of a workload, which sets the value for one run.
    Run,
}

/// Overrides by kind of file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Overrides {
    /// Overrides of machine files: `machine.PATH=VALUE`.
    pub machine: Vec<Override>,
    /// Overrides of workload files: `workload.PATH=VALUE`.
    pub workload: Vec<Override>,
    /// Overrides of runtime files: `runtime.PATH=VALUE`.
    pub runtime: Vec<Override>,
}

impl Origin {
    /// Name of the source in messages.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Set => "--set",
            Origin::Series => "--series",
            Origin::Sweep => "set by the sweep",
            Origin::Run => "changed for a run",
        }
    }
}

impl Override {
    /// Makes an error that points at the override's value.
    pub fn refused(&self, message: String, label: String) -> Diagnostics {
        let text = self.original.clone();
        let start = text.len().saturating_sub(self.value.len());
        let span = TextRange { source: 0, start, end: text.len() };
        let source = Source { name: self.origin.name().to_owned(), text };
        Diagnostics::new(vec![source], vec![Diagnostic::new(span, message, label)])
    }

    /// Override of a workload's value; `path` is the value's path in the file.
    pub fn of_workload(path: &str, value: &str, origin: Origin) -> Override {
        let original = format!("workload.{path}={value}");
        Override { path: path.to_owned(), value: value.to_owned(), original, origin }
    }

    /// True if the override sets the workload parameter of that name.
    pub fn sets_parameter(&self, name: &str) -> bool {
        let (inner, path) = match self.path.strip_prefix("parameters.") {
            Some(path) => (true, path),
            None => (false, &self.path[..]),
        };
        let is_key = || schema::of(Kind::Workload).property(name).is_some();
        path.split('.').next() == Some(name) && (inner || !is_key())
    }

    /// Text of the override in results; the flag precedes an override of `--series`.
    pub fn recorded(&self) -> String {
        match self.origin {
            Origin::Series => format!("{} {}", self.origin.name(), self.original),
            Origin::Set | Origin::Sweep | Origin::Run => self.original.clone(),
        }
    }
}

/// Parses texts of `--set`.
pub fn parse_overrides(texts: &[String]) -> Result<Overrides, Diagnostics> {
    let mut sorted = Overrides::default();
    let (mut sources, mut errors) = (Vec::new(), Vec::new());
    for text in texts {
        if let Err((range, message, label)) = sorted.add(text, Origin::Set) {
            let span = TextRange { source: sources.len(), start: range.start, end: range.end };
            sources.push(Source { name: Origin::Set.name().to_owned(), text: text.clone() });
            errors.push(Diagnostic::new(span, message, label));
        }
    }
    if errors.is_empty() { Ok(sorted) } else { Err(Diagnostics::new(sources, errors)) }
}

/// Error of an override: byte range in its text, message, label.
type Refusal = (std::ops::Range<usize>, String, String);

impl Overrides {
    /// Adds a value that a sweep sets. The sweep's reader has checked the path.
    pub fn set_by_sweep(&mut self, path: &str, value: &str) {
        let taken = self.add(&format!("{path}={value}"), Origin::Sweep);
        debug_assert!(taken.is_ok(), "{path} was checked when the sweep was read");
    }

    fn add(&mut self, text: &str, origin: Origin) -> Result<(), Refusal> {
        let example = || "expected for example machine.memory.bandwidth=\"18 GB/s\"".to_owned();
        let Some((path, value)) = text.split_once('=') else {
            return Err((0..text.len(), "this sets nothing".to_owned(), example()));
        };
        let (whose, rest) = path.split_once('.').unwrap_or((path, ""));
        let list = match whose {
            "machine" => &mut self.machine,
            "workload" => &mut self.workload,
            "runtime" => &mut self.runtime,
            _ => {
                let message = format!("nothing is called `{}` here", shorten(whose));
                return Err((0..whose.len(), message, hint(whose, ["machine", "workload", "runtime"])));
            }
        };
        if rest.is_empty() {
            return Err((0..path.len(), format!("a value of the {whose} must be named"), example()));
        }
        let (path, value) = (rest.to_owned(), value.to_owned());
        list.push(Override { path, value, original: text.to_owned(), origin });
        Ok(())
    }
}

/// Applies overrides to the tree of a file. The text of each override becomes a source of its own.
pub fn apply(
    overrides: &[Override],
    schema: &'static Part,
    root: &mut Node,
    sources: &mut Vec<Source>,
) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for one in overrides {
        let number = sources.len();
        sources.push(Source { name: one.origin.name().to_owned(), text: one.original.clone() });
        if one.origin == Origin::Series {
            match series_text::read(&one.original, number) {
                Ok(series) => {
                    let span = series.span;
                    *child(root, "series", span) = series;
                }
                Err(error) => errors.push(error),
            }
            continue;
        }
        let value_at = one.original.len() - one.value.len();
        let path_at = value_at.saturating_sub(1 + one.path.len());
        let context = Context { source: number, value_at, one };
        if let Err(error) = context.descend(root, schema, path_at, true) {
            errors.push(error);
        } else if context.bad_value().is_some() {
            errors.extend(context.bad_value());
        }
    }
    errors
}

struct Context<'a> {
    source: usize,
    value_at: usize,
    one: &'a Override,
}

impl Context<'_> {
    /// Follows the rest of the override's path, which begins at byte `at` of its text, from `node` on. Replaces the
    /// value at its end. `top`: true if `node` is the root of the file.
    fn descend(
        &self,
        node: &mut Node,
        schema: &'static Part,
        at: usize,
        top: bool,
    ) -> Result<(), Diagnostic> {
        let end = self.value_at - 1;
        if at >= end {
            // A parameter with choices keeps them, unless the new value is a table.
            let whole = self.one.value.trim_start().starts_with('{');
            let place = match node.get("default").is_some() && !whole {
                true => child(node, "default", TextRange { source: self.source, start: at, end }),
                false => node,
            };
            let new = match factor(&self.one.value) {
                Some(Ok(factor)) => self.scaled(place, factor),
                Some(Err(())) if is_quantity(&place.value) => Err(Diagnostic::new(
                    TextRange { source: self.source, start: self.value_at, end: self.one.original.len() },
                    format!("{} is no multiple", shorten(&self.one.value)),
                    "expected x and a number above 0, such as x2 or x0.5",
                )),
                Some(Err(())) | None => Ok(self.value(schema)),
            };
            // The refused value is replaced by `Refused`, so that the check of the file does not report it again.
            let refused = |error| (Node { span: place.span, value: Value::Refused }, Err(error));
            let (value, said) = new.map_or_else(refused, |value| (value, Ok(())));
            *place = value;
            return said;
        }
        let rest = &self.one.original[at..end];
        let step = rest.split('.').next().unwrap_or(rest);
        let span = TextRange { source: self.source, start: at, end: at + step.len() };
        let next = at + step.len() + 1;
        if let Value::List(items) = &mut node.value {
            let index = item(items, step).ok_or_else(|| no_item(items, step, span))?;
            return self.descend(&mut items[index], schema.items.unwrap_or(&Part::NONE), next, false);
        }
        let known = schema.property(step);
        let exists = node.get(step).is_some();
        // A parameter can be named without the table `parameters`.
        let parameters = node.get("parameters").map_or(&[][..], Node::entries);
        if top && known.is_none() && parameters.iter().any(|entry| entry.key == step) {
            let inner = schema.property("parameters").unwrap_or(&Part::NONE);
            let table = child(node, "parameters", span);
            return self.descend(table, inner, at, false);
        }
        // Keys with a syntax of their own, such as lists of nodes, need not be in the file.
        if let Some(format) = schema.keys_format.filter(|_| known.is_none() && !exists) {
            quantity::check(format, step)
                .map_err(|error| Diagnostic::new(span, error.message, error.label))?;
        }
        match known.or(schema.others.filter(|_| exists || schema.keys_format.is_some())) {
            Some(schema) => self.descend(child(node, step, span), schema, next, false),
            None => {
                let mut names: Vec<&str> = schema.keys().collect();
                names.extend(
                    if top { parameters } else { node.entries() }.iter().map(|entry| entry.key.as_str()),
                );
                names.sort_unstable();
                names.dedup();
                Err(Diagnostic::new(
                    span,
                    format!("nothing is called `{}` here", shorten(step)),
                    hint(step, names),
                ))
            }
        }
    }

    /// The file's value `old` multiplied by `factor`, for overrides such as `x2`.
    fn scaled(&self, old: &Node, factor: f64) -> Result<Node, Diagnostic> {
        let span = TextRange { source: self.source, start: self.value_at, end: self.one.original.len() };
        // Twelve digits, so that 20.9 x 1.5 is 31.35 and not 31.349999999999998.
        let product = |number: f64| format!("{:.11e}", number * factor).parse().unwrap_or(number * factor);
        let times = |number: f64| match product(number) {
            whole if whole.fract() == 0.0 && whole.abs() < 1e15 => Value::Int(whole as i64),
            other => Value::Float(other),
        };
        let value = match &old.value {
            Value::Int(number) => times(*number as f64),
            Value::Float(number) => times(*number),
            Value::Str(text) => match quantity_parts(text) {
                Some((number, "")) => times(number),
                Some((number, unit)) => Value::Str(format!("{} {unit}", product(number))),
                // Any other text is an expression of a workload.
                None if self.one.original.starts_with("workload.") => {
                    Value::Str(format!("({text}) * {factor}"))
                }
                None => {
                    let message = format!("`{}` is nothing to multiply", shorten(text));
                    return Err(Diagnostic::new(span, message, "expected the new value itself"));
                }
            },
            Value::Table(entries) if entries.is_empty() => {
                let message = format!("the file does not give {}", shorten(&self.one.path));
                return Err(Diagnostic::new(
                    span,
                    message,
                    "expected the new value itself: there is none to multiply",
                ));
            }
            Value::Null | Value::Bool(_) | Value::List(_) | Value::Table(_) | Value::Refused => {
                let message = format!("{} is nothing to multiply", shorten(&self.one.path));
                return Err(Diagnostic::new(span, message, "expected the new value itself"));
            }
        };
        Ok(Node { span, value })
    }

    /// Parses the text as the type that the schema asks for.
    fn value(&self, schema: &Part) -> Node {
        let text = self.one.value.trim();
        let start = self.value_at + (self.one.value.len() - self.one.value.trim_start().len());
        let span = TextRange { source: self.source, start, end: start + text.len() };
        let wants = |kind: &str| match schema.types {
            [] => kind == "string",
            types => types.contains(&kind),
        };
        let unquoted = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        let value = match text {
            _ if unquoted.is_some() => Value::Str(unquoted.unwrap_or(text).to_owned()),
            "true" if wants("boolean") => Value::Bool(true),
            "false" if wants("boolean") => Value::Bool(false),
            _ if wants("array") || wants("object") => {
                toml_tree::parse_value(text, self.source, start).root.value
            }
            _ if !(wants("integer") || wants("number")) => Value::Str(text.to_owned()),
            _ => match (text.replace('_', "").parse::<i64>(), text.replace('_', "").parse::<f64>()) {
                (Ok(number), _) => Value::Int(number),
                (_, Ok(number)) if number.is_finite() => Value::Float(number),
                _ => Value::Str(text.to_owned()),
            },
        };
        Node { span, value }
    }

    /// Error of a list or table that does not parse.
    fn bad_value(&self) -> Option<Diagnostic> {
        let text = self.one.value.trim_start();
        let start = self.value_at + (self.one.value.len() - text.len());
        text.starts_with(['[', '{'])
            .then(|| toml_tree::parse_value(text, self.source, start).errors.into_iter().next())?
    }
}

/// Factor of `x2` or `x0.5`. `x0` and `xnan` are errors where a number is expected.
fn factor(text: &str) -> Option<Result<f64, ()>> {
    let digits = text.trim().strip_prefix(['x', '×'])?;
    let sensible = |factor: &f64| numalab_base::is_sensible(*factor) && *factor > 0.0;
    let factor = digits.parse::<f64>().ok()?;
    Some(Some(factor).filter(sensible).ok_or(()))
}

/// True if a value can be multiplied.
fn is_quantity(value: &Value) -> bool {
    match value {
        Value::Int(_) | Value::Float(_) => true,
        Value::Str(text) => quantity_parts(text).is_some(),
        _ => false,
    }
}

/// Number and unit of a quantity; the unit can be empty.
pub(crate) fn quantity_parts(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let digits = text.bytes().take_while(|b| b.is_ascii_digit() || matches!(b, b'.' | b'_')).count();
    let unit = text[digits..].trim();
    let is_unit = unit.chars().all(|c| c.is_alphabetic() || c == '/');
    let number = text[..digits].replace('_', "").parse().ok().filter(|_| is_unit)?;
    Some((number, unit))
}

/// Index of the item that `step` names: by its index, `name` or `kind`, or as `L3` by its `level`.
fn item(items: &[Node], step: &str) -> Option<usize> {
    let named = |item: &Node| names(item).any(|name| name == step);
    step.parse().ok().filter(|&index| index < items.len()).or_else(|| items.iter().position(named))
}

fn names(item: &Node) -> impl Iterator<Item = Cow<'_, str>> {
    let word = |key| match &item.get(key)?.value {
        Value::Str(text) => Some(Cow::Borrowed(text.as_str())),
        _ => None,
    };
    let level = || match item.get("level")?.value {
        Value::Int(level) => Some(Cow::Owned(format!("L{level}"))),
        _ => None,
    };
    ["name", "kind"].into_iter().filter_map(word).chain(level())
}

fn no_item(items: &[Node], step: &str, span: TextRange) -> Diagnostic {
    let known: Vec<Cow<'_, str>> = items.iter().flat_map(names).collect();
    let label = match (known.is_empty(), items.len()) {
        (_, 0) => "the list is empty".to_owned(),
        (true, length) => format!("expected a number from 0 to {}", length - 1),
        (false, _) => hint(step, known.iter().map(|name| &**name)),
    };
    Diagnostic::new(span, format!("the list has no item `{}`", shorten(step)), label)
}

/// Value of a key, inserted if missing.
fn child<'n>(node: &'n mut Node, key: &str, span: TextRange) -> &'n mut Node {
    if !matches!(node.value, Value::Table(_)) {
        node.value = Value::Table(Vec::new());
    }
    let Value::Table(entries) = &mut node.value else { unreachable!("it was made a table") };
    let position = entries.iter().position(|entry| entry.key == key).unwrap_or_else(|| {
        let node = Node { span, value: Value::Table(Vec::new()) };
        entries.push(Entry { key: key.to_owned(), key_span: span, node });
        entries.len() - 1
    });
    &mut entries[position].node
}
