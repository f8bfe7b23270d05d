//! Column names collected from rows that may have different columns.

use super::columns::framed;
use numalab_results::{Cell, Frame};

/// Column names in a common order: a new name is inserted after its predecessor in the row that introduces it.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Number of each column name, from 0, in the order of first occurrence.
    known: std::collections::BTreeMap<String, usize>,
    /// Numbers of the column names, in the order of the columns.
    order: Vec<usize>,
}

impl Names {
    /// Number of a column name; a new name gets the next number. `after` is the number of the preceding name in the
    /// row; `None` for the first name.
    pub fn number(&mut self, name: &str, after: Option<usize>) -> usize {
        if let Some(&known) = self.known.get(name) {
            return known;
        }
        let new = self.known.len();
        self.known.insert(name.to_owned(), new);
        let at = after.and_then(|after| self.order.iter().position(|&number| number == after));
        self.order.insert(at.map_or(0, |at| at + 1), new);
        new
    }

    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Builds a frame. Cells are indexed by the numbers of their names; missing cells at the end of a row are empty.
    pub fn frame(self, rows: Vec<Vec<Cell>>) -> Frame {
        let mut names = vec![String::new(); self.known.len()];
        for (name, number) in self.known {
            names[number] = name;
        }
        let ordered = |mut row: Vec<Cell>| {
            let take = |&number: &usize| row.get_mut(number).map(std::mem::take).unwrap_or_default();
            self.order.iter().map(take).collect()
        };
        let rows = rows.into_iter().map(ordered).collect();
        let names = self.order.iter().map(|&number| std::mem::take(&mut names[number])).collect();
        framed(names, rows)
    }
}
