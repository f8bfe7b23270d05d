//! Tree of a file before its meaning is known. Every value and key has its position. TOML and YAML
//! are both parsed into this.

/// Bytes `start..end` of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextRange {
    /// Number of the source, from 0.
    pub source: usize,
    pub start: usize,
    /// End, exclusive.
    pub end: usize,
}

/// A value with its position.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub span: TextRange,
    pub value: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An empty value in YAML.
    Null,
    Bool(bool),
    Int(i64),
    /// A finite number.
    Float(f64),
    Str(String),
    List(Vec<Node>),
    /// Entries in the order of the file.
    Table(Vec<Entry>),
    /// A value whose error was reported already; further errors about it are suppressed.
    Refused,
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub key: String,
    pub key_span: TextRange,
    pub node: Node,
}

/// A text parsed as far as possible.
#[derive(Clone, Debug)]
pub struct Parsed {
    pub root: Node,
    pub errors: Vec<crate::diagnostics::Diagnostic>,
    /// True if the tree has all of the text; otherwise parts may be missing.
    pub complete: bool,
}

impl Node {
    /// The entries of a table; empty for other values.
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

    /// Description of the value for a message.
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

    /// The value at `path` (`cache[1].latency`); `None` if it does not exist.
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

    /// Position of `path` (`level[1].interconnect.edges[3]`). If the path does not exist, position of its last
    /// existing part. Tables and lists are shown by their key.
    pub fn locate(&self, path: &str) -> TextRange {
        self.find(path, Entry::shown)
    }

    /// Position of the key at the end of `path`. If the path does not exist, position of its last existing part.
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
    /// Length of the key, which may contain dots, if the path begins with it.
    fn begins(&self, path: &str) -> Option<usize> {
        let rest = path.strip_prefix(self.key.as_str())?;
        (!self.key.is_empty() && (rest.is_empty() || rest.starts_with(['.', '[', ']'])))
            .then_some(self.key.len())
    }

    /// Position of the value; of the key for tables, lists and empty values.
    fn shown(&self) -> TextRange {
        match self.node.value {
            Value::Table(_) | Value::List(_) | Value::Null => self.key_span,
            _ => self.node.span,
        }
    }
}

/// Formats a number for a message: 3840 rather than 3.84e3, but 1e300 in a few characters.
pub fn show(number: f64) -> String {
    let plain = number == 0.0 || (1e-4..1e15).contains(&number.abs());
    if plain || !number.is_finite() { number.to_string() } else { format!("{number:e}") }
}

/// Shortens a text for a message.
pub fn shorten(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        None => text.escape_debug().to_string(),
        Some((end, _)) => format!("{}…", text[..end].escape_debug()),
    }
}
