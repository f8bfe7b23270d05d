//! Tables of results with named columns: results of a sweep, and files read back from CSV, JSON
//! Lines or Parquet.

// Glossary: coordinate: A column that says which point of a sweep a row is: the machine, the policy, a value
//   that was set.

/// One value of a table.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Cell {
    /// An empty cell.
    #[default]
    Empty,
    /// A count, or a time in picoseconds.
    Count(u64),
    /// A difference of counts or times, which may be negative.
    Signed(i64),
    /// Any other number; finite.
    Real(f64),
    /// A text.
    Text(String),
}

impl Cell {
    /// The value as a number; `None` for texts and empty cells.
    pub fn number(&self) -> Option<f64> {
        match self {
            Cell::Count(value) => Some(*value as f64),
            Cell::Signed(value) => Some(*value as f64),
            Cell::Real(value) => Some(*value),
            Cell::Empty | Cell::Text(_) => None,
        }
    }

    /// Converts the value to one of a column of kind `kind`; a value that does not fit stays unchanged.
    pub fn held_as(self, kind: CellKind) -> Cell {
        match (kind, self) {
            (CellKind::Signed, Cell::Count(value)) => {
                i64::try_from(value).map_or(Cell::Count(value), Cell::Signed)
            }
            (CellKind::Real, Cell::Count(value)) => Cell::Real(value as f64),
            (CellKind::Real, Cell::Signed(value)) => Cell::Real(value as f64),
            (CellKind::Text, number @ (Cell::Count(_) | Cell::Signed(_) | Cell::Real(_))) => {
                Cell::Text(number.text())
            }
            (_, same) => same,
        }
    }

    /// The value as text; empty for an empty cell.
    pub fn text(&self) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Count(value) => value.to_string(),
            Cell::Signed(value) => value.to_string(),
            Cell::Real(value) => value.to_string(),
            Cell::Text(text) => text.clone(),
        }
    }
}

impl From<u64> for Cell {
    fn from(value: u64) -> Cell {
        Cell::Count(value)
    }
}

impl From<i64> for Cell {
    fn from(value: i64) -> Cell {
        Cell::Signed(value)
    }
}

impl From<f64> for Cell {
    /// A real number; `Cell::Empty` if it is infinite or NaN.
    fn from(value: f64) -> Cell {
        if value.is_finite() { Cell::Real(value) } else { Cell::Empty }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Cell {
        value.map_or(Cell::Empty, T::into)
    }
}

/// Type of a column. Each of its cells has this type or is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// Cells of [`Cell::Count`].
    Count,
    /// Cells of [`Cell::Signed`].
    Signed,
    /// Cells of [`Cell::Real`].
    Real,
    /// Cells of [`Cell::Text`].
    Text,
}

impl CellKind {
    /// The narrowest kind that can hold the values of both kinds.
    pub fn both(self, other: CellKind) -> CellKind {
        use CellKind::{Count, Real, Signed, Text};
        match (self, other) {
            (Text, _) | (_, Text) => Text,
            (Real, _) | (_, Real) => Real,
            (Signed, _) | (_, Signed) => Signed,
            (Count, Count) => Count,
        }
    }
}

/// Role of a column in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Input of the run: the machine, the policy, or a value that was set.
    Coordinate,
    /// Result of the run, such as a time.
    Outcome,
}

/// A named and typed column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Column name with its unit at the end, such as `makespan_ps`.
    pub name: String,
    /// Kind of the column's cells.
    pub kind: CellKind,
}

impl Column {
    /// Names of the coordinates that are not paths of `--set`, such as the policy.
    pub const COORDINATES: [&'static str; 11] = [
        "machine",
        "workload",
        "runtime",
        "policy",
        "threads",
        "procs",
        "places",
        "proc_bind",
        "placement",
        "seed",
        "replica",
    ];

    /// Creates a column from its name, with the unit at its end, and its kind.
    pub fn new(name: impl Into<String>, kind: CellKind) -> Column {
        Column { name: name.into(), kind }
    }

    /// Column name without its group (`measure.`) and its unit.
    pub fn short(name: &str) -> &str {
        let name = name.strip_prefix("measure.").unwrap_or(name);
        let name = name.split(" [").next().unwrap_or(name);
        name.strip_suffix("_ps").unwrap_or(name)
    }

    /// Coordinate or outcome, decided by the column's name.
    pub fn role(&self) -> Role {
        let set = ["machine.", "workload.", "runtime."].iter().any(|whose| self.name.starts_with(whose));
        match set || Column::COORDINATES.contains(&&*self.name) {
            true => Role::Coordinate,
            false => Role::Outcome,
        }
    }
}

// Glossary: frame: A table of results with named and typed columns, as CSV, JSON Lines and Parquet hold it.
/// A table of results.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// One column for each position in a row.
    pub columns: Vec<Column>,
    /// The rows, each with one cell per column.
    pub rows: Vec<Vec<Cell>>,
}

impl Frame {
    /// Position of the column with exactly this name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// Position of the column that a user means: by its name; or, if only one column fits, by its name without the
    /// unit (`makespan` is `makespan_ps`, `bandwidth` is `measure.bandwidth [GB/s]`) or by the last step of a path
    /// (`packages` is `workload.packages`).
    pub fn find(&self, name: &str) -> Option<usize> {
        let step = |column: &Column| {
            let path = column.role() == Role::Coordinate;
            column.name.rsplit('.').next().filter(|_| path).map(str::to_owned)
        };
        let alone = |means: &dyn Fn(&Column) -> bool| {
            let mut found = self.columns.iter().enumerate().filter(|(_, column)| means(column));
            found.next().filter(|_| found.next().is_none()).map(|(at, _)| at)
        };
        self.position(name)
            .or_else(|| alone(&|column| Column::short(&column.name) == name))
            .or_else(|| alone(&|column| step(column).as_deref() == Some(name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_short_names() {
        let names = [
            "machine",
            "workload.packages",
            "runtime.lock.kind",
            "workload.kind",
            "makespan_ps",
            "measure.rate [GB/s]",
        ];
        let columns = names.map(|name| Column::new(name, CellKind::Real)).to_vec();
        let frame = Frame { columns, rows: Vec::new() };
        for (name, at) in [
            ("machine", Some(0)),
            ("packages", Some(1)),
            ("workload.packages", Some(1)),
            ("makespan", Some(4)),
            ("makespan_ps", Some(4)),
            ("rate", Some(5)),
            // Two paths end in this step.
            ("kind", None),
            ("lock", None),
        ] {
            assert_eq!(frame.find(name), at, "{name}");
        }
        let roles: Vec<Role> = frame.columns.iter().map(Column::role).collect();
        assert_eq!(roles[..4], [Role::Coordinate; 4]);
        assert_eq!(roles[4..], [Role::Outcome; 2]);
    }

    #[test]
    fn non_finite_numbers_are_empty() {
        assert_eq!(Cell::from(f64::NAN), Cell::Empty);
        assert_eq!(Cell::from(Some(2_u64)).number(), Some(2.0));
        assert_eq!(Cell::from(None::<u64>).text(), "");
    }
}
