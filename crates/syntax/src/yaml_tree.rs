//! Parses YAML into a tree from the parser's events. Aliases count with every copy, so that a small
//! file cannot expand to a huge one.

use crate::diagnostics::Diagnostic;
use crate::toml_tree::not_finite;
use crate::tree::{Entry, Node, Parsed, TextRange, Value, shorten};
use saphyr_parser::{Event, Parser, ScalarStyle};
use std::collections::{BTreeMap, BTreeSet};

/// Limit of the values in a file, including copies by alias.
const MOST_NODES: usize = 200_000;
/// Bytes of a text that count as one more value towards `MOST_NODES`.
const TEXT_PER_NODE: usize = 64;
/// Limit of the nesting of lists and tables.
const MOST_DEPTH: usize = 64;

/// Parses `text`, which is source number `source`. After a fatal error the tree holds the values
/// before it.
pub fn parse(text: &str, source: usize) -> Parsed {
    let mut builder =
        Builder { nodes: 0, stack: Vec::new(), root: None, anchors: BTreeMap::new(), errors: Vec::new() };
    let mut complete = true;
    if let Err(error) = read(text, source, &mut builder) {
        complete = false;
        while !builder.stack.is_empty() && builder.close().is_ok() {}
        builder.errors.push(error);
    }
    let span = TextRange { source, start: 0, end: 0 };
    let root = builder.root.unwrap_or(Node { span, value: Value::Null });
    Parsed { root, errors: builder.errors, complete }
}

fn read(text: &str, source: usize, builder: &mut Builder) -> Result<(), Diagnostic> {
    let offsets = Offsets::new(text, source);
    let mut parser = Parser::new_from_str(text);
    let mut documents = 0;
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| {
            let at = offsets.span(error.marker().index(), error.marker().index() + 1);
            Diagnostic::new(at, format!("this is not YAML: {}", error.info()), "")
        })?;
        let span = offsets.span(span.start.index(), span.end.index());
        if matches!(event, Event::DocumentStart(_)) {
            documents += 1;
            if documents > 1 {
                let label = "expected one document in a file";
                return Err(Diagnostic::new(span, "a second document starts here", label));
            }
        }
        builder.event(event, span)?;
    }
    Ok(())
}

/// Maps the parser's character positions to bytes.
struct Offsets {
    source: usize,
    length: usize,
    /// Byte offset of every character; empty for ASCII text, where both offsets are equal.
    bytes: Vec<u32>,
}

impl Offsets {
    fn new(text: &str, source: usize) -> Offsets {
        let bytes =
            if text.is_ascii() { Vec::new() } else { text.char_indices().map(|(at, _)| at as u32).collect() };
        Offsets { source, length: text.len(), bytes }
    }

    fn byte(&self, index: usize) -> usize {
        match self.bytes.is_empty() {
            true => index.min(self.length),
            false => self.bytes.get(index).map_or(self.length, |&byte| byte as usize),
        }
    }

    fn span(&self, start: usize, end: usize) -> TextRange {
        TextRange { source: self.source, start: self.byte(start), end: self.byte(end) }
    }
}

/// A list or table that is still open.
struct Open {
    anchor: usize,
    span: TextRange,
    before: usize,
    kind: Kind,
}

enum Kind {
    List(Vec<Node>),
    Table { entries: Vec<Entry>, seen: BTreeSet<String>, key: Option<(String, TextRange)> },
}

struct Builder {
    nodes: usize,
    stack: Vec<Open>,
    root: Option<Node>,
    /// Finished anchored values and their sizes in nodes.
    anchors: BTreeMap<usize, (Node, usize)>,
    /// Errors after which parsing went on.
    errors: Vec<Diagnostic>,
}

