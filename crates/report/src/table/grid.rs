//! A table built column by column, without frames: a header, a rule, the rows.

use crate::style::Style;
use comfy_table::{
    Cell, CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, TableStyle, Width,
};

/// Columns with their headers; a header may have several lines.
#[derive(Clone, Default)]
pub(crate) struct Grid {
    columns: Vec<Column>,
}

#[derive(Clone)]
struct Column {
    header: String,
    cells: Vec<String>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Aligned left; may be wrapped.
    Text,
    /// Aligned right; never wrapped.
    Number,
}

/// Columns between neighbouring columns.
const GAP: usize = 2;
/// The part of the gap that is padding; the other is where a frame would have its line.
const PADDING: usize = GAP - 1;

impl Grid {
    pub fn new() -> Grid {
        Grid::default()
    }

    /// Adds a column of words.
    pub fn text(self, header: &str, cells: impl IntoIterator<Item = String>) -> Grid {
        self.column(header, cells, Kind::Text)
    }

    /// Adds a column of numbers.
    pub fn number(self, header: &str, cells: impl IntoIterator<Item = String>) -> Grid {
        self.column(header, cells, Kind::Number)
    }

    fn column(mut self, header: &str, cells: impl IntoIterator<Item = String>, kind: Kind) -> Grid {
        let cells = cells.into_iter().map(|cell| printable(&cell)).collect();
        self.columns.push(Column { header: header.to_owned(), cells, kind });
        self
    }

    /// Width when nothing wraps.
    pub fn natural_width(&self) -> usize {
        let gaps = GAP * self.columns.len().saturating_sub(1);
        self.columns.iter().map(Column::natural_width).sum::<usize>() + gaps
    }

    /// The table, with a newline at the end of every line.
    pub fn draw(&self, style: &Style) -> String {
        let mut table = Table::new();
        let rule = style.pick('─', '-');
        table.load_style(TableStyle::new().header_separator(LineStyle::none().fill(rule).junction(rule)));
        // The last column's padding is trimmed off again, so it does not count.
        table.set_width(u16::try_from(style.columns() + PADDING).unwrap_or(u16::MAX));
        table.set_content_arrangement(ContentArrangement::Dynamic);
        let height = |header: &str| header.lines().count().max(1);
        let lines = self.columns.iter().map(|column| height(&column.header)).max().unwrap_or(1);
        table.set_header(self.columns.iter().map(|column| {
            // Short headers stand on the rule, beside the last line of long ones.
            let above = lines - height(&column.header);
            column.cell(&("\n".repeat(above) + &column.header))
        }));
        let rows = self.columns.iter().map(|column| column.cells.len()).max().unwrap_or(0);
        for row in 0..rows {
            table.add_row(self.columns.iter().map(|column| column.cell(&column.cells[row])));
        }
        let widths = self.widths(style.columns());
        for (index, column) in self.columns.iter().enumerate() {
            let drawn = table.column_mut(index).expect("as many as were added");
            drawn.set_padding((0, PADDING as u16));
            drawn.set_constraint(ColumnConstraint::Absolute(Width::Fixed((widths[index] + PADDING) as u16)));
            // Policies have colons where other names have spaces.
            if column.cells.iter().all(|cell| !cell.contains(' ')) {
                drawn.set_delimiter(':');
            }
        }
        let mut text = String::new();
        for line in table.lines() {
            // The rule would stick out by the padding.
            let line: String = line.chars().take(self.natural_width().min(style.columns())).collect();
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// The table as Markdown has it.
    pub fn markdown(&self) -> String {
        let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let cell = |text: &str| {
            text.replace('\n', " ").replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;")
        };
        let mut text = row(self.columns.iter().map(|column| cell(&column.header)).collect());
        let rule = |column: &Column| match column.kind {
            Kind::Text => "---".to_owned(),
            Kind::Number => "---:".to_owned(),
        };
        text += &row(self.columns.iter().map(rule).collect());
        let rows = self.columns.iter().map(|column| column.cells.len()).max().unwrap_or(0);
        for at in 0..rows {
            let cells = self.columns.iter().map(|column| column.cells.get(at).map_or("", |text| text));
            text += &row(cells.map(cell).collect());
        }
        text
    }

    /// A width for each column: numbers keep theirs, text shares what is left, the widest giving way.
    fn widths(&self, columns: usize) -> Vec<usize> {
        let mut widths: Vec<usize> = self.columns.iter().map(Column::natural_width).collect();
        let gaps = GAP * widths.len().saturating_sub(1);
        while widths.iter().sum::<usize>() + gaps > columns {
            let widest = (0..widths.len())
                .filter(|&at| self.columns[at].kind == Kind::Text && widths[at] > 6)
                .max_by_key(|&at| widths[at]);
            match widest {
                Some(at) => widths[at] -= 1,
                None => break,
            }
        }
        widths
    }
}

impl Column {
    fn natural_width(&self) -> usize {
        let lines = self.header.lines().chain(self.cells.iter().map(String::as_str));
        lines.map(|line| line.chars().count()).max().unwrap_or(0).max(1)
    }

    fn cell(&self, text: &str) -> Cell {
        Cell::new(text).set_alignment(match self.kind {
            Kind::Text => CellAlignment::Left,
            Kind::Number => CellAlignment::Right,
        })
    }
}

/// Names come from users' files: no control character may reach the terminal.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// Breaks at spaces so that no line is longer; a newline ends each.
pub(crate) fn wrap(text: &str, columns: usize) -> String {
    let mut lines = String::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let length = line.chars().count();
        if length > 0 && length + 1 + word.chars().count() > columns {
            lines.push_str(&line);
            lines.push('\n');
            line.clear();
        } else if length > 0 {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines + &line + "\n"
}
