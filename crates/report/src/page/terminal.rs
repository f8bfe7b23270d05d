//! Pages for a terminal.

use super::sheet::{Column, ColumnKind, FAIL, Fold, PASS, Table};
use super::{Block, Page};
use crate::style::{Ink, Style};
use comfy_table::{
    Cell, CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table as Grid, TableStyle, Width,
};

/// Blanks between columns.
const GAP: usize = 2;
/// Blanks of the gap that the table library pads. The library draws one more blank in place of a frame between
/// columns.
const PADDING: usize = GAP - 1;

impl Page {
    /// Renders the page; every line ends with a newline.
    pub(crate) fn terminal(&self, style: &Style) -> String {
        let mut text = String::new();
        for block in &self.0 {
            if !text.is_empty() && !matches!(block, Block::Below(_)) {
                text.push('\n');
            }
            text += &block.terminal(style);
        }
        text
    }
}

impl Block {
    fn terminal(&self, style: &Style) -> String {
        let columns = style.columns();
        let line = |text: &str| fit(&style.plain(text), columns, style);
        let wrapped = |text: &String| wrap(&style.plain(text), columns);
        match self {
            Block::Title(ink, _, text) => style.paint(*ink, &line(text)) + "\n",
            Block::Table(None, table) => table.terminal(style),
            Block::Table(Some((ink, above)), table) => {
                format!("{}\n{}", style.paint(*ink, wrapped(above).trim_end()), table.terminal(style))
            }
            Block::Text(sentences) => sentences.iter().map(wrapped).collect(),
            Block::List(ink, _, heading, items) => {
                let item = |(name, text): &(String, String)| match &name[..] {
                    "" => format!("  {}\n", style.plain(text)),
                    name => line(&format!("  {name}  {text}")) + "\n",
                };
                let items: String = items.iter().map(item).collect();
                format!("{}\n{items}", style.paint(*ink, &style.plain(heading)))
            }
            Block::Below(line) => style.plain(line) + "\n",
            Block::Drawn(text) => text.clone(),
        }
    }
}

impl Table {
    /// Renders the table with all columns if they fit. Otherwise columns are hidden, then the table is split, then
    /// texts are wrapped.
    pub(super) fn terminal(&self, style: &Style) -> String {
        let plain = |column: &Column| Column {
            header: in_lines(&column.header, style),
            cells: column.cells.iter().map(|cell| in_lines(cell, style)).collect(),
            ..*column
        };
        let all = Table { columns: self.columns.iter().map(plain).collect(), fold: self.fold };
        let ends = all.columns.iter().flat_map(|column| [column.steps.0, column.steps.1]);
        let last = ends.filter(|step| *step < u8::MAX).max().unwrap_or(0);
        let mut steps = (0..=last).map(|step| all.at_step(step));
        let fits = |table: &Table| table.natural_width() <= style.columns();
        if let Some(fitting) = steps.find(fits) {
            return fitting.draw(style);
        }
        let parts = all.at_step(last).parts(style.columns());
        parts.iter().map(|part| part.draw(style)).collect::<Vec<_>>().join("\n")
    }

    /// The table with only the columns that are shown at a narrowing step.
    pub(super) fn at_step(&self, step: u8) -> Table {
        let there = |column: &&Column| (column.steps.0..column.steps.1).contains(&step);
        Table { columns: self.columns.iter().filter(there).cloned().collect(), fold: self.fold }
    }

