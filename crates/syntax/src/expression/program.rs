//! Postfix steps, and their evaluation for blocks of values.

use super::rows::{RowFunction, Rows};
use super::table::Table;
use super::{Binary, ExpressionError, MOST_ARGUMENTS, Unary, random};
use std::ops::Range;
use std::sync::Arc;

/// Number of values evaluated together, so that each step is a loop over an array in the first-level cache.
pub const BLOCK: usize = 256;

#[derive(Clone, Debug)]
pub enum Step {
    Number(f64),
    Name(String, Range<usize>),
    Unary(Unary),
    Binary(Binary),
    /// Function `random` of this many numbers.
    Random(usize),
    /// Function `if(condition, one, other)`.
    Select,
    Row(RowFunction, Range<usize>),
    /// Function `table_value`: a row of the column of this name.
    Table(String, Range<usize>),
}

/// An expression whose names are not bound.
#[derive(Clone, Debug)]
pub struct Parsed {
    pub(super) steps: Vec<Step>,
}

/// A step with bound names; `V` identifies a variable.
#[derive(Clone, Debug)]
pub(super) enum Op<V> {
    Number(f64),
    Variable(V),
    Unary(Unary),
    Binary(Binary),
    Random(usize),
    Select,
    Row(RowFunction, Arc<Rows>),
    Table(Arc<Table>),
}

/// The iteration index, the only variable of a loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Index;

/// An expression of the iteration index, ready to run.
#[derive(Clone, Debug)]
pub struct Program {
    pub(super) ops: Vec<Op<Index>>,
    /// Largest number of values that the expression has on the stack at a time.
    pub(super) depth: usize,
}

impl Parsed {
    /// Names in the expression, with the byte range of each use.
    pub fn names(&self) -> impl Iterator<Item = (&str, Range<usize>)> {
        self.steps.iter().filter_map(|step| match step {
            Step::Name(name, range) => Some((name.as_str(), range.clone())),
            _ => None,
        })
    }

    /// Refuses functions of rows and tables: the first use of such a function is an error with the label `expected`.
    pub fn without_rows(self, expected: &str) -> Result<Parsed, ExpressionError> {
        let found = self.steps.iter().find_map(|step| match step {
            Step::Row(_, range) => Some(("there is no matrix here", range)),
            Step::Table(_, range) => Some(("there are no tables here", range)),
            _ => None,
        });
        let Some((message, range)) = found else { return Ok(self) };
        let (range, message) = (range.clone(), message.to_owned());
        Err(ExpressionError { range, message, label: expected.to_owned() })
    }

    /// The value of a small expression, with names from `lookup`. `None` if the value depends on an unknown name, on
    /// the matrix or on a table; a name that a condition skips may be unknown.
    pub fn evaluate(&self, lookup: &dyn Fn(&str) -> Option<f64>) -> Option<f64> {
        let mut stack: Vec<Option<f64>> = Vec::new();
        for step in &self.steps {
            let value = match step {
                Step::Number(value) => Some(*value),
                Step::Name(name, _) => lookup(name),
                Step::Unary(apply) => stack.pop()?.map(apply),
                Step::Binary(apply) => {
                    let right = stack.pop()?;
                    stack.pop()?.zip(right).map(|(left, right)| apply(left, right))
                }
                Step::Random(count) => {
                    let numbers = stack.split_off(stack.len().checked_sub(*count)?);
                    numbers.into_iter().collect::<Option<Vec<f64>>>().map(|numbers| random(&numbers))
                }
                Step::Select => {
                    let (other, one) = (stack.pop()?, stack.pop()?);
                    stack.pop()?.and_then(|condition| if condition != 0.0 { one } else { other })
                }
                Step::Row(..) | Step::Table(..) => {
                    stack.pop()?;
                    None
                }
            };
            stack.push(value);
        }
        stack.pop()?
    }
}

/// Step of an expression without rows and tables, for evaluators of other crates.
#[derive(Clone, Debug)]
pub enum PlainStep<'a> {
    Number(f64),
    Name(&'a str),
    Unary(Unary),
    Binary(Binary),
    /// Function of this many numbers.
    Many(usize, fn(&[f64]) -> f64),
    Select,
}

