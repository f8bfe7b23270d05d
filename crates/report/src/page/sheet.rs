//! Sheets: rows whose columns for people (table) and for files (CSV) are declared side by side.

use crate::frame::frame_csv;
use numalab_base::printable;
use numalab_results::{Cell, CellKind, Input};

pub(crate) struct Sheet<R> {
    pub rows: Vec<R>,
    table: Table,
    /// Columns of the CSV file, each as name and cells.
    pub(super) file: Vec<(String, Vec<String>)>,
}

/// Columns for people, and how the table is split if it is too wide.
#[derive(Clone, Default)]
pub(crate) struct Table {
    pub columns: Vec<Column>,
    pub fold: Fold,
}

/// A column: its header, possibly of several lines, and its cells.
#[derive(Clone)]
pub(crate) struct Column {
    pub header: String,
    pub cells: Vec<String>,
    pub kind: ColumnKind,
    /// Narrowing steps at which the column is shown, from the first step to before the second. A table that is too
    /// wide is drawn at the next step.
    pub steps: (u8, u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    /// Text: left-aligned; may be wrapped.
    Text,
    /// Number: right-aligned; never wrapped.
    Number,
    /// Pass or fail mark of the value in the column before; always the last column.
    Verdict,
}

/// Division of a table that is too wide for the page.
#[derive(Clone, Copy, Default)]
pub(crate) enum Fold {
    /// The table is not split; its texts are wrapped.
    #[default]
    Never,
    /// Columns from index `at` on move to a second table, which repeats the first `keys` columns.
    At { keys: usize, at: usize },
    /// Columns from this index on are spread over several tables. Each table repeats the columns before the index.
    Behind(usize),
}

/// A cell value that can be shown as text.
pub(crate) trait Shown {
    /// Text of the cell, in one line unless the value is [`Lines`]; `None` for an empty cell.
    fn shown(self) -> Option<String>;
}

/// A text that can be the header of a column: a literal, or a text from input, which becomes printable.
pub(crate) trait Header {
    fn header(self) -> String;
}

impl Header for &'static str {
    fn header(self) -> String {
        self.to_owned()
    }
}

impl Header for &String {
    fn header(self) -> String {
        printable(self)
    }
}

/// Texts below each other in one cell or header.
pub(crate) struct Lines(String);

impl Lines {
    pub fn of<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Lines {
        let lines: Vec<String> = texts.into_iter().map(|text| printable(text.as_ref())).collect();
        Lines(lines.join("\n"))
    }
}

impl Header for Lines {
    fn header(self) -> String {
        self.0
    }
}

impl Shown for Lines {
    fn shown(self) -> Option<String> {
        Some(self.0)
    }
}

macro_rules! shown {
    ($($type:ty),*) => {$(
        impl Shown for $type {
            fn shown(self) -> Option<String> {
                Some(printable(&self.to_string()))
            }
        }
    )*};
}

shown!(String, &str, u32, u64, usize, f64, bool);

impl<T: Shown> Shown for Option<T> {
    fn shown(self) -> Option<String> {
        self.and_then(T::shown)
    }
}

/// Text of a number as JSON writes it, with a decimal point also for whole numbers: `377.0`.
pub(crate) fn exact(value: f64) -> String {
    serde_json::to_string(&value).unwrap_or_default()
}

impl<R> Sheet<R> {
    /// Creates a sheet without columns.
    pub fn of(rows: impl IntoIterator<Item = R>) -> Sheet<R> {
        Sheet { rows: rows.into_iter().collect(), table: Table::default(), file: Vec::new() }
    }

    /// Adds a column of left-aligned text to the table for people.
    pub fn text<S: Shown>(self, header: impl Header, cell: impl Fn(&R) -> S) -> Sheet<R> {
        self.column(header, ColumnKind::Text, "", cell)
    }

    /// Adds a column of right-aligned numbers to the table for people.
    pub fn number<S: Shown>(self, header: impl Header, cell: impl Fn(&R) -> S) -> Sheet<R> {
        self.column(header, ColumnKind::Number, "-", cell)
    }

    /// Adds a number column (if `numbers`) or a text column for people.
    pub fn either<S: Shown>(self, numbers: bool, header: impl Header, cell: impl Fn(&R) -> S) -> Sheet<R> {
        if numbers { self.column(header, ColumnKind::Number, "", cell) } else { self.text(header, cell) }
    }