    fn parts(&self, columns: usize) -> Vec<Table> {
        let part = |keys: usize, rest: &[Column]| Table {
            columns: self.columns[..keys].iter().chain(rest).cloned().collect(),
            fold: Fold::Never,
        };
        match self.fold {
            // Two tables are better than broken words. Both start with the name columns.
            Fold::Never if self.least_width() > columns && self.names() > 0 => {
                Table { fold: Fold::Behind(self.names()), ..self.clone() }.parts(columns)
            }
            Fold::Never => vec![part(0, &self.columns)],
            // A half that is still too wide is split again; each part repeats the keys.
            Fold::At { keys, at } => [part(0, &self.columns[..at]), part(keys, &self.columns[at..])]
                .into_iter()
                .flat_map(|half| match half.natural_width() <= columns {
                    true => vec![half],
                    false => Table { fold: Fold::Behind(keys), ..half }.parts(columns),
                })
                .collect(),
            Fold::Behind(keys) => {
                let (mut parts, mut rest) = (Vec::new(), &self.columns[keys.min(self.columns.len())..]);
                while !rest.is_empty() {
                    let fits = |each: &usize| part(keys, &rest[..*each]).natural_width() <= columns;
                    let each = (1..=rest.len()).rev().find(fits).unwrap_or(1);
                    parts.push(part(keys, &rest[..each]));
                    rest = &rest[each..];
                }
                parts
            }
        }
    }

    /// Width in characters of the table if no cell is wrapped.
    fn natural_width(&self) -> usize {
        let gaps = GAP * self.columns.len().saturating_sub(1);
        self.columns.iter().map(Column::natural_width).sum::<usize>() + gaps
    }

    /// Width in characters of the table if texts are wrapped at every word.
    fn least_width(&self) -> usize {
        let gaps = GAP * self.columns.len().saturating_sub(1);
        self.columns.iter().map(Column::least_width).sum::<usize>() + gaps
    }

    /// Number of text columns before the first number column; 0 if the table has verdicts, which must stay beside
    /// their values.
    fn names(&self) -> usize {
        let words = self.columns.iter().take_while(|column| column.kind == ColumnKind::Text).count();
        let judged = self.columns.iter().any(|column| column.kind == ColumnKind::Verdict);
        if words < self.columns.len() && !judged { words } else { 0 }
    }

    /// Draws header, rule and rows, without a frame.
    fn draw(&self, style: &Style) -> String {
        let mut grid = Grid::new();
        let rule = style.pick('─', '-');
        grid.load_style(TableStyle::new().header_separator(LineStyle::none().fill(rule).junction(rule)));
        // The padding of the last column is trimmed later and does not count.
        grid.set_width(u16::try_from(style.columns() + PADDING).unwrap_or(u16::MAX));
        grid.set_content_arrangement(ContentArrangement::Dynamic);
        let height = |header: &str| header.lines().count().max(1);
        let lines = self.columns.iter().map(|column| height(&column.header)).max().unwrap_or(1);
        grid.set_header(self.columns.iter().map(|column| {
            // Short headers are aligned with the last line of long ones.
            column.cell(&("\n".repeat(lines - height(&column.header)) + &column.header))
        }));
        let widths = self.widths(style.columns());
        let delimiters: Vec<char> = self.columns.iter().map(Column::delimiter).collect();
        for row in 0..self.columns.first().map_or(0, |column| column.cells.len()) {
            let cell = |((column, width), delimiter): ((&Column, &usize), &char)| {
                column.cell(&broken(&column.cells[row], *width, *delimiter))
            };
            grid.add_row(self.columns.iter().zip(&widths).zip(&delimiters).map(cell));
        }
        for (width, at) in widths.into_iter().zip(0..) {
            let drawn = grid.column_mut(at).expect("as many columns as widths");
            drawn.set_padding((0, PADDING as u16));
            drawn.set_constraint(ColumnConstraint::Absolute(Width::Fixed((width + PADDING) as u16)));
        }
        let judged = self.columns.last().is_some_and(|column| column.kind == ColumnKind::Verdict);
        let mut text = String::new();
        for line in grid.lines() {
            // The library's rule extends over the padding of the last column, so the end of the rule is cut.
            let line: String = line.chars().take(self.natural_width().min(style.columns())).collect();
            text += &if judged { painted(line.trim_end(), style) } else { line.trim_end().to_owned() };
            text.push('\n');
        }
        text
    }

