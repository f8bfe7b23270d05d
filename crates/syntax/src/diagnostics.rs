//! All errors of a file at once, each shown with its line.

use crate::tree::TextRange;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use numalab_base::{is_printable, printable_lines};
use std::borrow::Cow;
use std::fmt;

/// Number of errors shown; further errors are only counted.
const SHOWN: usize = 25;
/// Number of errors kept, so that a large broken file stays cheap.
const KEPT: usize = 1000;
/// Longest line shown in full, in bytes. A longer line is cut around the error.
const LINE: usize = 160;

/// A text that errors refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Name of the file in messages, usually a path.
    pub name: String,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Diagnostic {
    /// Position in a text; `None` only in [`Diagnostics::plain`].
    span: Option<TextRange>,
    pub message: String,
    /// The expected text, printed under the caret.
    pub label: String,
}

impl Diagnostic {
    /// An error at a position.
    pub fn new(span: TextRange, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self { span: Some(span), message: message.into(), label: label.into() }
    }

    pub fn span(&self) -> Option<TextRange> {
        self.span
    }
}

/// Errors of one command or file, with the texts that they refer to. `Display` gives plain text;
/// [`Diagnostics::render`] can add colour.
#[derive(Clone, PartialEq, Eq)]
pub struct Diagnostics {
    sources: Vec<Source>,
    items: Vec<Diagnostic>,
    dropped: usize,
}

impl Diagnostics {
    /// The first `KEPT` errors in `sources`, sorted and without duplicates; further errors are only counted. The
    /// `source` of an error's span is an index into `sources`.
    pub fn new(sources: Vec<Source>, mut items: Vec<Diagnostic>) -> Self {
        let dropped = items.len().saturating_sub(KEPT);
        items.truncate(KEPT);
        items.sort();
        items.dedup();
        Self { sources, items, dropped }
    }

    /// An error about a file as a whole, shown at its beginning.
    pub fn of_file(source: Source, message: impl Into<String>, label: impl Into<String>) -> Self {
        let item = Diagnostic::new(TextRange::default(), message, label);
        Self::new(vec![source], vec![item])
    }

    /// An error without a position in a file. If it is about a file, the message names it.
    pub fn plain(message: impl Into<String>, help: impl Into<String>) -> Self {
        let item = Diagnostic { span: None, message: message.into(), label: help.into() };
        Self::new(Vec::new(), vec![item])
    }

    /// Appends the errors and sources of `other`.
    pub fn and(mut self, other: Diagnostics) -> Diagnostics {
        let shift = self.sources.len();
        self.sources.extend(other.sources);
        self.items.extend(other.items.into_iter().map(|mut item| {
            if let Some(span) = &mut item.span {
                span.source += shift;
            }
            item
        }));
        self.dropped += other.dropped;
        self
    }

    /// The errors with some positions replaced: `place` gives the new text and position of an error in `source`, or
    /// `None` to keep it.
    #[must_use]
    pub fn placed(
        mut self,
        place: impl Fn(&Source, TextRange) -> Option<(Source, TextRange)>,
    ) -> Diagnostics {
        for item in &mut self.items {
            let Some(span) = item.span else { continue };
            let moved = self.sources.get(span.source).and_then(|source| place(source, span));
            if let Some((source, span)) = moved {
                item.span = Some(TextRange { source: self.sources.len(), ..span });
                self.sources.push(source);
            }
        }
        self
    }

    /// The first error in one line, with its position and the number of further errors.
    pub fn brief(&self) -> String {
        let Some(first) = self.items.first() else { return String::new() };
        let place = first.span.and_then(|span| Some((span, self.sources.get(span.source)?)));
        let place = place
            .map(|(span, source)| format!(" ({}:{})", source.name, Line::around(&source.text, span).number));
        let more = match self.count() - 1 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let label = if first.label.is_empty() { String::new() } else { format!("; {}", first.label) };
        format!("{}{label}{}{more}", first.message, place.unwrap_or_default())
    }

    /// Number of errors, including those not kept.
    pub fn count(&self) -> usize {
        self.items.len() + self.dropped
    }

    /// The first `SHOWN` errors as text, and the number of further errors; with terminal colours if `styled`.
    pub fn render(&self, styled: bool) -> String {
        let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
        let mut text = String::new();
        for item in self.items.iter().take(SHOWN) {
            match item.span {
                Some(_) => text.push_str(&renderer.render(&[self.group(item)])),
                None => text.push_str(&without_place(item, styled)),
            }
            text.push_str("\n\n");
        }
        match self.count().saturating_sub(SHOWN) {
            0 => text.truncate(text.trim_end().len()),
            more => text.push_str(&format!("… and {more} more errors")),
        }
        text
    }

