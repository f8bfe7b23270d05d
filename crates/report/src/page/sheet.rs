//! Rows with columns: some for a reader, some for files, declared side by side.

use crate::frame::frame_csv;
use numalab_results::{Cell, CellKind, Input};

/// Rows, and what is said of each.
pub(crate) struct Sheet<R> {
    rows: Vec<R>,
    table: Table,
    /// Columns of files: name and cells.
    pub(super) file: Vec<(String, Vec<String>)>,
}

/// Columns for a reader.
#[derive(Clone, Default)]
pub(crate) struct Table {
    pub columns: Vec<Column>,
    pub fold: Fold,
}

/// A header, which may have several lines, and what stands below it.
#[derive(Clone)]
pub(crate) struct Column {
    pub header: String,
    pub cells: Vec<String>,
    pub kind: ColumnKind,
    /// From which step of narrowing on it stands there, and at which it is left out.
    pub steps: (u8, u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    /// Aligned left; may be wrapped.
    Text,
    /// Aligned right; never wrapped.
    Number,
    /// Whether a value is within its limit: a mark in its colour, in the last column.
    Verdict,
}

/// Treatment of a table that is too wide.
#[derive(Clone, Copy, Default)]
pub(crate) enum Fold {
    /// Its texts are broken.
    #[default]
    Never,
    /// Columns from here on stand in a second table under the first column.
    At(usize),
    /// Columns behind these first ones stand in as many tables as it takes, equally many in each.
    Behind(usize),
}

/// A value as text.
pub(crate) trait Shown {
    /// Nothing where there is no value.
    fn shown(self) -> Option<String>;
}

macro_rules! shown {
    ($($type:ty),*) => {$(
        impl Shown for $type {
            fn shown(self) -> Option<String> {
                Some(self.to_string())
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

/// A number with a sign that it is a fraction: `377.0`.
pub(crate) fn exact(value: f64) -> String {
    serde_json::to_string(&value).unwrap_or_default()
}

impl<R> Sheet<R> {
    /// Without columns.
    pub fn of(rows: impl IntoIterator<Item = R>) -> Sheet<R> {
        Sheet { rows: rows.into_iter().collect(), table: Table::default(), file: Vec::new() }
    }

    /// Adds a column of words.
    pub fn text<S: Shown>(self, header: &str, cell: impl Fn(&R) -> S) -> Sheet<R> {
        self.column(header, ColumnKind::Text, "", cell)
    }

    /// Adds a column of numbers.
    pub fn number<S: Shown>(self, header: &str, cell: impl Fn(&R) -> S) -> Sheet<R> {
        self.column(header, ColumnKind::Number, "-", cell)
    }

    /// Adds a column of words, or of numbers.
    pub fn either<S: Shown>(self, numbers: bool, header: &str, cell: impl Fn(&R) -> S) -> Sheet<R> {
        if numbers { self.column(header, ColumnKind::Number, "", cell) } else { self.text(header, cell) }
    }

    /// Adds the column of marks.
    pub fn verdict(self, within: impl Fn(&R) -> Option<bool>) -> Sheet<R> {
        let mark = |row: &R| within(row).map_or("-", |within| if within { PASS } else { FAIL });
        self.column("", ColumnKind::Verdict, "", mark)
    }

    /// Adds a column for files alone.
    pub fn file<S: Shown>(mut self, name: &str, cell: impl Fn(&R) -> S) -> Sheet<R> {
        let cells = self.rows.iter().map(|row| cell(row).shown().unwrap_or_default()).collect();
        self.file.push((name.to_owned(), cells));
        self
    }

    /// Adds a column of words for files and readers.
    pub fn words<S: Shown>(self, name: &str, header: &str, cell: impl Fn(&R) -> S) -> Sheet<R> {
        self.file(name, &cell).text(header, cell)
    }

    /// Adds a column of whole numbers for files and readers.
    pub fn count<S: Shown>(self, name: &str, header: &str, cell: impl Fn(&R) -> S) -> Sheet<R> {
        self.file(name, &cell).number(header, cell)
    }

    /// Adds what was simulated, for files.
    pub fn inputs(self, machine: &Input, workload: &Input) -> Sheet<R> {
        self.file("machine", |_| machine.name.clone())
            .file("machine_hash", |_| machine.hash.clone())
            .file("workload", |_| workload.name.clone())
            .file("workload_hash", |_| workload.hash.clone())
    }

    /// Adds a column, if so.
    pub fn when(self, there: bool, add: impl FnOnce(Sheet<R>) -> Sheet<R>) -> Sheet<R> {
        if there { add(self) } else { self }
    }

    /// Adds columns for each of some things.
    pub fn each<T>(
        self,
        all: impl IntoIterator<Item = T>,
        add: impl Fn(Sheet<R>, T) -> Sheet<R>,
    ) -> Sheet<R> {
        all.into_iter().fold(self, add)
    }

    /// Leaves the last column out from this step of narrowing on.
    pub fn until(mut self, step: u8) -> Sheet<R> {
        self.table.columns.iter_mut().next_back().into_iter().for_each(|column| column.steps.1 = step);
        self
    }

    /// Shows the last column only from this step of narrowing on.
    pub fn from(mut self, step: u8) -> Sheet<R> {
        self.table.columns.iter_mut().next_back().into_iter().for_each(|column| column.steps.0 = step);
        self
    }

    /// Lets what follows stand below, where there is no room beside what is there.
    pub fn fold(mut self) -> Sheet<R> {
        self.table.fold = Fold::At(self.table.columns.len());
        self
    }

    /// Lets what follows stand below in equal parts.
    pub fn fold_evenly(mut self) -> Sheet<R> {
        self.table.fold = Fold::Behind(self.table.columns.len());
        self
    }

    /// The columns for readers.
    pub fn table(self) -> Table {
        self.table
    }

    fn column<S: Shown>(
        mut self,
        header: &str,
        kind: ColumnKind,
        none: &str,
        cell: impl Fn(&R) -> S,
    ) -> Sheet<R> {
        let cells = self.rows.iter().map(|row| cell(row).shown().unwrap_or_else(|| none.to_owned()));
        let cells = cells.collect();
        self.table.columns.push(Column { header: header.to_owned(), cells, kind, steps: (0, u8::MAX) });
        self
    }

    /// The columns for files.
    pub fn csv(&self) -> String {
        let columns: Vec<_> =
            self.file.iter().map(|(name, _)| numalab_results::Column::new(name, CellKind::Text)).collect();
        let row = |at: usize| Ok(self.file.iter().map(|(_, cells)| Cell::Text(cells[at].clone())).collect());
        let mut bytes = Vec::new();
        frame_csv(&columns, (0..self.rows.len()).map(row), &mut bytes).expect("memory takes every byte");
        String::from_utf8(bytes).expect("written from strings")
    }
}

/// The mark of a value within its limit.
pub(super) const PASS: &str = "✓";
/// The mark of one that is not.
pub(super) const FAIL: &str = "✗";
