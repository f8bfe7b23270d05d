//! Pages as data: blocks in order. Rendered for a terminal, as Markdown, and as CSV of the rows.

mod markdown;
mod replicas;
mod sheet;
mod terminal;
#[cfg(test)]
mod tests;

pub(crate) use sheet::{Lines, Sheet, exact};
pub(crate) use terminal::{fit, wrap};

use crate::style::{Ink, Style};
use sheet::Table;

// Glossary: view: A result arranged as blocks of text and tables, independent of the output format.
/// A result with a page, for a terminal or as Markdown.
pub trait View {
    /// Arranges the result as a page. Only blocks drawn with characters depend on `style`.
    fn page(&self, style: &Style) -> Page;

    /// Arranges the result for Markdown; by default like [`View::page`].
    fn document(&self) -> Page {
        self.page(&Style::default())
    }
}

/// A result that has CSV rows.
pub trait Rows {
    /// Header and rows as CSV (RFC 4180).
    fn csv(&self) -> String;
}

/// Renders a result's page for a terminal. Lines are at most as wide as the style allows, except lines to be pasted.
pub fn table(view: &(impl View + ?Sized), style: Style) -> String {
    view.page(&style).terminal(&style)
}

pub fn markdown(view: &(impl View + ?Sized)) -> String {
    view.document().markdown()
}

/// Rows of a result as CSV, for spreadsheets and data frames.
pub fn csv(rows: &(impl Rows + ?Sized)) -> String {
    rows.csv()
}

/// Blocks one below the other, separated by blank lines.
#[derive(Default)]
pub struct Page(Vec<Block>);

enum Block {
    /// One line, cut if too long; in Markdown a heading of this level, or bold at level 0.
    Title(Ink, usize, String),
    /// A table, possibly with a sentence above.
    Table(Option<(Ink, String)>, Table),
    /// Sentences, each of which begins a new line.
    Text(Vec<String>),
    /// Lines with optional names under a heading of this level. Lines are not wrapped.
    List(Ink, usize, String, Vec<(String, String)>),
    /// A line directly below the preceding block, without a blank line between.
    Below(String),
    /// Preformatted text, such as bars.
    Drawn(String),
}

impl Page {
    /// Starts a page with facts joined in one line.
    pub(crate) fn titled(facts: impl IntoIterator<Item = String>) -> Page {
        Page::default().title(Ink::Bold, 0, facts.into_iter().collect::<Vec<_>>().join(" · "))
    }

    /// Adds a line of text in a colour as title, with its Markdown heading level.
    pub(crate) fn title(self, ink: Ink, level: usize, text: String) -> Page {
        self.block(Block::Title(ink, level, text))
    }

    pub(crate) fn table<R>(self, sheet: Sheet<R>) -> Page {
        self.block(Block::Table(None, sheet.table()))
    }

    /// Adds a table with a sentence above.
    pub(crate) fn table_under<R>(self, ink: Ink, sentence: String, sheet: Sheet<R>) -> Page {
        self.block(Block::Table(Some((ink, sentence)), sheet.table()))
    }

    /// Adds a line directly below the last block; nothing if `line` is `None`.
    pub(crate) fn below(self, line: Option<String>) -> Page {
        self.with(line, |page, line| page.block(Block::Below(line)))
    }

    /// Adds sentences as one block; nothing if there are none.
    pub(crate) fn text(self, sentences: impl IntoIterator<Item = String>) -> Page {
        let sentences: Vec<String> = sentences.into_iter().collect();
        if sentences.is_empty() { self } else { self.block(Block::Text(sentences)) }
    }

    /// Adds lines under a heading; nothing if there are no lines.
    pub(crate) fn list(
        self,
        (ink, level, heading): (Ink, usize, &str),
        items: impl IntoIterator<Item = (String, String)>,
    ) -> Page {
        let items: Vec<_> = items.into_iter().collect();
        if items.is_empty() { self } else { self.block(Block::List(ink, level, heading.to_owned(), items)) }
    }

    /// Adds preformatted text; nothing if the text is empty.
    pub(crate) fn drawn(self, text: String) -> Page {
        if text.is_empty() { self } else { self.block(Block::Drawn(text)) }
    }

    /// Adds the blocks of another page.
    pub(crate) fn then(mut self, other: Page) -> Page {
        self.0.extend(other.0);
        self
    }

    /// Applies `add` if `part` is present.
    pub(crate) fn with<T>(self, part: Option<T>, add: impl FnOnce(Page, T) -> Page) -> Page {
        match part {
            Some(part) => add(self, part),
            None => self,
        }
    }

    fn block(mut self, block: Block) -> Page {
        self.0.push(block);
        self
    }
}
