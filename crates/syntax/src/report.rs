//! Collects errors by path while a file is checked and resolved.

use crate::diagnostics::Diagnostic;
use crate::expression::ExpressionError;
use crate::tree::{Node, TextRange};
use std::collections::BTreeSet;
use std::ops::Range;

/// The errors so far, and the wrong values that were replaced so that checking can go on. Errors
/// about replaced values are dropped.
pub struct Report<'a> {
    /// Tree of the file that is checked.
    pub root: &'a Node,
    pub items: Vec<Diagnostic>,
    repaired: BTreeSet<String>,
}

impl<'a> Report<'a> {
    pub fn new(root: &'a Node) -> Report<'a> {
        Report { root, items: Vec::new(), repaired: BTreeSet::new() }
    }

    /// True if there are no errors so far.
    pub fn clean(&self) -> bool {
        self.items.is_empty()
    }

    /// Records that the value at `path` was wrong or missing and has been replaced.
    pub fn repair(&mut self, path: &str) {
        self.repaired.insert(path.to_owned());
    }

    /// True if a value at, under or above `path` was replaced.
    pub fn is_repaired(&self, path: &str) -> bool {
        let ends = path.match_indices(['.', '[']).map(|(at, _)| at).chain([path.len()]);
        let around = ends.into_iter().any(|end| self.repaired.contains(&path[..end]));
        let under = |separator: char| {
            let start = format!("{path}{separator}");
            self.repaired.range(start.clone()..).next().is_some_and(|next| next.starts_with(&start))
        };
        around || under('.') || under('[')
    }

    /// Adds an error about the value at `path`.
    pub fn at(&mut self, path: &str, message: impl Into<String>, label: impl Into<String>) {
        if !self.is_repaired(path) {
            self.items.push(Diagnostic::new(self.root.locate(path), message, label));
        }
    }

    /// Adds an error about the key at the end of `path`.
    pub fn at_key(&mut self, path: &str, message: impl Into<String>, label: impl Into<String>) {
        if !self.is_repaired(path) {
            self.items.push(Diagnostic::new(self.root.locate_key(path), message, label));
        }
    }

    /// Adds an error about a part of the text at `path`.
    pub fn within(&mut self, path: &str, text: &str, error: ExpressionError) {
        if !self.is_repaired(path) {
            let span = part(self.root.locate(path), text, error.range);
            self.items.push(Diagnostic::new(span, error.message, error.label));
        }
    }
}

/// Bytes of the source that hold `range` of `text`: exact if the text is written without quotes, or in quotes without
/// escapes; otherwise the whole span.
pub fn part(span: TextRange, text: &str, range: Range<usize>) -> TextRange {
    let quotes = match (span.end - span.start).checked_sub(text.len()) {
        Some(0) => 0,
        Some(2) => 1,
        _ => return span,
    };
    let start = span.start + quotes + range.start;
    TextRange { source: span.source, start, end: span.start + quotes + range.end }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Value;

    #[test]
    fn repair_silences_errors_above_and_below() {
        let root = Node { span: TextRange::default(), value: Value::Null };
        let mut report = Report::new(&root);
        report.repair("level[1].count");
        report.repair("levels");
        for path in ["level", "level[1]", "level[1].count", "level[1].count.x", "levels[0]"] {
            assert!(report.is_repaired(path), "{path}");
        }
        for path in ["level[0]", "level[1].kind", "lev", "level[1].counter", "level[10]"] {
            assert!(!report.is_repaired(path), "{path}");
        }
        assert!(report.is_repaired("level[1].count[3]"));
    }
}
