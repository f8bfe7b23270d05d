//! Children of a task that is being grown: the entries of `spawn`, a block of tasks at a time.

use super::grammar::{Call, Kind, Row, row_length};
use super::grow::{Fault, Grower, Mode};
use numalab_syntax::expression::{BLOCK, Formula};
use numalab_syntax::tree::show;

/// Least number that has a bit without a place in a number of an expression.
const MOST_BITS: f64 = 9_007_199_254_740_992.0;

/// Place in the entries of `spawn` from which on no task waits yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub entry: usize,
    /// Tasks of this entry's row before the place.
    pub step: u64,
}

/// Tasks that are created together.
#[derive(Clone, Copy)]
pub(super) struct Siblings<'g> {
    /// Kind of the creating task, whose values are `Grower::values`; `None` for the first tasks.
    pub parent: Option<&'g Kind>,
    /// Depth of the created tasks.
    pub depth: f64,
    pub mode: Mode,
}

impl<'g> Grower<'g> {
    /// Adds the next tasks of `entries` to those that wait, about a block. Returns the place of the first task that
    /// does not wait yet: behind all entries if all wait.
    pub(super) fn fill(
        &mut self,
        entries: &'g [Call],
        siblings: Siblings<'g>,
        mut place: Place,
    ) -> Result<Place, Fault> {
        let most = self.waiting.len() + BLOCK;
        while let Some(call) = entries.get(place.entry).filter(|_| self.waiting.len() < most) {
            place = match self.call(call, siblings, place.step)? {
                Some(step) => Place { step, ..place },
                None => Place { entry: place.entry + 1, step: 0 },
            };
        }
        Ok(place)
    }

    /// Adds the tasks of an entry from the `step`-th of its row on to those that wait: all, or a block of a row.
    /// Returns the number of the row's first task that does not wait yet.
    fn call(&mut self, call: &Call, siblings: Siblings<'g>, step: u64) -> Result<Option<u64>, Fault> {
        let parent = siblings.parent;
        let (from, to) = match &call.row {
            None => {
                let condition = call.when.as_ref().map(|when| when.at(&self.values, &mut self.stack));
                return self.one(call, condition, siblings).map(|()| None);
            }
            Some(Row::Bits(mask)) => {
                self.bits(call, mask, parent)?;
                return self.block(call, siblings).map(|()| None);
            }
            Some(Row::Steps(from, to)) => (
                self.number(from, parent, || format!("{}.from", call.path))?,
                self.number(to, parent, || format!("{}.to", call.path))?,
            ),
        };
        let count = row_length(from, to);
        if count > self.limits.steps as f64 {
            let message = format!("{}: {} tasks at once", self.who(parent), show(count));
            return Err(Fault::new(&call.path, message, "expected fewer"));
        }
        let (count, end) = (count as u64, step + BLOCK as u64);
        self.row.clear();
        self.row.extend((step..count.min(end)).map(|step| from + step as f64));
        self.block(call, siblings)?;
        Ok((end < count).then_some(end))
    }

    /// Values of the variable of a row that has a task for each bit of a mask.
    fn bits(&mut self, call: &Call, mask: &Formula, parent: Option<&Kind>) -> Result<(), Fault> {
        let value = mask.at(&self.values, &mut self.stack);
        if !(0.0..MOST_BITS).contains(&value) || value.fract() != 0.0 {
            let message = format!("{}: this is {}", self.who(parent), show(value));
            let label = "expected a whole number from 0 to 2^53 - 1, whose bits are the values";
            return Err(Fault::new(format!("{}.in", call.path), message, label));
        }
        self.row.clear();
        let mut left = value as u64;
        while left > 0 {
            self.row.push(f64::from(left.trailing_zeros()));
            left &= left - 1;
        }
        Ok(())
    }

    /// Adds the tasks of a row for the values in `self.row`.
    fn block(&mut self, call: &Call, siblings: Siblings<'g>) -> Result<(), Fault> {
        if let Some(when) = &call.when {
            self.conditions.clear();
            self.conditions.extend_from_slice(when.over(&self.values, &self.row, &mut self.room));
        }
        for at in 0..self.row.len() {
            let condition = call.when.as_ref().map(|_| self.conditions[at]);
            self.values.push(self.row[at]);
            let result = self.one(call, condition, siblings);
            self.values.pop();
            result?;
        }
        Ok(())
    }

    /// Adds one task of an entry, unless the entry's condition has the value 0.
    fn one(&mut self, call: &Call, condition: Option<f64>, siblings: Siblings<'g>) -> Result<(), Fault> {
        let Siblings { parent, depth, mode } = siblings;
        self.steps += 1;
        if self.steps > self.limits.steps {
            let message = format!("more than {} tasks are considered", self.limits.steps);
            return Err(Fault::new(
                &call.path,
                message,
                "expected a smaller problem or an earlier `when`; `most_tasks` allows more",
            ));
        }
        if let Some(condition) = condition
            && self.finite(condition, parent, || format!("{}.when", call.path))? == 0.0
        {
            return Ok(());
        }
        if let Some(kind) = parent.filter(|_| self.is_late) {
            self.load_late(kind);
        }
        let start = self.keys.len();
        for (at, argument) in call.arguments.iter().enumerate() {
            let value = self.number(argument, parent, || format!("{}.arguments[{at}]", call.path))?;
            // Adding 0.0 turns -0.0 into 0.0, which has other bits.
            self.keys.push(value + 0.0);
        }
        self.keys.resize(start + self.width - 1, 0.0);
        self.keys.push(if self.deep[mode as usize][call.kind] { depth } else { 0.0 });
        self.waiting.push(call.kind as u32);
        Ok(())
    }

    /// Value of a formula, which must be finite.
    pub(super) fn number(
        &mut self,
        formula: &Formula,
        parent: Option<&Kind>,
        path: impl Fn() -> String,
    ) -> Result<f64, Fault> {
        let value = formula.at(&self.values, &mut self.stack);
        self.finite(value, parent, path)
    }

    /// Checks that a formula's value is finite.
    fn finite(&self, value: f64, parent: Option<&Kind>, path: impl Fn() -> String) -> Result<f64, Fault> {
        if value.is_finite() {
            return Ok(value);
        }
        let message = format!("{}: this is {}", self.who(parent), show(value));
        Err(Fault::new(path(), message, "expected a finite number"))
    }

    fn who(&self, parent: Option<&Kind>) -> String {
        parent.map_or("the first tasks".to_owned(), |kind| kind.describe(&self.values))
    }
}
