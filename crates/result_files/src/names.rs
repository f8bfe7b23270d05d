//! Names of columns, as rows bring them.

use super::columns::framed;
use numalab_results::{Cell, Frame};

/// Names in the order in which several lists have them: a new one stands behind the one that it follows.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// All of them, as they came.
    known: std::collections::BTreeMap<String, usize>,
    /// Numbers of names, in order.
    order: Vec<usize>,
}

impl Names {
    /// The number of a name. Numbers are given as names come; `after` is the number of the one before it.
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

    /// Number of columns.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// The frame of rows whose cells stand at the numbers of their names; rows may be short.
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
