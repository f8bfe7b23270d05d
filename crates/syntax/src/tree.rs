//! Tree of a file before anything is known about its meaning: every value and
//! every key remembers where it was written. TOML and YAML both become this.

/// A stretch of one source: bytes `start..end` of source number `source`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextRange {
    /// Number of the source, counted from 0.
    pub source: usize,
    /// The first byte.
    pub start: usize,
    /// The byte behind the last one.
    pub end: usize,
}

/// A value, and where it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Place where it was written.
    pub span: TextRange,
    /// The value.
    pub value: Value,
}

/// A value of a tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing: an empty value in YAML.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A finite number.
    Float(f64),
    /// A text.
    Str(String),
    /// Values in their order.
    List(Vec<Node>),
    /// In the order of the file.
    Table(Vec<Entry>),
    /// Value that the reader refused and has reported already: nothing more is said about it.
    Refused,
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Place where the key was written.
    pub key_span: TextRange,
    /// The value.
    pub node: Node,
}

/// A text read as far as it could be.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The tree.
    pub root: Node,
    /// Errors in the text.
    pub errors: Vec<crate::diagnostics::Diagnostic>,
    /// Whether the tree is all that the text says; otherwise something may be missing from it.
    pub complete: bool,
}

impl Node {
    /// The entries of a table; none of anything else.
    pub fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Table(entries) => entries,
            _ => &[],
        }
    }

    /// The value of a table under `key`.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    /// The keys of the table under `key`, in the order of the file.
    pub fn keys_of(&self, key: &str) -> Vec<String> {
        self.get(key).map_or(&[][..], Node::entries).iter().map(|entry| entry.key.clone()).collect()
    }

    /// Kind of the value, as a message says it.
    pub fn what(&self) -> String {
        match &self.value {
            Value::Null | Value::Refused => "nothing".to_owned(),
            Value::Bool(value) => format!("{value}"),
            Value::Int(value) => format!("the number {value}"),
            Value::Float(value) => format!("the number {}", show(*value)),
            Value::Str(text) => format!("the text \"{}\"", shorten(text)),
            Value::List(_) => "a list".to_owned(),
            Value::Table(_) => "a table".to_owned(),
        }
    }

    /// The value at `path` (`cache[1].latency`); `None` where it leads nowhere.
    pub fn at(&self, path: &str) -> Option<&Node> {
        let (mut node, mut rest) = (self, path.trim_start_matches(['.', '[', ']']));
        while !rest.is_empty() {
            let end = rest.find(['.', '[', ']']).unwrap_or(rest.len());
            let (next, end) = match &node.value {
                Value::List(items) => (items.get(rest[..end].parse::<usize>().ok()?)?, end),
                Value::Table(entries) => {
                    entries.iter().find_map(|entry| Some((&entry.node, entry.begins(rest)?)))?
                }
                Value::Null
                | Value::Refused
                | Value::Bool(_)
                | Value::Int(_)
                | Value::Float(_)
                | Value::Str(_) => {
                    return None;
                }
            };
            (node, rest) = (next, rest[end..].trim_start_matches(['.', '[', ']']));
        }
        Some(node)
    }

    /// Place where `path` (`level[1].interconnect.edges[3]`) was written; where it leads nowhere, the
    /// last place that exists on the way. Tables and lists are shown by their key.
    pub fn locate(&self, path: &str) -> TextRange {
        self.find(path, Entry::shown)
    }

    /// The same, of a key rather than of its value.
    pub fn locate_key(&self, path: &str) -> TextRange {
        self.find(path, |entry| entry.key_span)
    }

    fn find(&self, path: &str, of: impl Fn(&Entry) -> TextRange) -> TextRange {
        let (mut node, mut span, mut rest) = (self, self.span, path);
        loop {
            rest = rest.trim_start_matches(['.', '[', ']']);
            let end = rest.find(['.', '[', ']']).unwrap_or(rest.len());
            let index = rest[..end].parse::<usize>().ok();
            let next = match &node.value {
                Value::List(items) => index.and_then(|i| items.get(i)).map(|item| (item, item.span, end)),
                Value::Table(entries) => {
                    let named = entries.iter().find_map(|entry| Some((entry, entry.begins(rest)?)));
                    let counted = || Some((entries.get(index?)?, end));
                    named.or_else(counted).map(|(entry, end)| (&entry.node, of(entry), end))
                }
                _ => None,
            };
            let Some((child, shown, end)) = next else { return span };
            (node, span, rest) = (child, shown, &rest[end..]);
        }
    }
}

impl Entry {
    /// The length of the key, which may have dots itself, where a path begins with it.
    fn begins(&self, path: &str) -> Option<usize> {
        let rest = path.strip_prefix(self.key.as_str())?;
        (!self.key.is_empty() && (rest.is_empty() || rest.starts_with(['.', '[', ']'])))
            .then_some(self.key.len())
    }

    /// The value where it is short, the key where the value spans lines.
    fn shown(&self) -> TextRange {
        match self.node.value {
            Value::Table(_) | Value::List(_) | Value::Null => self.key_span,
            _ => self.node.span,
        }
    }
}

/// A number for a message: 3840 rather than 3.84e3, but 1e300 in a few characters.
pub fn show(number: f64) -> String {
    let plain = number == 0.0 || (1e-4..1e15).contains(&number.abs());
    if plain || !number.is_finite() { number.to_string() } else { format!("{number:e}") }
}

/// The start of a text that may be long, for a message.
pub fn shorten(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        None => text.escape_debug().to_string(),
        Some((end, _)) => format!("{}…", text[..end].escape_debug()),
    }
}