    fn group<'a>(&'a self, item: &'a Diagnostic) -> Group<'a> {
        let title = Level::ERROR.primary_title(printable_lines(&item.message));
        let Some((span, source)) = item.span.and_then(|span| Some((span, self.sources.get(span.source)?)))
        else {
            let help = (!item.label.is_empty()).then(|| Level::HELP.message(printable_lines(&item.label)));
            return title.elements(help);
        };
        let line = Line::around(&source.text, span);
        let annotation = AnnotationKind::Primary
            .span(line.caret.clone())
            .label((!item.label.is_empty()).then(|| printable_lines(&item.label)));
        let snippet = Snippet::source(line.text).line_start(line.number).annotation(annotation);
        if !line.cut {
            return title.element(snippet.path(source.name.as_str()));
        }
        // A cut line has other columns than the file.
        let origin = Origin::path(source.name.as_str()).line(line.number).char_column(line.column);
        title.element(origin).element(snippet)
    }
}

/// Formats an error without a position: the mistake, then the text to type instead.
fn without_place(item: &Diagnostic, styled: bool) -> String {
    let (red, green, plain) = if styled { ("\x1b[1;31m", "\x1b[32m", "\x1b[0m") } else { ("", "", "") };
    let message = printable_lines(&item.message);
    match &printable_lines(&item.label)[..] {
        "" => format!("{red}error:{plain} {message}"),
        help => format!("{red}error:{plain} {message}\n  {green}help:{plain} {help}"),
    }
}

/// Number of the line, counted from 1, that holds a byte of a text.
pub fn line_at(text: &str, byte: usize) -> usize {
    text.as_bytes()[..byte.min(text.len())].iter().filter(|byte| **byte == b'\n').count() + 1
}

/// The line that a diagnostic shows, cut if it is very long.
struct Line<'a> {
    number: usize,
    column: usize,
    cut: bool,
    text: Cow<'a, str>,
    caret: std::ops::Range<usize>,
}

impl<'a> Line<'a> {
    fn around(text: &'a str, span: TextRange) -> Line<'a> {
        let boundary = |at: usize| (0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i));
        let start = boundary(span.start).unwrap_or(0);
        // An error at the end of the file is shown after its last line with text.
        let start = if start == text.len() { text.trim_end().len() } else { start };
        let begin = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[start..].find(['\n', '\r']).map_or(text.len(), |at| start + at);
        let stop = boundary(span.end).unwrap_or(0).clamp(start, end);
        let number = line_at(text, begin);
        let column = text[begin..start].chars().count() + 1;
        let line = &text[begin..end];
        if line.len() <= LINE {
            let caret = start - begin..stop - begin;
            return Line { number, column, cut: false, text: harmless(line), caret };
        }
        let from = boundary(start.saturating_sub(LINE / 2)).unwrap_or(0).max(begin);
        let to = boundary(start + LINE / 2).unwrap_or(0).clamp(start, end);
        let mark = |cut: bool| if cut { "…" } else { "" };
        let (left, right) = (mark(from > begin), mark(to < end));
        let shift = |at: usize| at.min(to) - from + left.len();
        let caret = shift(start)..shift(stop);
        Line {
            number,
            column,
            cut: true,
            text: format!("{left}{}{right}", harmless(&text[from..to])).into(),
            caret,
        }
    }
}

/// The text with signs of as many bytes in the place of what controls a terminal. The renderer replaces control characters of
/// one byte itself.
fn harmless(text: &str) -> Cow<'_, str> {
    let is_harmless = |c: char| c.len_utf8() == 1 || is_printable(c);
    if text.chars().all(is_harmless) {
        return text.into();
    }
    let sign = |c: char| match c.len_utf8() {
        _ if is_harmless(c) => c,
        2 => '\u{bf}',
        _ => '\u{fffd}',
    };
    text.chars().map(sign).collect::<String>().into()
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

/// As `Display`, so that a failed `unwrap` in a test is readable.
impl fmt::Debug for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Diagnostics {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_control_no_terminal_and_keep_their_columns() {
        for text in ["a\u{9b}2J = x", "a\u{202e}2J = x"] {
            let at = text.len() - 1;
            let source = Source { name: "f".to_owned(), text: text.into() };
            let item = Diagnostic::new(TextRange { source: 0, start: at, end: at + 1 }, "wrong", "here");
            let shown = Diagnostics::new(vec![source], vec![item]).render(false);
            assert!(shown.chars().all(|c| c == '\n' || is_printable(c)), "{shown:?}");
            let place = |mark| shown.lines().find_map(|line| line.chars().position(|c| c == mark));
            assert_eq!(place('x'), place('^'), "{shown}");
        }
    }
}
