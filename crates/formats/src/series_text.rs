//! `--series footprint=1KiB..1GiB*2`: a series as it is typed, in place of that of a workload file. It
//! becomes the tree that the file would have, so it is held to the same rules, and its errors point at
//! what was typed.

use crate::overrides::{Origin, Override};
use numalab_syntax::diagnostics::{Diagnostic, Diagnostics, Source};
use numalab_syntax::tree::{Entry, Node, TextRange, Value};
use numalab_syntax::typed_values::{self, TypedRange};
use std::ops::Range;

const EXAMPLE: &str = "expected for example threads=1,2,4,8 or footprint=1KiB..1GiB*2";

/// The override that gives a workload the series `WHAT=VALUES`. `VALUES` are values with commas between
/// them, or a range: `FROM..TO` in steps of 1, `FROM..TO:STEP`, `FROM..TO*FACTOR`.
pub fn parse_series(text: &str) -> Result<Override, Diagnostics> {
    let source = || Source { name: Origin::Series.name().to_owned(), text: text.to_owned() };
    read(text, 0).map_err(|error| Diagnostics::new(vec![source()], vec![error]))?;
    let (path, value) = ("series".to_owned(), String::new());
    Ok(Override { path, value, original: text.to_owned(), origin: Origin::Series })
}

/// The tree of a series.
pub(crate) fn read(text: &str, source: usize) -> Result<Node, Diagnostic> {
    let text = Typed { text, source };
    let Some(sign) = text.text.find('=') else {
        return Err(text.wrong(0..text.text.len(), "this is no series", EXAMPLE));
    };
    let (over, values) = (text.trim(0..sign), text.trim(sign + 1..text.text.len()));
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
    /// The tree of a range that is all of `values`.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Facts;
    use crate::load::{workload_file, workload_of};
    use proptest::prelude::*;

    const FILE: &str = "
name: w
parameters:
  size: 1 KiB
  kind: { choices: [near, far], default: near }
regions: { a: { size: size } }
phases:
  - name: p
    measured: true
    loop:
      iterations: 4
      schedule: static
      touches: [{ region: a, slice: whole, mode: read }]
";

    /// The values of a series on 8 threads, or what is wrong with it.
    fn values(text: &str) -> Result<Vec<String>, String> {
        let asked = parse_series(text).map_err(|error| error.to_string())?;
        let file = Source { name: "w.yaml".to_owned(), text: FILE.to_owned() };
        let facts = Facts { threads: 8, ..Facts::default() };
        let experiment =
            workload_of(&workload_file(file), &[asked], &facts).map_err(|error| error.to_string())?;
        let series = experiment.questions.series.ok_or("no series")?;
        Ok(series.points.into_iter().map(|point| point.text).collect())
    }

    #[test]
    fn lists_ranges_steps_factors_and_words() {
        for (text, expected) in [
            ("threads=1,2,4", &["1", "2", "4"][..]),
            ("threads = threads", &["8"]),
            ("threads=5..threads", &["5", "6", "7", "8"]),
            ("threads=0+1..threads:3", &["1", "4", "7", "8"]),
            ("threads=1..threads*2", &["1", "2", "4", "8"]),
            // The product is the step's business only with parentheses.
            ("threads=1..(threads*2):5", &["1", "6", "11", "16"]),
            ("threads=4..threads*2:4", &["4", "8", "12", "16"]),
            ("size=1KiB..4 KiB*2", &["1024", "2048", "4096"]),
            ("size=0.5..1.5:0.5", &["0.5", "1", "1.5"]),
            ("size=min(3, 4), 7", &["3", "7"]),
            ("kind=far, near", &["far", "near"]),
        ] {
            assert_eq!(values(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn errors_point_at_what_was_typed() {
        for (text, parts) in [
            ("threads", &["this is no series", "threads=1,2,4,8"][..]),
            ("=1,2", &["the name of what changes is missing"]),
            ("threads= ", &["no values"]),
            ("thraeds=1,2", &["--series:1:1", "no parameter `thraeds`", "did you mean `threads`?"]),
            ("threads=1,x2", &["--series:1:11", "unknown name `x2`"]),
            ("threads=1..2,4", &["--series:1:13", "a range cannot be mixed with other values"]),
            ("threads=1..2..4", &["--series:1:13", "two ends"]),
            ("threads=..4", &["no beginning"]),
            ("threads=1..", &["no end"]),
            ("threads=1..4:", &["no step"]),
            ("threads=1..4*", &["no factor"]),
            ("threads=1..4:0", &["--series:1:14", "expected more than 0"]),
            ("threads=1..4*1", &["--series:1:14", "expected more than 1"]),
            ("threads=4..1", &["goes from 4 to 1", "expected to go up"]),
            ("threads=0..4", &["cannot have 0 threads"]),
            ("size=1KiB..1GiB", &["in at most 10000 steps"]),
            ("kind=near,faar", &["--series:1:11", "kind cannot be \"faar\"", "did you mean `far`?"]),
            ("kind=1..2", &["--series:1:6", "kind is a word", "expected a list of near, far"]),
        ] {
            let error = values(text).unwrap_err();
            for part in parts {
                assert!(error.contains(part), "{text}: expected {part:?} in:\n{error}");
            }
        }
        let long = format!("threads={}1", "1,".repeat(10_000));
        assert!(values(&long).unwrap_err().contains("10001 values"));
    }

    proptest! {
        #[test]
        fn any_text_is_a_series_or_an_error(text in "\\PC*", tail in "[0-9a-z.,:*()= ]{0,40}") {
            let _ = values(&text);
            let _ = values(&format!("threads={tail}"));
        }
    }
}
