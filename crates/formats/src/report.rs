//! Collects errors by path while a file is checked and resolved.

use crate::diagnostics::Diagnostic;
use crate::expression::ExpressionError;
use crate::tree::{Node, Span};
use std::ops::Range;

/// Errors so far, and which values were replaced to be able to go on. What is said about a replaced
/// value would be nonsense and is dropped.
pub(crate) struct Report<'a> {
    pub root: &'a Node,
    pub items: Vec<Diagnostic>,
    repaired: Vec<String>,
}

impl<'a> Report<'a> {
    pub fn new(root: &'a Node) -> Report<'a> {
        Report { root, items: Vec::new(), repaired: Vec::new() }
    }

    /// Nothing wrong so far.
    pub fn clean(&self) -> bool {
        self.items.is_empty()
    }

    /// Notes that the value at `path` was wrong or missing and has been replaced.
    pub fn repair(&mut self, path: &str) {
        self.repaired.push(path.to_owned());
    }

    /// Whether something at, under or around `path` was replaced.
    pub fn is_repaired(&self, path: &str) -> bool {
        self.repaired.iter().any(|repaired| contains(repaired, path) || contains(path, repaired))
    }

    /// An error about the value at `path`.
    pub fn at(&mut self, path: &str, message: impl Into<String>, label: impl Into<String>) {
        if !self.is_repaired(path) {
            self.items.push(Diagnostic::new(self.root.locate(path), message, label));
        }
    }

    /// An error about a part of the text at `path`.
    pub fn within(&mut self, path: &str, text: &str, error: ExpressionError) {
        if !self.is_repaired(path) {
            let span = part(self.root.locate(path), text, error.range);
            self.items.push(Diagnostic::new(span, error.message, error.label));
        }
    }
}

fn contains(outer: &str, inner: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// The bytes of the source that hold `range` of `text`: exact when the text is written without
/// quotes, or in quotes without escapes; otherwise the whole.
pub(crate) fn part(span: Span, text: &str, range: Range<usize>) -> Span {
    let quotes = match (span.end - span.start).checked_sub(text.len()) {
        Some(0) => 0,
        Some(2) => 1,
        _ => return span,
    };
    let start = span.start + quotes + range.start;
    Span { source: span.source, start, end: span.start + quotes + range.end }
}