impl Parsed {
    /// Steps in postfix order; `None` stands for a function of rows or tables.
    pub fn plain_steps(&self) -> impl Iterator<Item = Option<PlainStep<'_>>> {
        self.steps.iter().map(|step| match step {
            Step::Number(value) => Some(PlainStep::Number(*value)),
            Step::Name(name, _) => Some(PlainStep::Name(name)),
            Step::Unary(apply) => Some(PlainStep::Unary(*apply)),
            Step::Binary(apply) => Some(PlainStep::Binary(*apply)),
            Step::Random(count) => Some(PlainStep::Many(*count, random)),
            Step::Select => Some(PlainStep::Select),
            Step::Row(..) | Step::Table(..) => None,
        })
    }
}

impl Program {
    /// The value, if it does not depend on the index.
    pub fn constant(&self) -> Option<f64> {
        let varies = self.ops.iter().any(|op| matches!(op, Op::Variable(_)));
        (!varies).then(|| self.at(0))
    }

    /// The value for one iteration.
    pub fn at(&self, index: u64) -> f64 {
        let mut value = 0.0;
        self.each(index, index + 1, |_, values| value = values[0]);
        value
    }

    /// Calls `visit(first, values)` for consecutive blocks of the iterations `from..to`.
    pub fn each(&self, from: u64, to: u64, mut visit: impl FnMut(u64, &[f64])) {
        let mut stack = self.stack();
        let mut first = from;
        while first < to {
            let length = (to - first).min(BLOCK as u64) as usize;
            self.fill(&mut stack, first, length);
            visit(first, &stack[0][..length]);
            first += length as u64;
        }
    }

    pub(super) fn stack(&self) -> Vec<[f64; BLOCK]> {
        vec![[0.0; BLOCK]; self.depth.max(1)]
    }

    /// Leaves the values of `length` iterations at the bottom of the stack.
    pub(super) fn fill(&self, stack: &mut [[f64; BLOCK]], first: u64, length: usize) {
        run(&self.ops, stack, length, |Index, slots| {
            for (k, slot) in (0..).zip(slots) {
                *slot = (first + k) as f64;
            }
        });
    }
}

/// Leaves `length` values at the bottom of the stack; `variable` fills in a variable's values.
pub(super) fn run<V>(
    ops: &[Op<V>],
    stack: &mut [[f64; BLOCK]],
    length: usize,
    variable: impl Fn(&V, &mut [f64]),
) {
    let mut top = 0;
    for op in ops {
        top = step(op, stack, top, length, &variable);
    }
}

/// Runs one operation on the blocks below `top`, and returns the new top.
fn step<V>(
    op: &Op<V>,
    stack: &mut [[f64; BLOCK]],
    top: usize,
    length: usize,
    variable: &impl Fn(&V, &mut [f64]),
) -> usize {
    match op {
        Op::Number(value) => {
            stack[top][..length].fill(*value);
            top + 1
        }
        Op::Variable(which) => {
            variable(which, &mut stack[top][..length]);
            top + 1
        }
        Op::Unary(apply) => {
            for slot in &mut stack[top - 1][..length] {
                *slot = apply(*slot);
            }
            top
        }
        Op::Row(function, matrix) => {
            for slot in &mut stack[top - 1][..length] {
                *slot = function.of(matrix, *slot);
            }
            top
        }
        Op::Table(table) => {
            for slot in &mut stack[top - 1][..length] {
                *slot = table.at(*slot);
            }
            top
        }
        Op::Binary(apply) => {
            let (left, right) = stack.split_at_mut(top - 1);
            for (a, b) in left[top - 2][..length].iter_mut().zip(&right[0][..length]) {
                *a = apply(*a, *b);
            }
            top - 1
        }
        Op::Random(count) => {
            let mut numbers = [0.0; MOST_ARGUMENTS];
            for k in 0..length {
                for (number, column) in numbers.iter_mut().zip(&stack[top - count..top]) {
                    *number = column[k];
                }
                stack[top - count][k] = random(&numbers[..*count]);
            }
            top + 1 - count
        }
        Op::Select => {
            let (conditions, values) = stack.split_at_mut(top - 2);
            for (k, condition) in conditions[top - 3][..length].iter_mut().enumerate() {
                *condition = if *condition != 0.0 { values[0][k] } else { values[1][k] };
            }
            top - 2
        }
    }
}
