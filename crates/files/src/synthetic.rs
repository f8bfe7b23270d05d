//! The short form of a machine, such as `board:4 socket:4 core:8`, in place of a file's name.

use numalab_machine::{Machine, SyntheticError};
use numalab_syntax::diagnostics::{Diagnostic, Diagnostics, Source};
use numalab_syntax::expression::ExpressionError;
use numalab_syntax::nearest::hint_or;
use numalab_syntax::tree::TextRange;
use std::path::Path;

/// True if a text begins with a word and its count, such as `socket:2 core:4`, unless a file has this name.
pub fn is_synthetic(name: &str) -> bool {
    let word = |word: &str| word.split_once(':').is_some_and(|(kind, _)| !kind.contains(['/', '\\', '.']));
    name.split_whitespace().next().is_some_and(word) && !Path::new(name).exists()
}

/// Parses the short form of a machine.
pub fn machine(form: &str) -> Result<Machine, Diagnostics> {
    numalab_machine::synthetic(form).map_err(|error| {
        let ExpressionError { range, message, label } = wrong_form(form, error);
        let span = TextRange { source: 0, start: range.start, end: range.end };
        Diagnostics::new(vec![source(form)], vec![Diagnostic::new(span, message, label)])
    })
}

/// The short form as a source, so that errors can show it.
pub(crate) fn source(form: &str) -> Source {
    Source { name: "synthetic machine".to_owned(), text: form.to_owned() }
}

/// Places an error at the wrong part of the short form.
pub fn wrong_form(form: &str, error: SyntheticError) -> ExpressionError {
    let wrong = form.get(error.span.clone()).unwrap_or_default();
    let label = hint_or(wrong, error.names, &error.expected);
    ExpressionError { range: error.span, message: error.message, label }
}
