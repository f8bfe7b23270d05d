//! Functions of a row of the workload's matrix.

/// Properties of the rows of a workload's matrix, by row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    pub entries: Vec<u32>,
    /// The first column with an entry; 0 in rows without entries.
    pub first_column: Vec<u32>,
    /// The last column with an entry; 0 in rows without entries.
    pub last_column: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowFunction {
    Entries,
    FirstColumn,
    LastColumn,
}

impl RowFunction {
    const ALL: [(&'static str, RowFunction); 3] = [
        ("row_entries", RowFunction::Entries),
        ("first_column", RowFunction::FirstColumn),
        ("last_column", RowFunction::LastColumn),
    ];

    pub fn named(name: &str) -> Option<RowFunction> {
        RowFunction::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, function)| function)
    }

    pub fn names() -> impl Iterator<Item = &'static str> {
        RowFunction::ALL.into_iter().map(|(name, _)| name)
    }

    /// The value for a row; NaN if there is no such row.
    pub fn of(self, rows: &Rows, row: f64) -> f64 {
        let row = if row >= 0.0 && row.fract() == 0.0 { row as usize } else { usize::MAX };
        let column = match self {
            RowFunction::Entries => &rows.entries,
            RowFunction::FirstColumn => &rows.first_column,
            RowFunction::LastColumn => &rows.last_column,
        };
        column.get(row).map_or(f64::NAN, |value| f64::from(*value))
    }
}