    /// Adds the column of pass and fail marks. It must be the last column.
    pub fn verdict(self, within: impl Fn(&R) -> Option<bool>) -> Sheet<R> {
        let mark = |row: &R| within(row).map_or("-", |within| if within { PASS } else { FAIL });
        self.column("", ColumnKind::Verdict, "", mark)
    }

    /// Adds a column to the file only.
    pub fn file<S: Shown>(mut self, name: &str, cell: impl Fn(&R) -> S) -> Sheet<R> {
        let cells = self.rows.iter().map(|row| cell(row).shown().unwrap_or_default()).collect();
        self.file.push((name.to_owned(), cells));
        self
    }

    /// Adds a text column under `name` to the file and under `header` to the table for people.
    pub fn words<S: Shown>(self, name: &str, header: impl Header, cell: impl Fn(&R) -> S) -> Sheet<R> {
        self.file(name, &cell).text(header, cell)
    }

    /// Adds a number column under `name` to the file and under `header` to the table for people.
    pub fn count<S: Shown>(self, name: &str, header: impl Header, cell: impl Fn(&R) -> S) -> Sheet<R> {
        self.file(name, &cell).number(header, cell)
    }

    /// Adds columns that identify the simulated inputs, for files only.
    pub fn inputs(self, machine: &Input, workload: &Input) -> Sheet<R> {
        self.file("machine", |_| machine.name.clone())
            .file("machine_hash", |_| machine.hash.clone())
            .file("workload", |_| workload.name.clone())
            .file("workload_hash", |_| workload.hash.clone())
    }

    /// Applies `add` if `there` is true.
    pub fn when(self, there: bool, add: impl FnOnce(Sheet<R>) -> Sheet<R>) -> Sheet<R> {
        if there { add(self) } else { self }
    }

    /// Applies `add` once for each of `items`.
    pub fn each<T>(
        self,
        all: impl IntoIterator<Item = T>,
        add: impl Fn(Sheet<R>, T) -> Sheet<R>,
    ) -> Sheet<R> {
        all.into_iter().fold(self, add)
    }

    /// Hides the last column added from narrowing step `step` on.
    pub fn until(mut self, step: u8) -> Sheet<R> {
        self.table.columns.iter_mut().next_back().into_iter().for_each(|column| column.steps.1 = step);
        self
    }

    /// Shows the last column added only from narrowing step `step` on.
    pub fn from(mut self, step: u8) -> Sheet<R> {
        self.table.columns.iter_mut().next_back().into_iter().for_each(|column| column.steps.0 = step);
        self
    }

    /// Lets the following columns move to a second table if the page is too narrow. Each table begins with the first
    /// `keys` columns, which tell the rows apart.
    pub fn fold(mut self, keys: usize) -> Sheet<R> {
        self.table.fold = Fold::At { keys, at: self.table.columns.len() };
        self
    }

    /// Lets the following columns be distributed over several tables if the page is too narrow.
    pub fn fold_evenly(mut self) -> Sheet<R> {
        self.table.fold = Fold::Behind(self.table.columns.len());
        self
    }

    pub fn table(self) -> Table {
        self.table
    }

    fn column<S: Shown>(
        mut self,
        header: impl Header,
        kind: ColumnKind,
        none: &str,
        cell: impl Fn(&R) -> S,
    ) -> Sheet<R> {
        let cells = self.rows.iter().map(|row| cell(row).shown().unwrap_or_else(|| none.to_owned()));
        let cells = cells.collect();
        self.table.columns.push(Column { header: header.header(), cells, kind, steps: (0, u8::MAX) });
        self
    }

    /// The columns of the file as CSV, with header.
    pub fn csv(&self) -> String {
        let columns: Vec<_> =
            self.file.iter().map(|(name, _)| numalab_results::Column::new(name, CellKind::Text)).collect();
        let row = |at: usize| Ok(self.file.iter().map(|(_, cells)| Cell::Text(cells[at].clone())).collect());
        let mut bytes = Vec::new();
        frame_csv(&columns, (0..self.rows.len()).map(row), &mut bytes).expect("memory takes every byte");
        String::from_utf8(bytes).expect("written from strings")
    }
}

/// Mark of a value within its limit.
pub(super) const PASS: &str = "✓";
/// Mark of a value beyond its limit.
pub(super) const FAIL: &str = "✗";
