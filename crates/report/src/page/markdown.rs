//! Pages as Markdown.

use super::sheet::{ColumnKind, Table};
use super::{Block, Page};
use numalab_base::printable;

impl Page {
    /// Renders the page as Markdown. Names are escaped, so that they cannot become markup.
    pub(crate) fn markdown(&self) -> String {
        self.0.iter().map(Block::markdown).collect::<Vec<_>>().join("\n")
    }
}

impl Block {
    fn markdown(&self) -> String {
        match self {
            Block::Title(_, level, text) => heading(*level, text),
            Block::Table(None, table) => table.markdown(),
            Block::Table(Some((_, above)), table) => format!("{}\n\n{}", escaped(above), table.markdown()),
            Block::Text(sentences) => {
                let sentences = sentences.iter().map(|sentence| escaped(sentence) + "\n");
                sentences.collect::<Vec<_>>().join("\n")
            }
            Block::List(_, level, title, items) => {
                let item = |(name, text): &(String, String)| match &name[..] {
                    "" => format!("- {}\n", escaped(text)),
                    name => format!("- *{}*: {}\n", escaped(name), escaped(text)),
                };
                format!("{}\n{}", heading(*level, title), items.iter().map(item).collect::<String>())
            }
            Block::Below(line) => escaped(line) + "\n",
            Block::Drawn(text) => format!("```\n{text}```\n"),
        }
    }
}

fn heading(level: usize, text: &str) -> String {
    match level {
        0 => format!("**{}**\n", escaped(text)),
        level => format!("{} {}\n", "#".repeat(level), escaped(text)),
    }
}

impl Table {
    fn markdown(&self) -> String {
        let table = self.at_step(0);
        let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let cells =
            |of: &dyn Fn(&super::sheet::Column) -> String| row(table.columns.iter().map(of).collect());
        let mut text = cells(&|column| escaped(&column.header.replace('\n', " ")));
        text += &cells(&|column| if column.kind == ColumnKind::Number { "---:" } else { "---" }.to_owned());
        for at in 0..table.columns.first().map_or(0, |column| column.cells.len()) {
            text += &cells(&|column| escaped(&column.cells[at].replace('\n', "")));
        }
        text
    }
}

/// Escapes markup. An underscore inside a word needs no escape.
fn escaped(text: &str) -> String {
    let text = &printable(text);
    let inside = |at: usize| {
        let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        letter(text[..at].chars().next_back()) && letter(text[at + 1..].chars().next())
    };
    let escape = |(at, c): (usize, char)| match c {
        '_' if inside(at) => "_".to_owned(),
        '|' | '*' | '_' | '`' | '<' | '\\' => format!("\\{c}"),
        c => c.to_string(),
    };
    text.char_indices().map(escape).collect()
}
