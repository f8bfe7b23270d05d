//! `--set machine.memory.bandwidth="18 GB/s"`: values that replace those of a file. They are put into
//! the tree before anything is checked, so they are held to the same rules, and their errors point
//! at the text of the override.

use crate::schema;
use crate::series_text::{self, SERIES};
use crate::structure;
use numalab_syntax::diagnostics::{Diagnostic, Diagnostics, Source};
use numalab_syntax::nearest::hint;
use numalab_syntax::toml_tree;
use numalab_syntax::tree::{Entry, Node, TextRange, Value, shorten};
use serde_json::Value as Json;

/// One `--set`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// `memory.bandwidth`, what follows `machine.`, `workload.` or `runtime.`.
    pub path: String,
    /// The text of the new value.
    pub value: String,
    /// All of it, as typed.
    pub original: String,
    /// Place where it was typed, as messages call it.
    pub(crate) typed: &'static str,
}

/// Overrides by what they are about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// `machine.PATH=VALUE`.
    pub machine: Vec<Override>,
    /// `workload.PATH=VALUE`.
    pub workload: Vec<Override>,
    /// `runtime.PATH=VALUE`.
    pub runtime: Vec<Override>,
}

/// Place of an override that a sweep makes, in messages.
const OF_A_SWEEP: &str = "set by the sweep";

/// Place of an override that a series or a measure makes, in messages.
const FOR_A_RUN: &str = "changed for a run";

impl Override {
    /// The same, made by the program for one of several runs.
    pub fn for_a_run(self) -> Override {
        Override { typed: FOR_A_RUN, ..self }
    }

    /// The same, made for the points of a sweep.
    pub fn of_a_sweep(self) -> Override {
        Override { typed: OF_A_SWEEP, ..self }
    }

    /// Whether it gives a workload's parameter of that name a value.
    pub fn sets_parameter(&self, name: &str) -> bool {
        let (inner, path) = match self.path.strip_prefix("parameters.") {
            Some(path) => (true, path),
            None => (false, &self.path[..]),
        };
        let is_key = || schema::workload()["properties"].get(name).is_some();
        path.split('.').next() == Some(name) && (inner || !is_key())
    }

    /// As results show it: `--series` says which flag it was.
    pub(crate) fn recorded(&self) -> String {
        if self.typed == SERIES { format!("{SERIES} {}", self.original) } else { self.original.clone() }
    }
}

/// Sorts overrides by what they are about.
pub fn parse_overrides(texts: &[String]) -> Result<Overrides, Diagnostics> {
    let mut sorted = Overrides::default();
    let (mut sources, mut errors) = (Vec::new(), Vec::new());
    for text in texts {
        let mut refuse = |range: std::ops::Range<usize>, message: String, label: String| {
            let span = TextRange { source: sources.len(), start: range.start, end: range.end };
            sources.push(source(text));
            errors.push(Diagnostic::new(span, message, label));
        };
        let example = "expected for example machine.memory.bandwidth=\"18 GB/s\"";
        let Some((path, value)) = text.split_once('=') else {
            refuse(0..text.len(), "this sets nothing".to_owned(), example.to_owned());
            continue;
        };
        let (whose, rest) = path.split_once('.').unwrap_or((path, ""));
        let one =
            Override { path: rest.to_owned(), value: value.to_owned(), original: text.clone(), typed: SET };
        match whose {
            "machine" | "workload" | "runtime" if rest.is_empty() => {
                refuse(0..path.len(), format!("a value of the {whose} must be named"), example.to_owned());
            }
            "machine" => sorted.machine.push(one),
            "workload" => sorted.workload.push(one),
            "runtime" => sorted.runtime.push(one),
            _ => refuse(
                0..whose.len(),
                format!("nothing is called `{}` here", shorten(whose)),
                hint(whose, ["machine", "workload", "runtime"]),
            ),
        }
    }
    if errors.is_empty() { Ok(sorted) } else { Err(Diagnostics::new(sources, errors)) }
}

const SET: &str = "--set";

fn source(original: &str) -> Source {
    Source { name: SET.to_owned(), text: original.to_owned() }
}

