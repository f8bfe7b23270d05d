//! The rows of a sweep in order, from the store.

use crate::plan::{Plan, Point};
use crate::store::{Reader, Store, StoreError};
use numalab_results::{Cell, Column, Frame, Role};

pub struct Rows<'a> {
    plan: &'a Plan<'a>,
    store: &'a Store,
    reader: Reader<'a>,
    next: usize,
    missing: bool,
}

/// Iterator over the rows of all points with a result in the store, in the order of the plan.
pub fn rows<'a>(plan: &'a Plan<'a>, store: &'a Store) -> Rows<'a> {
    Rows { plan, store, reader: store.reader(), next: 0, missing: false }
}

impl Iterator for Rows<'_> {
    type Item = Result<Vec<Cell>, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        let shown = |point: &&Point| self.missing || !self.plan.is_missing(point, self.store);
        let at = self.next + self.plan.points()[self.next..].iter().position(|point| shown(&point))?;
        self.next = at + 1;
        let point = &self.plan.points()[at];
        let outcome = point.key().map_or(Ok(None), |key| self.reader.get(key));
        Some(outcome.map(|outcome| self.plan.row(point, outcome.as_ref())))
    }
}

/// All rows, with the coordinates and those other columns that `wanted` accepts. Rows of missing points have neither
/// figures nor errors.
pub fn frame(plan: &Plan<'_>, store: &Store, wanted: impl Fn(&str) -> bool) -> Result<Frame, StoreError> {
    let columns = plan.columns();
    let is_kept = |column: &Column| column.role() == Role::Coordinate || wanted(&column.name);
    let kept: Vec<usize> = (0..columns.len()).filter(|&at| is_kept(&columns[at])).collect();
    let mut frame = Frame { columns: kept.iter().map(|&at| columns[at].clone()).collect(), rows: Vec::new() };
    for row in (Rows { missing: true, ..rows(plan, store) }) {
        let mut row = row?;
        frame.rows.push(kept.iter().map(|&at| std::mem::take(&mut row[at])).collect());
    }
    Ok(frame)
}
