//! Series as typed (`--series footprint=1KiB..1GiB*2`), in place of the series of a workload file. The text becomes
//! the tree that a file would have, so the same rules apply and errors point at the typed text.

use crate::overrides::{Origin, Override};
use numalab_syntax::diagnostics::{Diagnostic, Diagnostics, Source};
use numalab_syntax::tree::{Entry, Node, TextRange, Value};
use numalab_syntax::typed_values::{self, TypedRange};
use std::ops::Range;

const EXAMPLE: &str = "expected for example threads=1,2,4,8 or footprint=1KiB..1GiB*2";

/// Optional beginning of a parameter's name, for parameters that are called like a flag: `workload.placement`.
pub const PREFIX: &str = "workload.";

/// Override that gives a workload the series `WHAT=VALUES`. `VALUES` is a comma-separated list or a range: `FROM..TO`
/// in steps of 1, `FROM..TO:STEP`, `FROM..TO*FACTOR`.
pub fn parse_series(text: &str) -> Result<Override, Diagnostics> {
    let source = || Source { name: Origin::Series.name().to_owned(), text: text.to_owned() };
    read(text, 0).map_err(|error| Diagnostics::new(vec![source()], vec![error]))?;
    let (path, value) = ("series".to_owned(), String::new());
    Ok(Override { path, value, original: text.to_owned(), origin: Origin::Series })
}

/// Tree of a series.
pub fn read(text: &str, source: usize) -> Result<Node, Diagnostic> {
    let text = Typed { text, source };
    let Some(sign) = text.text.find('=') else {
        return Err(text.wrong(0..text.text.len(), "this is no series", EXAMPLE));
    };
    let (mut over, values) = (text.trim(0..sign), text.trim(sign + 1..text.text.len()));
    if text.text[over.clone()].starts_with(PREFIX) {
        over.start += PREFIX.len();
    }
    if over.is_empty() {
        return Err(text.wrong(over, "the name of what changes is missing", EXAMPLE));
    }
    if values.is_empty() {
        return Err(text.wrong(values, "the series has no values", EXAMPLE));
    }
    let tree = match typed_values::range(text.text, values.clone(), EXAMPLE) {
        Ok(Some(range)) => text.range(&values, range),
        Ok(None) => text.node(values.clone()),
        Err(error) => return Err(text.wrong(error.range, error.message, &error.label)),
    };
    Ok(text.table(0..text.text.len(), [("over", text.node(over)), ("values", tree)]))
}

struct Typed<'t> {
    text: &'t str,
    source: usize,
}

impl Typed<'_> {
    /// Tree of a range that covers all of `values`.
    fn range(&self, values: &Range<usize>, range: TypedRange) -> Node {
        let (key, by) = match range.growth {
            Some((key, by)) => (key, self.node(by)),
            None => ("step", Node { value: Value::Int(1), ..self.node(values.clone()) }),
        };
        self.table(values.clone(), [("from", self.node(range.from)), ("to", self.node(range.to)), (key, by)])
    }

    fn trim(&self, range: Range<usize>) -> Range<usize> {
        typed_values::trim(self.text, range)
    }

    fn span(&self, range: Range<usize>) -> TextRange {
        TextRange { source: self.source, start: range.start, end: range.end }
    }

    fn node(&self, range: Range<usize>) -> Node {
        Node { value: Value::Str(self.text[range.clone()].to_owned()), span: self.span(range) }
    }

    fn table<const N: usize>(&self, range: Range<usize>, entries: [(&str, Node); N]) -> Node {
        let entry = |(key, node): (&str, Node)| Entry { key: key.to_owned(), key_span: node.span, node };
        Node { span: self.span(range), value: Value::Table(entries.into_iter().map(entry).collect()) }
    }

    fn wrong(&self, range: Range<usize>, message: impl Into<String>, label: &str) -> Diagnostic {
        Diagnostic::new(self.span(range), message, label)
    }
}