/// Puts overrides into the tree of a file; each becomes a source of its own.
pub(crate) fn apply(
    overrides: &[Override],
    schema: &Json,
    root: &mut Node,
    sources: &mut Vec<Source>,
) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for one in overrides {
        let number = sources.len();
        sources.push(Source { name: one.typed.to_owned(), text: one.original.clone() });
        if one.typed == SERIES {
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
        let context = Context { source: number, value_at, one, defs: &schema["$defs"] };
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
    defs: &'a Json,
}

impl Context<'_> {
    /// Follows the path from byte `at` of the original on, and replaces what is at its end.
    fn descend(&self, node: &mut Node, schema: &Json, at: usize, top: bool) -> Result<(), Diagnostic> {
        let schema = structure::resolve(self.defs, schema);
        let end = self.value_at - 1;
        if at >= end {
            // A parameter that is a table keeps its choices.
            let whole = self.one.value.trim_start().starts_with('{');
            let place = match node.get("default").is_some() && !whole {
                true => child(node, "default", TextRange { source: self.source, start: at, end }),
                false => node,
            };
            *place = self.value(schema);
            return Ok(());
        }
        let rest = &self.one.original[at..end];
        let step = rest.split('.').next().unwrap_or(rest);
        let span = TextRange { source: self.source, start: at, end: at + step.len() };
        let next = at + step.len() + 1;
        if let Value::List(items) = &mut node.value {
            let index = item(items, step).ok_or_else(|| no_item(items, step, span))?;
            return self.descend(&mut items[index], &schema["items"], next, false);
        }
        let properties = schema["properties"].as_object();
        let known = properties.and_then(|properties| properties.get(step));
        let free = Some(&schema["additionalProperties"]).filter(|free| free.is_object());
        let exists = node.get(step).is_some();
        // A parameter may be named without its table.
        let parameters = node.get("parameters").map_or(&[][..], Node::entries);
        if top && known.is_none() && parameters.iter().any(|entry| entry.key == step) {
            let inner = &schema["properties"]["parameters"];
            let table = child(node, "parameters", span);
            return self.descend(table, inner, at, false);
        }
        match known.or(free.filter(|_| exists)) {
            Some(schema) => self.descend(child(node, step, span), schema, next, false),
            None => {
                let mut names: Vec<&str> =
                    properties.into_iter().flatten().map(|(key, _)| key.as_str()).collect();
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

    /// The text as the kind of value that the schema asks for.
    fn value(&self, schema: &Json) -> Node {
        let text = self.one.value.trim();
        let start = self.value_at + (self.one.value.len() - self.one.value.trim_start().len());
        let span = TextRange { source: self.source, start, end: start + text.len() };
        let wants = |kind: &str| match &schema["type"] {
            Json::String(one) => one == kind,
            Json::Array(several) => several.iter().any(|one| one == kind),
            _ => kind == "string",
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

    /// A list or table that does not parse.
    fn bad_value(&self) -> Option<Diagnostic> {
        let text = self.one.value.trim_start();
        let start = self.value_at + (self.one.value.len() - text.len());
        text.starts_with(['[', '{'])
            .then(|| toml_tree::parse_value(text, self.source, start).errors.into_iter().next())?
    }
}

/// An item by its index, or by its `name` or `kind`.
fn item(items: &[Node], step: &str) -> Option<usize> {
    let named = |item: &Node| names(item).any(|name| name == step);
    step.parse().ok().filter(|&index| index < items.len()).or_else(|| items.iter().position(named))
}

fn names(item: &Node) -> impl Iterator<Item = &str> {
    ["name", "kind"].into_iter().filter_map(|key| match &item.get(key)?.value {
        Value::Str(text) => Some(text.as_str()),
        _ => None,
    })
}

fn no_item(items: &[Node], step: &str, span: TextRange) -> Diagnostic {
    let known: Vec<&str> = items.iter().flat_map(names).collect();
    let label = match (known.is_empty(), items.len()) {
        (_, 0) => "the list is empty".to_owned(),
        (true, length) => format!("expected a number from 0 to {}", length - 1),
        (false, _) => hint(step, known),
    };
    Diagnostic::new(span, format!("the list has no item `{}`", shorten(step)), label)
}

/// The value under `key`, made if it is not there.
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
