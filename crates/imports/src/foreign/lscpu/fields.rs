//! Fields: `Socket(s):  2`, or `{"field": "Socket(s):", "data": "2"}`.

use super::super::page::{Line, Page};
use numalab_syntax::cells::Cell;
use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::tree::TextRange;
use serde_json::Value;

/// A property of the machine, as `lscpu` prints it.
#[derive(Clone, Debug)]
pub struct Field {
    /// Name of the field, without the colon and the word `cache` (`L1d`).
    pub key: String,
    pub value: String,
    pub span: TextRange,
}

impl Field {
    /// The value as a cell, for errors.
    pub fn cell(&self) -> Cell<'_> {
        Cell { text: &self.value, span: self.span }
    }

    pub fn refused(&self, message: impl Into<String>, expected: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.span, message, expected)
    }
}

/// Text of `lscpu -J`, from its beginning on.
pub fn json<'a>(page: &Page<'a>) -> Option<&'a str> {
    let line = page.lines.iter().find(|line| line.text().starts_with('{'))?;
    let text = &page.text[line.span().start..];
    let head: String = text.chars().take(2000).collect();
    (head.contains("\"lscpu\"") || head.contains("\"cpus\"") || head.contains("\"field\"")).then_some(text)
}

/// JSON value that `lscpu -J` printed, and its position.
pub fn json_value(page: &Page<'_>) -> Result<Option<(Value, usize)>, Vec<Diagnostic>> {
    let Some(text) = json(page) else { return Ok(None) };
    let start = page.text.len() - text.len();
    match serde_json::Deserializer::from_str(text).into_iter::<Value>().next() {
        Some(Ok(value)) => Ok(Some((value, start))),
        Some(Err(error)) => {
            let line = page.text[..start].matches('\n').count() + error.line().max(1);
            let shown = page.lines.get(line - 1).map_or(page.end(), Line::span);
            let column = (shown.start + error.column().saturating_sub(1)).min(shown.end);
            let span =
                TextRange { start: if shown.end > shown.start { column } else { shown.start }, ..shown };
            let message = if error.is_eof() { "the JSON of lscpu ends too early" } else { "this is no JSON" };
            Err(vec![Diagnostic::new(span, message, "expected what \"lscpu -J\" prints")])
        }
        None => Ok(None),
    }
}

/// Fields with known keys, from plain or JSON output.
pub fn read(page: &Page<'_>) -> Result<Vec<Field>, Vec<Diagnostic>> {
    let mut fields = Vec::new();
    match json_value(page)? {
        Some((value, start)) => {
            let mut search = start;
            collect(page.text, &value, "", &mut search, &mut fields);
        }
        None => {
            let mut section = "";
            for line in &page.lines {
                let Some((key, value)) = line.split(':') else { continue };
                section = if value.text.is_empty() { key.text } else { section };
                add(key.text, value.text, section, value.span, &mut fields);
            }
        }
    }
    Ok(fields)
}

/// Adds the fields with known keys of a JSON value and its children. `search` is the position in `text` from which
/// keys are looked for.
fn collect(text: &str, value: &Value, section: &str, search: &mut usize, fields: &mut Vec<Field>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(text, item, section, search, fields)),
        Value::Object(object) => {
            let key = object.get("field").and_then(Value::as_str).unwrap_or_default();
            if !key.is_empty() {
                // Keys stand in the order of the values. A key that is written with escapes is not found.
                let at = text.get(*search..).and_then(|rest| rest.find(&format!("\"{key}\"")));
                let at = at.map_or(text.len(), |at| *search + at);
                let span = TextRange { source: 0, start: at, end: (at + key.len() + 2).min(text.len()) };
                *search = span.end;
                let data = match object.get("data") {
                    Some(Value::String(data)) => data.clone(),
                    Some(Value::Null) | None => String::new(),
                    Some(other) => other.to_string(),
                };
                add(key.trim_end_matches(':'), &data, section, span, fields);
            }
            let section = if key.is_empty() { section } else { key.trim_end_matches(':') };
            for name in ["lscpu", "children"] {
                if let Some(inner) = object.get(name) {
                    collect(text, inner, section, search, fields);
                }
            }
        }
        _ => {}
    }
}

/// Adds a field if its key is known. Below the heading (`section`) `Caches`, a cache's key lacks the word `cache`.
fn add(key: &str, value: &str, section: &str, span: TextRange, fields: &mut Vec<Field>) {
    const KNOWN: [&str; 22] = [
        "Architecture",
        "CPU(s)",
        "On-line CPU(s) list",
        "Off-line CPU(s) list",
        "Model name",
        "Vendor ID",
        "Flags",
        "CPU max MHz",
        "CPU MHz",
        "Thread(s) per core",
        "Core(s) per socket",
        "Core(s) per cluster",
        "Socket(s)",
        "Cluster(s)",
        "Socket(s) per book",
        "Book(s)",
        "Book(s) per drawer",
        "Drawer(s)",
        "NUMA node(s)",
        "Socket(s) per node",
        "Byte Order",
        "CPU family",
    ];
    let cache = key.strip_suffix(" cache").or(section.starts_with("Caches").then_some(key));
    let key = match cache {
        Some(cache) if is_cache(cache) => cache,
        _ if KNOWN.contains(&key) || node(key).is_some() => key,
        _ => return,
    };
    fields.push(Field { key: key.to_owned(), value: value.to_owned(), span });
}

/// True for names of caches such as `L1d`, `L1i` and `L3`.
pub fn is_cache(key: &str) -> bool {
    let digits = key.strip_prefix('L').map(|rest| rest.trim_end_matches(['d', 'i']));
    digits.is_some_and(|digits| digits.len() == 1 && digits.bytes().all(|b| (b'1'..=b'9').contains(&b)))
}

/// Number in `NUMA node8 CPU(s)`.
pub fn node(key: &str) -> Option<&str> {
    let number = key.strip_prefix("NUMA node")?.strip_suffix(" CPU(s)")?;
    super::super::number::whole(number).then_some(number)
}
