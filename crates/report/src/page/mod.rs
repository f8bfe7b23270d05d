//! A view as data: what stands on it in which order. One renderer makes text for a terminal of it, one Markdown, and
//! one CSV of the rows behind it.

mod markdown;
mod sheet;
mod terminal;
#[cfg(test)]
mod tests;

pub(crate) use sheet::{Sheet, exact};
pub(crate) use terminal::{fit, wrap};

use crate::style::{Ink, Style};
use sheet::Table;

// Glossary: view: A result arranged as blocks of text and tables, independent of the output format.
/// A result that can be read: in a terminal, or as Markdown.
pub trait View {
    /// The blocks; the style matters only to those that are drawn of characters.
    fn page(&self, style: &Style) -> Page;

    /// The same for Markdown, where that says more.
    fn document(&self) -> Page {
        self.page(&Style::default())
    }
}

/// A result with a flat row for each of its parts.
pub trait Rows {
    /// Rows under a header, as RFC 4180 has it.
    fn csv(&self) -> String;
}

/// A view for a terminal. No line is wider than the style says, but for what is to be pasted.
pub fn table(view: &(impl View + ?Sized), style: Style) -> String {
    view.page(&style).terminal(&style)
}

/// A view as Markdown.
pub fn markdown(view: &(impl View + ?Sized)) -> String {
    view.document().markdown()
}

/// Rows for a spreadsheet or a data frame.
pub fn csv(rows: &(impl Rows + ?Sized)) -> String {
    rows.csv()
}

/// Blocks below each other, with a blank line between.
#[derive(Default)]
pub struct Page(Vec<Block>);

enum Block {
    /// One line, cut where it is too long; as Markdown a heading of this level, or in bold if that is 0.
    Title(Ink, usize, String),
    /// Rows, perhaps under a sentence.
    Table(Option<(Ink, String)>, Table),
    /// Sentences, each on lines of its own.
    Text(Vec<String>),
    /// Lines under a heading of this level, each perhaps with a name before it; nothing is broken.
    List(Ink, usize, String, Vec<(String, String)>),
    /// A line that belongs to what is above it.
    Below(String),
    /// Text drawn of characters, or to be pasted.
    Drawn(String),
}

impl Page {
    /// With facts in one line.
    pub(crate) fn titled(facts: impl IntoIterator<Item = String>) -> Page {
        Page::default().title(Ink::Bold, 0, facts.into_iter().collect::<Vec<_>>().join(" · "))
    }

    /// Adds a line that stands out.
    pub(crate) fn title(self, ink: Ink, level: usize, text: String) -> Page {
        self.block(Block::Title(ink, level, text))
    }

    /// Adds a table.
    pub(crate) fn table<R>(self, sheet: Sheet<R>) -> Page {
        self.block(Block::Table(None, sheet.table()))
    }

    /// Adds a table under a sentence.
    pub(crate) fn table_under<R>(self, ink: Ink, sentence: String, sheet: Sheet<R>) -> Page {
        self.block(Block::Table(Some((ink, sentence)), sheet.table()))
    }

    /// Adds a line directly below the last block.
    pub(crate) fn below(self, line: Option<String>) -> Page {
        self.with(line, |page, line| page.block(Block::Below(line)))
    }

    /// Adds sentences, if there are any.
    pub(crate) fn text(self, sentences: impl IntoIterator<Item = String>) -> Page {
        let sentences: Vec<String> = sentences.into_iter().collect();
        if sentences.is_empty() { self } else { self.block(Block::Text(sentences)) }
    }

    /// Adds lines under a heading, if there are any.
    pub(crate) fn list(
        self,
        (ink, level, heading): (Ink, usize, &str),
        items: impl IntoIterator<Item = (String, String)>,
    ) -> Page {
        let items: Vec<_> = items.into_iter().collect();
        if items.is_empty() { self } else { self.block(Block::List(ink, level, heading.to_owned(), items)) }
    }

    /// Adds what is drawn already, if there is anything.
    pub(crate) fn drawn(self, text: String) -> Page {
        if text.is_empty() { self } else { self.block(Block::Drawn(text)) }
    }

    /// Adds to the page where there is something to add.
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