    /// Width of each column in characters: number columns keep their width, text columns share the rest. The widest
    /// text column is reduced first. Words are broken only if necessary.
    fn widths(&self, columns: usize) -> Vec<usize> {
        let mut widths: Vec<usize> = self.columns.iter().map(Column::natural_width).collect();
        let gaps = GAP * widths.len().saturating_sub(1);
        let words: Vec<usize> = self.columns.iter().map(Column::least_width).collect();
        for least in [words, vec![6; widths.len()]] {
            while widths.iter().sum::<usize>() + gaps > columns {
                let gives =
                    |at: &usize| self.columns[*at].kind != ColumnKind::Number && widths[*at] > least[*at];
                let Some(widest) = (0..widths.len()).filter(gives).max_by_key(|&at| widths[at]) else {
                    break;
                };
                widths[widest] -= 1;
            }
        }
        widths
    }
}

impl Column {
    fn natural_width(&self) -> usize {
        let lines = self.header.lines().chain(self.cells.iter().flat_map(|cell| cell.lines()));
        lines.map(|line| line.chars().count()).max().unwrap_or(0).max(1)
    }

    /// Width of the longest word in characters; a number is one word.
    fn least_width(&self) -> usize {
        if self.kind == ColumnKind::Number {
            return self.natural_width();
        }
        let header = self.header.lines().flat_map(|line| line.split(' ')).map(|word| word.chars().count());
        let delimiter = self.delimiter();
        // A colon stays with the word before it.
        let words = self.cells.iter().flat_map(|cell| cell.split_inclusive(delimiter));
        let words = words.map(|word| word.trim_end_matches(' ').chars().count());
        header.chain(words).max().unwrap_or(0).max(1)
    }

    /// Character after which a cell may be broken: a space if a cell has one; otherwise a colon (policies) or a dot
    /// (names of published values).
    fn delimiter(&self) -> char {
        let has = |between: &char| self.cells.iter().any(|cell| cell.contains(*between));
        [' ', ':', '.'].into_iter().find(has).unwrap_or(' ')
    }

    fn cell(&self, text: &str) -> Cell {
        Cell::new(text).set_alignment(match self.kind {
            ColumnKind::Text | ColumnKind::Verdict => CellAlignment::Left,
            ColumnKind::Number => CellAlignment::Right,
        })
    }
}

/// Colours the mark at the end of a finished line.
fn painted(line: &str, style: &Style) -> String {
    let ink = |mark: &str| match mark {
        mark if mark == style.plain(PASS) => Some(Ink::Green),
        mark if mark == style.plain(FAIL) => Some(Ink::Red),
        _ => None,
    };
    match line.rsplit_once(' ').and_then(|(before, mark)| Some((before, mark, ink(mark)?))) {
        Some((before, mark, ink)) => format!("{before} {}", style.paint(ink, mark)),
        None => line.to_owned(),
    }
}

/// Applies the style to each line of a text by itself.
fn in_lines(text: &str, style: &Style) -> String {
    text.lines().map(|line| style.plain(line)).collect::<Vec<_>>().join("\n")
}

/// Breaks a cell into lines of at most `columns` characters, between words if possible. The
/// delimiter stays with the word before it.
fn broken(text: &str, columns: usize, between: char) -> String {
    if text.lines().all(|line| line.chars().count() <= columns) {
        return text.to_owned();
    }
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_inclusive(between) {
        let length = word.trim_end_matches(' ').chars().count();
        match lines.last_mut() {
            Some(line) if line.is_empty() || line.chars().count() + length <= columns => line.push_str(word),
            _ => lines.push(word.to_owned()),
        }
    }
    lines.iter().map(|line| line.trim_end_matches(' ')).collect::<Vec<_>>().join("\n")
}

/// The text, cut with an ellipsis if the text is longer than `columns` characters.
pub(crate) fn fit(text: &str, columns: usize, style: &Style) -> String {
    if text.chars().count() <= columns {
        return text.to_owned();
    }
    text.chars().take(columns.saturating_sub(1)).chain([style.pick('…', '~')]).collect()
}

/// Breaks a text at spaces into lines of at most `columns` characters; each line ends with a newline.
pub(crate) fn wrap(text: &str, columns: usize) -> String {
    let mut lines = String::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let length = line.chars().count();
        if length > 0 && length + 1 + word.chars().count() > columns {
            lines += &(std::mem::take(&mut line) + "\n");
        } else if length > 0 {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines + &line + "\n"
}