impl Builder {
    fn event(&mut self, event: Event<'_>, span: TextRange) -> Result<(), Diagnostic> {
        if let Event::Scalar(.., Some(_))
        | Event::SequenceStart(_, Some(_))
        | Event::MappingStart(_, Some(_)) = event
        {
            let label = "remove the `!…` before this value";
            self.errors.push(Diagnostic::new(span, "YAML tags are not supported", label));
        }
        match event {
            Event::Scalar(text, style, anchor, _) => {
                let before = self.nodes;
                let value = match style {
                    ScalarStyle::Plain => plain(&text).unwrap_or_else(|()| {
                        self.errors.push(not_finite(&text, span));
                        Value::Refused
                    }),
                    _ => Value::Str(text.into_owned()),
                };
                self.finish(Node { span, value }, anchor, before)
            }
            Event::SequenceStart(anchor, _) => self.open(anchor, span, Kind::List(Vec::new())),
            Event::MappingStart(anchor, _) => {
                self.open(anchor, span, Kind::Table { entries: Vec::new(), seen: BTreeSet::new(), key: None })
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(),
            Event::Alias(anchor) => {
                let Some((node, size)) = self.anchors.get(&anchor) else {
                    return Err(Diagnostic::new(span, "this alias stands inside its own anchor", ""));
                };
                let before = self.nodes;
                // The size is counted before the copy is made, so that a copy never exceeds the limit.
                self.nodes = self.nodes.saturating_add(size - 1);
                self.budget(span)?;
                let node = node.clone();
                self.finish(node, 0, before)
            }
            _ => Ok(()),
        }
    }

    fn budget(&self, span: TextRange) -> Result<(), Diagnostic> {
        if self.nodes <= MOST_NODES {
            return Ok(());
        }
        let message = format!("the file unfolds to more than {MOST_NODES} values");
        Err(Diagnostic::new(span, message, "the limit is exceeded here; each use of an alias counts"))
    }

    fn open(&mut self, anchor: usize, span: TextRange, kind: Kind) -> Result<(), Diagnostic> {
        if self.stack.len() >= MOST_DEPTH {
            let message = format!("more than {MOST_DEPTH} lists and tables inside each other");
            return Err(Diagnostic::new(span, message, ""));
        }
        if let Some(Open { kind: Kind::Table { key: None, .. }, .. }) = self.stack.last() {
            return Err(Diagnostic::new(span, "a list or table cannot be a key", "expected a name"));
        }
        self.stack.push(Open { anchor, span, before: self.nodes, kind });
        Ok(())
    }

    fn close(&mut self) -> Result<(), Diagnostic> {
        let Some(Open { anchor, mut span, before, kind }) = self.stack.pop() else { return Ok(()) };
        let value = match kind {
            Kind::List(items) => Value::List(items),
            Kind::Table { entries, .. } => {
                // A table is shown by its first key.
                span = entries.first().map_or(span, |entry| entry.key_span);
                Value::Table(entries)
            }
        };
        self.finish(Node { span, value }, anchor, before)
    }

    /// Adds a complete value to its list, table or root. `anchor`: number of the value's anchor, 0 for none.
    /// `before`: values counted before this value began.
    fn finish(&mut self, node: Node, anchor: usize, before: usize) -> Result<(), Diagnostic> {
        self.nodes += 1 + if let Value::Str(text) = &node.value { text.len() / TEXT_PER_NODE } else { 0 };
        if anchor != 0 {
            let size = self.nodes - before;
            // The copy kept for aliases counts as well.
            self.nodes += size;
            self.budget(node.span)?;
            self.anchors.insert(anchor, (node.clone(), size));
        }
        self.budget(node.span)?;
        match self.stack.last_mut().map(|open| &mut open.kind) {
            None => self.root = Some(node),
            Some(Kind::List(items)) => items.push(node),
            Some(Kind::Table { entries, seen, key }) => match key.take() {
                Some((key, key_span)) => entries.push(Entry { key, key_span, node }),
                None => {
                    let name = key_text(&node)?;
                    if !seen.insert(name.clone()) {
                        let message = format!("duplicate key `{}`", shorten(&name));
                        self.errors.push(Diagnostic::new(node.span, message, "already given above"));
                    }
                    *key = Some((name, node.span));
                }
            },
        }
        Ok(())
    }
}

fn key_text(node: &Node) -> Result<String, Diagnostic> {
    match &node.value {
        Value::Str(text) => Ok(text.clone()),
        Value::Int(number) => Ok(number.to_string()),
        Value::Bool(value) => Ok(value.to_string()),
        _ => Err(Diagnostic::new(node.span, format!("{} cannot be a key", node.what()), "expected a name")),
    }
}

/// Value of an unquoted scalar by the core schema of YAML 1.2. NaN, infinity, and numbers out of range are errors.
fn plain(text: &str) -> Result<Value, ()> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let numeric = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    Ok(match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ if matches!(digits.to_ascii_lowercase().as_str(), ".inf" | ".nan" | "inf" | "nan") => {
            return Err(());
        }
        _ if !numeric => Value::Str(text.to_owned()),
        _ => match (text.parse::<i64>(), text.parse::<f64>()) {
            (Ok(number), _) => Value::Int(number),
            (_, Ok(number)) if numalab_base::is_sensible(number) => Value::Float(number),
            (_, Ok(_)) => return Err(()),
            _ => Value::Str(text.to_owned()),
        },
    })
}
